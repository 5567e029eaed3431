"""What has to be done about tables where nobody does anything: found and done by the tick."""

from datetime import datetime

from sqlmodel import Session, col, exists, func, select

from core.statuses import GameStatus
from core.store.tables import EventRow, Game, SeatRow
from core.table.acts import absence, expiry, proposals
from core.table.people import reliability
from core.table.play.play import Play
from core.table.record import gamelog


def due(session: Session, now: datetime) -> list[int]:
    """Tables with something to do; `do` looks again, under the table's lock."""
    found = expiry.due(session, now) | reliability.due(session, now) | _deserted(session, now)
    return sorted(found | proposals.due(session, now))


def do(session: Session, game_id: int, now: datetime) -> None:
    """Do what is due at one table; doing it twice, or at once, does it once."""
    game = gamelog.lock(session, game_id)
    if game.status == GameStatus.OPEN:
        reliability.withdraw(session, game, now)
        expiry.tend(session, game, now)
        return
    proposals.tend(session, game, now)
    if (
        game.status == GameStatus.RUNNING
        and not game.stopped_reason
        and game_id in _deserted(session, now)
    ):
        play = Play.resume(session, game, now)
        absence.end(play, "nobody-left")
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
