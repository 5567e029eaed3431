"""Spoiled game files: imported unchanged in meaning, or refused with a reason and nothing kept.

`make fuzz` tries 10,000.
"""

import json
from random import Random

import pytest

from core.game.errors import LogError
from core.game.log.jsonl import load
from tests.fuzz.harness import Trial, bases
from tests.fuzz.mutations import MUTATIONS, mutate
from tests.support.site import Site

FILES = 300


def test_every_spoiled_file_is_refused_whole_or_taken_as_it_is(site: Site) -> None:
    trial = Trial(site, seed=2026)
    for _way in trial.files(FILES):
        pass
    tally = trial.tally
    assert tally.refused + tally.same + tally.other == FILES
    assert tally.refused > FILES // 2
    assert tally.same > 10  # and not everything is refused


@pytest.mark.parametrize("way", MUTATIONS, ids=lambda way: way.__name__)
def test_every_way_makes_another_file(way) -> None:
    lines = list(bases()[1])
    assert any(way(Random(n), list(lines)) != "\n".join(lines).encode() for n in range(5))


def test_one_seed_makes_the_same_files_again() -> None:
    lines = list(bases()[1])
    assert [mutate(Random(7), lines) for _ in range(3)] == [mutate(Random(7), lines)] * 3


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"type": "BidPassed", "v": 1, "seat": 2}, "there is no seat 2"),
        ({"type": "TokenPlaced", "v": 1, "plant": 98}, "there is no plant 98"),
        ({"type": "RegionChosen", "v": 1, "seat": 0, "region": "x"}, "there is no region 'x'"),
        ({"type": "StepReached", "v": 1, "step": 4}, "there is no Step 4"),
        ({"type": "OrderChanged", "v": 1, "order": [0, 0]}, "it does not order every seat"),
        ({"type": "BidPlaced", "v": 1, "seat": 0, "amount": -1}, "-1 Elektro are none"),
        ({"type": "GraceGiven", "v": 1, "seat": 0, "hours": -5}, "-5 is no number for it"),
        ({"type": "GameEnded", "v": 1, "standings": [], "seed": ""}, "it does not rank every"),
    ],
)
def test_what_an_event_names_must_be_there(event: dict, reason: str) -> None:
    lines = [*bases()[1][:30], json.dumps({"seq": 30, "at": None, "event": event})]
    with pytest.raises(LogError, match=f"Line 31: {event['type']} cannot be: {reason}"):
        load(lines)


@pytest.mark.parametrize("n", [0, 5])
def test_a_line_has_no_other_keys(n: int) -> None:
    lines = list(bases()[1])
    lines[n] = lines[n][:-1] + ',"more":1}'
    with pytest.raises(LogError, match=f"Line {n + 1}: 'more' is not known"):
        load(lines)
