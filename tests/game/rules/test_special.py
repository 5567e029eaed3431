"""Rules of single maps: cases S by number, each on the map that knows it, and with its key off."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from collections.abc import Callable
from functools import partial

import pytest

from core.game.chance import Chance
from core.game.engine import start
from core.game.errors import IllegalMove
from core.game.events import GameStarted, PlantBoxed, PlantsOnTop
from core.game.evolve import replay
from core.game.moves import ChooseRegion
from core.game.types import STEP_3_CARD
from tests.game.rules.kit import (
    AUCTION,
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    bid,
    buy,
    lay,
    opens,
    owner,
    rules,
    run,
    switched,
)
from tests.game.rules.kit import BUILDING as BUILD
from tests.game.rules.table import Table, shown

Case = Callable[[], None]
SEEDS = range(12)


def started(map: str, variant: str, players: int, seed: int = 1) -> GameStarted:
    first = start(rules(variant, map), players, Chance(f"{seed:064x}"))[0]
    assert isinstance(first, GameStarted)
    return first


def offered(table: Table, seat: int = A) -> list[int]:
    return [plant.plant for plant in table.offer(seat).plants]


# --- fuel ---------------------------------------------------------------------------------------


def test_S01_a_refill_stops_when_slots_are_full() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules(map="north-america"), phase=BUREAUCRACY,
        fuel=(20, 19, 10, 5), supply=(2, 4, 5, 3),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.refilled[1] == 1
    assert (table.state.fuel_market.oil, table.state.supply.oil) == (20, 3)


def test_S02_where_slots_are_full_nothing_comes() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules(map="europe"), phase=BUREAUCRACY,
        fuel=(20, 20, 10, 5), supply=(2, 3, 5, 3),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.refilled[1] == 0
    assert table.state.supply.oil == 3


def test_S15_garbage_costs_less_with_a_house_in_wien() -> None:
    table = lay(
        owner("bratislava wien", plants=6), owner("bratislava", plants=14),
        ruleset=rules(map="central-europe"), phase=RESOURCES, fuel=(24, 18, 6, 2),
        order=(B, A),
    )  # fmt: skip
    assert [f.costs[:2] for f in table.offer(A).fuels] == [(6, 12)]
    table.plays(A, buy(garbage=1)).plays(B, buy(garbage=1))
    assert (table.spent(A), table.spent(B)) == (6, 7)


def test_a_discount_leaves_no_token_for_nothing() -> None:
    table = lay(
        owner("wien", plants=6), ruleset=rules(map="central-europe"), phase=RESOURCES,
        order=(B, A), fuel=(24, 18, 24, 2), seats=2,
    )  # fmt: skip
    assert table.offer(A).fuels[0].costs[0] == 1


@pytest.mark.parametrize(
    ("players", "step", "market", "supply", "comes"), [(2, 1, 8, 4, 0), (4, 2, 5, 6, 4)]
)
def test_S18_uranium_of_spain_and_portugal(
    players: int, step: int, market: int, supply: int, comes: int
) -> None:
    table = lay(
        *(owner(1) for _ in range(players)), ruleset=rules(map="spain-and-portugal"),
        phase=BUREAUCRACY, step=step, fuel=(20, 15, 10, market), supply=(4, 9, 9, supply),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.refilled[3] == comes


# --- who may buy a plant ------------------------------------------------------------------------


def test_S19_no_uranium_plant_without_a_city_where_it_is_allowed() -> None:
    table = lay(
        owner("warszawa lublin", elektro=25), ruleset=rules(map="central-europe"),
        market="9 15 19 23 / 25 26 30 31",
    )  # fmt: skip
    assert offered(table) == [9, 15, 19]
    assert table.refusal(A, opens(23)) == "uranium-region"


def test_S20_a_barred_bidder_can_only_pass() -> None:
    table = lay(
        owner("praha", elektro=60), owner("lublin lodz", elektro=60),
        ruleset=rules(map="central-europe"), market="19 24 27 28 / 29 30 31 32", seats=2,
    ).plays(A, opens(28))  # fmt: skip
    assert table.offer(B).maximum == 0
    assert table.refusal(B, bid(29)) == "uranium-region"
    table.plays(B, PASS)
    assert table.player(A).plants == (28,)


def test_S21_nor_in_the_first_round() -> None:
    table = lay(
        owner(elektro=50), ruleset=rules("recharged", "central-europe"), round=1,
        market="4 5 6 11 / 12 13 14 15",
    )  # fmt: skip
    assert offered(table) == [4, 5, 6]
    assert not table.offer(A).may_pass


def test_S22_yellow_alone_is_portugal() -> None:
    for cities, plants in (("lisboa porto", [4, 9, 20]), ("lisboa madrid", [4, 9, 20, 28])):
        table = lay(
            owner(cities, elektro=49), ruleset=rules(map="spain-and-portugal"),
            market="4 9 20 28 / 29 30 31 32",
        )  # fmt: skip
        assert offered(table) == plants


def test_S24_the_kind_counts_as_the_region_has_it() -> None:
    for regions, most in (("purple red brown", 0), ("red brown yellow", 11)):
        table = lay(
            owner("", elektro=50), owner("", elektro=11), seats=2, regions=regions,
            ruleset=rules(map="northern-europe").with_plants_of(tuple(regions.split())),
            market="7 8 9 10 / 11 12 13 14", round=1,
        )  # fmt: skip
        if most:
            table.plays(A, opens(10))
            assert table.offer(B).maximum == most
        else:
            assert offered(table) == [7, 8, 9]


# --- plants of a map ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("regions", "fuel", "powered", "burned"),
    [("purple red brown", {"uranium": 2}, 3, (0, 0, 0, 2)), ("red brown", {"coal": 2}, 2, None)],
)
def test_S25_plant_10_with_and_without_its_region(
    regions: str, fuel: dict[str, int], powered: int, burned: tuple[int, ...] | None
) -> None:
    table = _northern(regions, owner(4, plants=10, **fuel)).plays(A, run(10))
    assert table.player(A).powered == powered
    assert table.player(A).fuel.total == 0


@pytest.mark.parametrize(("regions", "oil", "powered"), [("red brown", 0, 2), ("pink red", 1, 3)])
def test_S26_plant_18_with_and_without_its_region(regions: str, oil: int, powered: int) -> None:
    table = _northern(regions, owner(4, plants=18, oil=oil)).plays(A, run(18))
    assert table.player(A).powered == powered
    assert table.player(A).fuel.oil == 0


def _northern(regions: str, first: object) -> Table:
    ruleset = rules(map="northern-europe").with_plants_of(tuple(regions.split()))
    return lay(first, ruleset=ruleset, phase=BUREAUCRACY, regions=regions, seats=2)


def test_plants_are_changed_once_the_regions_are_known() -> None:
    """In a draft that is when the last one is chosen."""
    drafted = rules(map="northern-europe", region_choice="draft")
    events = start(drafted, 2, Chance("1" * 64))
    table = Table(replay(events))
    assert table.state.ruleset.plant[39].fuels == ("uranium",)
    while table.state.phase == "regions":
        seat = table.asked[0]
        regions = table.offer(seat).regions
        wanted = next((r for r in regions if r in ("purple", "orange", "pink")), regions[0])
        table.plays(seat, ChooseRegion(wanted))
    assert "purple" in table.state.regions
    assert table.state.ruleset.plant[39].fuels == ()


# --- the plant market ---------------------------------------------------------------------------


def test_S30_the_first_who_declines_boxes_the_lowest() -> None:
    table = lay(
        owner(2), owner(2), ruleset=rules(map="russia"), market="3 7 8 / 9 13 16",
        stack="10 20 S3",
    ).plays(A, PASS)  # fmt: skip
    assert table.market == "7 8 9 / 10 13 16"
    assert table.count(PlantBoxed, because="first-decline") == 1


def test_S31_once_a_round_and_no_more_when_all_decline() -> None:
    table = lay(
        owner(2), owner(2), ruleset=rules(map="russia"), market="20 24 26 / 33 34 35",
        stack="36 37 38 S3", seats=2,
    ).plays(A, PASS).plays(B, PASS)  # fmt: skip
    assert table.boxed == "20"
    assert table.market == "24 26 33 / 34 35 36"
    table.goes_on_to(BUREAUCRACY).goes_on_to(AUCTION).plays(table.asked[0], PASS)
    assert table.count(PlantBoxed, because="first-decline") == 2


def test_S32_four_are_left_after_the_step_3_card() -> None:
    table = lay(
        owner(2, plants=3), owner(2, plants=4), ruleset=rules(map="russia"), seats=2,
        market="18 19 24 / 34 46 S3", stack="35 37", step3_drawn=True,
    )  # fmt: skip
    table.plays(A, opens(18)).plays(B, PASS)
    assert table.market == "19 24 34 / 35 46 S3"
    table.plays(B, PASS)
    assert table.market == "34 35 37 46"


def test_S33_russia_opens_with_six() -> None:
    for seed in SEEDS:
        first = started("russia", "standard", 2, seed)
        assert shown(first.market) == "3 4 5 / 7 8 9"
        assert first.stack[0] == 13
        assert {10, 11} < set(first.stack[1:6])
        assert first.stack[-1] == STEP_3_CARD
        assert len(first.boxed) == 8
    assert len({started("russia", "standard", 2, n).stack[1:6] for n in SEEDS}) > 6


def test_S34_and_recharged_with_five_low_ones_behind() -> None:
    for seed in SEEDS:
        first = started("russia", "recharged", 2, seed)
        assert len(first.market.actual) == len(first.market.future) == 3
        assert max(*first.market.cards, *first.stack[:5]) <= 15
        assert min(first.stack[5:-1]) > 15
        assert len(first.boxed) == 6


def test_S35_the_fifth_can_be_bought_if_it_is_a_wind_plant() -> None:
    table = lay(
        owner(1), ruleset=rules(map="benelux"), market="4 5 8 9 / 13 14 26 27", stack="10 28 S3"
    )
    table.plays(A, opens(9)).plays(B, PASS).plays(2, PASS)
    assert table.market == "4 5 8 10 13 / 14 26 27"


def test_S36_each_round_the_lowest_goes_then_the_highest_under() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules(map="benelux"), phase=BUREAUCRACY,
        market="3 4 5 8 / 9 10 13 27", stack="34 26 28 S3", seats=2,
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.market == "4 5 8 9 / 10 13 26 27"
    assert table.stack == "28 S3 34"


def test_S37_not_when_the_token_plant_has_gone() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules("recharged", "benelux"), seats=2, token=4,
        market="4 6 9 11 / 13 14 15 25", stack="37 36 38 S3",
    ).plays(A, PASS).plays(B, PASS)  # fmt: skip
    table.goes_on_to(BUREAUCRACY).goes_on_to(AUCTION)
    assert table.market == "6 9 11 13 / 14 15 25 36"
    assert table.stack == "38 S3 37"


def test_S38_but_when_the_token_was_used() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules("recharged", "benelux"), seats=2, phase=BUREAUCRACY,
        market="8 9 10 11 / 14 15 18 29", stack="32 24 40 S3",
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.market == "9 10 11 14 / 15 18 24 29"
    assert table.stack == "40 S3 32"


def test_S39_wind_plants_stay_in_the_market() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules(map="quebec"), seats=2, phase=BUREAUCRACY,
        market="3 4 7 8 / 9 10 13 18", stack="22 24 S3",
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.market == "3 4 7 8 / 9 13 18 22"
    assert table.stack == "24 S3 10"


def test_S40_the_last_of_the_deck_may_go() -> None:
    table = lay(
        owner(1), owner(1), ruleset=rules(map="quebec"), seats=2, phase=BUREAUCRACY,
        market="3 4 7 8 / 22 33 38 50", stack="24 25 S3",
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.stack == "25 S3 50"


def test_S41_two_wind_plants_come_early_in_quebec() -> None:
    for seed in SEEDS:
        first = started("quebec", "recharged", 2, seed)
        assert first.stack[0] <= 15
        assert first.stack[1:3] == (18, 22)
        assert {27, 33, 37, 44, 50} < set(first.stack)
        assert {n for n in first.boxed if n <= 15} < {11, 12, 14, 15}
        assert len(first.boxed) == 6
        assert started("quebec", "standard", 2, seed).stack[:3] == (13, 18, 22)


def test_S42_brazil_keeps_its_garbage() -> None:
    for seed in SEEDS:
        first = started("brazil", "standard", 2, seed)
        assert first.stack[:2] == (13, 14)
        assert {19, 24, 30, 38} < set(first.stack)
        assert len(first.boxed) == 8


def test_S43_and_opens_with_6_and_14() -> None:
    for seed in SEEDS:
        first = started("brazil", "recharged", 4, seed)
        assert {6, 14} < set(first.market.cards)
        assert {19, 24, 30, 38} < set(first.stack)


@pytest.mark.parametrize("variant", ["standard", "recharged"])
def test_S44_europe_opens_with_nine(variant: str) -> None:
    for seed in SEEDS:
        first = started("europe", variant, 2, seed)
        assert (len(first.market.actual), len(first.market.future)) == (4, 5)
        assert max(first.market.cards) <= 15 < first.stack[0]
        assert len(first.boxed) == 6


def test_S45_step_2_replaces_nothing_in_europe() -> None:
    table = lay(
        owner(9), owner(1, elektro=0), ruleset=rules(map="europe"), phase=BUILD, seats=2,
        market="14 19 20 26 / 28 29 30 31 44", stack="32 33 S3", order=(B, A),
    )  # fmt: skip
    table.grows(A, 1).plays(B, NOTHING)
    assert table.state.step == 2
    assert table.market == "19 20 26 28 / 29 30 31 44"
    assert table.stack == "32 33 S3"


def test_S46_three_wind_plants_come_with_step_2() -> None:
    table = lay(
        owner(6), owner(1, elektro=0), owner(0), owner(0), phase=BUILD,
        ruleset=rules(map="spain-and-portugal"), market="15 19 20 21 / 24 25 26 28",
        stack="14 40 S3", order=(B, 2, 3, A),
    )  # fmt: skip
    table.grows(A, 1).plays(3, NOTHING).plays(2, NOTHING).plays(B, NOTHING)
    assert table.state.step == 2
    assert table.market == "18 19 20 21 / 24 25 26 28"
    assert table.stack == "22 27 14 40 S3"
    assert table.count(PlantsOnTop, plants=(18, 22, 27)) == 1
    assert not {18, 22, 27} & {*started("spain-and-portugal", "standard", 4).stack}


CASES: list[tuple[Case, dict[str, object]]] = [
    (test_S15_garbage_costs_less_with_a_house_in_wien, {"fuel_discounts": []}),
    (test_S19_no_uranium_plant_without_a_city_where_it_is_allowed, {"uranium_plants_need": []}),
    (test_S20_a_barred_bidder_can_only_pass, {"uranium_plants_need": []}),
    (test_S21_nor_in_the_first_round, {"uranium_plants_need": []}),
    (test_S22_yellow_alone_is_portugal, {"uranium_plants_need": []}),
    (test_S24_the_kind_counts_as_the_region_has_it, {"plant_changes": []}),
    (test_S30_the_first_who_declines_boxes_the_lowest, {"first_decline_boxes_lowest": False}),
    (test_S31_once_a_round_and_no_more_when_all_decline, {"no_sale_boxes": 1}),
    (test_S33_russia_opens_with_six, {"market_rows": [4, 4], "stack": []}),
    (test_S33_russia_opens_with_six, {"stack": []}),
    (test_S34_and_recharged_with_five_low_ones_behind, {"stack": []}),
    (test_S35_the_fifth_can_be_bought_if_it_is_a_wind_plant, {"actual_row": "lowest"}),
    (test_S36_each_round_the_lowest_goes_then_the_highest_under, {"rotation_boxes_lowest": False}),
    (test_S38_but_when_the_token_was_used, {"rotation_boxes_lowest": False}),
    (test_S39_wind_plants_stay_in_the_market, {"rotation": "largest_under_stack"}),
    (test_S41_two_wind_plants_come_early_in_quebec, {"never_boxed": []}),
    (test_S41_two_wind_plants_come_early_in_quebec, {"stack": []}),
    (test_S42_brazil_keeps_its_garbage, {"never_boxed": []}),
    (test_S42_brazil_keeps_its_garbage, {"stack": []}),
    (test_S43_and_opens_with_6_and_14, {"always_in_market": []}),
    (partial(test_S44_europe_opens_with_nine, "standard"), {"market_rows": [4, 4]}),
    (partial(test_S44_europe_opens_with_nine, "standard"), {"stack": []}),
    (test_S45_step_2_replaces_nothing_in_europe, {"step2_replaces": True}),
    (test_S46_three_wind_plants_come_with_step_2, {"step2_top_plants": []}),
]


@pytest.mark.parametrize(("case", "knobs"), CASES)
def test_a_special_case_fails_with_its_key_off(case: Case, knobs: dict[str, object]) -> None:
    case()
    with switched(**knobs), pytest.raises((AssertionError, IllegalMove)):
        case()
