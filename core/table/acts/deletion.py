"""Deleting an account: nothing of a person stays, and no game breaks by it (M52).

Seats become "a former player", in the log, too; running games go on as when somebody has given up,
with a caretaker and an open seat; tables that have not begun go on with another host, or close.
The user's row stays for what refers to it, and says nothing any more.
"""

import re
from datetime import datetime

from sqlmodel import Session, col, or_, select

from core.game.types import Seat
from core.statuses import GameStatus
from core.store.tables import Game, SeatRow, Turn, User, Vacation
from core.table.acts import absence, lobby
from core.table.people import erasing
from core.table.people.erasing import FORMER
from core.table.play.play import Play
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.text import _


def delete_account(session: Session, user_id: int, now: datetime) -> list[int]:
    """Delete an account; twice is once. Returns the games that may go on by themselves now.

    Raises:
        TableError: `busy` if the user came to another table in this very moment; then nothing has
            happened, and trying again helps.
    """
    user = session.get(User, user_id)
    if user is None or user.deleted_at is not None:
        return []
    games = [gamelog.lock(session, game_id) for game_id in _games(session, user_id)]
    for game in games:
        _leave(session, game, user, now)
    erasing.forget_ratings(session, user_id, now)
    # Games first, the user last: whoever writes to a game locks it before it names a user.
    user = _locked(session, user_id)
    if user.deleted_at is not None:
        return []
    if _seated(session, user_id):
        text = _("You came to another table in this moment. Please try once more.")
        raise TableError("busy", text)
    erasing.erase(session, user)
    user.deleted_at = now
    session.add(user)
    return [game.id for game in games if game.status == GameStatus.RUNNING]


def _games(session: Session, user_id: int) -> list[int]:
    """Every table that knows the user: by a seat, as host, by a turn, or as somebody's sitter."""
    found = set(_seated(session, user_id))
    turns = select(Turn.game_id).where(Turn.user_id == user_id).distinct()
    away = (
        select(SeatRow.game_id)
        .join(Vacation, col(Vacation.user_id) == col(SeatRow.user_id))
        .where(Vacation.sitter_id == user_id)
    )
    for query in (turns, away):
        found |= set(session.exec(query))
    return sorted(found)


def _seated(session: Session, user_id: int) -> list[int]:
    seats = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    hosted = select(Game.id).where(or_(Game.host_id == user_id, col(Game.id).in_(seats)))
    return list(session.exec(hosted))


def _locked(session: Session, user_id: int) -> User:
    """The user as he is now, and nobody can name him in another row meanwhile."""
    return session.get_one(User, user_id, populate_existing=True, with_for_update=True)


def _leave(session: Session, game: Game, user: User, now: datetime) -> None:
    row = seats.seat_of(session, game.id, user.id)
    if game.imported and game.private and game.host_id == user.id:
        erasing.remove_game(session, game)  # nobody else could ever see it
        return
    if game.status == GameStatus.OPEN:
        _leave_open(session, game, user, row, now)
    elif row is not None:
        erasing.log_without(session, game, user, row, _name(session, game.id))
        if game.status == GameStatus.RUNNING:
            _give_up(session, game, row, now)
        _make_former(session, game.id, row)
    else:
        erasing.log_without(session, game, user, None, FORMER)
    game.title = re.sub(rf"(?<!\w){re.escape(user.name)}(?!\w)", FORMER, game.title)[:80]
    game.host_id = None if game.host_id == user.id else game.host_id
    session.add(game)
    session.flush()


def _leave_open(
    session: Session, game: Game, user: User, row: SeatRow | None, now: datetime
) -> None:
    """Somebody else at the table becomes its host; it closes where nobody is."""
    if row is not None:
        session.delete(row)
    if game.host_id != user.id:
        return
    others = [r.user_id for r in seats.seats(session, game.id) if r.user_id not in (None, user.id)]
    game.host_id = others[0] if others else None
    if game.host_id is None:
        lobby.cancel(session, game, now)


def _make_former(session: Session, game_id: int, row: SeatRow) -> None:
    row.name, row.user_id = _name(session, game_id), None
    session.add(row)


def _name(session: Session, game_id: int) -> str:
    """``a former player``, numbered where there is one at the table already."""
    taken = {row.name for row in seats.seats(session, game_id)}
    names = (FORMER, *(f"{FORMER} {n}" for n in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def _give_up(session: Session, game: Game, row: SeatRow, now: datetime) -> None:
    """A caretaker plays, and whoever may join can take the seat; the last one's game ends (M43)."""
    seat = row.seat or 0
    erasing.orders_of(session, game, row)
    if game.stopped_reason:  # it cannot be folded; whoever lets it go on finds the seat open
        row.open, row.user_id = True, None
        session.add(row)
        return
    play = Play.resume(session, game, now)
    row.user_id = None
    absence.leave(play, Seat(seat))
    play.settle()
