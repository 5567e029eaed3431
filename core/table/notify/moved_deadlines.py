"""Deadlines move: a calendar has changed, the host gives time, a late seat has some grace left.

The caller holds the lock of the game.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlmodel import Session, col, select

from core.statuses import GameStatus
from core.store.fences import fenced
from core.store.session import put, put_new
from core.store.tables import Game, Heartbeat, Outage, SeatRow, Turn, User
from core.table.notify import wall_clock
from core.table.record import deadlines, gamelog, turns
from core.table.record.calendar import charged
from core.table.record.errors import TableError
from core.text import _
from core.when import zone

LONGEST_GRACE: Final = 24
"""Hours of one grace extension at most (M38)."""


def renew(session: Session, game: Game) -> None:
    """Write the deadlines of a game's open turns anew, after a calendar has changed."""
    for turn in turns.asked(session, game.id):
        renew_one(session, game, turn)


def renew_one(session: Session, game: Game, turn: Turn) -> None:
    """Write the deadline of one open turn anew."""
    hours = deadlines.calendar(session, game, turn.user_id, turn.asked_at)
    turn.deadline = deadlines.due(game, turn.asked_at, turn.allowed_seconds, hours)
    if not turn.plan:
        turn.remind_at = turn.asked_at  # its reminders come at other times now
    session.add(turn)


def give(session: Session, game: Game, turn: Turn, hours: int) -> None:
    """Add hours, as its clock counts them, to an open turn."""
    turn.allowed_seconds += hours * deadlines.HOUR
    renew_one(session, game, turn)


def grace_hours(game: Game) -> int:
    """Return the hours of a grace extension: the time for a turn, a day at most (M38)."""
    terms = deadlines.terms_of(game)
    return min(game.turn_hours if terms.clock == "turn" else terms.increment_hours, LONGEST_GRACE)


def games_of(session: Session, user_id: int) -> list[Game]:
    """Return the running games of a user, locked, in the order in which all lock them."""
    query = (
        select(SeatRow.game_id)
        .join(Game, col(Game.id) == col(SeatRow.game_id))
        .where(SeatRow.user_id == user_id, Game.status == GameStatus.RUNNING)
    )
    locked = [gamelog.lock(session, number) for number in sorted(session.exec(query))]
    return [game for game in locked if game.status == GameStatus.RUNNING]


def turn_of(session: Session, game: Game, user_id: int) -> Turn | None:
    """Return what a user is asked at a table, a move or plans."""
    found = (t for t in turns.asked(session, game.id) if t.user_id == user_id)
    return next(found, None)


LEAST_WINDOW: Final = 8 * 60
"""Minutes a day that a play window has at least, so that every turn ends some day (M29)."""
PATIENCE: Final = timedelta(days=1)
"""A change of hours makes running turns later once in so long."""
_DAY: Final = 24 * 60


def change(
    session: Session, user: User, name: str, window: tuple[int, int] | None, now: datetime
) -> None:
    """Set zone and window. What is left of a running turn is kept, to the second, and runs anew.

    Raises:
        TableError: the window is shorter than eight hours; or running turns would get later again
            within a day, so that nobody can push their deadlines before them.
    """
    first, last = window or (0, 0)
    if first != last and (last - first) % _DAY < LEAST_WINDOW:
        text = _("A play window has eight hours or more; your clocks would hardly run.")
        raise TableError("window-too-short", text)
    known = name == "UTC" or getattr(zone(name), "key", None) == name
    if not known or not all(0 <= minute < _DAY for minute in (first, last)):
        raise TableError("hours-unknown", _("Choose a zone and whole minutes of a day."))
    before = [
        (game, turn, turn.deadline, deadlines.left(session, game, turn, now))
        for game in games_of(session, user.id)
        if (turn := turn_of(session, game, user.id)) is not None
    ]
    user.zone = name
    user.window_from, user.window_to = window or (None, None)
    session.add(user)
    session.flush()
    later = False
    for game, turn, was, left in before:
        hours = deadlines.calendar(session, game, turn.user_id, turn.asked_at)
        turn.allowed_seconds = charged(turn.asked_at, now, hours) // timedelta(seconds=1) + left
        renew_one(session, game, turn)
        later |= turn.deadline > was
    if later and user.window_set_at is not None and now - user.window_set_at < PATIENCE:
        text = _("Your running turns have got later by a change today; change it again tomorrow.")
        raise TableError("hours-changed-today", text)
    if later:
        user.window_set_at = now


GAP: Final = timedelta(minutes=10)
"""Between two sweeps; a longer silence is an outage."""
BEAT: Final = "clock"
"""Name of the heartbeat by which the sweep knows when it last ran."""


def beat(session: Session, now: datetime) -> bool:
    """Note that the sweep runs; return True if its silence was so long that time was given back.

    Comes before everything else that a sweep does.
    """
    last = _last(session)
    if last is None:
        put_new(session, Heartbeat(name=BEAT, at=now))
        return False
    if last > now + wall_clock.LEAP:  # noted by a wrong clock
        put(session, Heartbeat(name=BEAT, at=now))
        wall_clock.forget_future(session, now)
        _renew_all(session, now)
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
    session.add(Outage(starts_at=last, ends_at=now))
    session.flush()
    _renew_all(session, now)
    return True


def _renew_all(session: Session, now: datetime) -> None:
    """Write all deadlines anew; a game whose clock cannot be read holds up no other."""
    waiting = (
        select(Turn.game_id)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .where(col(Turn.closed_at).is_(None), Game.status == GameStatus.RUNNING)
        .distinct()
    )
    for game_id in sorted(session.exec(waiting)):
        with fenced(session, "deadlines", now, game=game_id):
            renew(session, gamelog.lock(session, game_id))


def silent(session: Session, now: datetime) -> bool:
    """Return True if the sweep is overdue, or ran in the future: no deadline is enforced yet.

    The game must be locked since before its turns were read: nobody gives time back meanwhile.
    """
    last = _last(session)
    return last is not None and not -wall_clock.LEAP <= now - last <= GAP


def _last(session: Session) -> datetime | None:
    return session.exec(select(Heartbeat.at).where(Heartbeat.name == BEAT)).first()
