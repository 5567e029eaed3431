"""The number of legal sequences of moves from ten positions; see perft.py."""

import json

import pytest

from core.game.state import GameState
from tests.game.perft.perft import DEPTH, GOLDEN, counted, positions

GOLD = json.loads(GOLDEN.read_text("utf-8"))
POSITIONS = positions()


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    expected, found = GOLD[name], counted(POSITIONS[name])
    keys = {*expected["divide"], *found["divide"]}
    moves = [
        f"{move}: {expected['divide'].get(move, 'illegal')} before, "
        f"{found['divide'].get(move, 'illegal')} now"
        for move in sorted(keys)
        if expected["divide"].get(move) != found["divide"].get(move)
    ]
    assert not moves, f"{name}: after the first move\n" + "\n".join(moves)
    assert found["nodes"] == expected["nodes"]


def test_the_golden_file_is_whole() -> None:
    assert len(GOLD) == 10
    assert set(GOLD) == set(POSITIONS)
    for row in GOLD.values():
        assert len(row["nodes"]) == DEPTH
        assert sum(row["divide"].values()) == row["nodes"][-1]


def test_positions_differ() -> None:
    states: list[GameState] = list(POSITIONS.values())
    assert {s.phase for s in states} == {
        "regions", "auction", "resources", "building", "bureaucracy",
    }  # fmt: skip
