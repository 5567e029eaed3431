"""Clocks: which games somebody has to look at now, without anybody visiting them (M34, M75).

Due work is a question to the database, asked every few seconds; no task waits anywhere for its
time to come.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, and_, col, func, or_, select, union

from core.mail import outbox
from core.statuses import InboundStatus, SubmissionStatus
from core.store.tables import Game, InboundMail, Submission, Turn

PATIENCE: Final = timedelta(seconds=3)
"""Age from which a submission or a mail that waits has lost its doorbell."""


@dataclass(frozen=True, slots=True)
class Due:
    """Work that is due: games to adjudicate, mails that came in, whether mails are to go out."""

    games: tuple[int, ...]
    mails_in: tuple[int, ...]
    mails_out: bool


def due(session: Session, now: datetime) -> Due:
    """Everything that somebody has to do now."""
    late = select(InboundMail.id).where(
        InboundMail.status == InboundStatus.PENDING, col(InboundMail.received_at) <= now - PATIENCE
    )
    mails_in = session.exec(late.order_by(col(InboundMail.id))).all()
    return Due(
        games=tuple(sweep(session, now)),
        mails_in=tuple(mails_in),
        mails_out=outbox.backlog(session, now).due > 0,
    )


def unread_since(session: Session) -> datetime | None:
    """When the oldest mail came in that nobody has acted upon; None if all are done with."""
    oldest = select(func.min(InboundMail.received_at)).where(
        InboundMail.status == InboundStatus.PENDING
    )
    return session.exec(oldest).one()


def sweep(session: Session, now: datetime) -> list[int]:
    """Games to adjudicate: overdue turns, moves that wait too long, bots that have not finished.

    Of a game that was stopped only moves count: they are refused.
    """
    overdue = select(col(Turn.game_id)).where(
        col(Turn.closed_at).is_(None), col(Turn.deadline) <= now
    )
    waiting = select(col(Submission.game_id)).where(
        Submission.status == SubmissionStatus.PENDING, col(Submission.created_at) <= now - PATIENCE
    )
    has_automatic_moves = select(col(Game.id)).where(col(Game.has_automatic_moves).is_(True))
    found = select(Game.id).where(
        or_(
            col(Game.id).in_(waiting),
            and_(Game.stopped_reason == "", col(Game.id).in_(union(overdue, has_automatic_moves))),
        )
    )
    return sorted(session.exec(found))
