"""Finished games for tests of pages: played by bots in a moment, stored as if by a file."""

from datetime import UTC, datetime, timedelta

from core.bots import bot
from core.game.log.jsonl import log_of
from core.game.rules.load import load
from core.table.people import archive
from tests.support.table import House
from webapp.instruments.selfplay import play_game

NAMES = ("Anna", "Benedikt", "Clara", "Dörte", "Emil", "Franziska")
BEGAN = datetime(2026, 11, 2, 12, tzinfo=UTC)
EVERY = timedelta(minutes=37)


def finished(
    house: House, board: str = "germany", players: int = 3, variant: str = "standard", **options
) -> int:
    """Store a game of this many players; returns its id. The same game each time."""
    events = play_game(load(board, variant, options), [bot("engineer")] * players, "be" * 32)
    times = [BEGAN + EVERY * n for n in range(len(events))]
    with house.write() as s:
        log = log_of(events, list(NAMES[:players]), times)
        return archive.import_log(s, log, house.now).id
