"""Recharged: coal from the supply, and no more uranium (R17.4)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from tests.game.rules.kit import (
    BUREAUCRACY,
    PASS,
    POWER_ALL,
    A,
    B,
    C,
    buy,
    lay,
    opens,
    owner,
    rules,
)
from tests.game.rules.test_fuel import buying


@pytest.mark.proves("R17.4")
def test_C45_no_uranium_after_39_in_germany() -> None:
    table = lay(
        ruleset=rules("recharged"),
        step=3,
        market="38 39 40 42",
        stack="",
        fuel=(10, 10, 10, 2),
    )
    table.plays(A, opens(39)).plays(B, PASS).plays(C, PASS).goes_on_to(BUREAUCRACY)
    table.all_play(POWER_ALL)
    assert table.refilled == (3, 4, 3, 0)
    table.plays(table.asked[0], opens(40))  # another purchase does not bring it back
    table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert table.refilled == (3, 4, 3, 0)


@pytest.mark.proves("R17.4")
def test_C46_coal_from_the_supply_in_the_usa() -> None:
    table = buying(owner(plants=4), "recharged", "usa", fuel=(0, 18, 9, 2), supply=(6, 6, 15, 10))
    assert table.offer(A).fuels[0].costs == (8, 16, 24, 32)
    table.plays(A, buy(coal=4))
    assert (table.spent(A), table.state.supply.coal) == (32, 2)
    assert table.state.fuel_market.coal == 0
    only_coal = buying(owner(plants=7), "recharged", "usa", fuel=(9, 0, 9, 2))
    assert only_coal.refusal(A, buy(oil=1)) == "sold-out"


@pytest.mark.proves("R17.4")
def test_C60_each_map_has_its_own_rule() -> None:
    usa = lay(
        ruleset=rules("recharged", "usa"), step=3, market="36 38 39", stack="", fuel=(9, 9, 9, 2)
    )
    usa.plays(A, opens(39)).plays(B, PASS).plays(C, PASS).goes_on_to(BUREAUCRACY)
    assert usa.all_play(POWER_ALL).refilled[3] == 1
    germany = buying(owner(plants=4), "recharged", fuel=(0, 18, 9, 2), supply=(6, 6, 15, 10))
    assert germany.refusal(A, buy(coal=1)) == "sold-out"
    assert germany.offer(A).fuels == ()


@pytest.mark.proves("R17.4")
def test_C62_the_supply_goes_on_where_the_market_ends() -> None:
    table = buying(owner(plants=4), "recharged", "usa", fuel=(2, 18, 9, 2), supply=(5, 6, 15, 10))
    table.plays(A, buy(coal=4))
    assert (table.spent(A), table.state.supply.coal) == (32, 3)
    assert table.state.fuel_market.coal == 0
