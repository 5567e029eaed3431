"""The map as a graph: the one module that knows NetworkX."""

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations

import networkx as nx

from core.game.rules.model import Map
from core.game.types import CityId, RegionId


def graph(board: Map, regions: Collection[RegionId]) -> "nx.Graph[CityId]":
    """Cities of the `regions` in play and the connections between them; `cost` in Elektro (R3.1).

    Nodes and edges are sorted, so that ties of paths break the same way for ever.
    """
    cities: nx.Graph[CityId] = nx.Graph()
    cities.add_nodes_from(sorted(c.id for c in board.cities if c.region in regions))
    lines = sorted((min(c.a, c.b), max(c.a, c.b), c.cost) for c in board.connections)
    for a, b, cost in lines:
        if a in cities and b in cities:
            cities.add_edge(a, b, cost=cost)
    return cities


@lru_cache(maxsize=32)
def adjacent_regions(board: Map) -> dict[RegionId, frozenset[RegionId]]:
    """The regions that share a connection with each region."""
    home = {city.id: city.region for city in board.cities}
    pairs = {(home[c.a], home[c.b]) for c in board.connections}
    both = pairs | {(b, a) for a, b in pairs}
    return {r.id: frozenset(b for a, b in both if a == r.id and b != r.id) for r in board.regions}


@lru_cache(maxsize=128)
def connected_region_sets(board: Map, size: int) -> tuple[frozenset[RegionId], ...]:
    """Every choice of `size` regions whose cities can all reach each other (R3.1), in fixed order.

    That regions touch is not enough: a city may reach its own region only through a third one.
    """
    choices = combinations([region.id for region in board.regions], size)
    return tuple(frozenset(c) for c in choices if is_connected(graph(board, c)))


def is_connected(cities: "nx.Graph[CityId]") -> bool:
    """Is there a city, and can each be reached from every other?"""
    return len(cities) > 0 and nx.is_connected(cities)
