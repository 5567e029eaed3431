"""When an order is over, and that nothing else ends it (M68)."""

import pytest

from core.game.events import (
    BuildingEnded,
    Event,
    FuelBought,
    GameAbandoned,
    GameEnded,
    OrderChanged,
    PhaseBegan,
    PlantBought,
    PlantBoxed,
    PlantDiscarded,
    PlantMarket,
    PlantsRun,
    RoundBegan,
)
from core.game.types import Fuel, Phase
from core.orders.decide import Ending, ending
from core.orders.model import (
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    Order,
    PowerOrder,
    Standing,
)
from tests.game.rules.kit import A, B

ROUND = 3
NO_MARKET = PlantMarket((), ())
SHEET, FUEL, HOUSES, POWER = AuctionSheet(), FuelOrder(None), BuildOrder(()), PowerOrder()
LIMIT = Limit(20, 26)


def bought(seat: int, plant: int) -> PlantBought:
    return PlantBought(seat, plant, 20, NO_MARKET)


def begins(phase: Phase) -> PhaseBegan:
    return PhaseBegan(phase, (A, B))


FUELED, ENDED, RAN = FuelBought(A, Fuel(), 0), BuildingEnded(A), PlantsRun(A, (), Fuel(), 0, 10)


@pytest.mark.parametrize(
    ("order", "event", "how"),
    [
        (LIMIT, bought(A, 20), "done"),
        (LIMIT, bought(B, 20), "lapsed"),
        (LIMIT, bought(A, 21), None),
        (LIMIT, PlantBoxed(20, "obsolete", NO_MARKET), "lapsed"),
        (LIMIT, PlantBoxed(21, "obsolete", NO_MARKET), None),
        (LIMIT, RoundBegan(9, (A, B)), None),
        (LIMIT, begins(Phase.RESOURCES), None),
        (SHEET, bought(A, 20), None),
        (SHEET, PlantDiscarded(A, 4, Fuel()), None),
        (SHEET, begins(Phase.AUCTION), None),
        (SHEET, begins(Phase.RESOURCES), "lapsed"),
        (FUEL, begins(Phase.AUCTION), None),
        (FUEL, begins(Phase.RESOURCES), None),
        (FUEL, FUELED, "done"),
        (FUEL, FuelBought(B, Fuel(), 0), None),
        (FUEL, ENDED, None),
        (FUEL, begins(Phase.BUILDING), "lapsed"),
        (HOUSES, FUELED, None),
        (HOUSES, ENDED, "done"),
        (HOUSES, BuildingEnded(B), None),
        (HOUSES, begins(Phase.BUREAUCRACY), "lapsed"),
        (POWER, RAN, "done"),
        (POWER, RoundBegan(4, (A, B)), "lapsed"),
        (POWER, RoundBegan(3, (A, B)), None),
        (POWER, begins(Phase.BUREAUCRACY), None),
        (POWER, OrderChanged((A, B)), None),
        (POWER, begins(Phase.REGIONS), None),
        *((order, GameAbandoned(""), "ended") for order in (LIMIT, SHEET, FUEL)),
        (POWER, GameEnded((), "00"), "ended"),
    ],
)
def test_m68_an_order_ends_by_what_stands_in_it(
    order: Order, event: Event, how: Ending | None
) -> None:
    assert ending(Standing(1, order, ROUND), A, event, ROUND) == how


@pytest.mark.parametrize("order", [SHEET, FUEL, HOUSES, POWER])
def test_an_order_for_every_round_ends_with_the_game(order: Order) -> None:
    row = Standing(1, order)
    for event in (FUELED, ENDED, RAN, RoundBegan(4, (A, B)), begins(Phase.BUREAUCRACY)):
        assert ending(row, A, event, ROUND) is None
    assert ending(row, A, GameAbandoned(""), ROUND) == "ended"


@pytest.mark.parametrize("order", [SHEET, FUEL, HOUSES, POWER])
def test_an_order_for_a_later_round_waits(order: Order) -> None:
    for event in (FUELED, ENDED, RAN, RoundBegan(4, (A, B)), begins(Phase.BUREAUCRACY)):
        assert ending(Standing(1, order, 4), A, event, ROUND) is None
