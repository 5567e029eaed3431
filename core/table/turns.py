"""Turns: which seat was asked, since which log position, until when."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from core.game.errors import StaleMove
from core.game.types import Seat
from core.store.tables import Game, SeatRow, Turn
from core.text import _


def current_turn(session: Session, game_id: int, seat: Seat) -> Turn | None:
    """The open turn of a seat, if it is asked for a move."""
    return next((t for t in open_turns(session, game_id) if t.seat == seat), None)


def open_turns(session: Session, game_id: int) -> list[Turn]:
    """All turns that wait for an answer, oldest first."""
    query = select(Turn).where(Turn.game_id == game_id, col(Turn.closed_at).is_(None))
    return list(session.exec(query.order_by(col(Turn.turn), col(Turn.seat))))


def expect(asked: Turn | None, turn: int) -> None:
    """StaleMove unless `asked`, the seat's open turn, is the one that was answered.

    What other seats do at the same time does not make an answer stale: only the seat's own turn
    counts, which stays the same until the seat has moved (M63).
    """
    if asked is None:
        raise StaleMove(_("You are not asked for a move any more: the game has moved on."))
    if asked.turn != turn:
        raise StaleMove(_("This answers an earlier question: the game has moved on since."))


def ask(session: Session, game: Game, seat: Seat, now: datetime) -> Turn:
    """Open a turn at the present log position; the clock runs from now."""
    row = Turn(
        game_id=game.id,
        seat=seat,
        turn=game.seq,
        asked_at=now,
        allowed_seconds=game.turn_hours * 3600,
        deadline=now + timedelta(hours=game.turn_hours),
        user_id=_owner(session, game.id, seat),
    )
    session.add(row)
    session.flush()
    return row


def _owner(session: Session, game_id: int, seat: Seat) -> int | None:
    query = select(SeatRow.user_id).where(SeatRow.game_id == game_id, SeatRow.seat == seat)
    return session.exec(query).first()


def close(session: Session, turn: Turn, by: str, seq: int, now: datetime) -> None:
    """Close a turn; `seq` is the log position before the answer."""
    turn.closed_at, turn.closed_by, turn.closed_seq = now, by, seq
    session.add(turn)


def last_answer(session: Session, game_id: int, seat: Seat) -> int:
    """Log position before the seat's own last move; 0 if it has not moved yet."""
    query = (
        select(Turn.closed_seq)
        .where(Turn.game_id == game_id, Turn.seat == seat, Turn.closed_by == "move")
        .order_by(col(Turn.closed_seq).desc())
    )
    return session.exec(query).first() or 0
