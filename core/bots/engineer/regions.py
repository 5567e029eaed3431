"""Which region to add to the board."""

from core.game.moves import ChooseRegion, Move
from core.game.observe import PlayerView
from core.game.offers import RegionOffer
from core.game.types import RegionId


def choose(view: PlayerView, offer: RegionOffer) -> Move:
    """The region whose own connections, and those to the chosen ones, cost least on the average."""
    return ChooseRegion(min(offer.regions, key=lambda region: (_mean_cost(view, region), region)))


def _mean_cost(view: PlayerView, region: RegionId) -> float:
    home = {city.id: city.region for city in view.ruleset.map.cities}
    inside = {region, *view.regions}
    costs = [
        line.cost
        for line in view.ruleset.map.connections
        if region in (home[line.a], home[line.b]) and {home[line.a], home[line.b]} <= inside
    ]
    return sum(costs) / len(costs)
