"""Phase 3 and the fuel market (R4, R8)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.board.fuel_market import price_of_next
from core.game.types import Fuel, Resource
from tests.game.rules.kit import (
    BUILDING,
    BUREAUCRACY,
    POWER_ALL,
    PRESETS,
    RESOURCES,
    A,
    B,
    C,
    D,
    Owner,
    Table,
    build,
    buy,
    discard,
    lay,
    opens,
    owner,
    rules,
    run,
)
from tests.game.rules.kit import PASS as PASSES
from tests.game.rules.test_setup import table_of

any_preset = pytest.mark.parametrize("variant", PRESETS)
LAST = {"phase": RESOURCES, "order": (B, C, A)}
"""A is the first to buy."""


def next_prices(table: Table) -> list[int | None]:
    """Price of the next token of each fuel."""
    market, tracks = table.state.fuel_market, table.state.ruleset.tracks
    return [price_of_next(tracks[fuel], market[fuel]) for fuel in Resource]


def buying(one: Owner, variant: str = "standard", map: str = "germany", **more: object) -> Table:
    return lay(one, **LAST, ruleset=rules(variant, map), **more)


@pytest.mark.proves("R8.2")
@any_preset
def test_T05_storage_of_a_hybrid(variant: str) -> None:
    table = buying(owner(plants=5), variant)
    assert table.allows(A, buy(coal=4))
    assert table.allows(A, buy(coal=3, oil=1))
    assert table.allows(A, buy(oil=4))
    assert table.refusal(A, buy(coal=3, oil=2)) == "no-storage"
    table = buying(owner(plants="13 50"), variant)
    assert table.offer(A).fuels == ()
    assert table.refusal(A, buy(coal=1)) == "no-storage"


@pytest.mark.proves("R8.1")
def test_T07_four_coal() -> None:
    table = buying(owner(plants=4)).plays(A, buy(coal=4))
    assert (table.spent(A), table.player(A).fuel) == (5, Fuel(coal=4))
    assert table.state.fuel_market.coal == 20


def test_T08_refill_of_five_in_step_2() -> None:
    table = lay(seats=5, phase=BUREAUCRACY, step=2, fuel=(10, 10, 10, 2)).all_play(POWER_ALL)
    assert table.refilled == (7, 5, 3, 3)
    assert table.state.fuel_market.coal == 17
    assert next_prices(table)[0] == 3


@pytest.mark.proves("R8.2")
@any_preset
def test_T17_old_fuel_counts(variant: str) -> None:
    table = buying(owner(plants=26, oil=1), variant)
    assert len(table.offer(A).fuels[0].costs) == 3
    assert table.allows(A, buy(oil=3))
    assert table.refusal(A, buy(oil=4)) == "no-storage"
    table = buying(owner(plants=8), variant)
    assert table.allows(A, buy(coal=6))
    assert table.refusal(A, buy(coal=7)) == "no-storage"


@pytest.mark.proves("R4.2")
@any_preset
def test_T18_from_a_half_empty_market(variant: str) -> None:
    table = buying(owner(plants=8), variant, fuel=(17, 18, 6, 2)).plays(A, buy(coal=5))
    assert table.spent(A) == 18
    assert next_prices(table)[0] == 5


def test_T28_six_oil() -> None:
    assert buying(owner(plants=7)).plays(A, buy(oil=6)).spent(A) == 21


@pytest.mark.parametrize(
    ("variant", "garbage", "cost"), [("ptt_v1_3", 12, 10), ("standard", 6, 14)]
)
def test_T32_two_garbage(variant: str, garbage: int, cost: int) -> None:
    assert table_of(3, variant).state.fuel_market.garbage == garbage
    table = buying(owner(plants=6), variant, fuel=(24, 18, garbage, 2))
    assert table.plays(A, buy(garbage=2)).spent(A) == cost


def test_T38_refill_of_the_step_to_come() -> None:
    def reach_7(**knobs: object) -> Table:
        ruleset = rules("ptt_v1_3", **knobs)
        owners = (owner("koln"), owner("aachen"), owner("dusseldorf"), owner(6))
        table = lay(*owners, phase=BUILDING, ruleset=ruleset, fuel=(10, 10, 10, 2))
        return table.grows(D, 1)

    table = reach_7()
    assert table.refusal(C, build("koln")) == "city-full"
    table.goes_on_to(BUREAUCRACY)
    assert table.state.step == 1
    table.all_play(POWER_ALL)
    assert table.refilled == (6, 4, 3, 2)
    assert (table.state.round, table.state.step) == (4, 2)
    table.goes_on_to(BUILDING)
    assert table.asked == (C,)
    assert table.price("koln", C) == 4 + 15
    table = reach_7(refill_row="current").goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert table.refilled == (5, 3, 2, 1)


@pytest.mark.proves("R4.5")
def test_T46_the_example_of_the_rules() -> None:
    table = lay(seats=5, phase=BUREAUCRACY, fuel=(14, 16, 5, 2), supply=(4, 8, 19, 10))
    table.all_play(POWER_ALL)
    assert table.refilled == (4, 4, 3, 2)
    assert next_prices(table) == [3, 2, 6, 10]
    assert table.state.supply == Fuel(0, 4, 16, 8)


@pytest.mark.proves("R4.5")
def test_C10_an_empty_supply_owes_nothing() -> None:
    uranium = {"step": 2, "fuel": (24, 18, 6, 2), "supply": (0, 6, 18, 0)}
    table = lay(
        owner(9, "11 17 23", uranium=6),
        owner(9, "28 34", uranium=4),
        seats=4,
        phase=BUREAUCRACY,
        **uranium,
    )
    for seat in table.asked:
        table.plays(seat, run())
    assert table.refilled[3] == 0
    table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert table.refilled[3] == 2
    assert table.state.supply.uranium == 3


@pytest.mark.proves("R4.5")
def test_C11_uranium_goes_down_from_16() -> None:
    table = lay(seats=5, phase=BUREAUCRACY, fuel=(24, 18, 6, 1), supply=(0, 6, 18, 3))
    table.all_play(POWER_ALL)
    assert table.refilled[3] == 2
    assert table.state.fuel_market.uranium == 3
    assert next_prices(table)[3] == 12


@pytest.mark.proves("R8.2")
def test_C38_fuel_moves_freely_between_plants() -> None:
    table = buying(owner(plants="4 10", coal=4))
    assert len(table.offer(A).fuels[0].costs) == 4
    assert table.allows(A, buy(coal=4))
    table = lay(owner(plants="4 10 13", coal=4)).plays(A, opens(20))
    table.plays(B, PASSES).plays(C, PASSES).plays(A, discard(4))
    assert table.player(A).fuel == Fuel(coal=4)


@pytest.mark.proves("R10.4")
def test_C52_step_2_refills_the_round_that_brings_it() -> None:
    owners = (owner(2), owner(2), owner(2), owner(6))
    table = lay(*owners, phase=BUILDING, fuel=(10, 10, 10, 2)).grows(D, 1)
    table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert table.refilled == (6, 4, 3, 2)


# --- rules that no case shows ------------------------------------------------------------------

REFILL = {
    2: ((3, 2, 1, 1), (4, 2, 2, 1), (3, 4, 3, 1)),
    3: ((4, 2, 1, 1), (5, 3, 2, 1), (3, 4, 3, 1)),
    4: ((5, 3, 2, 1), (6, 4, 3, 2), (4, 5, 4, 2)),
    5: ((5, 4, 3, 2), (7, 5, 3, 3), (5, 6, 5, 2)),
    6: ((7, 5, 3, 2), (9, 6, 5, 3), (6, 7, 6, 3)),
}


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("seats", REFILL)
def test_R4_4_refill(seats: int, step: int) -> None:
    stack = "32 33 34 35 S3" if step < 3 else "32 33"
    table = lay(seats=seats, phase=BUREAUCRACY, step=step, fuel=(5, 5, 5, 2), stack=stack).all_play(
        POWER_ALL
    )
    assert table.refilled == REFILL[seats][step - 1]


def test_R4_1_slots() -> None:
    ladder = [p for p in range(1, 9) for _ in range(3)]
    tracks = rules().tracks
    for fuel in (Resource.COAL, Resource.OIL, Resource.GARBAGE):
        assert list(tracks[fuel].prices) == ladder
    assert tracks[Resource.URANIUM].prices == (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)
    assert [tracks[f].tokens for f in Resource] == [24, 24, 24, 12]


def test_R4_6_burned_fuel_goes_to_the_supply() -> None:
    table = lay(owner(1, 4, coal=2), phase=BUREAUCRACY, fuel=(4, 4, 4, 2))
    market, supply = table.state.fuel_market, table.state.supply
    table.plays(A, POWER_ALL)
    assert table.state.fuel_market == market
    assert table.state.supply == supply + Fuel(coal=2)


def test_R8_1_each_token_at_the_then_cheapest_price() -> None:
    table = buying(owner(plants=8), fuel=(7, 18, 6, 2))
    assert table.offer(A).fuels[0].costs == (6, 13, 20, 27, 35, 43)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (buy(coal=5), "sold-out"),
        (buy(coal=-1), "negative"),
        (buy(coal=1, oil=-1), "negative"),
        (buy(coal=4), ""),
        (PASSES, "wrong-moment"),
    ],
)
def test_R8_3_no_more_than_there_is(move: object, code: str) -> None:
    table = buying(owner(plants=8), fuel=(4, 18, 6, 2))
    assert table.refusal(A, move) == code


@pytest.mark.parametrize(
    ("plants", "held", "more", "code"),
    [
        ("14", {}, {"garbage": 4}, ""),
        ("14", {}, {"garbage": 5}, "no-storage"),
        ("14", {"garbage": 3}, {"garbage": 2}, "no-storage"),
        ("17", {}, {"uranium": 2}, ""),
        ("17", {}, {"uranium": 3}, "no-storage"),
        ("14", {}, {"uranium": 1}, "no-storage"),
        ("4 7", {}, {"coal": 4, "oil": 6}, ""),
        ("4 7", {}, {"coal": 5, "oil": 5}, "no-storage"),
        ("5 4", {"coal": 6}, {"coal": 2}, ""),
        ("5 4", {"coal": 6}, {"coal": 1, "oil": 1}, ""),
        ("5 4", {"coal": 6}, {"oil": 3}, "no-storage"),
        ("5 12", {}, {"coal": 3, "oil": 5}, ""),
        ("5 12", {}, {"coal": 4, "oil": 5}, "no-storage"),
    ],
)
def test_R8_2_storage(plants: str, held: dict[str, int], more: dict[str, int], code: str) -> None:
    table = buying(owner(plants=plants, **held), fuel=(12, 12, 10, 8))
    assert table.refusal(A, buy(**more)) == code
    most = {f.resource: len(f.costs) for f in table.offer(A).fuels}
    for fuel in Resource:
        count = most.get(fuel, 0)
        assert table.allows(A, buy(**{fuel: count}))
        assert table.refusal(A, buy(**{fuel: count + 1})) == "no-storage"
    room = table.offer(A).coal_or_oil
    both = min(room, most.get(Resource.COAL, 0))
    assert room - both <= most.get(Resource.OIL, 0)
    assert table.allows(A, buy(coal=both, oil=room - both))


def test_R8_3_nor_than_one_can_pay() -> None:
    table = buying(owner(plants=8, elektro=6))
    assert table.offer(A).fuels[0].costs == (1, 2, 3, 5)
    assert table.refusal(A, buy(coal=5)) == "fuel-too-expensive"
    assert table.plays(A, buy(coal=4)).player(A).elektro == 1
