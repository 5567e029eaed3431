"""Deadlines move: a calendar has changed, the host gives time, a late seat has some grace left.

Who calls holds the lock of the game.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from core.game.types import Seat
from core.statuses import GameStatus
from core.store.tables import Game, Heartbeat, Outage, SeatRow, Turn, User
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


def grace(session: Session, game: Game, turn: Turn) -> int:
    """Give a late turn more time by itself; the hours, or 0 where its seat has had its graces.

    The count belongs to the seat, whoever holds it: taking it anew renews nothing (M37).
    """
    terms = deadlines.terms_of(game)
    row = deadlines.seat_row(session, game.id, Seat(turn.seat))
    if turn.plan or row.graces >= terms.graces:
        return 0
    row.graces += 1
    session.add(row)
    hours = grace_hours(game)
    give(session, game, turn, hours)
    return hours


def grace_hours(game: Game) -> int:
    """Hours of a grace extension: the time for a turn, a day at most (M38)."""
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

    TableError: the window is shorter than eight hours; or running turns would get later again
    within a day, so that nobody can push his deadlines before him.
    """
    if (
        window is not None
        and (window[1] - window[0]) % _DAY < LEAST_WINDOW
        and window[0] != window[1]
    ):
        text = _("A play window has eight hours or more; your clocks would hardly run.")
        raise TableError("window-too-short", text)
    if not _sound(name, window):
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
    later = [_carry(session, game, turn, left, now) > was for game, turn, was, left in before]
    if any(later):
        _once_a_day(user, now)


def _carry(session: Session, game: Game, turn: Turn, left: int, now: datetime) -> datetime:
    """Give a turn what it had left, by the new calendar; its new deadline."""
    hours = deadlines.calendar(session, game, turn.user_id, turn.asked_at)
    used = charged(turn.asked_at, now, hours) // timedelta(seconds=1)
    turn.allowed_seconds = used + left
    renew_one(session, game, turn)
    return turn.deadline


def _once_a_day(user: User, now: datetime) -> None:
    last = user.window_set_at
    if last is not None and now - last < PATIENCE:
        text = _("Your running turns have got later by a change today; change it again tomorrow.")
        raise TableError("hours-changed-today", text)
    user.window_set_at = now


def _sound(name: str, window: tuple[int, int] | None) -> bool:
    known = name == "UTC" or getattr(zone(name), "key", None) == name
    return known and all(0 <= minute < _DAY for minute in window or ())


GAP: Final = timedelta(minutes=10)
"""Between two sweeps; a longer silence is an outage."""
BEAT: Final = "clock"
"""Name of the heartbeat by which the sweep knows when it last ran."""


def beat(session: Session, now: datetime) -> bool:
    """Return the sweep runs; True if it had not run for so long that time was given back.

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
        .where(col(Turn.closed_at).is_(None), Game.status == GameStatus.RUNNING)
        .distinct()
    )
    for game_id in sorted(session.exec(waiting)):
        renew(session, gamelog.lock(session, game_id))


def _last(session: Session) -> datetime | None:
    return session.exec(select(Heartbeat.at).where(Heartbeat.name == BEAT)).first()


def _begin(session: Session, now: datetime) -> None:
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    first = dialect.insert(Heartbeat).values(name=BEAT, at=now)
    session.execute(first.on_conflict_do_nothing(index_elements=["name"]))
