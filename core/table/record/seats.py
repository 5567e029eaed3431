"""Who sits at a table, and the marks by which seats are told apart."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, count
from typing import Final

from sqlmodel import Session, col, select

from core.game.types import Seat
from core.mail.addresses import mailbox
from core.statuses import GameStatus
from core.store.tables import Game, SeatRow, User
from core.table.record import gamelog, prepared
from core.table.record.errors import TableError
from core.terms import Terms
from core.text import _

COLOURS: Final = ("navy", "yellow", "teal", "red", "pink", "ink")
"""House colours by seat; the style sheet and the board say what they look like."""
_NAME: Final = 40
BOT_NAMES: Final = ("Watt", "Volt", "Ohm", "Joule", "Tesla", "Farad")


def seats(session: Session, game_id: int) -> list[SeatRow]:
    """Return who sits at a table: as they joined; once it plays, in seat order."""
    query = select(SeatRow).where(SeatRow.game_id == game_id).order_by(col(SeatRow.id))
    return sorted(session.exec(query), key=lambda row: row.seat or 0)


def seat_of(session: Session, game_id: int, user_id: int | None) -> SeatRow | None:
    """Return the place of a user at a table."""
    if user_id is None:
        return None
    query = select(SeatRow).where(SeatRow.game_id == game_id, SeatRow.user_id == user_id)
    return session.exec(query).first()


def owner(session: Session, game_id: int, seat: Seat) -> User | None:
    """Return the user of a seat; None where a bot sits."""
    query = select(User).join(SeatRow, col(SeatRow.user_id) == col(User.id))
    return session.exec(query.where(SeatRow.game_id == game_id, SeatRow.seat == seat)).first()


def heir(session: Session, game_id: int, but: int | None) -> int | None:
    """Return the user who is next at a table, to be its host; None if nobody else is there."""
    others = (r.user_id for r in seats(session, game_id) if not r.open and r.user_id != but)
    return next((user_id for user_id in others if user_id is not None), None)


def players(session: Session, game_id: int) -> dict[Seat, tuple[SeatRow, User | None]]:
    """Return the seats of a game that has begun, and their users."""
    found = session.execute(prepared.PLAYERS, {"game_id": game_id})
    return {Seat(row.seat or 0): (row, user) for row, user in found}


def present(session: Session, game_id: int) -> frozenset[Seat]:
    """Return the seats whose people are there: no bot plays them, for good or as caretaker."""
    state = gamelog.load(session, game_id)
    people = players(session, game_id).items()
    return frozenset(s for s, (_r, user) in people if user and not state.players[s].caretaker)


def open_seats(session: Session, game_id: int) -> list[SeatRow]:
    """Return the seats that others may take over, in seat order."""
    return [row for row in seats(session, game_id) if row.open]


def open_table(session: Session, game_id: int) -> Game:
    """Return the table, locked; raise TableError if its game has begun or it was closed."""
    game = gamelog.lock(session, game_id)
    if game.status != GameStatus.OPEN:
        raise TableError("table-closed", _("This table is not open any more."))
    return game


def sit(session: Session, game: Game, row: SeatRow) -> None:
    """Give a free place to a user or a bot (TableError `table-full`)."""
    if free(session, game) < 1:
        raise TableError("table-full", _("All places at this table are taken."))
    session.add(row)
    session.flush()


def sit_user(session: Session, game: Game, user: User, now: datetime) -> SeatRow:
    """Give a free place to a user and return it (TableError `table-full`, `same-mailbox`)."""
    refuse_same_mailbox(session, game, user)
    name = own_name(session, game.id, user.name)
    row = SeatRow(game_id=game.id, user_id=user.id, name=name, joined_at=now)
    sit(session, game, row)
    return row


def refuse_same_mailbox(session: Session, game: Game, user: User) -> None:
    """Raise TableError `same-mailbox` where a rated table has a seat of the user's own mailbox."""
    if Terms.model_validate(game.terms).rated and mailbox(user.email) in _mailboxes(
        session, game.id, user.id
    ):
        raise TableError("same-mailbox", _(
            "Another address of your mailbox sits here, and at a rated table each mailbox has one "
            "seat. Open a table that is not rated, or play with the other address."
        ))  # fmt: skip


def shared_mailbox(session: Session, game_id: int) -> bool:
    """Return True if two seats belong to one mailbox, so that the game rates nobody."""
    found = _mailboxes(session, game_id, None)
    return len(set(found)) < len(found)


def _mailboxes(session: Session, game_id: int, but: int | None) -> list[str]:
    users = select(User).join(SeatRow, col(SeatRow.user_id) == col(User.id))
    rows = session.exec(users.where(SeatRow.game_id == game_id, User.id != (but or 0)))
    return [mailbox(user.email) for user in rows]


def free(session: Session, game: Game) -> int:
    """Return how many places nobody has taken."""
    return game.players - len(seats(session, game.id))


def own_name(session: Session, game_id: int, name: str) -> str:
    """Return a name that nobody else at the table has: a second ``Sam`` is ``Sam (2)`` (H7)."""
    taken = {row.name.casefold() for row in seats(session, game_id)}
    names = chain((name,), (f"{name[: _NAME - 5]} ({n})" for n in count(2)))
    return next(one for one in names if one.casefold() not in taken)


def bot_name(session: Session, game_id: int, bot: str) -> str:
    """Return a name for a bot that nobody at the table has: short, and without digits.

    A number behind it would read as a sum of money: ``sealed bids: Engineer 3 5``.
    """
    taken = {row.name for row in seats(session, game_id)}
    names = chain(BOT_NAMES, (f"{bot.capitalize()} {n}" for n in count(1)))
    return next(name for name in names if name not in taken)


def mark(rows: Sequence[SeatRow]) -> None:
    """Give each seat its number, a colour, and a letter that nobody else has."""
    used: set[str] = set()
    for number, row in enumerate(rows):
        wanted = [c for c in row.name.upper() if "A" <= c <= "Z"]
        row.letter = next(c for c in (*wanted, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ") if c not in used)
        row.seat, row.colour = number, COLOURS[number]
        used.add(row.letter)
