"""Where to begin, and how many cities to build."""

from core.bots.engineer.outlook import Outlook
from core.game.moves import BuildCities, Move
from core.game.offers import BuildOffer, BuildTarget
from core.game.rules.network import routes_from
from core.game.types import CityId
from core.questions.building import next_targets


def build(outlook: Outlook, offer: BuildOffer) -> Move:
    """City by city, as long as the next one pays."""
    if not outlook.me.cities and offer.targets:
        return _found(outlook, offer)
    return BuildCities(tuple(target.city for target in _chain(outlook, [])))


def _found(outlook: Outlook, offer: BuildOffer) -> Move:
    """The first city: where the next ones are cheap to reach and nobody is near."""
    first = min(offer.targets, key=lambda t: (_distance(outlook, t.city), t.city))
    return BuildCities(tuple(target.city for target in _chain(outlook, [first])))


def _distance(outlook: Outlook, city: CityId) -> int:
    """Cost of reaching the nearest cities, dearer where others are at home."""
    view, habits = outlook.view, outlook.habits
    routes = routes_from(view.ruleset.map, frozenset(view.regions), [city])
    near = sorted(
        route.cost + habits.crowd * len(view.houses(other))
        for other, route in routes.items()
        if other != city
    )
    return sum(near[: habits.neighbours])


def _chain(outlook: Outlook, chain: list[BuildTarget]) -> list[BuildTarget]:
    while targets := next_targets(outlook.view, chain):
        if not _pays(outlook, len(outlook.me.cities) + len(chain), targets[0]):
            break
        chain = [*chain, targets[0]]
    return chain


def _pays(outlook: Outlook, cities: int, target: BuildTarget) -> bool:
    """Is one more city than these worth its price, in this position?"""
    if cities + 1 >= outlook.goal:
        return _may_end(outlook, cities + 1)
    idle = cities >= outlook.capacity
    if cities >= outlook.capacity + outlook.habits.ahead:
        return False
    payment = outlook.view.ruleset.payment
    per_round = payment[cities + 1] - payment[cities]
    rounds = outlook.rounds_left - (1 if idle else 0)
    return target.total * outlook.thrift <= per_round * rounds + outlook.final_city


def _may_end(outlook: Outlook, cities: int) -> bool:
    """End the game only as one who powers at least as much as anybody else may, or to end it."""
    view = outlook.view
    others = max(
        min(len(p.cities), sum(x.cities for x in view.plants_of(p.seat)))
        for p in view.players
        if p.seat != outlook.me.seat
    )
    late = max(0, view.round - outlook.habits.patience)
    return min(cities, outlook.runs_now) + late >= others
