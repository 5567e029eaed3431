"""Random players on every map, variant and number of players: each game holds together and ends.

`make soak` plays a thousand games of each.
"""

import os
from itertools import product

import pytest

from core.bots.chancer import Chancer
from core.bots.engineer import Engineer
from core.bots.selfplay import play_game
from core.game.events import GameEnded
from core.game.evolve import replay
from core.game.log.jsonl import dump, load, log_of
from core.game.rules import catalog
from core.game.rules import load as rules

GAMES = int(os.environ.get("KRAFTPOST_SOAK_GAMES", "1"))
MAPS = [m.key for m in catalog.maps()]
VARIANTS = [v.key for v in catalog.variants()]
TABLES = list(product(VARIANTS, MAPS, range(2, 7)))


@pytest.mark.parametrize("n", range(GAMES))
@pytest.mark.parametrize(("variant", "board", "players"), TABLES)
def test_random_games_hold_together_and_end(variant: str, board: str, players: int, n: int) -> None:
    turn = TABLES.index((variant, board, players)) + n
    options = {
        "auction": ["open", "sealed"][turn % 2],
        "region_choice": ["random", "draft"][turn // 2 % 2],
    }
    ruleset = rules.load(board, variant, options)
    bots = [
        Engineer() if turn % 3 == 0 and seat == 0 else Chancer(f"{turn}.{seat}")
        for seat in range(players)
    ]
    events = play_game(ruleset, bots, f"{turn:064x}")
    assert isinstance(events[-1], GameEnded)
    log = log_of(events, [f"player {seat}" for seat in range(players)])
    read = load(dump(log))  # checks tokens, money and cards after every event
    assert replay(read.events) == replay(events)
