"""The service was down: the time is given back before any turn is missed (M33).

The sweep records when it last ran. A gap of more than ten minutes becomes an outage, which stops
all clocks like a pause, once, also where two sweeps wake up at the same moment.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from core.store.tables import Game, Heartbeat, Outage, Turn
from core.table import gamelog
from core.table.timing import deadlines

GAP: Final = timedelta(minutes=10)
"""Between two sweeps; a longer silence is an outage."""
BEAT: Final = "clock"
"""Name of the heartbeat by which the sweep knows when it last ran."""


def beat(session: Session, now: datetime) -> bool:
    """The sweep runs; True if it had not run for so long that time was given back.

    Comes before everything else that a sweep does.
    """
    last = _last(session)
    if last is None:
        _begin(session, now)
        return False
    taken = session.execute(
        update(Heartbeat)
        .where(col(Heartbeat.name) == BEAT, col(Heartbeat.at) == last, col(Heartbeat.at) < now)
        .values(at=now)
        .returning(col(Heartbeat.name))
        .execution_options(synchronize_session=False)
    ).first()
    if taken is None or now - last <= GAP:
        return False
    _give_back(session, last, now)
    return True


def silent(session: Session, now: datetime) -> bool:
    """Has the sweep not run for so long that nobody may miss a turn before it has?

    To be asked before turns are read: once it answers no, their deadlines are right.
    """
    last = _last(session)
    return last is not None and now - last > GAP


def _give_back(session: Session, since: datetime, now: datetime) -> None:
    session.add(Outage(starts_at=since, ends_at=now))
    session.flush()
    waiting = (
        select(Turn.game_id)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .where(col(Turn.closed_at).is_(None), Game.status == "running")
        .distinct()
    )
    for game_id in sorted(session.exec(waiting)):
        deadlines.renew(session, gamelog.lock(session, game_id))


def _last(session: Session) -> datetime | None:
    return session.exec(select(Heartbeat.at).where(Heartbeat.name == BEAT)).first()


def _begin(session: Session, now: datetime) -> None:
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    first = dialect.insert(Heartbeat).values(name=BEAT, at=now)
    session.execute(first.on_conflict_do_nothing(index_elements=["name"]))
