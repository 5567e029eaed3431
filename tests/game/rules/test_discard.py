"""Giving up a plant: what happens to its fuel (R7.12)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.types import Fuel
from tests.game.rules.kit import PASS, A, B, C, discard, lay, opens, owner
from tests.game.rules.table import Table


def over_the_limit(plants: str, new: int, **fuel: int) -> Table:
    """A buys a fourth plant."""
    market = f"{new} 30 31 32 / 33 34 35 36"
    table = lay(owner(plants=plants, **fuel), market=market, stack="38 S3", fuel=(0, 0, 0, 0))
    return table.plays(A, opens(new)).plays(B, PASS).plays(C, PASS)


@pytest.mark.proves("R7.12")
def test_C12_the_owner_chooses_what_to_lose() -> None:
    table = over_the_limit("5 4 3", 13, coal=6, oil=4)
    keeps = {c.plant: c.keeps for c in table.offer(A).choices}[3]
    assert set(keeps) == {Fuel(6, 2), Fuel(5, 3), Fuel(4, 4)}
    assert table.refusal(A, discard(3)) == "fuel-choice"
    assert table.refusal(A, discard(3, Fuel(6, 3))) == "fuel-choice"
    assert table.refusal(A, discard(3, Fuel(4, 3))) == "fuel-choice"
    before = table.state.supply
    for keep in keeps:
        after = Table(table.state, table.chance).plays(A, discard(3, keep))
        assert after.player(A).fuel == keep
        assert after.state.supply == before + Fuel(6, 4) - keep


@pytest.mark.proves("R7.12")
def test_C13_hybrids_take_what_a_discarded_plant_held() -> None:
    table = over_the_limit("5 4 13", 22, coal=8)
    before = table.state.supply.coal
    table.plays(A, discard(4))
    assert table.player(A).fuel == Fuel(coal=4)
    assert table.state.supply.coal == before + 4


@pytest.mark.proves("R7.12")
def test_C14_nothing_is_lost_where_all_fits() -> None:
    table = over_the_limit("5 4 13", 15, coal=8).plays(A, discard(4))
    assert table.player(A).fuel == Fuel(coal=8)


@pytest.mark.proves("R7.12")
def test_C58_fuel_that_nothing_burns_goes_without_a_question() -> None:
    table = over_the_limit("14 13 15", 20, garbage=3)
    before = table.state.supply.garbage
    table.plays(A, discard(14))
    assert table.player(A).fuel == Fuel()
    assert table.state.supply.garbage == before + 3


def test_R7_12_coal_and_oil_are_enough_to_say_what_is_kept() -> None:
    """Garbage and uranium leave no choice, so they need not be named; but may be."""
    for keep in (Fuel(coal=5, oil=3), Fuel(coal=5, oil=3, garbage=2)):
        table = over_the_limit("5 14 4", 10, coal=9, oil=3, garbage=2)
        keeps = {c.plant: c.keeps for c in table.offer(A).choices}[4]
        assert keeps == (Fuel(8, 0, 2), Fuel(7, 1, 2), Fuel(6, 2, 2), Fuel(5, 3, 2))
        assert table.plays(A, discard(4, keep)).player(A).fuel == Fuel(5, 3, 2)
    table = over_the_limit("5 14 4", 10, coal=9, oil=3, garbage=2)
    assert table.refusal(A, discard(4, Fuel(coal=5, oil=3, garbage=1))) == "fuel-choice"
    assert table.refusal(A, discard(4, Fuel(coal=4, oil=3, garbage=2))) == "fuel-choice"
