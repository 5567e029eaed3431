"""Fuel orders: as much as the conditions allow, exactly priced, and what is missing is said."""

from itertools import product

import pytest

from core.game.board.fuel_market import cost, costs
from core.game.board.storage import fits
from core.game.observe import observe
from core.game.types import Fuel, Resource
from core.orders.decide import decide
from core.orders.model import Act, Ask, FuelOrder, Nothing, Standing
from tests.game.rules.kit import RESOURCES, A, B, buy, lay, owner
from tests.game.rules.table import Table

# Plants: 4 takes 2 coal, 5 takes 2 coal or oil, 7 takes 3 oil, 6 takes 1 garbage, 13 nothing.


def table(plants: tuple[int, ...], elektro: int = 50, **fuel: int) -> Table:
    """A is to buy; coal is at 1 (24 left), oil at 3 (18 left), garbage at 7, uranium at 14."""
    mine = owner(plants=plants, elektro=elektro, **fuel)
    return lay(mine, phase=RESOURCES, waiting=(A,), fuel=(24, 18, 6, 2))


def answer(at: Table, order: FuelOrder, round: int | None = None) -> Act | Ask | Nothing:
    return decide(observe(at.state, A), (Standing(4, order, round),))


def bought(at: Table, order: FuelOrder) -> Fuel:
    verdict = answer(at, order)
    assert isinstance(verdict, Act)
    at.plays(A, verdict.move)
    return verdict.move.amounts


@pytest.mark.parametrize(
    ("plants", "order", "amounts"),
    [
        ((4, 7), FuelOrder((4, 7)), Fuel(coal=2, oil=3)),
        ((4, 7), FuelOrder((4, 7), loads=2), Fuel(coal=4, oil=6)),
        ((4, 7), FuelOrder((7,)), Fuel(oil=3)),
        ((4, 7), FuelOrder(()), Fuel()),
        ((4, 7), FuelOrder(None, loads=2), Fuel(coal=4, oil=6)),
        ((4, 7, 13), FuelOrder(None), Fuel(coal=2, oil=3)),
        ((5,), FuelOrder((5,), loads=2), Fuel(coal=4)),  # coal is the cheaper
        ((5, 6), FuelOrder((6, 5)), Fuel(coal=2, garbage=1)),
        ((4, 7), FuelOrder((7, 4), each=2), Fuel(coal=2)),  # oil is at 3
        ((4, 7), FuelOrder((4, 7), total=8), Fuel(coal=2, oil=2)),  # 2 and 6
        ((4, 7), FuelOrder((4, 7), keep=42), Fuel(coal=2, oil=2)),
        ((4, 7), FuelOrder((7, 4), keep=41), Fuel(oil=3)),  # 9 for the oil, none left for coal
        ((4, 7), FuelOrder((7, 4), keep=38), Fuel(coal=2, oil=3)),
        ((4, 7), FuelOrder((7, 4), keep=40), Fuel(coal=1, oil=3)),
    ],
)
def test_it_fills_the_plants_in_turn(
    plants: tuple[int, ...], order: FuelOrder, amounts: Fuel
) -> None:
    assert bought(table(plants), order) == amounts


def test_what_is_there_already_counts() -> None:
    assert bought(table((4, 7), coal=3, oil=1), FuelOrder((4, 7), 2)) == Fuel(coal=1, oil=5)
    assert bought(table((4, 7), coal=4), FuelOrder((4,), 2)) == Fuel()


def test_a_hybrid_leaves_the_coal_to_the_plant_that_needs_it() -> None:
    """Two coal left: plant 4 comes first, and hybrid 5 takes oil."""
    at = lay(owner(plants=(5, 4)), phase=RESOURCES, waiting=(A,), fuel=(2, 18, 6, 2))
    assert bought(at, FuelOrder((5, 4))) == Fuel(coal=2, oil=2)


def test_a_partial_fill_is_said_plant_by_plant() -> None:
    verdict = answer(table((4, 7)), FuelOrder((4, 7), total=8))
    assert verdict == Act(buy(coal=2, oil=2), 4, "Partial fill: 2 of 3 oil for plant 7.")
    assert answer(table((4, 7)), FuelOrder((4, 7))).remark == ""


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (FuelOrder((7,), each=2), "A token of oil costs 3 now, more than the 2 that you allowed."),
        (FuelOrder((7,), total=2), "A token of oil costs 3 now, more than the 2 that you allowed."),
        (FuelOrder((7,), keep=49), "A token of oil costs 3 now, more than the 1 that you allowed."),
        (FuelOrder((4, 20)), "Plant 20 is not yours; you have 4 and 7."),
    ],
)  # fmt: skip
def test_m67_where_nothing_can_be_bought_it_asks(order: FuelOrder, reason: str) -> None:
    assert answer(table((4, 7)), order) == Ask(reason, 4)


def test_sold_out_fuel_asks() -> None:
    at = lay(owner(plants=(7,)), phase=RESOURCES, waiting=(A,), fuel=(24, 0, 6, 2))
    verdict = answer(at, FuelOrder((7,)))
    assert isinstance(verdict, Ask)
    assert "No oil can be bought" in verdict.reason


def test_it_speaks_only_in_its_round_and_to_its_seat() -> None:
    assert answer(table((4,)), FuelOrder((4,)), round=2) == Nothing()
    other = lay(owner(plants=(4,)), phase=RESOURCES, waiting=(B, A))
    assert answer(other, FuelOrder((4,))) == Nothing()


PLANTS = ((5, 4), (4, 5), (5, 7), (7, 5, 4), (5, 12))
MARKETS = ((24, 18), (3, 4), (1, 6), (2, 1), (0, 3))


@pytest.mark.parametrize("plants", PLANTS)
@pytest.mark.parametrize("market", MARKETS)
def test_it_is_what_trying_every_purchase_finds(
    plants: tuple[int, ...], market: tuple[int, int]
) -> None:
    """Oracle: of all purchases on the terms the one that fills best, then the cheapest."""
    for purse, each, held, loads in product(
        (3, 9, 17, 40), (None, 2, 4), (Fuel(), Fuel(coal=1, oil=1)), (1, 2)
    ):
        mine = owner(plants=plants, elektro=purse, coal=held.coal, oil=held.oil)
        at = lay(mine, phase=RESOURCES, waiting=(A,), fuel=(*market, 6, 2))
        verdict = answer(at, FuelOrder(plants, loads, each))
        amounts = verdict.move.amounts if isinstance(verdict, Act) else Fuel()
        best = max(
            (key for c, o in product(range(13), repeat=2)
             if (key := value(at, Fuel(coal=c, oil=o), plants, loads, each)) is not None)
        )  # fmt: skip
        assert value(at, amounts, plants, loads, each) == best, (purse, each, held, loads, amounts)


def value(
    at: Table, amounts: Fuel, plants: tuple[int, ...], loads: int, each: int | None
) -> tuple[tuple[int, ...], int] | None:
    """How well a purchase fills the plants in order, and minus its price; None: not allowed."""
    state, player = at.state, at.player(A)
    for fuel, count in amounts.items():
        totals = costs(state, A, fuel)
        if count > len(totals):
            return None
        last = totals[count - 1] - (totals[count - 2] if count > 1 else 0)
        if each is not None and last > each:
            return None
    price = cost(state, A, amounts)
    if price > player.elektro or not fits(state.plants_of(A), player.fuel + amounts):
        return None
    return max(fillings(at, player.fuel + amounts, plants, loads)), -price


def fillings(at: Table, fuel: Fuel, plants: tuple[int, ...], loads: int) -> list[tuple[int, ...]]:
    """Every way to give tokens to the plants, as the counts in order."""
    if not plants:
        return [()]
    plant = at.state.ruleset.plant[plants[0]]
    counts = [
        Fuel(coal=c, oil=o)
        for c, o in product(range(fuel.coal + 1), range(fuel.oil + 1))
        if c + o <= plant.burns * loads
        and (not c or Resource.COAL in plant.fuels)
        and (not o or Resource.OIL in plant.fuels)
    ]
    return [
        (given.total, *rest)
        for given in counts
        for rest in fillings(at, fuel - given, plants[1:], loads)
    ]
