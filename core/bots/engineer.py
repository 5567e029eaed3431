"""A bot that plans: it values plants by what they will earn, and builds what it can power."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from core.bots.evaluation import Evaluation, Plants, Weights
from core.game.moves import (
    Bid,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerPlants,
    Run,
)
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    DiscardChoice,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerChoice,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
    built,
)
from core.game.prices import Shop, next_targets, sets_of
from core.game.rules.network import routes_from
from core.game.types import STEP_3_CARD, CityId, Elektro, Fuel, PlantNumber, RegionId


def opening(outlook: Evaluation, offer: OpeningOffer) -> Move:
    """Put up the plant with the best profit at its lowest bid; pass if none has any."""
    within = [p for p in offer.plants if p.minimum <= _budget(outlook)]
    plants = within or (() if offer.may_pass else offer.plants)
    profits = {p.plant: _profit(outlook, p.plant, p.minimum) for p in plants}
    best = max(plants, key=lambda p: profits[p.plant], default=None)
    if best is None or (profits[best.plant] <= 0 and offer.may_pass):
        return Pass()
    most = limit(outlook, best.plant) if offer.sealed else best.minimum
    return OpenAuction(best.plant, max(best.minimum, min(most, offer.maximum)))


def answer(outlook: Evaluation, offer: BidOffer) -> Move:
    """Raise as little as possible as long as the plant is worth it."""
    most = min(limit(outlook, offer.plant), offer.maximum)
    if most < offer.minimum:
        return Pass()
    return Bid(most if offer.sealed else offer.minimum)


def discard(outlook: Evaluation, offer: DiscardOffer) -> Move:
    """Give up the plant that is missed least, and keep the dearest fuel."""

    def left_over(choice: DiscardChoice) -> float:
        return outlook.worth(tuple(p for p in outlook.plants if p.number != choice.plant))

    best = max(offer.choices, key=left_over)
    return DiscardPlant(best.plant, max(best.keeps, key=outlook.fuel_value))


def _profit(outlook: Evaluation, plant: PlantNumber, price: int) -> float:
    return _affordable(outlook, plant) - price


def _affordable(outlook: Evaluation, plant: PlantNumber) -> float:
    """Return the price at which a plant is just worth buying."""
    gain = outlook.gain(outlook.view.ruleset.plant[plant])
    return gain * outlook.habits.caution / outlook.thrift


def limit(outlook: Evaluation, plant: PlantNumber) -> Elektro:
    """Return the most to pay for a plant: its worth, less what the next best would bring."""
    others = [
        _profit(outlook, other, other)
        for other in outlook.view.market.actual
        if other not in (plant, STEP_3_CARD)
    ]
    regret = outlook.habits.regret * max([0.0, *others])
    return Elektro(int(min(_affordable(outlook, plant) - regret, _budget(outlook))))


def ladder(outlook: Evaluation, plants: Iterable[PlantNumber]) -> dict[PlantNumber, Elektro]:
    """Return the most to pay for each plant once those with more profit are gone, best first."""
    ranked = sorted(plants, key=lambda plant: -_profit(outlook, plant, plant))
    budget = _budget(outlook)
    most = {}
    for i, plant in enumerate(ranked):
        rest = [_profit(outlook, other, other) for other in ranked[i + 1 :]]
        regret = outlook.habits.regret * max([0.0, *rest])
        most[plant] = Elektro(max(0, int(min(_affordable(outlook, plant) - regret, budget))))
    return most


def _budget(outlook: Evaluation) -> int:
    """Money that is not needed for this round's fuel and its first city."""
    fuel = sum(outlook.running_cost(plant) for plant in outlook.plants)
    missing = max(0.0, fuel - outlook.fuel_value(outlook.me.fuel))
    first = 0 if outlook.me.cities else 15
    return int(outlook.purse - missing - first)


_LATE: Final = 3
"""So many times the patience is more than any game takes that ends by itself."""


def build(outlook: Evaluation, offer: BuildOffer) -> Move:
    """Build city by city, as long as the next one pays."""
    first: list[BuildTarget] = []
    if not outlook.me.cities and offer.targets:
        # where the next ones are cheap to reach and nobody is near
        first = [min(offer.targets, key=lambda t: (_distance(outlook, t.city), t.city))]
    return built(_chain(outlook, first))


def _distance(outlook: Evaluation, city: CityId) -> int:
    """Cost of reaching the nearest cities, dearer where others are at home."""
    view, habits, rules = outlook.view, outlook.habits, outlook.view.ruleset
    routes = routes_from(rules.map, frozenset(view.regions), [city], rules.transit_cost)
    near = sorted(
        route.cost + habits.crowd * len(view.houses(other))
        for other, route in routes.items()
        if other != city
    )
    return sum(near[: habits.neighbours])


def _chain(outlook: Evaluation, chain: list[BuildTarget]) -> list[BuildTarget]:
    while targets := _worth(next_targets(outlook.view, chain)):
        if not _pays(outlook, len(outlook.me.cities) + len(chain), targets[0]):
            break
        chain = [*chain, targets[0]]
    return chain


_SAVED: Final = 10
"""Elektro that a free jump must save: it comes once."""


def _worth(targets: Sequence[BuildTarget]) -> list[BuildTarget]:
    """Leave the free jump for later where the way is cheap."""
    ways = {target.city: target.connection_cost for target in targets if not target.jump}
    return [t for t in targets if not t.jump or ways.get(t.city, _SAVED + 1) > _SAVED]


def _pays(outlook: Evaluation, cities: int, target: BuildTarget) -> bool:
    """Is one more city than these worth its price, in this position?"""
    if cities + 1 >= outlook.goal:
        return _may_end(outlook, cities + 1)
    if _stalled(outlook):
        return True
    idle = cities >= outlook.capacity
    if cities >= outlook.capacity + outlook.habits.ahead:
        return False
    payment = outlook.view.ruleset.payment
    per_round = payment[cities + 1] - payment[cities]
    rounds = outlook.rounds_left - (1 if idle else 0)
    return target.total * outlook.thrift <= per_round * rounds + outlook.final_city


def _stalled(outlook: Evaluation) -> bool:
    """Return True if only building still leads to the end: no plant is to come, or it is late."""
    view, patience = outlook.view, outlook.habits.patience
    sold_out = not view.market.cards and not view.stack_size
    return view.round > (patience if sold_out else _LATE * patience)


def _may_end(outlook: Evaluation, cities: int) -> bool:
    """End the game only as one who powers at least as much as anybody else may, or to end it."""
    view = outlook.view
    others = max(
        min(len(p.cities), sum(x.cities for x in view.plants_of(p.seat)))
        for p in view.players
        if p.seat != outlook.me.seat
    )
    late = max(0, view.round - outlook.habits.patience)
    return min(cities, outlook.runs_now) + late >= others


def buy(outlook: Evaluation, offer: PurchaseOffer) -> Move:
    """Fuel for the set of plants that earns most this round, and more where it is cheap."""
    shops = [Shop(outlook.plants, market) for market in offer.by_market]
    shop, best, most = shops[0], Fuel(), float("-inf")
    for plants in sets_of(outlook.plants):
        income = _income(outlook, plants) - _running_costs(outlook, plants)
        for market in shops:
            for amounts in market.missing(plants):
                price = market.price(amounts)
                if price is not None and income - price > most:
                    shop, best, most = market, amounts, income - price
    bought = _ahead(outlook, shop, best)
    return BuyResources(bought, shop.market if bought else "")


def _running_costs(outlook: Evaluation, plants: Plants) -> float:
    """Return what the burned fuel would have been worth later."""
    return outlook.habits.fuel_kept * sum(outlook.running_cost(plant) for plant in plants)


def _income(outlook: Evaluation, plants: Plants) -> float:
    """Return what these plants will bring; near the end capacity counts for more."""
    soon = len(outlook.me.cities) + max(1, outlook.purse // outlook.habits.city_price)
    powered = min(soon, outlook.goal, sum(p.cities for p in plants))
    return outlook.view.ruleset.payment[powered] + outlook.final_city * powered


def _ahead(outlook: Evaluation, shop: Shop, bought: Fuel) -> Fuel:
    """Single tokens more, cheapest first, while they are cheap and money is left for cities."""
    most = outlook.purse - _building_fund(outlook)
    while outlook.rounds_left > 1:
        now = shop.price(bought) or 0
        more = [
            (price - now, fuel)
            for fuel in shop.costs
            if (price := shop.price(bought + Fuel.of(fuel, 1))) is not None
            and price <= most
            and price - now <= outlook.habits.cheap * outlook.prices[fuel]
        ]
        if not more:
            break
        bought += Fuel.of(min(more)[1], 1)
    return bought


def _building_fund(outlook: Evaluation) -> int:
    """Money that is kept for the cities that the plants can power."""
    return outlook.habits.city_price * max(0, outlook.capacity - len(outlook.me.cities))


def run(outlook: Evaluation, offer: PowerOffer) -> Move:
    """Run what brings most beyond the fuel that is burned for it."""

    def profit(choice: PowerChoice) -> float:
        return choice.income - outlook.habits.fuel_kept * outlook.fuel_value(choice.burned)

    must = not outlook.view.ruleset.may_underpower
    best = offer.choices[0]
    choices = [c for c in offer.choices if not must or c.powered == best.powered]
    chosen = max(choices, key=profit)
    return PowerPlants(tuple(Run(plant) for plant in chosen.plants))


def choose(outlook: Evaluation, offer: RegionOffer) -> Move:
    """Choose the region whose connections, also to the chosen ones, cost least on the average."""
    view = outlook.view
    home = {city.id: city.region for city in view.ruleset.map.cities}

    def mean_cost(region: RegionId) -> float:
        inside = {region, *view.regions}
        costs = [
            line.cost
            for line in view.ruleset.map.connections
            if region in (home[line.a], home[line.b]) and {home[line.a], home[line.b]} <= inside
        ]
        return sum(costs) / len(costs)

    return ChooseRegion(min(offer.regions, key=lambda region: (mean_cost(region), region)))


_MOVES: Final[dict[type[Offer], Callable[..., Move]]] = {
    RegionOffer: choose,
    OpeningOffer: opening,
    BidOffer: answer,
    DiscardOffer: discard,
    PurchaseOffer: buy,
    BuildOffer: build,
    PowerOffer: run,
}


class Engineer:
    """Plays from the view alone; the same view is always answered with the same move."""

    def __init__(self, habits: Weights | None = None) -> None:
        """`habits`: the best known ones if none are given."""
        self._habits = habits or Weights()

    def move(self, view: PlayerView) -> Move:
        """Return a legal move for the offer in the view."""
        if view.offer is None:
            raise ValueError("the seat is not asked")
        return _MOVES[type(view.offer)](Evaluation(view, self._habits), view.offer)
