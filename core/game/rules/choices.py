"""Which regions may be in play together (R3.1): a policy of the rules, by its value."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Final

from core.game.rules.knobs import Map, Ruleset
from core.game.rules.network import connected_region_sets, graph, is_connected, islands
from core.game.types import RegionId

Choices = tuple[frozenset[RegionId], ...]


def region_choices(rules: Ruleset, size: int) -> Choices:
    """Return every choice of `size` regions that the rules allow, in a fixed order."""
    return _POLICIES[rules.regions_touch](rules.map, size)


@lru_cache(maxsize=64)
def _per_island(board: Map, size: int) -> Choices:
    """Return the choices whose regions hang together on each of the islands that they lie on."""
    home = {city.id: city.region for city in board.cities}
    lands = [{home[city] for city in island} for island in islands(board)]
    return tuple(
        choice for choice in _any(board, size)
        if all(is_connected(graph(board, choice & land)) for land in lands if choice & land)
    )  # fmt: skip


def _any(board: Map, size: int) -> Choices:
    return tuple(map(frozenset, combinations([region.id for region in board.regions], size)))


_POLICIES: Final[Mapping[str, Callable[[Map, int], Choices]]] = MappingProxyType({
    "yes": connected_region_sets,
    "per_island": _per_island,
    "no": _any,
})  # fmt: skip
