"""Is the wall clock to be believed? Deadlines hang on it, and one wrong reading moves them all.

The clock that counts since the machine was started cannot be set. Both together say when that was;
where the wall clock says another day than before, it has been set while the machine ran: then
nothing is judged, sent or missed until it is right again, or the operator says that it is right
now (`kraftpost clock accept`). A machine that was switched off says nothing: that is an outage.
"""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlmodel import Session, col, delete, or_, select

from core.store.session import count, put
from core.store.tables import Heartbeat, Outage

LEAP: Final = timedelta(days=1)
"""By so much the wall clock may be set at once."""
AHEAD: Final = timedelta(minutes=10)
"""What was noted farther in the future than this, was noted by a wrong clock."""
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_BEGAN: Final = "boot:"
_LEAPT: Final = "clock-leapt"


@dataclass(frozen=True, slots=True)
class Boot:
    """One run of the machine: its name, and how long it has lasted, sleep among it."""

    name: str
    age: timedelta


def boot() -> Boot | None:
    """Return the machine's present run; None where the system does not tell."""
    try:
        name = _BOOT_ID.read_text().strip().replace("-", "")
        return Boot(name[:32], timedelta(seconds=time.clock_gettime(time.CLOCK_BOOTTIME)))
    except (OSError, AttributeError):
        return None


def believed(session: Session, now: datetime, run: Boot | None) -> bool:
    """Return True if the wall clock goes on as it did in this run of the machine."""
    known = session.get(Heartbeat, _BEGAN + run.name) if run else None
    return run is None or known is None or abs(now - run.age - known.at) <= LEAP


def watch(session: Session, now: datetime, run: Boot | None) -> bool:
    """Ask the same, and note what the clock says: for the next time, and for the doctor."""
    if not believed(session, now, run):
        put(session, Heartbeat(name=_LEAPT, at=now))
        return False
    if run is not None:
        put(session, Heartbeat(name=_BEGAN + run.name, at=now - run.age))
    _forget(session, _LEAPT)
    return True


def leapt_to(session: Session) -> datetime | None:
    """Return what the wall clock said when it was last not believed; None if it is."""
    row = session.get(Heartbeat, _LEAPT)
    return row.at if row else None


def accept(session: Session) -> bool:
    """Believe the wall clock as it is now; False if it was believed anyway."""
    was = leapt_to(session) is not None
    _forget(session, _LEAPT)
    session.execute(delete(Heartbeat).where(col(Heartbeat.name).startswith(_BEGAN)))
    return was


def forget_future(session: Session, now: datetime) -> None:
    """Cut outages off that reach beyond now: a wrong clock has noted them."""
    for outage in session.exec(select(Outage).where(col(Outage.ends_at) > now + AHEAD)).all():
        outage.ends_at = min(outage.starts_at, now)
        session.add(outage)
    session.flush()


def count_future(session: Session, now: datetime) -> int:
    """Return how many programs were last heard of in the future."""
    noted = col(Heartbeat.name).startswith(_BEGAN), col(Heartbeat.name) == _LEAPT
    return count(session, col(Heartbeat.at) > now + AHEAD, ~or_(*noted))


def _forget(session: Session, name: str) -> None:
    session.execute(delete(Heartbeat).where(col(Heartbeat.name) == name))
