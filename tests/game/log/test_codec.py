"""Events as JSON: nothing is lost, old shapes stay readable, other shapes are refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.bots.random_bot import RandomBot
from core.game.errors import LogError
from core.game.events import EVENTS, BidPlaced, Event, GameStarted
from core.game.log.codec import UPCASTS, decode, decode_strictly, encode, upcast
from core.game.rules.load import load
from webapp.instruments.selfplay import play_game

SAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parent / "samples.jsonl").read_text("utf-8").splitlines()
]
BID = {"type": "BidPlaced", "v": 1, "seat": 1, "amount": 16}

events = st.one_of(
    [st.from_type(kind) for kind in EVENTS.values()
     if kind is not GameStarted]
)  # fmt: skip


@given(events)
def test_what_is_written_is_read_back(event: Event) -> None:
    assert decode(json.loads(json.dumps(encode(event)))) == event


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(["open", "sealed"]))
def test_whole_games_are_read_back(seed: int, auction: str) -> None:
    ruleset = load("usa", options={"auction": auction})
    for event in play_game(ruleset, [RandomBot(str(i)) for i in range(3)], f"{seed:064x}"):
        assert decode_strictly(json.loads(json.dumps(encode(event)))) == event


def test_an_event_names_its_type_and_version_first() -> None:
    assert list(encode(BidPlaced(1, 16)).items()) == list(BID.items())


def test_every_version_of_every_event_has_a_sample() -> None:
    sampled = {(body["type"], body["v"]) for body in SAMPLES}
    every = {(kind.type, v) for kind in EVENTS.values() for v in range(1, kind.VERSION + 1)}
    assert sampled == every


@pytest.mark.parametrize("body", SAMPLES, ids=lambda body: f"{body['type']}-v{body['v']}")
def test_m61_every_sample_is_read_and_written_in_its_present_shape(body: dict[str, Any]) -> None:
    event = decode_strictly(body)
    again = encode(event)
    assert again["v"] == EVENTS[body["type"]].VERSION
    assert decode(again) == event
    if body["v"] == again["v"]:
        assert list(again.items()) == list(body.items())


def test_every_upcast_leads_to_a_known_version() -> None:
    assert all(version < EVENTS[kind].VERSION for kind, version in UPCASTS)


def test_m61_an_old_event_is_lifted_version_by_version() -> None:
    steps = {
        ("BidPlaced", -1): lambda body: {"type": "BidPlaced", "seat": body["who"], "sum": 1},
        ("BidPlaced", 0): lambda body: {**_without(body, "sum"), "amount": body["sum"] + 15},
    }
    old = {"type": "BidPlaced", "v": -1, "who": 1}
    assert decode(old, steps) == BidPlaced(1, 16)
    assert decode_strictly(old, steps) == BidPlaced(1, 16)
    assert upcast({"type": "BidPlaced"}, 1, steps) == ({"type": "BidPlaced"}, 1)


def _without(body: dict[str, Any], key: str) -> dict[str, Any]:
    return {k: v for k, v in body.items() if k != key}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"type": "BidEaten"}, "There is no event 'BidEaten'."),
        ({"type": None}, "There is no event None."),
        ({"v": None}, "BidPlaced does not say its version."),
        ({"v": 2}, "BidPlaced has version 2; known are 1 to 1."),
        ({"seat": "x"}, "BidPlaced: seat: Input should be a valid integer"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(
    change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(LogError) as refused:
        decode({**BID, **change})
    assert str(refused.value).startswith(reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"note": 1}, "BidPlaced: note is not known."),
        ({"amount": "16"}, "BidPlaced: amount is missing or badly written."),
    ],
)
def test_events_from_an_unknown_hand_hold_nothing_else(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(LogError) as refused:
        decode_strictly({**BID, **change})
    assert str(refused.value) == reason


def test_a_default_may_not_be_left_out_by_an_unknown_hand() -> None:
    body = encode(decode(next(b for b in SAMPLES if b["type"] == "AuctionOpened")))
    del body["sealed"]
    assert decode(body)
    with pytest.raises(LogError, match="sealed is missing"):
        decode_strictly(body)
