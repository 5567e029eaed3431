"""A dry run of the round: what the orders would do now, without a trace and without a secret."""

import random
from dataclasses import replace

import pytest

from core.game.types import Phase
from core.orders.model import Standing
from core.orders.notation import parse
from core.orders.whatif import Rehearsed, rehearse
from tests.game.properties.random_play import Setting, games, turns
from tests.game.rules.kit import (
    BUILDING,
    BUREAUCRACY,
    RESOURCES,
    A,
    B,
    C,
    bid,
    lay,
    opens,
    owner,
    rules,
)
from tests.game.rules.table import Table
from tests.orders.test_desk_always_legal import orders

AUCTION = Phase.AUCTION
NO_ORDER = "No order: you are asked."


def rows(*lines: str) -> tuple[Standing, ...]:
    return tuple(Standing(n, parse(line, rules()).order) for n, line in enumerate(lines, 1))


ENVELOPE = rows(
    "order auction 22 to 30",
    "order fuel 4 twice keep 20",
    "order build Erfurt, Leipzig keep 10",
    "order power all",
)


def table(**more: object) -> Table:
    return lay(owner("fulda", plants=4, elektro=50), **more)


def test_an_envelope_is_rehearsed_phase_by_phase() -> None:
    """50 Elektro: 4 coal for 5 leave 45, Erfurt for 23 leaves 22, Leipzig is too dear then."""
    told = rehearse(table().state, A, ENVELOPE)
    assert [(t.phase, t.line) for t in told] == [
        (AUCTION, "auction 22 for 22"),
        (RESOURCES, "buy 4 coal"),
        (BUILDING, "build Erfurt"),
        (BUREAUCRACY, "power all"),
    ]
    assert told[2].remark.startswith("Left out: Leipzig costs")


def test_what_no_order_speaks_of_is_asked_and_what_fails_is_told() -> None:
    told = rehearse(table(phase=RESOURCES).state, A, rows("order fuel 20"))
    assert told == (
        Rehearsed(RESOURCES, None, "Plant 20 is not yours; you have 4."),
        Rehearsed(BUILDING, None, NO_ORDER),
        Rehearsed(BUREAUCRACY, None, NO_ORDER),
    )


def first(at: Table, seat: int, *lines: str) -> Rehearsed:
    return rehearse(at.state, seat, rows(*lines))[0]


def test_an_open_auction_is_answered_whoever_is_asked_first() -> None:
    at = table().plays(A, opens(20))
    assert first(at, C, "limit 20 to 26").line == "bid 21"
    assert first(at, B, "limit 20 to 20").line == "pass"
    assert first(at, A, "order auction 24 to 40").line == "auction 24 for 24"  # it leads


def test_a_sealed_auction_is_answered_once() -> None:
    at = table(ruleset=rules(auction="sealed")).plays(A, opens(20, 30))
    assert first(at, C, "limit 20 to 26").line == "bid 26"
    at.plays(C, bid(25))
    assert first(at, C, "limit 20 to 26").line is None
    assert first(at, C, "order auction 24 to 40").line == "auction 24 for 40"


def test_a_plant_too_many_is_rehearsed() -> None:
    mine = owner(plants=(5, 8, 13, 20))
    told = first(lay(mine, discarding=A), A, "order auction 24 to 40 discard 8")
    assert told.line == "discard 8"


def test_who_is_through_with_a_phase_is_not_asked_in_it() -> None:
    at = table(phase=RESOURCES, waiting=(B,))
    assert [t.phase for t in rehearse(at.state, A, ENVELOPE)] == [BUILDING, BUREAUCRACY]


@pytest.mark.parametrize("phase", [Phase.REGIONS, Phase.FINISHED])
def test_outside_of_a_round_there_is_nothing_to_rehearse(phase: Phase) -> None:
    assert rehearse(table(phase=phase).state, A, ENVELOPE) == ()


@games(8)
def test_any_position_can_be_rehearsed_and_tells_no_secret(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in turns(setting, 120):
        seat = rng.choice(turn.state.seats)
        given = orders(turn.state, seat, rng)
        players = tuple(
            p if s == seat or not turn.state.ruleset.hidden_money else replace(p, elektro=7)
            for s, p in enumerate(turn.state.players)
        )
        other = replace(turn.state, players=players, stack=turn.state.stack[::-1])
        assert rehearse(turn.state, seat, given) == rehearse(other, seat, given)
