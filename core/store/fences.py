"""A fence around one of many: what fails inside is undone and told, and the others go on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from core.store.session import put
from core.store.tables import Heartbeat

FAILED: Final = "failed:"
"""What the heartbeats of failures are named by."""
_NAME: Final = 40
_LOST: Final = (OperationalError,)
"""The database itself is away: that concerns all of them."""

log = structlog.get_logger()


@dataclass
class Fence:
    """What became of the work inside; `error` is None where it went well."""

    error: Exception | None = None


@contextmanager
def fenced(session: Session, work: str, now: datetime, **about: object) -> Iterator[Fence]:
    """Do a part of a transaction that may fail without harm to the rest; `about` is logged."""
    fence = Fence()
    try:
        with session.begin_nested():
            yield fence
    except _LOST:
        raise
    except Exception as error:
        fence.error = error
        note(session, work, error, now, **about)


def note(session: Session, work: str, error: Exception, now: datetime, **about: object) -> None:
    """Log that a part of the work failed, and keep that for the doctor.

    The text of an error may hold secrets, so only its kind is logged.
    """
    log.error("item_failed", work=work, error=type(error).__name__, **about)
    put(session, Heartbeat(name=f"{FAILED}{work}"[:_NAME], at=now))


def failures(session: Session) -> dict[str, Heartbeat]:
    """Return when which work last failed."""
    rows = session.exec(select(Heartbeat).where(col(Heartbeat.name).startswith(FAILED)))
    return {row.name.removeprefix(FAILED): row for row in rows}
