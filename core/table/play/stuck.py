"""Work that fails again and again is put aside, so that it holds up nothing else (M78).

An attempt is counted and committed before it is made: also one that kills its process has been
counted then.
"""

from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlmodel import Session, col, delete, select

from core.game.errors import LogError
from core.game.events import GameAbandoned
from core.statuses import ClosedBy, GameStatus, InboundStatus
from core.store.tables import Draft, Game, InboundMail, SealedBidRow
from core.table.notify import mails
from core.table.play import pauses, submissions
from core.table.record import gamelog, results, standing_orders, turns

ATTEMPTS: Final = 5
"""Attempts at one game or one mail that may fail."""

log = structlog.get_logger()


def begin_game(session: Session, game_id: int, now: datetime) -> bool:
    """Count an adjudication; False once too many have failed: the game is flagged then.

    An adjudication that ends well sets the count back. False also while another one has the game:
    were it to hang, all who asked again would wait for it, and for no other game.
    """
    query = select(Game).where(Game.id == game_id)
    game = session.exec(query.with_for_update(key_share=True, skip_locked=True)).first()
    if game is None:
        return False
    if game.stopped_reason:
        return True  # what came just when it was stopped is refused
    if game.attempts >= ATTEMPTS:
        stop_game(session, game_id, f"adjudication failed {game.attempts} times", now)
        return False
    game.attempts += 1
    session.add(game)
    return True


MAIL_WAITS: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (3, 10, 20, 40, 80, 600, 3600, 3 * 3600, 8 * 3600, 16 * 3600, 24 * 3600)
)
"""How long after it came in a mail is tried for the first time, the second, …: for a day."""


def begin_mail(session: Session, inbound_id: int, now: datetime) -> bool:
    """Count an attempt at a mail that came in; False if it is done, or has failed too often.

    False also while another worker reads it.
    """
    query = select(InboundMail).where(InboundMail.id == inbound_id)
    query = query.where(InboundMail.status == InboundStatus.PENDING).with_for_update(
        skip_locked=True
    )
    row = session.exec(query).first()
    if row is None:
        return False
    session.add(row)
    if row.attempts >= len(MAIL_WAITS):
        row.status, row.reason, row.processed_at = InboundStatus.FAILED, "failed too often", now
        log.error("mail_failed", inbound=row.id, attempts=row.attempts)
        return False
    row.attempts += 1
    return True


def stop_game(session: Session, game_id: int, reason: str, now: datetime) -> None:
    """Stop a game until somebody has looked at it; all others go on.

    The moves that wait are refused, since one of them may be the trouble, and the host is told.
    All its clocks stand still meanwhile.
    """
    game = gamelog.lock(session, game_id)
    if game.stopped_reason:
        return
    game.stopped_reason = reason[:200]
    session.add(game)
    pauses.stand_still(session, game, now)
    submissions.refuse_all(session, game, now)
    mails.notify_host_of_stop(session, game, mails.SeatNotice.STOPPED, now)
    log.error("game_flagged", game=game_id, reason=reason)


def failed(session: Session, game_id: int, error: Exception, now: datetime) -> None:
    """Stop a game whose log cannot be read; what else failed in it is tried again."""
    if isinstance(error, LogError):
        stop_game(session, game_id, f"its log cannot be read: {error}", now)


def release(session: Session, game_id: int, now: datetime) -> bool:
    """Let a game go on after its trouble has been mended; False if it was not stopped.

    Who is asked, for a move or for plans, has what was left on their clock when it was stopped, and
    a fair time at least: their answer may be what was refused. The next tick takes the game up.
    """
    game = gamelog.lock(session, game_id)
    if not game.stopped_reason:
        return False
    game.stopped_reason, game.attempts, game.has_automatic_moves = (
        "",
        0,
        game.status == GameStatus.RUNNING,
    )
    session.add(game)
    pauses.run_again(session, game, now)
    mails.notify_host_of_stop(session, game, mails.SeatNotice.RELEASED, now)
    log.info("game_unflagged", game=game_id)
    return True


def end(session: Session, game: Game, last: GameAbandoned, now: datetime) -> None:
    """Close a game that was stopped; it has no winner. The game must be locked."""
    for turn in turns.asked(session, game.id):
        turn.closed_at, turn.closed_by, turn.closed_seq = now, ClosedBy.ENDED, game.seq
        session.add(turn)
    gamelog.append(session, game, [last], now)
    if revealed := standing_orders.reveal(session, game, now):
        gamelog.append(session, game, [revealed], now)
    game.status, game.ended_at, game.has_automatic_moves, game.stopped_reason = (
        GameStatus.ABANDONED,
        now,
        False,
        "",
    )
    session.add(game)
    for table in (Draft, SealedBidRow):
        session.exec(delete(table).where(col(table.game_id) == game.id))
    results.record(session, game)
    mails.owe_end(session, game, now)
