"""How much fuel to buy, and which plants to run."""

from collections.abc import Iterator
from itertools import combinations

from core.bots.engineer.outlook import Outlook, Plants
from core.game.board.storage import fits
from core.game.moves import BuyResources, Move, PowerPlants, Run
from core.game.offers import PowerChoice, PowerOffer, PurchaseOffer
from core.game.types import Fuel, Resource

_Costs = dict[Resource, tuple[int, ...]]


def buy(outlook: Outlook, offer: PurchaseOffer) -> Move:
    """Fuel for the set of plants that earns most this round, and more where it is cheap."""
    costs: _Costs = {fuel.resource: tuple(fuel.costs) for fuel in offer.fuels}
    best, most = Fuel(), float("-inf")
    for plants in _sets(outlook.plants):
        for need in _needs(plants):
            amounts = _beyond(offer.held, need)
            price = _price(costs, amounts)
            if price is None or price > offer.elektro:
                continue
            profit = (
                _income(outlook, plants)
                - price
                - outlook.habits.fuel_kept * outlook.fuel_value(need)
            )
            if profit > most and fits(outlook.plants, offer.held + amounts):
                best, most = amounts, profit
    return BuyResources(_ahead(outlook, offer, costs, best))


def _sets(plants: Plants) -> Iterator[Plants]:
    for size in range(len(plants) + 1):
        yield from combinations(plants, size)


def _needs(plants: Plants) -> Iterator[Fuel]:
    """Every fuel that runs all these plants once: hybrids leave a choice."""
    pure = [p for p in plants if len(p.fuels) == 1]
    need = sum((Fuel.of(p.fuels[0], p.burns) for p in pure), Fuel())
    mixed = sum(p.burns for p in plants if p.hybrid)
    for coal in range(mixed + 1):
        yield need + Fuel(coal=coal, oil=mixed - coal)


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))


def _price(costs: _Costs, amounts: Fuel) -> int | None:
    """Price of a purchase, None where it cannot be had."""
    total = 0
    for fuel, count in amounts.items():
        if count > len(costs.get(fuel, ())):
            return None
        total += costs[fuel][count - 1]
    return total


def _income(outlook: Outlook, plants: Plants) -> float:
    """What running these plants will bring; near the end capacity counts for more."""
    soon = len(outlook.me.cities) + max(1, outlook.purse // outlook.habits.city_price)
    powered = min(soon, outlook.goal, sum(p.cities for p in plants))
    return outlook.view.ruleset.payment[powered] + outlook.final_city * powered


def _ahead(outlook: Outlook, offer: PurchaseOffer, costs: _Costs, bought: Fuel) -> Fuel:
    """Single tokens more, cheapest first, while they are cheap and money is left for cities."""
    spare = offer.elektro - (_price(costs, bought) or 0) - _building_fund(outlook)
    if outlook.rounds_left == 1:
        return bought
    while True:
        more = [
            (price, fuel)
            for fuel in costs
            if bought[fuel] < len(costs[fuel])
            and fits(outlook.plants, offer.held + bought + Fuel.of(fuel, 1))
            and (price := _next_price(costs, fuel, bought[fuel])) <= spare
            and price <= outlook.habits.cheap * outlook.prices[fuel]
        ]
        if not more:
            return bought
        price, fuel = min(more)
        bought, spare = bought + Fuel.of(fuel, 1), spare - price


def _building_fund(outlook: Outlook) -> int:
    """Money that is kept for the cities that the plants can power."""
    return outlook.habits.city_price * max(0, outlook.capacity - len(outlook.me.cities))


def _next_price(costs: _Costs, fuel: Resource, bought: int) -> int:
    return costs[fuel][bought] - (costs[fuel][bought - 1] if bought else 0)


def run(outlook: Outlook, offer: PowerOffer) -> Move:
    """Run what brings most beyond the fuel that is burned for it."""

    def profit(choice: PowerChoice) -> float:
        return choice.income - outlook.habits.fuel_kept * outlook.fuel_value(choice.burned)

    must = not outlook.view.ruleset.may_underpower
    best = offer.choices[0]
    choices = [c for c in offer.choices if not must or c.powered == best.powered]
    chosen = max(choices, key=profit)
    return PowerPlants(tuple(Run(plant) for plant in chosen.plants))
