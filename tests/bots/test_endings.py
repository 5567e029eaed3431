"""Bots end every game that can be ended, however few plants there are (K9)."""

import pytest

from core.bots import bot
from core.game.rules import catalog
from core.game.rules.load import load
from webapp.instruments.selfplay import Match, play_out

FEW = {"boxed_plants": [20] * 5}
"""So few plants that nobody can power the cities that end the game."""


@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("name", ["engineer", "random"])
def test_k9_bots_end_a_game_with_few_plants(variant: str, players: int, name: str) -> None:
    match = Match(load("germany", variant, FEW), players, "9" * 64)
    play_out(match, [bot(name, str(seat)) for seat in range(players)])
    assert match.state.round < 60


@pytest.mark.parametrize("variant", ["swahili_001", "simplified_004"])
@pytest.mark.parametrize("map", ["germany", "usa", "france", "italy"])
@pytest.mark.parametrize("name", ["engineer", "random"])
def test_k9_two_players_on_three_regions_come_to_an_end(variant: str, map: str, name: str) -> None:
    """Step 3 and 17 cities on 21: C2 asks for it."""
    match = Match(load(map, variant), 2, "7" * 64)
    play_out(match, [bot(name, str(seat)) for seat in range(2)])
    assert match.state.round < 60
