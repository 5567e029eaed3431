"""Rules of single maps for regions, cities and ways: cases S by number, and with their key off."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from collections.abc import Callable

import pytest

from core.game import notation
from core.game.chance import Chance
from core.game.engine import start
from core.game.errors import IllegalMove, InvalidMove
from core.game.events import GameStarted, OrderChanged, PlantBoxed
from core.game.observe import observe
from core.game.rules.choices import region_choices
from core.game.rules.network import islands
from core.game.state import Local
from core.game.types import STEP_3_CARD, Phase
from core.orders import notation as orders
from core.orders.decide import decide
from core.orders.model import Act, Standing
from tests.game.rules.kit import (
    AUCTION,
    BUILDING,
    NOTHING,
    PASS,
    A,
    B,
    C,
    build,
    lay,
    opens,
    owner,
    rules,
    switched,
)
from tests.game.rules.table import Table

Case = Callable[[], None]


def started(map: str, variant: str, players: int, seed: int = 1) -> GameStarted:
    first = start(rules(variant, map), players, Chance(f"{seed:064x}"))[0]
    assert isinstance(first, GameStarted)
    return first


def within_reach(table: Table, seat: int = A) -> dict[str, int]:
    return {target.city: target.total for target in table.offer(seat).targets}


# --- turn order after the auctions ---------------------------------------------------------------


def test_S27_turn_order_follows_the_auctions() -> None:
    table = lay(
        owner("ulm biberach", plants=8), owner("singen konstanz", plants=7), seats=2,
        ruleset=rules(map="baden-wurttemberg"), order=(B, A), market="4 5 9 10 / 13 14 26 28",
    ).plays(B, PASS).plays(A, PASS)  # fmt: skip
    assert table.state.order == (A, B)
    assert table.event(OrderChanged).order == (A, B)
    table.goes_on_to(BUILDING).goes_on_to(AUCTION)
    assert table.state.order == (A, B)


def test_S27_the_next_auctions_still_use_it() -> None:
    table = lay(
        owner("ulm biberach singen", plants=8), owner("lahr", plants=7), seats=2,
        ruleset=rules(map="baden-wurttemberg"), order=(B, A), phase=BUILDING,
    ).goes_on_to(AUCTION)  # fmt: skip
    assert table.state.order == (B, A)


@pytest.mark.parametrize("variant", ["standard", "recharged"])
def test_S28_the_two_lowest_go_when_nobody_buys(variant: str) -> None:
    table = lay(
        owner("ulm"), owner("singen"), seats=2, ruleset=rules(variant, "baden-wurttemberg"),
        market="4 5 9 10 / 13 14 26 28", stack="39 23 S3",
    ).all_play(PASS)  # fmt: skip
    assert table.market == "9 10 13 14 / 23 26 28 39"


def test_S29_houses_send_no_plant_away() -> None:
    table = lay(
        owner(10), owner(1), seats=2, ruleset=rules(map="baden-wurttemberg"), phase=BUILDING,
        market="11 16 21 22 / 33 34 35 36", order=(B, A), step=2,
    ).grows(A, 1)  # fmt: skip
    assert table.market == "11 16 21 22 / 33 34 35 36"
    assert not table.count(PlantBoxed)


# --- cities with places and prices of their own --------------------------------------------------


def test_S68_border_cities_open_with_step_2() -> None:
    for step, price in ((1, None), (2, 17)):
        table = lay(
            owner("lorrach"), ruleset=rules(map="baden-wurttemberg"), phase=BUILDING, step=step,
            order=(B, 2, A),
        )  # fmt: skip
        assert within_reach(table).get("basel") == price
    closed = lay(owner("lorrach"), ruleset=rules(map="baden-wurttemberg"), phase=BUILDING,
                 order=(B, 2, A))  # fmt: skip
    assert closed.refusal(A, build("basel")) == "city-full"


def test_S69_their_second_house_costs_20_in_step_3() -> None:
    table = lay(
        owner("mannheim"), owner("ludwigshafen"), ruleset=rules(map="baden-wurttemberg"),
        phase=BUILDING, step=3, order=(B, 2, A),
    )  # fmt: skip
    assert within_reach(table)["ludwigshafen"] == 20


def test_S71_a_small_district_never_holds_a_third_house() -> None:
    pusdorf = {"ruleset": rules(map="bremen"), "phase": BUILDING, "order": (B, 2, A)}
    table = lay(owner("neustadt"), owner("huchting"), step=2, **pusdorf)
    assert within_reach(table)["huchting"] == 14 + 12
    full = lay(owner("neustadt"), owner("huchting"), owner("huchting"), step=3, **pusdorf)
    assert full.refusal(A, build("huchting")) == "city-full"


def test_S70_a_way_costs_what_the_districts_cost_that_it_enters() -> None:
    there = {"ruleset": rules(map="bremen"), "phase": BUILDING, "order": (B, 2, A)}
    assert within_reach(lay(owner("schwachhausen"), **there))["mitte"] == 8 + 1
    assert within_reach(lay(owner("mitte"), **there))["schwachhausen"] == 8 + 5


# --- islands -------------------------------------------------------------------------------------


def test_S79_an_empty_city_of_another_island_for_20_more() -> None:
    table = lay(
        owner("newport-casnewydd cardiff-caerdydd"), owner("belfast"),
        ruleset=rules(map="uk-and-ireland"), seats=2, phase=BUILDING, order=(B, A), step=2,
    )  # fmt: skip
    assert within_reach(table)["coleraine"] == 10 + 20
    assert "belfast" not in within_reach(table)
    assert table.refusal(A, build("belfast")) == "no-path"
    table.plays(A, build("coleraine"))
    assert table.spent(A) == 30


def test_S79_on_an_island_of_ones_own_the_way_is_paid() -> None:
    table = lay(
        owner("newport-casnewydd belfast"), ruleset=rules(map="uk-and-ireland"), seats=2,
        phase=BUILDING, order=(B, A),
    )  # fmt: skip
    route = next(t for t in table.offer(A).targets if t.city == "coleraine")
    assert route.path == ("belfast", "coleraine")


def locked(step: int, rest: str = "") -> Table:
    """B has all of Ireland; A has Wales with the north, or lacks a city there (`rest`)."""
    mine = (
        "newcastle-upon-tyne leeds sheffield nottingham birmingham manchester liverpool "
        "newport-casnewydd bangor aberystwyth swansea-abertawe cardiff-caerdydd"
    )
    return lay(
        owner(mine + rest), owner("sligo dublin waterford limerick galway athlone cork"),
        ruleset=rules(map="uk-and-ireland"), seats=2, regions="pink yellow green",
        phase=BUILDING, order=(B, A), step=step,
    )  # fmt: skip


def test_where_nobody_can_build_any_more_the_game_ends() -> None:
    """Ireland opens only while it is empty, so two networks can lock each other out."""
    full = " haverfordwest-hwlffordd"
    assert locked(3, full).plays(A, NOTHING).plays(B, NOTHING).state.phase is Phase.FINISHED
    assert locked(3).plays(A, NOTHING).plays(B, NOTHING).state.phase is not Phase.FINISHED
    assert locked(2, full).plays(A, NOTHING).plays(B, NOTHING).state.phase is not Phase.FINISHED


def test_S80_no_more_cities_end_the_game_than_are_in_play() -> None:
    small = {"ruleset": rules(map="uk-and-ireland"), "seats": 2, "regions": "yellow orange green"}
    assert lay(**small).state.numbers.end_cities == 6 + 5 + 7
    assert lay(ruleset=small["ruleset"], seats=2).state.numbers.end_cities == 21


def test_S80_step_2_begins_when_as_many_houses_stand_as_there_are_cities() -> None:
    table = lay(
        owner(9, elektro=0), owner(8), ruleset=rules(map="uk-and-ireland", step2_cities=[10] * 5),
        seats=2, regions="yellow orange green", phase=BUILDING, order=(A, B),
    ).grows(B, 1).plays(A, NOTHING)  # fmt: skip
    assert (len(table.player(B).cities), table.state.step) == (9, 2)


def test_regions_of_the_isles_hang_together_on_each() -> None:
    chosen = region_choices(rules(map="uk-and-ireland"), 3)
    assert frozenset(("red", "pink", "orange")) in chosen
    assert frozenset(("red", "brown", "orange")) not in chosen
    assert len(islands(rules(map="uk-and-ireland").map)) == 2


def test_S23_no_uranium_plant_without_a_city() -> None:
    table = lay(ruleset=rules("recharged", "uk-and-ireland"), market="4 5 6 11 / 13 14 15 18",
                round=1)  # fmt: skip
    assert [plant.plant for plant in table.offer(A).plants] == [4, 5, 6]
    assert table.refusal(A, opens(11)) == "uranium-region"


@pytest.mark.parametrize("variant", ["standard", "recharged"])
def test_S47_the_step_3_card_lies_third_from_the_bottom(variant: str) -> None:
    assert started("uk-and-ireland", variant, 2).stack[-3] == STEP_3_CARD


# --- a free jump: Japan --------------------------------------------------------------------------


def japan(first: str = "", second: str = "nagoya", **more: object) -> Table:
    return lay(
        owner(first), owner(second), ruleset=rules(map="japan"), seats=2,
        phase=BUILDING, order=(B, A), **more,
    )  # fmt: skip


def test_S72_in_round_1_the_second_city_is_the_jump_and_the_last() -> None:
    table = japan(second="", round=1)
    assert {city: within_reach(table)[city] for city in ("tokyo", "fukuoka")} == {
        "tokyo": 10, "fukuoka": 10,
    }  # fmt: skip
    assert len(within_reach(table)) == 6
    assert table.refusal(A, build("tokyo fukuoka kobe")) == "no-jump"
    assert table.refusal(A, build("tokyo saitama")) == "city-full"
    assert table.refusal(A, build("tokyo chiba")) == "no-jump"
    assert table.refusal(A, build("chiba")) == "no-first-city"
    table.plays(A, build("tokyo fukuoka"))
    assert (table.spent(A), table.state.local.jumped) == (20, (A,))
    table.plays(B, build("tokyo yokohama", jump="yokohama"))
    assert (table.spent(B), table.state.local.jumped) == (20, (A, B))


def test_S73_a_network_begins_in_one_of_six_cities_even_an_occupied_one() -> None:
    table = japan(second="osaka")
    assert within_reach(table)["osaka"] == 10
    table.plays(A, build("osaka"))
    assert table.spent(A) == 10


def test_S74_the_jump_costs_no_way_and_comes_once() -> None:
    table = japan("osaka")
    ways = [(t.total, t.jump) for t in table.offer(A).targets if t.city == "fukuoka"]
    assert ways == [(10, True), (10 + 3 + 9 + 11 + 12 + 10, False)]
    assert table.refusal(A, build("fukuoka tokyo", jump="fukuoka tokyo")) == "no-jump"
    assert table.refusal(A, build("chiba", jump="chiba")) == "no-jump"
    assert table.refusal(A, build("osaka", jump="osaka")) == "own-city"
    assert japan().refusal(A, build("osaka", jump="osaka")) == "no-jump"
    table.plays(A, build("fukuoka", jump="fukuoka"))
    assert (table.spent(A), table.state.local.jumped) == (10, (A,))
    later = japan("osaka fukuoka", local=Local(jumped=(A,)))
    assert not [t.city for t in later.offer(A).targets if t.jump]
    assert later.refusal(A, build("tokyo", jump="tokyo")) == "no-jump"


def test_S75_some_cities_open_with_step_2() -> None:
    assert within_reach(japan("tokyo", step=2))["saitama"] == 15
    assert "saitama" not in within_reach(japan("tokyo"))


def test_S76_the_third_house_of_a_large_city_costs_20() -> None:
    one, two = owner("osaka"), owner("osaka")
    for step, others, total in ((3, (one, two), 20), (2, (one,), 10), (1, (one,), 10)):
        table = lay(
            owner("nagoya"), *others, ruleset=rules(map="japan"), seats=3, step=step,
            phase=BUILDING, order=(C, B, A), local=Local(jumped=(A,)),
        )  # fmt: skip
        assert within_reach(table)["osaka"] == 9 + total


def test_a_jump_is_written_behind_its_city() -> None:
    ruleset = rules(map="japan")
    line = "build Tokyo, Fukuoka by jump, Nagoya"
    move = notation.parse(line, ruleset)
    assert move == build("tokyo fukuoka nagoya", jump="fukuoka")
    assert notation.text(move, ruleset) == line
    with pytest.raises(InvalidMove, match="no free jump"):
        notation.parse("build Fulda by jump", rules())


def test_a_standing_order_jumps_too() -> None:
    order = orders.parse("order build Fukuoka by jump, Kobe at most 40", rules(map="japan")).order
    view = observe(japan("osaka").state, A)
    act = decide(view, [Standing(1, order, view.round)])
    assert isinstance(act, Act)
    assert act.move == build("fukuoka kobe", jump="fukuoka")
    text = orders.text(order, rules(map="japan"))
    assert text == "order build Fukuoka by jump, Kobe at most 40"


CASES: list[tuple[Case, dict[str, object]]] = [
    (test_S27_turn_order_follows_the_auctions, {"turn_order_set": "before_auction"}),
    (test_S27_the_next_auctions_still_use_it, {"turn_order_set": "before_auction"}),
    (lambda: test_S28_the_two_lowest_go_when_nobody_buys("standard"), {"no_sale_boxes": 1}),
    (test_S29_houses_send_no_plant_away, {"obsolete_timing": "always"}),
    (test_S68_border_cities_open_with_step_2, {"plain": "places"}),
    (test_S68_border_cities_open_with_step_2, {"plain": "house_costs"}),
    (test_S69_their_second_house_costs_20_in_step_3, {"plain": "house_costs"}),
    (test_S70_a_way_costs_what_the_districts_cost_that_it_enters, {"plain": "entry_cost"}),
    (test_S71_a_small_district_never_holds_a_third_house, {"plain": "house_costs"}),
    (test_S23_no_uranium_plant_without_a_city, {"uranium_plants_need": []}),
    (lambda: test_S47_the_step_3_card_lies_third_from_the_bottom("standard"), {"stack": []}),
    (test_S79_an_empty_city_of_another_island_for_20_more,
     {"far_connection": {"cost": 20, "to": "any"}}),
    (test_S72_in_round_1_the_second_city_is_the_jump_and_the_last, {"free_jump": False}),
    (test_S73_a_network_begins_in_one_of_six_cities_even_an_occupied_one,
     {"first_city_must_be_empty": True}),
    (test_S73_a_network_begins_in_one_of_six_cities_even_an_occupied_one, {"plain": "house_costs"}),
    (test_S74_the_jump_costs_no_way_and_comes_once, {"free_jump": False}),
    (test_S75_some_cities_open_with_step_2, {"plain": "places"}),
    (test_S76_the_third_house_of_a_large_city_costs_20, {"plain": "house_costs places"}),
]  # fmt: skip


@pytest.mark.parametrize(("case", "knobs"), CASES)
def test_a_special_case_fails_with_its_key_off(case: Case, knobs: dict[str, object]) -> None:
    case()
    with switched(**knobs), pytest.raises((AssertionError, IllegalMove, LookupError)):
        case()
