"""What the tick finds to do, without anybody visiting anything (M34, M75).

Due work is a question to the database, asked every few seconds; no task waits anywhere for its
time to come.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, and_, col, exists, func, or_, select, union

from core.game.events import GameAbandoned
from core.mail import outbox
from core.statuses import GameStatus, InboundStatus, SubmissionStatus
from core.store.tables import EventRow, Game, InboundMail, SeatRow, Submission, Turn
from core.table.acts import absence, expiry, host_acts, proposals
from core.table.people import reliability
from core.table.play import stuck
from core.table.play.play import Play
from core.table.record import gamelog

PATIENCE: Final = timedelta(seconds=3)
"""Age from which a submission or a mail that waits has lost its task."""


@dataclass(frozen=True, slots=True)
class Due:
    """Work that is due: games to adjudicate, mails that came in, whether mails are to go out."""

    games: tuple[int, ...]
    mails_in: tuple[int, ...]
    mails_out: bool


def due(session: Session, now: datetime) -> Due:
    """Return everything that a worker has to do now."""
    tries = [
        and_(col(InboundMail.attempts) == number, col(InboundMail.received_at) <= now - wait)
        for number, wait in enumerate((*stuck.MAIL_WAITS, stuck.MAIL_WAITS[-1]))
    ]
    late = select(InboundMail.id).where(InboundMail.status == InboundStatus.PENDING, or_(*tries))
    mails_in = session.exec(late.order_by(col(InboundMail.id))).all()
    return Due(
        games=tuple(sweep(session, now)),
        mails_in=tuple(mails_in),
        mails_out=outbox.backlog(session, now).due > 0,
    )


def unread_since(session: Session) -> datetime | None:
    """Return when the oldest mail came in that waits to be acted upon; None if none does."""
    oldest = select(func.min(InboundMail.received_at)).where(
        InboundMail.status == InboundStatus.PENDING, col(InboundMail.attempts) <= stuck.ATTEMPTS
    )
    return session.exec(oldest).one()


def sweep(session: Session, now: datetime) -> list[int]:
    """Return games to adjudicate: overdue turns, moves that wait, bots that have not finished.

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


def neglected(session: Session, now: datetime) -> list[int]:
    """Return tables where something is due though nobody does anything; `tend` looks again."""
    found = expiry.due(session, now) | reliability.due(session, now) | _deserted(session, now)
    return sorted(found | proposals.due(session, now) | host_acts.long_pauses(session, now))


def tend(session: Session, game_id: int, now: datetime) -> None:
    """Do what is due at one table; doing it twice, or at once, does it once."""
    game = gamelog.lock(session, game_id)
    if game.status == GameStatus.OPEN:
        reliability.withdraw(session, game, now)
        expiry.tend(session, game, now)
        return
    proposals.tend(session, game, now)
    if game_id in host_acts.long_pauses(session, now):
        host_acts.end_pause(session, game, now)
    running = game.status == GameStatus.RUNNING and not game.stopped_reason
    if running and game_id in _deserted(session, now):
        play = Play.resume(session, game, now)
        play.record(GameAbandoned("", game.seed, "nobody-left"))
        play.settle()


def _deserted(session: Session, now: datetime) -> set[int]:
    """Games whose people have all left, and in which nothing has happened for long."""
    anybody = exists().where(col(SeatRow.game_id) == Game.id, col(SeatRow.user_id).is_not(None))
    present = anybody.where(col(SeatRow.open).is_(False))
    last = select(func.max(EventRow.at)).where(EventRow.game_id == Game.id).scalar_subquery()
    query = select(Game.id).where(
        Game.status == GameStatus.RUNNING, anybody, ~present, last <= now - absence.PATIENCE
    )
    return set(session.exec(query))
