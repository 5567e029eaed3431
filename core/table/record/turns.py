"""Turns: which seat was asked, since which log position, until when."""

from datetime import datetime

from sqlmodel import Session, col, func, select

from core.game.errors import StaleMove
from core.game.events import PhaseBegan
from core.game.types import Seat
from core.statuses import ClosedBy
from core.store.tables import Game, SeatRow, Turn
from core.table.record import deadlines, gamelog, prepared
from core.table.record.calendar import Calendar
from core.text import _


def current_turn(session: Session, game_id: int, seat: Seat) -> Turn | None:
    """Return the open turn of a seat, if it is asked for a move."""
    waiting = asked(session, game_id)
    return next((turn for turn in waiting if turn.seat == seat and not turn.plan), None)


def current_plan(session: Session, game_id: int, seat: Seat) -> Turn | None:
    """Return the open planning call of a seat, if it is asked for orders for the round."""
    waiting = asked(session, game_id)
    return next((turn for turn in waiting if turn.seat == seat and turn.plan), None)


def asked(session: Session, game_id: int) -> list[Turn]:
    """Everything that waits for an answer, for a move or for plans, oldest first."""
    return list(session.scalars(prepared.ASKED, {"game_id": game_id}))


def expect(asked: Turn | None, turn: int) -> None:
    """StaleMove unless `asked`, the seat's open turn, is the one that was answered.

    What other seats do at the same time does not make an answer stale: only the seat's own turn
    counts, which stays the same until the seat has moved (M63).
    """
    if asked is None:
        raise StaleMove(_("You are not asked for a move any more: the game has moved on."))
    if asked.turn != turn:
        raise StaleMove(_("This answers an earlier question: the game has moved on since."))


def ask(
    session: Session,
    game: Game,
    place: SeatRow,
    hours: Calendar,
    now: datetime,
    seconds: int | None = None,
    *,
    plan: bool = False,
) -> Turn:
    """Open a turn of a seat at the present log position; its clock runs by `hours` from now.

    `seconds`: what is left of a turn that is asked again, after a move was taken back (M60).
    `plan`: it is asked for the orders of the round. That stands at the position before, at which
    nobody was ever asked, since the round began within one move; so its number is no other turn's.
    """
    if seconds is None and not plan:
        seconds = deadlines.take_left(place)
        session.add(place)
    if seconds is None:
        again = not plan and _asked_in_phase(session, game, place)
        allowed = deadlines.allowance(game, place, again=again)
    else:
        allowed = seconds
    due = deadlines.due(game, now, allowed, hours)
    row = Turn(
        game_id=game.id,
        seat=place.seat or 0,
        turn=game.seq - plan,
        asked_at=now,
        allowed_seconds=allowed,
        deadline=due,
        first_deadline=due,
        remind_at=None if plan else now,
        user_id=place.user_id,
        plan=plan,
    )
    session.add(row)
    return row


def _asked_in_phase(session: Session, game: Game, place: SeatRow) -> bool:
    """Return True if its holder has been asked for a move since the present phase began."""
    if deadlines.terms_of(game).clock == "turn":
        return False
    log = gamelog.events(session, game.id)
    began = next((e.seq for e in reversed(log) if isinstance(e.event, PhaseBegan)), 0)
    before = select(Turn.id).where(
        Turn.game_id == game.id,
        Turn.seat == place.seat,
        Turn.user_id == place.user_id,
        col(Turn.plan).is_(False),
        Turn.turn >= began,
    )
    return session.exec(before.limit(1)).first() is not None


def close(session: Session, turn: Turn, by: ClosedBy, seq: int, now: datetime) -> None:
    """Close a turn; `seq` is the log position before the answer. Its clock stops."""
    deadlines.stop(session, turn, now)
    turn.closed_at, turn.closed_by, turn.closed_seq = now, by, seq
    session.add(turn)


def is_first(session: Session, turn: Turn) -> bool:
    """Return whether no question of its game was asked before this one."""
    before = select(Turn.id).where(Turn.game_id == turn.game_id, col(Turn.id) < turn.id)
    return session.exec(before.limit(1)).first() is None


def last_moved_at(session: Session, game_id: int, seat: Seat) -> datetime | None:
    """Return when the seat itself last moved; None if it has not yet."""
    query = select(func.max(Turn.closed_at)).where(
        Turn.game_id == game_id, Turn.seat == seat, Turn.closed_by == ClosedBy.MOVE
    )
    return session.exec(query).one()


def last_answer(session: Session, game_id: int, seat: Seat) -> int:
    """Log position before the seat's own last move; 0 if it has not moved yet."""
    query = (
        select(Turn.closed_seq)
        .where(Turn.game_id == game_id, Turn.seat == seat, Turn.closed_by == ClosedBy.MOVE)
        .order_by(col(Turn.closed_seq).desc())
    )
    return session.exec(query).first() or 0
