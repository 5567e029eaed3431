"""Chat by mail: for those who want it, what was said within a quarter of an hour in one (M16)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from core.mail import outbox
from core.store.tables import ChatLine, Game, OutboxMail, SeatRow, User

PAUSE: Final = timedelta(minutes=15)
"""How long lines are gathered before they are mailed."""


def owe(session: Session, game: Game, line: ChatLine, now: datetime) -> None:
    """Owe the others at the table a mail that begins with `line`, unless one is gathering."""
    query = (
        select(SeatRow, User)
        .join(User, col(SeatRow.user_id) == col(User.id))
        .where(SeatRow.game_id == game.id, User.id != line.user_id, User.mail_chat)
    )
    for seat, user in session.exec(query):
        if not _gathering(session, game, user):
            outbox.enqueue(
                session,
                "chat",
                key=f"chat:{game.id}:{user.id}:{line.id}",
                now=now,
                user=user,
                game_id=game.id,
                seat=seat.seat,
                context={"from": line.id},
                due=now + PAUSE,
            )


def lines(session: Session, mail: OutboxMail) -> Sequence[tuple[ChatLine, str]]:
    """What a chat mail tells, and who said it: from its first line to that of the next mail."""
    following = (
        select(OutboxMail)
        .where(
            OutboxMail.kind == "chat",
            OutboxMail.game_id == mail.game_id,
            OutboxMail.user_id == mail.user_id,
            col(OutboxMail.id) > mail.id,
        )
        .order_by(col(OutboxMail.id))
    )
    said = (
        select(ChatLine, User.name)
        .join(User, col(ChatLine.user_id) == col(User.id))
        .where(
            ChatLine.game_id == mail.game_id,
            ChatLine.user_id != mail.user_id,
            col(ChatLine.id) >= mail.context["from"],
        )
        .order_by(col(ChatLine.id))
    )
    if (later := session.exec(following).first()) is not None:
        # An earlier one that is sent late, or while this was said, must not tell it too. The key
        # ends in the first line; the context is gone once a mail was sent.
        said = said.where(col(ChatLine.id) < int(later.key.rpartition(":")[2]))
    return session.exec(said).all()


def _gathering(session: Session, game: Game, user: User) -> bool:
    """Is there a chat mail that has not been taken up by a sender yet?

    None can take it up until this line is committed, so that it is told in that mail.
    """
    query = select(OutboxMail.id).where(
        OutboxMail.kind == "chat",
        OutboxMail.game_id == game.id,
        OutboxMail.user_id == user.id,
        OutboxMail.status == "pending",
        OutboxMail.attempts == 0,
    )
    return session.exec(query.with_for_update()).first() is not None
