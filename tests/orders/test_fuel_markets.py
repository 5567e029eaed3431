"""Fuel orders where there are two markets, and where fuel is bought token by token."""

import pytest

from core.game.moves import BuyResources
from core.game.observe import observe
from core.game.state import Local
from core.game.types import Fuel
from core.orders.decide import decide
from core.orders.model import Act, Ask, FuelOrder, Standing
from core.orders.notation import parse, text
from core.orders.purchase import rest
from core.orders.words import sentence
from tests.game.rules.kit import RESOURCES, A, B, buy, lay, owner, rules
from tests.game.rules.table import Table


def korea(south: tuple[int, int, int, int], north: tuple[int, int, int]) -> Table:
    return lay(
        owner("seoul", plants="7 11", elektro=45), owner("busan", plants=3), seats=2,
        ruleset=rules(map="korea"), phase=RESOURCES, order=(B, A), fuel=south,
        local=Local(markets=(Fuel(*north),)),
    )  # fmt: skip


def india(*owners: object) -> Table:
    return lay(*owners, seats=2, ruleset=rules(map="india"), phase=RESOURCES, order=(B, A))


def verdict(table: Table, order: FuelOrder, seat: int = A) -> object:
    return decide(observe(table.state, seat), [Standing(1, order, table.state.round)])


@pytest.mark.parametrize(
    ("south", "north", "market", "tokens"),
    [
        ((12, 16, 4, 2), (12, 1, 2), "", 3),  # only the south can fill plant 7
        ((12, 3, 4, 2), (12, 8, 2), "North", 3),  # both can, the north is cheaper
        ((12, 16, 4, 2), (12, 8, 2), "", 3),  # both can, the south is cheaper
    ],
)
def test_an_order_takes_the_market_that_fills_most_then_the_cheaper(
    south: tuple[int, int, int, int], north: tuple[int, int, int], market: str, tokens: int
) -> None:
    found = verdict(korea(south, north), FuelOrder((7,)))
    assert isinstance(found, Act)
    assert found.move == BuyResources(Fuel(oil=tokens), market)


def test_an_order_may_name_its_market() -> None:
    table = korea((12, 16, 4, 2), (12, 8, 2))
    order = parse("order fuel 7 from north at most 4 each", table.state.ruleset).order
    assert order == FuelOrder((7,), each=4, market="North")
    assert text(order, table.state.ruleset) == "order fuel 7 from North at most 4 each"
    assert "From the market North." in sentence(order, table.state.ruleset)
    found = verdict(table, order)
    assert isinstance(found, Act)
    assert found.move.market == "North"
    south = parse("order fuel 7 from south", table.state.ruleset).order
    assert text(south, table.state.ruleset) == "order fuel 7 from South"


def test_what_is_left_of_a_list_is_an_order_until_all_is_there() -> None:
    table = india(owner(1, "8 7", 30), owner(1))
    order = rest(table.state, A, BuyResources(Fuel(coal=2, oil=1), each=3))
    assert text(order, table.state.ruleset) == "order fuel up to 2 coal 1 oil at most 3 each"
    bought = []
    while table.asked and table.state.phase is RESOURCES:
        seat = table.asked[0]
        found = verdict(table, order) if seat == A else Act(buy(), 1)
        assert isinstance(found, Act)
        if seat == A:
            bought.append(found.move.amounts.total)
        table.plays(seat, found.move)
    assert bought == [3, 2, 1, 0]
    assert table.player(A).fuel == Fuel(coal=2, oil=1)
    assert rest(table.state, A, buy(oil=1)) is None
    assert rest(korea((12, 16, 4, 2), (12, 8, 2)).state, A, buy(oil=2)) is None


def test_an_order_for_plants_buys_token_by_token() -> None:
    table = india(owner(1, 7, 30), owner(1))
    for count in (1, 2, 3):
        found = verdict(table, FuelOrder((7,)))
        assert isinstance(found, Act)
        table.plays(A, found.move)
        assert table.player(A).fuel.oil == count
        if table.asked == (B,):
            table.plays(B, buy())
    last = verdict(table, FuelOrder((7,)))
    assert isinstance(last, Act)
    assert not last.move.amounts


def test_a_token_that_costs_too_much_asks_its_owner() -> None:
    table = india(owner(1, 7, 30), owner(1))
    found = verdict(table, FuelOrder((), each=1, until=Fuel(oil=2)))
    assert isinstance(found, Ask)
    assert "2 oil" in found.reason
