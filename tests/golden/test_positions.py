"""Files of every log version fold to the position that they always had (M47, M61)."""

import json
from pathlib import Path

import pytest

from core.game.evolve import replay
from core.game.log import codec
from core.game.log.codec import UPCASTS
from core.game.log.jsonl import load

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
POSITIONS = json.loads((FOLDER / "positions.json").read_text("utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_m47_m61_a_file_folds_to_the_position_that_is_on_file(file: Path) -> None:
    known = codec.facts(replay(load(file.read_text("utf-8").splitlines()).events))
    assert list(codec.differences(POSITIONS[file.stem]["facts"], known)) == []
    assert codec.digest(known) == POSITIONS[file.stem]["sha256"]


def test_a_game_on_file_has_each_shape_that_is_lifted() -> None:
    found = {
        (body["event"]["type"], body["event"]["v"])
        for file in FILES
        for body in map(json.loads, file.read_text("utf-8").splitlines()[1:])
    }
    assert set(UPCASTS) <= found
