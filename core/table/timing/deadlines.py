"""Deadlines move: a calendar has changed, the host gives time, a late seat has some grace left.

Who calls holds the lock of the game.
"""

from typing import Final

from sqlmodel import Session, col, select

from core.game.types import Seat
from core.store.tables import Game, SeatRow, Turn
from core.table import gamelog, turns
from core.table.timing import clocks

LONGEST_GRACE: Final = 24
"""Hours of one grace extension at most (M38)."""


def renew(session: Session, game: Game) -> None:
    """Write the deadlines of a game's open turns anew, after a calendar has changed."""
    for turn in turns.asked(session, game.id):
        renew_one(session, game, turn)


def renew_one(session: Session, game: Game, turn: Turn) -> None:
    """Write the deadline of one open turn anew."""
    hours = clocks.calendar(session, game, turn.user_id, turn.asked_at)
    turn.deadline = clocks.due(game, turn.asked_at, turn.allowed_seconds, hours)
    if not turn.plan:
        turn.remind_at = turn.asked_at  # its reminders come at other times now
    session.add(turn)


def give(session: Session, game: Game, turn: Turn, hours: int) -> None:
    """Add hours, as its clock counts them, to an open turn."""
    turn.allowed_seconds += hours * clocks.HOUR
    renew_one(session, game, turn)


def grace(session: Session, game: Game, turn: Turn) -> int:
    """Give a late turn more time by itself; the hours, or 0 where its seat has had its graces.

    The count belongs to the seat, whoever holds it: taking it anew renews nothing (M37).
    """
    terms = clocks.terms_of(game)
    row = clocks.seat_row(session, game.id, Seat(turn.seat))
    if turn.plan or row.graces >= terms.graces:
        return 0
    row.graces += 1
    session.add(row)
    hours = grace_hours(game)
    give(session, game, turn, hours)
    return hours


def grace_hours(game: Game) -> int:
    """Hours of a grace extension: the time for a turn, a day at most (M38)."""
    terms = clocks.terms_of(game)
    return min(game.turn_hours if terms.clock == "turn" else terms.increment_hours, LONGEST_GRACE)


def games_of(session: Session, user_id: int) -> list[Game]:
    """The running games of a user, locked, in the order in which all lock them."""
    query = (
        select(SeatRow.game_id)
        .join(Game, col(Game.id) == col(SeatRow.game_id))
        .where(SeatRow.user_id == user_id, Game.status == "running")
    )
    locked = [gamelog.lock(session, number) for number in sorted(session.exec(query))]
    return [game for game in locked if game.status == "running"]


def turn_of(session: Session, game: Game, user_id: int) -> Turn | None:
    """What a user is asked at a table, a move or plans."""
    found = (t for t in turns.asked(session, game.id) if t.user_id == user_id)
    return next(found, None)
