"""The map as a graph: the one module that knows NetworkX."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import networkx as nx

from core.game.rules.knobs import NOTHING, Map
from core.game.types import CityId, Elektro, RegionId


def graph(board: Map, regions: Collection[RegionId]) -> "nx.Graph[CityId]":
    """Return cities of the `regions` in play and the connections between them.

    `cost` in Elektro (R3.1).

    Nodes and edges are sorted, so that ties of paths break the same way for ever.
    """
    cities: nx.Graph[CityId] = nx.Graph()
    cities.add_nodes_from(sorted(c.id for c in board.cities if c.region in regions))
    lines = sorted((min(c.a, c.b), max(c.a, c.b), c.cost) for c in board.connections)
    for a, b, cost in lines:
        if a in cities and b in cities:
            cities.add_edge(a, b, cost=cost)
    return cities


@lru_cache(maxsize=64)
def _ways(board: Map, regions: frozenset[RegionId], passing: Elektro) -> "nx.Graph[CityId]":
    """Return the graph of a board that is asked again and again; nobody may change it.

    Where cities have an entry cost, a line costs that of the city it leads into, too. So does
    `passing` a city; the one that a way begins in is not passed, so `_routes` takes one off.
    """
    lines = graph(board, regions)
    entry = {city.id: city.entry_cost for city in board.cities}
    if not passing and not any(entry.values()):
        return lines
    ways: nx.Graph[CityId] = nx.DiGraph(lines)
    for _a, b, line in ways.edges(data=True):
        line["cost"] += entry[b] + passing
    return ways


@lru_cache(maxsize=32)
def islands(board: Map) -> tuple[frozenset[CityId], ...]:
    """Return the parts of the whole map between which no line leads."""
    whole = graph(board, [region.id for region in board.regions])
    return tuple(frozenset(part) for part in nx.connected_components(whole))


@lru_cache(maxsize=32)
def adjacent_regions(board: Map) -> dict[RegionId, frozenset[RegionId]]:
    """Return the regions that share a connection with each region."""
    home = {city.id: city.region for city in board.cities}
    pairs = {(home[c.a], home[c.b]) for c in board.connections}
    both = pairs | {(b, a) for a, b in pairs}
    return {r.id: frozenset(b for a, b in both if a == r.id and b != r.id) for r in board.regions}


@lru_cache(maxsize=128)
def connected_region_sets(board: Map, size: int) -> tuple[frozenset[RegionId], ...]:
    """Return every choice of `size` regions whose cities can all reach each other (R3.1).

    The order is fixed. That regions touch is not enough: a city may reach its own region only
    through a third one.
    """
    choices = combinations([region.id for region in board.regions], size)
    return tuple(frozenset(c) for c in choices if is_connected(graph(board, c)))


def is_connected(cities: "nx.Graph[CityId]") -> bool:
    """Return True if there is a city and each can be reached from every other."""
    return len(cities) > 0 and nx.is_connected(cities)


@dataclass(frozen=True, slots=True)
class Route:
    """A cheapest way between two cities: its connections' cost, and its cities in order."""

    cost: Elektro
    path: tuple[CityId, ...]


Routes = dict[CityId, Route]


@lru_cache(maxsize=64)
def all_routes(
    board: Map, regions: frozenset[RegionId], passing: Elektro = NOTHING
) -> dict[CityId, Routes]:
    """Cheapest ways between any two cities of the regions, through any city (R9.5)."""
    pairs = nx.all_pairs_dijkstra(_ways(board, regions, passing), weight="cost")
    return {source: _routes(costs, paths, passing) for source, (costs, paths) in pairs}


def routes_from(
    board: Map,
    regions: frozenset[RegionId],
    own: Collection[CityId],
    passing: Elektro = NOTHING,
) -> Routes:
    """Cheapest way from a network to every city it can reach (R9.3).

    `passing`: what each city between the first and the last one costs.
    """
    table = all_routes(board, regions, passing)
    best: Routes = {}
    for source in sorted(own):
        for city, route in table[source].items():
            if city not in best or route.cost < best[city].cost:
                best[city] = route
    return best


def routes_through(
    board: Map,
    regions: frozenset[RegionId],
    own: Collection[CityId],
    transit: Collection[CityId],
    passing: Elektro = NOTHING,
) -> Routes:
    """As `routes_from`, where a way may pass only through the cities of `transit` (B16)."""

    def weight(a: CityId, _b: CityId, line: dict[str, int]) -> int | None:
        return line["cost"] if a in transit else None

    ways = _ways(board, regions, passing)
    costs, paths = nx.multi_source_dijkstra(ways, sorted(own), weight=weight)
    return _routes(costs, paths, passing)


def _routes(costs: Any, paths: Any, passing: Elektro) -> Routes:
    """NetworkX types distances as numbers of any kind; ours are whole Elektro."""
    return {
        city: Route(Elektro(cost - passing if len(paths[city]) > 1 else cost), tuple(paths[city]))
        for city, cost in costs.items()
    }
