"""Going on without a way, at a fixed cost: a policy of the rules, by its value (R9.3)."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final

from core.game.rules.knobs import Ruleset
from core.game.rules.network import Route, Routes, islands
from core.game.types import CityId

Cities = Collection[CityId]


def far_routes(rules: Ruleset, own: Cities, taken: Cities) -> Routes:
    """Return the cities that a network may go on to without a way, at the rules' fixed cost.

    `taken`: cities in which somebody has a house.
    """
    far = rules.far_connection
    if far is None:
        return {}
    cities = _POLICIES[far.to](rules, own, taken)
    return {city: Route(far.cost, (city,)) for city in cities}


def _any(rules: Ruleset, _own: Cities, _taken: Cities) -> Cities:
    return rules.city


def _empty_on_new_island(rules: Ruleset, own: Cities, taken: Cities) -> Cities:
    new = (island for island in islands(rules.map) if island.isdisjoint(own))
    return [city for island in new for city in sorted(island) if city not in taken]


_POLICIES: Final[Mapping[str, Callable[[Ruleset, Cities, Cities], Cities]]] = MappingProxyType({
    "any": _any,
    "empty_on_new_island": _empty_on_new_island,
})  # fmt: skip
