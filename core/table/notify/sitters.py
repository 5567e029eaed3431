"""Who is away, and who may move for them meanwhile."""

from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from core.game.types import Seat
from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import GameStatus
from core.store.tables import Game, SeatRow, User, Vacation
from core.store.tables import Turn as TurnRow
from core.table.record import seats
from core.table.record.deadlines import terms_of


def present(session: Session, user_id: int | None, now: datetime) -> Vacation | None:
    """Return the vacation on which a user is now."""
    query = select(Vacation).where(Vacation.user_id == user_id, *_now(now))
    return session.exec(query).first()


def away(session: Session, game: Game, now: datetime) -> dict[int, Vacation]:
    """Return who is away at a table, by seat; nobody where vacations do not count (M28)."""
    if not terms_of(game).vacation:
        return {}
    query = (
        select(SeatRow.seat, Vacation)
        .join(Vacation, col(Vacation.user_id) == col(SeatRow.user_id))
        .where(SeatRow.game_id == game.id, *_now(now))
    )
    return {seat: row for seat, row in session.exec(query) if seat is not None}


def sits_for(session: Session, game: Game, user: User, now: datetime) -> SeatRow | None:
    """Return the seat at which a user may move for somebody away; none where that one plays."""
    if game.status != GameStatus.RUNNING or seats.seat_of(session, game.id, user.id) is not None:
        return None
    theirs = [s for s, row in sorted(away(session, game, now).items()) if row.sitter_id == user.id]
    rows = seats.seats(session, game.id)
    return next((row for row in rows if theirs and row.seat == theirs[0]), None)


def sitter(session: Session, game: Game, user_id: int | None, now: datetime) -> User | None:
    """Who may move for a user at a table now; nobody who plays there themselves."""
    row = present(session, user_id, now)
    if row is None or row.sitter_id is None or not terms_of(game).vacation:
        return None
    if seats.seat_of(session, game.id, row.sitter_id) is not None:
        return None
    return session.get(User, row.sitter_id)


def last_sitter(session: Session, user: User | None) -> str:
    """Return the name of whom a user last asked to sit in for them; empty for nobody."""
    query = (
        select(User.name)
        .join(Vacation, col(Vacation.sitter_id) == col(User.id))
        .where(Vacation.user_id == (user.id if user else None))
        .order_by(col(Vacation.starts_at).desc())
    )
    return session.exec(query).first() or ""


def _now(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(Vacation.starts_at) <= now, col(Vacation.ends_at) > now


def owe_word(
    session: Session, game: Game, seat: Seat, sitter: User, row: Vacation, now: datetime
) -> None:
    """They may move for the seat from now on."""
    key = f"sitter:{row.id}:{game.id}"
    outbox.owe(session, MailKind.SITTER, key=key, now=now, user=sitter, game_id=game.id, seat=seat)


def owe_turn(session: Session, owner: User, asked: TurnRow, now: datetime) -> None:
    """Tell the sitter of a seat that is asked while its owner is away."""
    game = session.get_one(Game, asked.game_id)
    helper = sitter(session, game, owner.id, now)
    if helper is not None:
        outbox.owe(
            session,
            MailKind.SITTER,
            key=f"sitter:{asked.game_id}:{asked.seat}:{asked.turn}",
            now=now,
            user=helper,
            game_id=asked.game_id,
            seat=asked.seat,
            turn=asked.turn,
        )
