"""The same for outgrown plants, Steps, phase 5 and the end (B18 to B36)."""
# ruff: noqa: N802 - tests carry the numbers of the points

import pytest

from core.game.errors import RulesError
from core.game.events import FuelRefilled, PlantPutUnder
from core.game.observe import observe
from core.game.rules.load import load
from tests.game.rules.kit import (
    BUILDING,
    BUREAUCRACY,
    FINISHED,
    NOTHING,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    C,
    lay,
    owner,
    rules,
    run,
)
from tests.game.rules.table import Table
from tests.game.rules.test_knobs import FUTURE_FIRST, ROOMY, sold_to_a, values
from tests.game.rules.test_setup import table_of


def house_built(
    variant: str = "standard", market: str = "3 4 5 6 / 7 8 9 10", **knobs: str
) -> Table:
    """A builds his third city, C and B have one."""
    owners = (owner(2), owner(1), owner(1))
    layout = {"phase": BUILDING, "order": (B, C, A), "stack": "13 17 S3", "market": market}
    return lay(*owners, ruleset=rules(variant, **knobs), **layout).grows(A, 1)


@values(("lte", "3"), ("lt", ""))
def test_B18_too_small(value: str, expected: str) -> None:
    assert house_built(obsolete_compare=value).boxed == expected


@values(
    ("always", ("3", "3", "2")),
    ("phase4", ("3", "", "")),
    ("phase5_once", ("", "3", "")),
    ("off", ("", "", "")),
)
def test_B19_when_plants_leave(value: str, expected: tuple[str, str, str]) -> None:
    ruleset = rules(obsolete_timing=value)
    built, before = house_built(obsolete_timing=value), owner(3)
    paid = lay(
        before, phase=BUREAUCRACY, market="3 4 5 6 / 7 8 9 10", stack="33 34 S3", ruleset=ruleset
    ).all_play(POWER_ALL)
    drawn = sold_to_a(lay(before, stack="2 33 S3", ruleset=ruleset), 20)
    assert (built.boxed, paid.boxed, drawn.boxed) == expected


@values(("leader", "3"), ("every_player", ""))
def test_B20_whose_cities(value: str, expected: str) -> None:
    assert house_built(obsolete_scope=value).boxed == expected


@values(("actual", ""), ("all", "3"))
def test_B21_in_which_row(value: str, expected: str) -> None:
    future = "4 5 6 7 / 3 8 9 10"
    assert house_built(market=future, obsolete_rows=value, **FUTURE_FIRST).boxed == expected


@values(("immediate", (2, 2, 2)), ("before_phase5", (1, 2, 2)), ("next_round", (1, 1, 2)))
def test_B22_when_step_2_begins(value: str, expected: tuple[int, int, int]) -> None:
    table = lay(owner(6), phase=BUILDING, order=(B, C, A), ruleset=rules(step2_start=value))
    steps = [table.grows(A, 1).state.step]
    steps.append(table.goes_on_to(BUREAUCRACY).state.step)
    steps.append(table.all_play(POWER_ALL).state.step)
    assert tuple(steps) == expected
    assert table.boxed == "20"


@values((1, "20"), (0, ""), (2, "20 21"))
def test_B23_the_lowest_plant_goes_with_step_2(value: int, expected: str) -> None:
    ruleset = rules(step2_boxes=value)
    table = lay(owner(7), phase=BUILDING, ruleset=ruleset).all_play(NOTHING)
    assert (table.state.step, table.boxed) == (2, expected)


@values(("current", (5, 3, 2, 1)), ("upcoming", (6, 4, 3, 2)))
def test_B24_which_row_refills(value: str, expected: tuple[int, ...]) -> None:
    ruleset = rules(refill_row=value, step2_start="next_round")
    table = lay(owner(7), seats=4, phase=BUREAUCRACY, fuel=ROOMY, ruleset=ruleset)
    assert table.all_play(POWER_ALL).refilled == expected


@values(("current", (6, 4, 3, 2)), ("upcoming", (4, 5, 4, 2)))
def test_B24_which_row_refills_before_step_3(value: str, expected: tuple[int, ...]) -> None:
    ruleset = rules(refill_row=value, step3_start="next_round")
    table = lay(
        seats=4, step=2, phase=BUREAUCRACY, fuel=ROOMY, ruleset=ruleset,
        market="20 21 22 24 / 25 26 30 S3", stack="36 38",
    )  # fmt: skip
    assert table.all_play(POWER_ALL).refilled == expected


@values(
    ({}, ("9 10 13 14 / 15 18 20 30", "8 S3 26"[2:])),
    (FUTURE_FIRST, ("9 10 13 14 / 15 18 20 26", "30 S3")),
)
def test_B25_rotation(value: dict[str, str], expected: tuple[str, str]) -> None:
    ruleset = rules(**value, obsolete_timing="phase5_once")
    table = lay(
        owner(8), step=2, phase=BUREAUCRACY, ruleset=ruleset,
        market="8 9 10 13 / 15 18 20 26", stack="14 30 S3",
    ).all_play(POWER_ALL)  # fmt: skip
    assert (table.market, table.stack) == expected
    assert table.boxed == "8"


@values(
    ("pay_fuel_plants", [FuelRefilled, PlantPutUnder]),
    ("pay_plants_fuel", [PlantPutUnder, FuelRefilled]),
)
def test_B26_order_inside_phase_5(value: str, expected: list[type]) -> None:
    table = lay(phase=BUREAUCRACY, ruleset=rules(phase5_order=value)).all_play(POWER_ALL)
    assert [type(e) for e in table.events if type(e) in expected] == expected


@values(("after_phase4", False), ("immediate", True))
def test_B27_when_the_game_ends(value: str, expected: bool) -> None:
    ruleset = rules(end_timing=value)
    table = lay(owner(16), phase=BUILDING, order=(B, C, A), step=2, ruleset=ruleset)
    assert (table.grows(A, 1).state.phase is FINISHED) is expected


@values(
    (["powered", "shared"], {A: 1, B: 1, C: 1}),
    (["powered", "money", "shared"], {A: 2, B: 2, C: 1}),
    (["powered", "cities", "shared"], {A: 1, B: 2, C: 2}),
    (["powered", "money", "cities", "shared"], {A: 2, B: 3, C: 1}),
)
def test_B28_ties(value: list[str], expected: dict[int, int]) -> None:
    owners = (owner(17, 13, 40), owner(16, 13, 40), owner(16, 13, 41))
    table = lay(*owners, phase=BUILDING, step=2, ruleset=rules(tie_breaks=value)).all_play(NOTHING)
    assert {s.seat: s.place for s in table.state.standings} == expected


@values(("next_phase", (3, 3, 3, 3)), ("phase5", (2, 2, 3, 3)), ("next_round", (2, 2, 2, 3)))
def test_B29_when_step_3_begins(value: str, expected: tuple[int, ...]) -> None:
    table = lay(step=2, stack="S3 36 38 46", ruleset=rules(step3_start=value))
    table = sold_to_a(table, 20)
    steps = [table.goes_on_to(p).state.step for p in (RESOURCES, BUILDING, BUREAUCRACY)]
    steps.append(table.all_play(POWER_ALL).state.step)
    assert tuple(steps) == expected


@values(("immediate", "16 18 20 22 25 26"), ("end_of_phase", "15 16 18 20 / 22 25 26 S3"))
def test_B30_the_card_drawn_while_building(value: str, expected: str) -> None:
    table = lay(
        owner(12), phase=BUILDING, order=(B, C, A), step=2, ruleset=rules(step3_cleanup_p4=value),
        market="13 15 16 18 / 20 22 25 26", stack="S3 36 38",
    ).grows(A, 1)  # fmt: skip
    assert table.market == expected
    assert table.goes_on_to(BUREAUCRACY).market == "16 18 20 22 25 26"


@values(("on_draw", (1, 1)), ("on_step3_start", (0, 1)), ("none", (0, 0)))
def test_B31_when_the_stack_is_shuffled(value: str, expected: tuple[int, int]) -> None:
    table = lay(step=2, stack="S3 36 38 46", drawn="46 38 36", ruleset=rules(step3_reshuffle=value))
    shuffles = [len(sold_to_a(table, 20).chance.shuffles)]
    shuffles.append(len(table.goes_on_to(RESOURCES).chance.shuffles))
    assert tuple(shuffles) == expected
    assert table.stack == ("46 38 36" if expected[1] else "36 38 46")


@values(("box_lowest", "21 22 24 25 26 32"), ("none", "20 21 22 24 25 26"))
def test_B32_phase_5_in_step_3(value: str, expected: str) -> None:
    table = lay(
        step=3, market="20 21 22 24 25 26", stack="32", phase=BUREAUCRACY,
        ruleset=rules(step3_rotation=value),
    )  # fmt: skip
    assert table.all_play(POWER_ALL).market == expected


@values((False, 13 + 19 + 10), (True, 8 + 15 + 10))
def test_B33_through_regions_out_of_play(value: bool, expected: int) -> None:
    table = lay(
        owner("fulda"), phase=BUILDING, order=(B, C, A), regions="green brown yellow",
        ruleset=rules(cross_unselected_region=value),
    )  # fmt: skip
    assert table.price("hannover") == expected
    assert table.price("kassel") is None


@pytest.mark.parametrize(
    ("map", "variant", "missing", "on_top", "always"),
    [
        ("france", "standard", [13], 11, []),
        ("france", "recharged", [13], None, [11]),
        ("germany", "standard", [], 13, []),
        ("germany", "recharged", [], None, []),
    ],
)
def test_B34_what_a_map_does_to_the_deck(
    map: str, variant: str, missing: list[int], on_top: int | None, always: list[int]
) -> None:
    for seed in map_seeds():
        state = table_of(4, variant, map, seed=seed).state
        everything = [*state.market.cards, *state.stack, *state.boxed]
        cards = set(everything)
        assert len(cards) == len(everything)
        assert set(load(map).plant) - cards == set(missing)
        assert on_top in (None, state.stack[0])
        assert set(always) <= set(state.market.cards)


def map_seeds() -> list[str]:
    return [str(n) for n in range(12)]


@pytest.mark.parametrize(
    ("seats", "boxed"), [(2, (0, 6)), (3, (1, 6)), (4, (0, 3)), (5, (0, 0)), (6, (0, 0))]
)
def test_B34_boxed_in_france_of_2019(seats: int, boxed: tuple[int, int]) -> None:
    state = table_of(seats, "recharged", "france").state
    assert (sum(n <= 15 for n in state.boxed), sum(n > 15 for n in state.boxed)) == boxed


@values((True, (None, None, 500)), (False, (500, 500, 500)))
def test_B35_R15_1_hidden_money(value: bool, expected: tuple[int | None, ...]) -> None:
    state = lay(ruleset=rules(hidden_money=value)).state
    assert tuple(p.elektro for p in observe(state, C).players) == expected
    spectator = observe(state, None).players
    assert {p.elektro for p in spectator} == ({None} if value else {500})
    ended = lay(owner(17), phase=BUILDING, step=2, ruleset=rules(hidden_money=value))
    assert observe(ended.all_play(NOTHING).state, None).players[1].elektro == 500


@values((True, ""), (False, "must-power"))
def test_B36_powering_less_than_possible(value: bool, expected: str) -> None:
    table = lay(owner(3, "13 22"), phase=BUREAUCRACY, ruleset=rules(may_underpower=value))
    assert table.refusal(A, run(13)) == expected
    offered = [c.plants for c in table.offer(A).choices]
    assert ((13,) in offered) is value
    assert table.allows(A, run(13, 22))
    idle = lay(owner(1, "13 22"), phase=BUREAUCRACY, ruleset=rules(may_underpower=value))
    assert idle.allows(A, run(22))


def test_R16_2_the_trust_is_left_out() -> None:
    with pytest.raises(RulesError, match="trust_2p"):
        load("germany", "recharged", {"trust_2p": True})


def test_R16_1_two_players_differ_in_their_numbers_only() -> None:
    table = table_of(2)
    assert (len(table.state.regions), len(table.state.boxed)) == (3, 8)
    three = table_of(3).state
    assert table.state.ruleset == three.ruleset
    assert table.state.market == three.market
    assert table.state.fuel_market == three.fuel_market
