"""What a table shows of its clocks: settings, pauses, banks, and who is away until when."""

from datetime import datetime

from sqlmodel import Session

from core.store.tables import Game, SeatRow, User
from core.table import places, turns
from core.table.away import sitters
from core.table.joining.terms import times
from core.table.timing import clocks, pauses
from core.tableview import AwaySeen, ClockSeen


def clock_seen(session: Session, game: Game, now: datetime) -> ClockSeen:
    """The clocks as they stand; those of a game that is over stand still (M35)."""
    rows = places.seats(session, game.id)
    over = game.status != "running"
    return ClockSeen(
        times="" if game.imported else times(game, sum(not row.bot for row in rows)),
        paused=None if over else pauses.paused_since(session, game.id),
        banks=tuple(_banks(session, game, rows, now)),
        away=() if over else tuple(_away(session, game, now)),
        misses=clocks.terms_of(game).claims,
    )


def _banks(session: Session, game: Game, rows: list[SeatRow], now: datetime) -> list[int | None]:
    """Seconds in the bank of each seat; None for bots and where no banks are."""
    terms = clocks.terms_of(game)
    if terms.clock != "bank":
        return []
    asked = {turn.seat: turn for turn in turns.asked(session, game.id)}
    return [
        None
        if row.bot
        else clocks.left(session, game, asked[row.seat], now)
        if row.seat in asked
        else clocks.bank(terms, row)
        for row in rows
    ]


def _away(session: Session, game: Game, now: datetime) -> list[AwaySeen]:
    found = []
    for seat, row in sorted(sitters.away(session, game, now).items()):
        sitter: User | None = sitters.sitter(session, game, row.user_id, now)
        found.append(AwaySeen(seat, row.ends_at, sitter.name if sitter else ""))
    return found
