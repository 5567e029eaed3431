"""Answers to mails that came in: each mail is answered once, errors at most once an hour (M22)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, func, select

from core.mail import outbox
from core.mail.inbound import Inbound
from core.mail.outbox import Kind
from core.store.tables import Game, OutboxMail, User

ERROR_PAUSE: Final = timedelta(hours=1)
"""An address gets one reply an hour to mails that cannot be understood (M22)."""


@dataclass(frozen=True)
class Answer:
    """Whom the answer goes to, about what: the part that all answers to one mail share."""

    session: Session
    mail: Inbound
    key: str
    now: datetime
    game: Game
    user: User | None
    seat: int | None = None

    def owe(self, kind: Kind, number: int, **context: Any) -> None:
        """Owe an answer to command `number` of the mail."""
        self._owe(kind, f"answer:{self.key}:{number}", context)

    def refuse(self, said: str, reason: str, hints: Sequence[str] = ()) -> None:
        """Refuse a mail that asks for something that can be done, only not so or not now."""
        self.owe("refused", 0, said=said, reason=reason, hints=list(hints))

    def not_understood(self, said: str, reason: str, hints: Sequence[str] = ()) -> None:
        """Say that it is no answer to what was asked; once an hour: a program may write it."""
        if not self._told_lately():
            context = {"said": said, "reason": reason, "hints": list(hints)}
            self._owe("refused", f"error:{self.key}", context)

    def _told_lately(self) -> bool:
        query = (
            select(func.count())
            .select_from(OutboxMail)
            .where(
                OutboxMail.address == self.mail.sender,
                col(OutboxMail.key).startswith("error:"),
                col(OutboxMail.created_at) > self.now - ERROR_PAUSE,
            )
        )
        return self.session.exec(query).one() > 0

    def _owe(self, kind: Kind, key: str, context: dict[str, Any]) -> None:
        outbox.enqueue(
            self.session,
            kind,
            key=key,
            now=self.now,
            user=self.user,
            address=self.mail.sender,
            game_id=self.game.id,
            context=context,
            thread=self.mail.message_id,
            seat=self.seat,
        )
