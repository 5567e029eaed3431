"""What is old is thrown away, a little with each sweep (H25).

Logs of games are kept for ever, and so are moves, chat and results; mails, links and marks of the
moment are not.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, SQLModel, col, delete, select

from core.statuses import InboundStatus, MailStatus
from core.store.tables import Digest, Heartbeat, InboundMail, OutboxMail, SignInToken, WebSession

AT_ONCE: Final = 500
"""Rows of a table that one sweep throws away."""
MARKS: Final = timedelta(days=30)
"""How long expired links, ended sessions, digests made and old failures are kept."""


def throw_away(session: Session, now: datetime, mail_days: int) -> int:
    """Delete what is older than its time; return how many rows went.

    `mail_days`: how long mails that came in, and those that were sent or dropped, are kept.
    """
    old, bygone = now - timedelta(days=mail_days), now - MARKS
    done = (MailStatus.SENT, MailStatus.DROPPED, MailStatus.FAILED)
    read = col(InboundMail.status) != InboundStatus.PENDING
    rows: tuple[tuple[type[SQLModel], Any, tuple[Any, ...]], ...] = (
        (InboundMail, InboundMail.id, (read, col(InboundMail.received_at) < old)),
        (OutboxMail, OutboxMail.id,
         (col(OutboxMail.status).in_(done), col(OutboxMail.created_at) < old)),
        (SignInToken, SignInToken.id, (col(SignInToken.expires_at) < bygone,)),
        (WebSession, WebSession.id, (col(WebSession.expires_at) < bygone,)),
        (Heartbeat, Heartbeat.name,
         (col(Heartbeat.name).startswith("failed:"), col(Heartbeat.at) < bygone)),
    )  # fmt: skip
    gone = 0
    for table, number, where in rows:
        found = list(session.exec(select(number).where(*where).limit(AT_ONCE)))
        if found:
            session.exec(delete(table).where(col(number).in_(found)))
        gone += len(found)
    session.exec(delete(Digest).where(col(Digest.at) < bygone))
    return gone
