"""What players say to the table and note for themselves; none of it is in the game's log."""

from datetime import datetime
from hashlib import sha256
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from core.store.session import put
from core.store.tables import ChatLine, Game, Note, User
from core.table.notify import mails
from core.table.record import seats
from core.table.record.errors import TableError
from core.text import _, clean

LONGEST_LINE: Final = 1000
LONGEST_NOTE: Final = 10_000


def say(session: Session, game: Game, user: User, text: str, key: str, now: datetime) -> bool:
    """Say a line at one's table; False if the same line was said with this key already.

    Another line under a known key is said: a page that the browser kept sends its old nonce again.
    """
    if seats.seat_of(session, game.id, user.id) is None and user.id != game.host_id:
        raise TableError("not-at-table", _("Only those at the table can speak here."))
    if not game.chat:
        raise TableError("chat-off", _("This table has no chat."))
    line = clean(text).strip()[:LONGEST_LINE]
    if not line:
        raise TableError("chat-empty", _("There is nothing to say."))
    digest = sha256(line.encode()).hexdigest()[:16]
    own = f"{game.id}:{user.id}:{digest}:{key}"[:400]
    row = ChatLine(game_id=game.id, user_id=user.id, key=own, text=line, at=now)
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    mails.owe_chat(session, game, row, now)
    return True


def mark(session: Session, game: Game) -> str:
    """Return a text that changes with a table's log, its state and what is said there."""
    said = session.exec(select(func.max(ChatLine.id)).where(ChatLine.game_id == game.id)).one()
    return f"{game.seq}.{said or 0}.{game.status}"


def lines(session: Session, game_id: int, last: int = 200) -> list[tuple[ChatLine, str]]:
    """Return the last lines and who said them, oldest first."""
    query = (
        select(ChatLine, User.name)
        .join(User, col(ChatLine.user_id) == col(User.id))
        .where(ChatLine.game_id == game_id)
        .order_by(col(ChatLine.id).desc())
        .limit(last)
    )
    return list(reversed(session.exec(query).all()))


def said_with(session: Session, game_id: int, user_id: int, mail: str) -> bool:
    """Return whether this user said something at the table by the mail of this Message-ID."""
    query = select(ChatLine.id).where(
        ChatLine.game_id == game_id,
        ChatLine.user_id == user_id,
        col(ChatLine.key).contains(f":{mail}#", autoescape=True),
    )
    return bool(mail) and session.exec(query).first() is not None


def note(session: Session, game_id: int, user: User) -> str:
    """Return a user's own notes on a game."""
    row = session.get(Note, (game_id, user.id))
    return row.text if row else ""


def save_note(session: Session, game_id: int, user: User, text: str, now: datetime) -> None:
    """Keep a user's notes in place of the old ones."""
    put(session, Note(game_id=game_id, user_id=user.id, text=text[:LONGEST_NOTE], saved_at=now))
