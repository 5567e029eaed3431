"""Random players on every map and variant: whatever they do, the game holds together and ends.

`make soak-games GAMES=2000` plays more of them.
"""

import os

import pytest

from core.bots.chancer import Chancer
from core.bots.engineer import Engineer
from core.bots.selfplay import play_game
from core.game.events import GameEnded
from core.game.evolve import replay
from core.game.log.jsonl import dump, load, log_of
from core.game.rules import catalog
from core.game.rules import load as rules

GAMES = int(os.environ.get("KRAFTPOST_SOAK_GAMES", "20"))
MAPS = [m.key for m in catalog.maps()]
VARIANTS = [v.key for v in catalog.variants()]


@pytest.mark.parametrize("n", range(GAMES))
def test_random_games_hold_together_and_end(n: int) -> None:
    options = {
        "auction": ["open", "sealed"][n % 2],
        "region_choice": ["random", "draft"][n // 2 % 2],
    }
    ruleset = rules.load(MAPS[n % len(MAPS)], VARIANTS[n // 3 % len(VARIANTS)], options)
    players = 2 + n % 5
    bots = [Engineer() if n % 3 == 0 and i == 0 else Chancer(f"{n}.{i}") for i in range(players)]
    events = play_game(ruleset, bots, f"{n:064x}")
    assert isinstance(events[-1], GameEnded)
    log = log_of(events, [f"player {i}" for i in range(players)])
    read = load(dump(log))  # checks tokens, money and cards after every event
    assert replay(read.events) == replay(events)
