"""Rules of single maps in fuel, plant market and income: cases S by number, and with a key off."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from collections.abc import Callable

import pytest

from core.game import notation
from core.game.errors import IllegalMove, InvalidMove
from core.game.events import FuelRefilled
from core.game.moves import BuyResources, Move
from core.game.state import Local
from core.game.types import Fuel
from tests.game.rules.kit import (
    BUREAUCRACY,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    buy,
    lay,
    owner,
    rules,
    switched,
)
from tests.game.rules.table import Table

Case = Callable[[], None]


# --- two fuel markets: Korea --------------------------------------------------------------------


def from_north(**fuel: int) -> Move:
    return BuyResources(Fuel(**fuel), "North")


def korea(north: tuple[int, ...], **more: object) -> Table:
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


CASES: list[tuple[Case, dict[str, object]]] = [
    (test_S08_a_purchase_from_the_market_in_the_north, {"other_markets": []}),
    (test_S09_a_purchase_is_from_one_market, {"other_markets": []}),
    (test_S10_the_north_is_refilled_first, {"other_markets": []}),
]


@pytest.mark.parametrize(("case", "knobs"), CASES)
def test_a_special_case_fails_with_its_key_off(case: Case, knobs: dict[str, object]) -> None:
    case()
    with switched(**knobs), pytest.raises((AssertionError, IllegalMove, InvalidMove, LookupError)):
        case()
