"""Every point in which the texts differ (B1 to B36): each value of each knob does what it says."""
# ruff: noqa: N802 - tests carry the numbers of the points

from typing import Any

import pytest

from core.game.events import OrderChanged
from core.game.types import Fuel
from tests.game.rules.kit import (
    BUILDING,
    BUREAUCRACY,
    FINISHED,
    NOTHING,
    PASS,
    POWER_ALL,
    A,
    B,
    C,
    Table,
    build,
    discard,
    lay,
    opens,
    owner,
    rules,
)
from tests.game.rules.test_setup import table_of

ROOMY = (10, 10, 10, 2)


def values(*rows: tuple[Any, Any]) -> pytest.MarkDecorator:
    """A knob's values and what each leads to."""
    return pytest.mark.parametrize(("value", "expected"), rows, ids=[str(r[0]) for r in rows])


def sold_to_a(table: Table, plant: int) -> Table:
    return table.plays(A, opens(plant)).plays(B, PASS).plays(C, PASS)


@values((7, 6), (6, 9), (5, 12))
def test_B1_garbage_at_the_start(value: int, expected: int) -> None:
    state = table_of(3, garbage={"start_from": value}).state
    assert (state.fuel_market.garbage, state.supply.garbage) == (expected, 24 - expected)


@values(("fixed_3_10", True), ("shuffled_3_15", False))
def test_B2_opening_deck(value: str, expected: bool) -> None:
    markets = [
        table_of(5, deck_setup=value, seed=s, boxed_plants=[0] * 5).market for s in ("1", "2", "3")
    ]
    assert (set(markets) == {"3 4 5 6 / 7 8 9 10"}) is expected


@values(([8, 8, 4, 0, 0], 4), ([8, 8, 7, 0, 0], 7))
def test_B3_boxed_plants(value: list[int], expected: int) -> None:
    table = table_of(4, boxed_plants=value)
    assert (len(table.state.boxed), len(table.state.stack)) == (expected, 35 - expected)


@values(([3, 3, 4, 5, 5], 5), ([3, 3, 4, 5, 6], 6))
def test_B4_regions_in_play(value: list[int], expected: int) -> None:
    assert len(table_of(6, regions_in_play=value).state.regions) == expected


@values(([4, 3, 3, 3, 3], True), ([3, 3, 3, 3, 3], False))
def test_B5_plant_limit_of_two(value: list[int], expected: bool) -> None:
    table = lay(owner(plants="8 13 15"), seats=2, ruleset=rules(plant_limit=value))
    table.plays(A, opens(20)).plays(B, PASS)
    assert (table.state.discarding is None) is expected


@values(([10, 7, 7, 7, 6], 2), ([10, 8, 7, 7, 6], 1))
def test_B6_cities_that_start_step_2(value: list[int], expected: int) -> None:
    table = lay(owner(7), phase=BUILDING, ruleset=rules(step2_cities=value)).all_play(NOTHING)
    assert table.state.step == expected


@values(([21, 17, 17, 15, 14], False), ([21, 12, 17, 15, 14], True))
def test_B6_cities_that_end_the_game(value: list[int], expected: bool) -> None:
    table = lay(owner(12), phase=BUILDING, step=2, ruleset=rules(end_cities=value))
    assert (table.all_play(NOTHING).state.phase is FINISHED) is expected


@values((True, (B, A, C)), (False, (C, B, A)))
def test_B7_order_after_the_first_auction(value: bool, expected: tuple[int, ...]) -> None:
    owners = (owner(plants=8), owner(plants=13), owner(plants=4))
    ruleset = rules(reorder_after_first_auction=value, opener_must_open="never")
    table = lay(*owners, round=1, order=(C, B, A), ruleset=ruleset).all_play(PASS)
    assert table.state.order == expected
    assert table.count(OrderChanged) == value


@values(("round_1", "must-buy"), ("never", ""), ("always", "must-buy"))
def test_B8_everybody_buys_in_round_1(value: str, expected: str) -> None:
    table = lay(round=1, ruleset=rules(opener_must_open=value))
    assert table.refusal(A, PASS) == expected


@values(("highest_plant", (A, B, C)), ("plant_count", (B, A, C)))
def test_B9_order_among_equals(value: str, expected: tuple[int, ...]) -> None:
    owners = (owner("essen", 20), owner("fulda", "4 5"), owner("halle", 3))
    table = lay(*owners, phase=BUREAUCRACY, ruleset=rules(order_tiebreak=value))
    assert table.all_play(POWER_ALL).state.order == expected


@values(("clockwise", B), ("turn_order", C))
def test_B10_who_bids_next(value: str, expected: int) -> None:
    table = lay(order=(A, C, B), ruleset=rules(bid_direction=value)).plays(A, opens(20))
    assert table.asked == (expected,)


@values((1, "20"), (0, ""), (2, "20 21"))
def test_B11_nobody_bought(value: int, expected: str) -> None:
    assert lay(ruleset=rules(no_sale_boxes=value)).all_play(PASS).boxed == expected


@values(("old_only", "plant-not-discardable"), ("any", ""))
def test_B12_may_the_new_plant_go(value: str, expected: str) -> None:
    table = sold_to_a(lay(owner(plants="8 13 15"), ruleset=rules(discard_choice=value)), 20)
    assert table.refusal(A, discard(20)) == expected


@values(("may", Fuel(coal=6)), ("must", Fuel(coal=6)))
def test_B13_fuel_moves_off_a_discarded_plant(value: str, expected: Fuel) -> None:
    ruleset = rules(discard_fuel_move=value)
    table = sold_to_a(lay(owner(plants="4 13 15", coal=7), ruleset=ruleset), 20)
    assert table.plays(A, discard(4)).player(A).fuel == Fuel(coal=7)
    table = sold_to_a(lay(owner(plants="4 13 20", coal=8), ruleset=ruleset), 21)
    assert table.refusal(A, discard(20, Fuel(coal=5))) == "fuel-choice"
    table = sold_to_a(lay(owner(plants="4 13 20", coal=10), ruleset=ruleset), 22)
    assert table.plays(A, discard(4)).player(A).fuel == expected


FUTURE_FIRST = {"market_insert": "future_first", "rotation": "obsolete_else_largest"}


@values(
    ({}, "8 9 10 12 / 13 15 18 20"),
    (FUTURE_FIRST, "8 9 10 13 / 12 15 18 20"),
)
def test_B14_where_a_drawn_plant_goes(value: dict[str, str], expected: str) -> None:
    market = "8 9 10 13 / 15 18 20 26"
    table = lay(phase=BUREAUCRACY, market=market, stack="12 S3", ruleset=rules(**value))
    assert table.all_play(POWER_ALL).market == expected


TOKEN = {"discount_token": True, "obsolete_timing": "off", "no_sale_boxes": 0}


@values(({}, 20), (TOKEN, 1))
def test_B15_the_discount_token(value: dict[str, object], expected: int) -> None:
    table = lay(phase=BUREAUCRACY, ruleset=rules(**value)).all_play(POWER_ALL)
    assert min(p.minimum for p in table.offer(A).plants) == expected


@values((True, 46), (False, None))
def test_B16_paths_through_empty_cities(value: bool, expected: int | None) -> None:
    ruleset = rules(pass_through_empty=value)
    table = lay(owner("fulda"), phase=BUILDING, order=(B, C, A), ruleset=ruleset)
    assert table.price("berlin") == expected
    assert table.price("erfurt") == 23


@values((True, None), (False, 15))
def test_B17_a_first_city_where_others_are(value: bool, expected: int | None) -> None:
    ruleset = rules(first_city_must_be_empty=value)
    table = lay(owner(), owner("essen"), phase=BUILDING, order=(B, C, A), step=2, ruleset=ruleset)
    assert table.price("essen") == expected
    assert table.allows(A, build("essen")) is not value
