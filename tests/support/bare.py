"""The service's Celery application with one task more: the least that a task can do and keep."""

from datetime import UTC, datetime

from core.store.session import write
from core.store.tables import Heartbeat
from tasks import app
from tasks.app import celery


@celery.task(name="bare")
def bare(number: int) -> None:
    """One row, one commit."""
    with write(app.engine()) as session:
        session.merge(Heartbeat(name=f"bare {number % 10}", at=datetime.now(UTC)))
