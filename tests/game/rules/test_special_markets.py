"""Rules of single maps in fuel, plant market and income: cases S by number, and with a key off."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from collections.abc import Callable
from typing import Any

import pytest

from core.game import notation
from core.game.board.fuel_market import tracks_now
from core.game.chance import Chance
from core.game.engine import start
from core.game.errors import IllegalMove, InvalidMove
from core.game.events import FuelRefilled, LastIncome, MinesSold, MineTokensRemoved, Step3CardBack
from core.game.evolve import replay
from core.game.moves import BuyResources, Move
from core.game.state import Local
from core.game.types import STEP_3_CARD, Fuel, Resource
from core.orders import notation as orders
from tests.game.rules.kit import (
    AUCTION,
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    C,
    D,
    build,
    burn,
    buy,
    discard,
    lay,
    opens,
    owner,
    rules,
    run,
    switched,
)
from tests.game.rules.kit import BUILDING as BUILD
from tests.game.rules.table import Table, shown
from tests.game.rules.test_special import started

Case = Callable[[], None]


# --- two fuel markets: Korea --------------------------------------------------------------------


def from_north(**fuel: int) -> Move:
    return BuyResources(Fuel(**fuel), "North")


def korea(north: tuple[int, ...], **more: Any) -> Table:
    return lay(
        owner("seoul", plants="7 11", elektro=45), owner("busan", plants=3), seats=2,
        ruleset=rules(map="korea"), phase=RESOURCES, order=(B, A),
        local=Local(markets=(Fuel(*north),)), **more,
    )  # fmt: skip


def test_S08_a_purchase_from_the_market_in_the_north() -> None:
    table = korea((12, 6, 2), fuel=(12, 14, 4, 2)).plays(A, from_north(oil=2))
    assert table.player(A).elektro == 38
    assert table.state.fuel_market.counts() == (12, 14, 4, 2)
    assert table.state.local.markets == (Fuel(12, 4, 2),)
    assert table.player(A).fuel == Fuel(oil=2)


def test_S09_a_purchase_is_from_one_market() -> None:
    ruleset = rules(map="korea")
    with pytest.raises(InvalidMove, match="A purchase is from one market"):
        notation.parse("buy 1 oil from north 1 coal from south", ruleset)
    assert notation.parse("buy 1 oil from s", ruleset) == buy(oil=1)
    assert notation.parse("buy 2 coal, 1 oil from nor", ruleset) == from_north(coal=2, oil=1)
    with pytest.raises(InvalidMove, match="there are South and North"):
        notation.parse("buy 1 oil from east", ruleset)
    with pytest.raises(InvalidMove, match="one fuel market"):
        notation.parse("buy 1 oil from north", rules())


def test_the_north_has_no_uranium() -> None:
    table = korea((12, 6, 2), fuel=(12, 14, 4, 2))
    assert [f.resource for f in table.offer(A).fuels] == ["oil", "uranium"]
    assert [f.resource for f in table.offer(A).others[0].fuels] == ["oil"]
    assert table.refusal(A, from_north(uranium=1)) == "sold-out"
    assert table.refusal(A, BuyResources(Fuel(oil=1), "East")) == "no-market"


def test_S10_the_north_is_refilled_first() -> None:
    table = lay(
        *(owner(1) for _ in range(6)), ruleset=rules(map="korea"), phase=BUREAUCRACY, step=2,
        fuel=(8, 12, 4, 2), supply=(5, 2, 9, 3), local=Local(markets=(Fuel(12, 4, 2),)),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.event(FuelRefilled).others[0].oil == 2
    assert (table.state.local.markets[0].oil, table.state.fuel_market.oil) == (6, 12)
    assert table.state.supply.oil == 0


# --- plants as planned: China -------------------------------------------------------------------


def china(market: str, stack: str, players: int = 4, cities: int = 1, **more: Any) -> Table:
    return lay(
        owner(cities), *(owner(1, elektro=0) for _ in range(players - 1)),
        ruleset=rules(map="china"), market=market, stack=stack,
        local=Local(one_row=True), **more,
    )  # fmt: skip


def test_S48_china_opens_with_a_plant_for_each_player() -> None:
    for seed in range(6):
        first = started("china", "standard", 4, seed)
        assert shown(first.market) == "5 6 7 8"
        assert first.stack[:5] == (9, 10, 12, 13, 14)
        card = first.stack.index(STEP_3_CARD)
        assert all(n <= 35 for n in first.stack[:card])
        assert all(n >= 31 for n in first.stack[card + 1 :])
        assert first.boxed == ()
    assert shown(started("china", "recharged", 6).market) == "5 6 7 8 9 10"


def test_S49_the_plan_brings_plants_after_building() -> None:
    table = china("", "9 10 12 13 14 S3", phase=BUILD).goes_on_to(BUREAUCRACY)
    assert table.market == "9 10 12"


def test_S50_what_is_more_than_planned_goes_again() -> None:
    table = china("29 30 32", "34 35 31 S3", phase=BUILD, cities=6, order=(1, 2, 3, 0))
    table.grows(A, 1).goes_on_to(BUREAUCRACY)
    assert table.state.step == 2
    assert table.market == "32 34 35"
    assert table.boxed == "29 30 31"


def test_S51_the_card_begins_step_3_at_once() -> None:
    table = china("34 35", "S3 36 37 39 40", phase=BUILD).goes_on_to(BUREAUCRACY)
    assert table.state.step == 3
    assert table.market == "35 36 37 39"
    table.goes_on_to(AUCTION)
    assert table.market == "36 37 39 40"


def test_S52_the_phase_ends_with_the_last_plant() -> None:
    table = china("5", "9 10 S3").plays(A, opens(5)).plays(B, PASS).plays(2, PASS).plays(3, PASS)
    assert table.state.phase is RESOURCES
    assert table.market == ""


# --- plants and fuel of the Middle East ---------------------------------------------------------


def middle_east(**more: Any) -> Table:
    more.setdefault("ruleset", rules(map="middle-east"))
    return lay(owner(1), owner(1), seats=2, **more)


def test_S16_and_S17_oil_grows_cheaper_where_the_supply_is_short() -> None:
    table = middle_east(phase=BUREAUCRACY, fuel=(20, 18, 3, 2), supply=(4, 4, 9, 9))
    table.all_play(POWER_ALL)
    assert table.state.fuel_market.oil == 22
    prices = tracks_now(table.state)[Resource.OIL].prices
    assert (prices.count(1), prices.count(8)) == (4, 2)
    again = middle_east(
        phase=BUREAUCRACY, fuel=(20, 19, 3, 2), supply=(4, 0, 9, 9), local=table.state.local
    ).all_play(POWER_ALL)
    assert again.state.fuel_market.oil == 19
    prices = tracks_now(again.state)[Resource.OIL].prices
    assert (prices.count(1), prices[-3:]) == (9, (6, 6, 6))
    oil = lay(
        owner(1, 7, 50), seats=2, order=(B, A), phase=RESOURCES, fuel=(20, 19, 3, 2),
        ruleset=rules(map="middle-east"), local=again.state.local,
    ).offer(A)  # fmt: skip
    assert oil.fuels[0].costs[:5] == (1, 2, 3, 4, 6)


def test_S53_no_garbage_and_no_uranium_at_the_start() -> None:
    for seed in range(6):
        events = start(rules(map="middle-east"), 2, Chance(f"{seed:064x}"))
        state = replay(events)
        assert shown(state.market) == "3 4 5 7 / 8 9 10 13"
        assert 6 in state.boxed


def test_S54_a_banned_plant_goes_under_the_stack_when_it_could_be_bought() -> None:
    table = middle_east(market="5 9 15 21 / 23 30 35 46", stack="19 25 22 40 S3")
    table.plays(A, opens(21)).plays(B, PASS)
    assert table.market == "5 9 15 22 / 25 30 35 46"
    assert table.stack == "40 S3 19 23"


def test_S55_the_card_begins_step_2() -> None:
    table = middle_east(
        phase=BUREAUCRACY, market="13 15 16 32 / 33 35 42 44", stack="S3 36 23 37 38"
    ).all_play(POWER_ALL)
    assert table.state.step == 2
    assert table.boxed == "13 15"
    assert 23 in table.state.market.cards
    assert table.state.stack[-1] == STEP_3_CARD
    assert table.count(Step3CardBack) == 1


def test_S56_in_an_auction_at_the_end_of_the_phase() -> None:
    table = middle_east(market="20 21 22 31 / 33 36 37 38", stack="S3 23 17 39 40 42 44")
    table.plays(A, opens(20)).plays(B, PASS)
    assert table.market == "21 22 31 33 / 36 37 38 S3"
    assert table.state.step == 1
    table.plays(B, PASS)
    assert table.state.step == 2
    assert table.stack.endswith("S3 23 17")
    assert table.boxed == "21 22"


def test_S57_in_step_2_two_go_under_one_after_the_other() -> None:
    table = middle_east(
        phase=BUREAUCRACY, step=2, market="30 31 32 33 / 36 40 42 50", stack="28 38 39 S3"
    ).all_play(POWER_ALL)
    assert table.stack == "39 S3 50 42"
    assert table.market == "28 30 31 32 / 33 36 38 40"


# --- two stacks, blocked places: Manhattan ------------------------------------------------------


def manhattan(market: str, stack: str, *owners: Any, **more: Any) -> Table:
    table_rules = rules(more.pop("variant", "standard"), "manhattan")
    return lay(
        *(owners or (owner(1), owner(1))), ruleset=table_rules, seats=2, market=market, stack=stack,
        step3_drawn=False, **more,
    )  # fmt: skip


def test_S58_the_two_highest_are_set_aside() -> None:
    table = manhattan("3 4 6 7 / 13 14 15 29", "16 44 45", phase=BUREAUCRACY)
    table.all_play(POWER_ALL)
    assert table.market == "3 4 6 7 / 13 14 16 44"
    assert table.state.local.side_pile == (29, 15)


def test_S59_once_the_stack_is_used_up_the_pile_is_the_stack() -> None:
    table = manhattan(
        "19 20 21 24 / 25 26 27 40", "32 42", phase=BUREAUCRACY,
        local=Local(side_pile=(50, 46)),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.market == "19 20 21 24 / 25 26 32 42"
    assert table.stack == "50 46 40 27"
    assert table.state.local == Local(decks_used=1)


def test_S60_in_an_auction_at_the_next_draw() -> None:
    table = manhattan("19 20 21 24 / 25 26 32 42", "", local=Local(side_pile=(50, 46)))
    assert table.state.local.decks_used == 0
    table.plays(A, opens(19)).plays(B, PASS)
    assert table.market == "20 21 24 25 / 26 32 42 50"
    assert table.stack == "46"


def test_S61_the_second_time_all_lie_in_one_row() -> None:
    table = manhattan(
        "19 20 21 24 / 25 26 32 42", "44", phase=BUREAUCRACY, local=Local(decks_used=1)
    ).all_play(POWER_ALL)
    # 42 under, 44 drawn; then 42 is the only card
    assert (table.market, table.stack) == ("19 20 21 24 / 25 26 32 44", "42")
    table = manhattan("19 20 21 / 24 25", "44", phase=BUREAUCRACY, local=Local(decks_used=1))
    table.all_play(POWER_ALL)
    assert table.market == "19 20 21 24 25 44"
    assert table.state.local == Local(decks_used=2, one_row=True)
    assert table.state.step == 1
    assert len(table.offer(table.asked[0]).plants) == 6


def test_S62_then_the_smallest_goes_each_round() -> None:
    table = manhattan(
        "37 40 42 44 46 50", "", phase=BUREAUCRACY, local=Local(decks_used=2, one_row=True)
    ).all_play(POWER_ALL)
    assert table.market == "40 42 44 46 50"
    assert table.boxed == "37"


def test_S63_who_buys_the_token_plant_buys_once_more() -> None:
    table = manhattan(
        "3 5 6 7 / 8 12 13 14", "15 20", owner(elektro=50), owner(elektro=50),
        variant="recharged", round=1, token=3,
    )  # fmt: skip
    table.plays(A, opens(3, 3)).plays(B, PASS)
    assert table.asked == (A,)
    offer = table.offer(A)
    assert [p.plant for p in offer.plants] == [5, 6, 7, 8]
    assert offer.may_pass
    table.plays(A, opens(5)).plays(B, PASS)
    assert table.player(A).plants == (3, 5)
    assert table.asked == (B,)
    assert not table.offer(B).may_pass


def test_S63_but_not_who_buys_another_plant() -> None:
    table = manhattan(
        "3 5 6 7 / 8 12 13 14", "15 20", owner(elektro=50), variant="recharged", round=1, token=3
    ).plays(A, opens(5))
    assert table.plays(B, PASS).asked == (B,)


def test_S64_with_two_players_28_places_are_blocked() -> None:
    ruleset = rules(map="manhattan")
    for players, count in ((2, 28), (3, 28), (4, 14), (5, 0), (6, 0)):
        state = replay(start(ruleset, players, Chance("ab" * 32)))
        costs = [ruleset.city[c].house_costs[0] for c in state.local.blocked]
        assert len(set(state.local.blocked)) == count
        by_cost = [costs.count(cost) for cost in (10, 15, 20, 25, 30, 35)]
        assert by_cost == [part * count // 14 for part in (3, 3, 2, 2, 2, 2)]


def test_S64_nobody_builds_in_a_blocked_place_but_ways_lead_through() -> None:
    table = manhattan(
        "3 5 6 7 / 8 12 13 14", "15", owner("m1"), owner("m83"), phase=BUILD, order=(B, A),
        local=Local(blocked=("m2",)),
    )  # fmt: skip
    assert table.refusal(A, build("m2")) == "blocked"
    assert "m2" not in [t.city for t in table.offer(A).targets]
    assert "m6" in [t.city for t in table.offer(A).targets]


def test_S83_a_way_costs_5_for_each_place_that_it_passes() -> None:
    table = manhattan(
        "3 5 6 7 / 8 12 13 14", "15", owner("m1"), owner("m83"), phase=BUILD, order=(B, A)
    )
    targets = {t.city: t for t in table.offer(A).targets}
    assert targets["m5"].connection_cost == 0
    assert (targets["m6"].connection_cost, len(targets["m6"].path)) == (5, 3)
    assert (targets["m9"].connection_cost, len(targets["m9"].path)) == (10, 4)


# --- token by token, caps and outages: India ----------------------------------------------------


def india(*owners: Any, **more: Any) -> Table:
    more.setdefault("ruleset", rules(map="india"))
    more.setdefault("order", (B, A))
    return lay(*owners, seats=2, **{"phase": RESOURCES, **more})


def test_S04_dearer_tokens_wait_for_later_steps() -> None:
    def on_sale(step: int) -> list[str]:
        table = india(owner(1, "7 8", 77), fuel=(16, 15, 0, 0), step=step)
        return [f.resource.value for f in table.offer(A).fuels]

    assert on_sale(1) == ["coal"]
    assert on_sale(2) == ["coal", "oil"]
    table = india(owner(1, "7 8", 77), fuel=(16, 15, 0, 0))
    assert table.refusal(A, buy(oil=1)) == "sold-out"


def test_S05_one_token_in_turn() -> None:
    table = india(owner(1, 7), owner(1, 7)).plays(A, buy(oil=1))
    assert table.player(A).fuel == Fuel(oil=1)
    assert table.asked == (B,)
    assert table.plays(B, buy(oil=1)).asked == (A,)
    assert table.state.phase is RESOURCES


def test_S06_who_buys_nothing_is_out_for_the_phase() -> None:
    table = india(owner(1, 7), owner(1, 7)).plays(A, buy(oil=1)).plays(B, buy(oil=1))
    table.plays(A, buy()).plays(B, buy(oil=1))
    assert table.asked == (B,)
    assert table.plays(B, buy()).state.phase is BUILD


def test_S05_of_a_list_the_first_token_is_bought() -> None:
    table = india(owner(1, "8 7", 20), owner(1, 7, oil=5))
    assert table.offer(A).one_token
    table.plays(A, buy(coal=2, oil=1))
    assert table.player(A).fuel == Fuel(coal=1)
    assert table.spent(A) == 1
    assert table.refusal(B, BuyResources(Fuel(oil=1), each=2)) == "token-too-dear"
    assert table.refusal(B, buy(oil=2)) == "no-storage"


def test_S07_garbage_plants_burn_more_and_store_as_printed() -> None:
    ruleset = rules(map="india").with_plants_of(())
    plant = ruleset.plant[24]
    assert (plant.burns, plant.cities, plant.storage) == (3, 4, 4)
    assert 11 in ruleset.removed(2)
    table = india(owner(4, 24, garbage=4), ruleset=ruleset, phase=BUREAUCRACY).plays(A, run(24))
    assert (table.player(A).powered, table.player(A).fuel.garbage) == (4, 1)


def test_S84_an_outage_lowers_all_incomes() -> None:
    for built, income in ((5, 26), (4, 44)):
        table = india(
            owner(6, 27), owner(1), phase=BUREAUCRACY, order=(A, B),
            local=Local(houses_built=built),
        ).plays(A, POWER_ALL)  # fmt: skip
        assert table.player(A).powered == 3
        assert table.earned(A) == income


def test_S84_houses_of_all_players_count_and_only_in_their_round() -> None:
    table = india(owner(1), owner(1), phase=BUILD).grows(A, 3).grows(B, 2)
    assert table.state.local.houses_built == 5
    assert table.state.outage
    table.all_play(POWER_ALL)
    assert table.state.round == 4
    assert not table.state.outage


def test_S85_after_an_outage_in_the_last_round_all_are_paid_before_the_ranking() -> None:
    ruleset = rules(map="india", end_cities=[15, 15, 15, 15, 14])
    table = india(
        owner(14, "22 37 44", 200), owner(14, "33 18 27", 7), ruleset=ruleset, phase=BUILD,
        local=Local(houses_built=20), order=(B, A),
    )  # fmt: skip
    before = table.player(B).elektro
    table.grows(A, 1).plays(B, NOTHING)
    paid = table.event(LastIncome).incomes
    powered = {s.seat: s.powered for s in table.state.standings}
    assert paid[B] == ruleset.payment[powered[B]] - 3 * 14
    assert table.player(B).elektro == before + paid[B]
    assert [s.elektro for s in table.state.standings if s.seat == B] == [before + paid[B]]


def test_S86_all_power_as_many_cities_as_they_can() -> None:
    table = india(owner(1, 7, oil=3), phase=BUREAUCRACY, order=(A, B))
    assert table.refusal(A, run()) == "must-power"
    assert [c.plants for c in table.offer(A).choices] == [(7,)]
    with pytest.raises(InvalidMove, match="as many cities as they can"):
        orders.parse("order power nothing", table.state.ruleset)
    empty = india(owner(1, 7), phase=BUREAUCRACY, order=(A, B))
    assert empty.offer(A).choices
    assert empty.allows(A, run())


# --- a storage of burnt coal: South Africa -------------------------------------------------------


def storing(storage: int, coal: int = 24, supply: int = 0, **more: Any) -> Table:
    """A has Pretoria and plants 5 and 8 with 2 coal; the market has `coal`."""
    return lay(
        owner("pretoria-n", plants="5 8", elektro=50, coal=2), owner("musina", plants=3), seats=2,
        ruleset=rules(map="south-africa"), order=(B, A), local=Local(storage=storage),
        fuel=(coal, 15, 12, 4), supply=(supply, 3, 12, 8), **more,
    )  # fmt: skip


def test_S11_burnt_coal_goes_to_the_storage() -> None:
    table = storing(0, phase=BUREAUCRACY).plays(A, burn(5, coal=2))
    assert (table.state.local.storage, table.state.supply.coal) == (2, 0)


def test_S12_coal_from_the_storage_costs_8_though_the_market_has_cheaper() -> None:
    table = storing(1, coal=23, phase=RESOURCES)
    move = notation.parse("buy 2 coal 1 from storage", table.state.ruleset)
    assert move == BuyResources(Fuel(coal=2), stored=1)
    assert notation.text(move, table.state.ruleset) == "buy 2 coal 1 from storage"
    table.plays(A, move)
    assert table.spent(A) == 1 + 8
    assert (table.state.fuel_market.coal, table.state.local.storage) == (22, 0)
    assert storing(1, phase=RESOURCES).refusal(A, BuyResources(Fuel(coal=2), stored=2)) == (
        "not-stored"
    )


def test_where_the_market_has_no_coal_left_it_comes_from_the_storage() -> None:
    table = storing(3, coal=1, phase=RESOURCES).plays(A, buy(coal=3))
    assert table.spent(A) == 8 + 2 * 8
    assert (table.state.fuel_market.coal, table.state.local.storage) == (0, 1)


def test_S13_the_refill_takes_from_the_storage_first() -> None:
    table = storing(2, coal=22, supply=5, phase=BUREAUCRACY).plays(A, run()).plays(B, run())
    assert (table.state.fuel_market.coal, table.state.local.storage) == (24, 0)
    assert table.state.supply.coal == 5


def test_S14_coal_of_a_discarded_plant_goes_to_the_supply() -> None:
    table = lay(
        owner("pretoria-n", plants="4 10 15", coal=12), owner("musina", plants=3),
        ruleset=rules(map="south-africa"), order=(A, B, C), market="13 20 21 22 / 25 26 30 31",
        fuel=(9, 15, 12, 4), supply=(3, 3, 12, 8), local=Local(storage=1),
    )  # fmt: skip
    table.plays(A, opens(13)).plays(B, PASS).plays(C, PASS).plays(A, discard(15))
    assert (table.state.supply.coal, table.state.local.storage) == (3 + 4, 1)


def test_S77_a_house_in_a_foreign_city_costs_only_the_way_and_there_is_one() -> None:
    table = lay(
        owner("musina", plants=3), owner("polokwane", plants=4), seats=2, step=3,
        ruleset=rules(map="south-africa"), order=(B, A), phase=BUILD,
    ).plays(A, build("zimbabwe"))  # fmt: skip
    assert table.spent(A) == 30
    assert table.refusal(B, build("musina zimbabwe")) == "city-full"


def test_S78_no_network_begins_abroad() -> None:
    table = lay(
        seats=4, ruleset=rules(map="south-africa"), order=(D, C, B, A), phase=BUILD,
        regions="orange green yellow brown",
    )  # fmt: skip
    offered = [target.total for target in table.offer(A).targets]
    assert offered == [10] * (28 - 6)


# --- mines that earn: Australia -------------------------------------------------------------------


def australia(*owners: Any, tokens: int = 0, **more: Any) -> Table:
    laid: dict[str, Any] = {
        "ruleset": rules(map="australia").with_plants_of(()),
        "fuel": (20, 18, 12, 0), "supply": (4, 6, 12, 0), "local": Local(mine_tokens=tokens),
    }  # fmt: skip
    return lay(*owners, **{**laid, **more})


def test_S03_from_step_3_on_fuel_costs_3_to_10() -> None:
    prices = {}
    for step in (2, 3):
        table = australia(owner("perth", plants="4 8"), seats=2, phase=RESOURCES, order=(B, A),
                          step=step)  # fmt: skip
        coal = next(f for f in table.offer(A).fuels if f.resource is Resource.COAL)
        prices[step] = [b - a for a, b in zip((0, *coal.costs), coal.costs, strict=False)][:3]
    assert prices == {2: [2, 2, 3], 3: [4, 4, 5]}


def test_S65_a_mine_counts_for_no_limit_and_is_never_given_up() -> None:
    table = australia(owner("perth", plants="7 21 27"), owner(plants=3), owner(plants=4), seats=3,
                      market="23 24 25 26 / 29 30 31 32")  # fmt: skip
    table.plays(A, opens(23)).plays(B, PASS).plays(C, PASS)
    assert (table.player(A).plants, table.state.discarding) == ((7, 21, 27, 23), None)
    table.plays(B, opens(24)).plays(C, PASS)
    table = australia(owner("perth", plants="7 21 23 27"), owner(plants=3), owner(plants=4),
                      seats=3, market="24 25 26 28 / 29 30 31 32")  # fmt: skip
    table.plays(A, opens(24)).plays(B, PASS).plays(C, PASS)
    assert [choice.plant for choice in table.offer(A).choices] == [7, 21, 27]
    assert table.refusal(A, discard(23)) == "plant-not-discardable"


def test_S66_a_mine_is_paid_for_its_cities_and_fills_a_slot() -> None:
    table = australia(
        owner("perth", plants="4 23", elektro=10), owner(plants=3), seats=2, tokens=5,
        phase=BUREAUCRACY,
    ).plays(A, run()).plays(B, run())  # fmt: skip
    sold = table.event(MinesSold)
    assert (sold.seat, sold.price, sold.income, sold.tokens) == (A, 5, 15, 6)
    assert table.event(MineTokensRemoved).tokens == 1
    assert table.state.local.mine_tokens == 5
    assert table.player(A).elektro == 10 + 10 + 15


def test_S67_mines_sell_once_more_before_the_ranking() -> None:
    table = australia(
        owner(17, plants="3 28", elektro=0), owner(1, plants="4 34", elektro=0),
        owner(1, plants=5, elektro=0), owner(1, plants="7 23", elektro=0),
        order=(B, D, A, C), phase=BUILD,
    ).plays(C, NOTHING).plays(A, NOTHING).plays(D, NOTHING).plays(B, NOTHING)  # fmt: skip
    assert [table.player(seat).elektro for seat in (A, D, B, C)] == [28, 21, 30, 0]
    assert table.state.local.mine_tokens == 3
    assert {s.seat: s.elektro for s in table.state.standings} == {A: 28, B: 30, C: 0, D: 21}


def test_a_mine_never_runs_and_sells_nothing_on_a_full_track() -> None:
    table = australia(owner("perth", plants="23"), owner(plants=3), seats=2, tokens=12,
                      phase=BUREAUCRACY)  # fmt: skip
    assert table.refusal(A, run(23)) == "mine"
    assert [choice.plants for choice in table.offer(A).choices] == [()]
    before = table.player(A).elektro
    table.plays(A, run()).plays(B, run())
    assert table.player(A).elektro == before + 10
    assert table.state.local.mine_tokens == 11


def test_a_mine_is_the_plant_that_round_1_asks_for_and_counts_in_turn_order() -> None:
    table = australia(seats=2, round=1, market="11 12 13 14 / 15 16 18 19")
    table.plays(A, opens(11)).plays(B, PASS).plays(B, opens(12))
    assert table.state.order == (B, A)
    assert table.player(A).plants == (11,)


def test_S81_the_way_costs_20_at_most() -> None:
    table = australia(owner("rockhampton"), seats=2, phase=BUILD, order=(B, A))
    assert {t.city: t.total for t in table.offer(A).targets}["cairns"] == 10 + 20
    assert {t.city: t.total for t in table.offer(A).targets}["mackay"] == 10 + 8


def test_S82_also_where_no_way_leads() -> None:
    table = australia(owner("townsville mackay"), seats=2, phase=BUILD, order=(B, A))
    table.plays(A, build("broome"))
    assert table.spent(A) == 10 + 20


CASES: list[tuple[Case, dict[str, object]]] = [
    (test_S03_from_step_3_on_fuel_costs_3_to_10, {"coal": {"step3_prices": []}}),
    (test_S65_a_mine_counts_for_no_limit_and_is_never_given_up, {"mines": False}),
    (test_S66_a_mine_is_paid_for_its_cities_and_fills_a_slot, {"mines": False}),
    (test_S67_mines_sell_once_more_before_the_ranking, {"mines": False}),
    (test_S81_the_way_costs_20_at_most, {"far_connection": {"cost": 21, "to": "any"}}),
    (test_S82_also_where_no_way_leads, {"far_connection": {"cost": 21, "to": "any"}}),
    (test_S11_burnt_coal_goes_to_the_storage, {"burnt_coal_price": None}),
    (
        test_S12_coal_from_the_storage_costs_8_though_the_market_has_cheaper,
        {"burnt_coal_price": 9},
    ),
    (test_S08_a_purchase_from_the_market_in_the_north, {"other_markets": []}),
    (test_S09_a_purchase_is_from_one_market, {"other_markets": []}),
    (test_S10_the_north_is_refilled_first, {"other_markets": []}),
    (
        test_S16_and_S17_oil_grows_cheaper_where_the_supply_is_short,
        {"oil": {"short_refill": "nothing"}},
    ),
    (test_S48_china_opens_with_a_plant_for_each_player, {"market_lifecycle": "steps"}),
    (test_S49_the_plan_brings_plants_after_building, {"market_lifecycle": "steps"}),
    (test_S50_what_is_more_than_planned_goes_again, {"market_lifecycle": "steps"}),
    (test_S51_the_card_begins_step_3_at_once, {"market_lifecycle": "steps"}),
    (test_S52_the_phase_ends_with_the_last_plant, {"market_lifecycle": "steps"}),
    (test_S53_no_garbage_and_no_uranium_at_the_start, {"step1_bans": False}),
    (test_S54_a_banned_plant_goes_under_the_stack_when_it_could_be_bought, {"step1_bans": False}),
    (test_S55_the_card_begins_step_2, {"step2_trigger": "cities"}),
    (test_S55_the_card_begins_step_2, {"step2_boxes": 1}),
    (test_S56_in_an_auction_at_the_end_of_the_phase, {"step2_trigger": "cities"}),
    (test_S56_in_an_auction_at_the_end_of_the_phase, {"step1_bans": False}),
    (test_S57_in_step_2_two_go_under_one_after_the_other, {"rotated_plants": [1, 1]}),
    (test_S04_dearer_tokens_wait_for_later_steps, {"price_cap": False}),
    (test_S05_one_token_in_turn, {"buy_order": "all_at_once"}),
    (test_S06_who_buys_nothing_is_out_for_the_phase, {"buy_order": "all_at_once"}),
    (test_S07_garbage_plants_burn_more_and_store_as_printed, {"plant_changes": []}),
    (test_S84_an_outage_lowers_all_incomes, {"outage": False}),
    (test_S85_after_an_outage_in_the_last_round_all_are_paid_before_the_ranking, {"outage": False}),
    (test_S86_all_power_as_many_cities_as_they_can, {"may_underpower": True}),
    (test_S58_the_two_highest_are_set_aside, {"market_lifecycle": "steps"}),
    (test_S59_once_the_stack_is_used_up_the_pile_is_the_stack, {"market_lifecycle": "steps"}),
    (test_S60_in_an_auction_at_the_next_draw, {"market_lifecycle": "steps"}),
    (test_S61_the_second_time_all_lie_in_one_row, {"market_lifecycle": "steps"}),
    (test_S63_who_buys_the_token_plant_buys_once_more, {"token_buys_again": False}),
    (test_S64_with_two_players_28_places_are_blocked, {"blocked_places": False}),
    (test_S83_a_way_costs_5_for_each_place_that_it_passes, {"transit_cost": 0}),
]


@pytest.mark.parametrize(("case", "knobs"), CASES)
def test_a_special_case_fails_with_its_key_off(case: Case, knobs: dict[str, object]) -> None:
    case()
    with switched(**knobs), pytest.raises((AssertionError, IllegalMove, InvalidMove, LookupError)):
        case()
