"""The clock's process: Celery's plain scheduler, which also says that it lives."""

from datetime import UTC, datetime
from typing import Any

import structlog
from celery.beat import ScheduleEntry
from celery.beat import Scheduler as PlainScheduler
from sqlalchemy.exc import SQLAlchemyError

from core.store.session import write
from core.store.tables import Heartbeat
from core.store.upsert import put
from tasks import runtime

log = structlog.get_logger()


class Scheduler(PlainScheduler):
    """Sends what is due and writes the heartbeat `beat`."""

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send one task; a database that is away must not stop the clock."""
        super().apply_entry(entry, producer=producer)
        try:
            with write(runtime.engine()) as session:
                put(session, Heartbeat(name="beat", at=datetime.now(UTC)))
        except SQLAlchemyError as error:
            log.warning("no_heartbeat", error=type(error).__name__)
