"""The end of a game that cannot advance: without its rules, which may be what stopped it (M48)."""

from datetime import datetime

from sqlmodel import Session, col, delete

from core.game.events import GameAbandoned
from core.store.tables import Draft, Game, SealedBidRow
from core.table import gamelog, standing, turns
from core.table.outgoing import post
from core.table.records import results


def end(session: Session, game: Game, last: GameAbandoned, now: datetime) -> None:
    """Close a game that was stopped; it has no winner. The game must be locked."""
    for turn in turns.asked(session, game.id):
        turn.closed_at, turn.closed_by, turn.closed_seq = now, "ended", game.seq
        session.add(turn)
    gamelog.append(session, game, [last], now)
    if revealed := standing.reveal(session, game, now):
        gamelog.append(session, game, [revealed], now)
    game.status, game.ended_at, game.restless, game.flag = "abandoned", now, False, ""
    session.add(game)
    for table in (Draft, SealedBidRow):
        session.exec(delete(table).where(col(table.game_id) == game.id))
    results.record(session, game)
    post.ended(session, game, now)
