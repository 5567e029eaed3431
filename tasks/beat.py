"""The clock's process: Celery's plain scheduler, which also says that it lives.

It looks, too, whether all is well. The worker cannot be asked to do that: when it is dead, somebody
else has to send the mail that says so.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from celery.beat import ScheduleEntry
from celery.beat import Scheduler as PlainScheduler
from sqlalchemy.exc import SQLAlchemyError

from core.mail import outbox, transport
from core.mail.message import Mailbox
from core.store.session import put, write
from core.store.tables import Heartbeat
from core.table.notify import sending
from core.table.views import health
from core.table.views.render import renderer
from tasks import app

LOOK: Final = timedelta(minutes=1)
"""How often it is looked whether all is well; the first time once the others can have begun."""

log = structlog.get_logger()


class Scheduler(PlainScheduler):
    """Sends what is due, writes the heartbeat `beat`, and tells the admin what is not well."""

    _next_look: datetime | None = None

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send one task; a database that is away must not stop the clock."""
        super().apply_entry(entry, producer=producer)
        now = datetime.now(UTC)
        try:
            with write(app.engine()) as session:
                put(session, Heartbeat(name="beat", at=now))
            if self._is_time_to_look(now):
                look(now)
        except SQLAlchemyError as error:
            log.warning("no_heartbeat", error=type(error).__name__)

    def _is_time_to_look(self, now: datetime) -> bool:
        due = self._next_look
        if due is None:
            self._next_look = now + health.SILENT
        elif now >= due:
            self._next_look = now + LOOK
        return due is not None and now >= due


def look(now: datetime) -> None:
    """Owe the admin a mail if something is not well, and send it from here: the worker may not."""
    settings = app.settings()
    with write(app.engine()) as session:
        owed = health.watch(session, settings.admin_mail, now)
    if owed:
        with transport.sender(settings.mail_server) as sender:
            render = renderer(Mailbox.of(settings))
            outbox.deliver(app.engine(), render, sender, lambda: datetime.now(UTC), sending.may)
