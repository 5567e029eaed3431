"""Tables that do not begin: their host is asked after ten days, after fourteen they close (M45)."""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, delete, func, select

from core.statuses import GameStatus, MailStatus
from core.store.tables import Game, OutboxMail, SeatRow, User
from core.table.notify import mails
from core.table.record import seats
from core.table.record.errors import TableError
from core.text import _

ASKED: Final = timedelta(days=10)
CLOSED: Final = timedelta(days=14)
"""Ages of a table, since it was opened or last refreshed."""


def refresh(session: Session, game: Game, user: User, now: datetime) -> None:
    """Count the days of a table that is wanted from now on (TableError `not-yours`)."""
    game = seats.open_table(session, game.id)
    if game.host_id != user.id and seats.seat_of(session, game.id, user.id) is None:
        raise TableError("not-yours", _("Only those at the table can do that."))
    game.refreshed_at = now
    session.add(game)


def closes_at(game: Game) -> datetime:
    """When a table that has not begun closes by itself."""
    return _since(game) + CLOSED


def timed_out(game: Game) -> bool:
    """Has it closed by itself?"""
    return game.status == GameStatus.CANCELLED and (game.ended_at or game.created_at) >= closes_at(
        game
    )


def due(session: Session, now: datetime) -> set[int]:
    """Tables whose host is to be asked, and tables to close."""
    since = func.coalesce(Game.refreshed_at, Game.created_at)
    old = session.exec(
        select(Game).where(Game.status == GameStatus.OPEN, since <= now - ASKED)
    ).all()
    keys = {_key(game): game.id for game in old if closes_at(game) > now}
    asked = session.exec(select(OutboxMail.key).where(col(OutboxMail.key).in_(keys))).all()
    waiting = {number for key, number in keys.items() if key not in asked}
    return waiting | {game.id for game in old if closes_at(game) <= now}


def tend(session: Session, game: Game, now: datetime) -> None:
    """Ask the host of a locked table that has not begun, or close it; nothing if it is young."""
    if closes_at(game) <= now:
        close(session, game, now)
    elif _since(game) + ASKED <= now:
        host = session.get(User, game.host_id) if game.host_id is not None else None
        if host is not None:
            mails.notify_user(session, host, game, mails.UserNotice.IDLE, now, key=_key(game))


def came(session: Session, game: Game, user: User, now: datetime) -> None:
    """Owe the host word that they can begin, if the place just taken was the last."""
    host = session.get(User, game.host_id) if game.host_id not in (None, user.id) else None
    if host is not None and not seats.free(session, game):
        mails.notify_user(
            session,
            host,
            game,
            mails.UserNotice.FULL,
            now,
            f"{_full(game)}{user.id}:{now.isoformat()}",
        )


def begun(session: Session, game: Game) -> None:
    """Withdraw the word that the game could begin: it has."""
    session.execute(
        delete(OutboxMail).where(
            col(OutboxMail.game_id) == game.id,
            col(OutboxMail.status) == MailStatus.PENDING,
            col(OutboxMail.key).startswith(_full(game)),
        )
    )


def _full(game: Game) -> str:
    """Return what the keys of mails about a full table begin with."""
    return f"word:full:{game.id}:"


def close(session: Session, game: Game, now: datetime, host: User | None = None) -> None:
    """Close a locked table; those at it are told, each as their own switch says (M15).

    `host`: who closes it, and needs no mail about it; None where it closes by itself.
    """
    game.status, game.ended_at = GameStatus.CANCELLED, now
    session.add(game)
    for user in _people(session, game):
        if user.mail_games and user is not host:
            name = {"name": host.name} if host else {}
            mails.notify_user(session, user, game, mails.UserNotice.CLOSED, now, **name)


def _since(game: Game) -> datetime:
    return game.refreshed_at or game.created_at


def _key(game: Game) -> str:
    return f"idle:{game.id}:{_since(game).isoformat()}"


def _people(session: Session, game: Game) -> list[User]:
    """Return the host, and whoever sits there."""
    seated = select(SeatRow.user_id).where(SeatRow.game_id == game.id)
    found = select(User).where((col(User.id).in_(seated)) | (col(User.id) == game.host_id))
    return list(session.exec(found.order_by(col(User.id))))
