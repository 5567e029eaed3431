"""Prices beyond an offer's own: whole purchases of fuel, and cities built behind each other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from core.game.board.storage import burned_by, fits, stock
from core.game.moves import BuildCities
from core.game.observe import PlayerView
from core.game.offers import BuildTarget, PurchaseOffer
from core.game.phases.building import targets
from core.game.rules.knobs import Plant, Ruleset
from core.game.types import Elektro, Fuel, Resource

Plants = tuple[Plant, ...]


class Shop:
    """A purchase offer that knows the price of any purchase."""

    def __init__(self, plants: Plants, offer: PurchaseOffer) -> None:
        """Buy for these `plants`, all of the seat."""
        self._plants = plants
        self._elektro = offer.elektro
        self.held = offer.held
        self.market = offer.market
        self.costs = {fuel.resource: fuel.costs for fuel in offer.fuels}

    def price(self, amounts: Fuel) -> Elektro | None:
        """Return the price of a whole purchase; None if market, storage or money forbid it."""
        total = 0
        for fuel, count in amounts.items():
            if count > len(self.costs.get(fuel, ())):
                return None
            total += self.costs[fuel][count - 1]
        fitting = total <= self._elektro and fits(self._plants, self.held + amounts)
        return Elektro(total) if fitting else None

    def missing(self, plants: Plants, times: int = 1) -> Iterator[Fuel]:
        """Yield purchases after which these plants can run `times` times: hybrids have a choice."""
        pure = [plant for plant in plants if len(plant.fuels) == 1]
        need = sum((Fuel.of(p.fuels[0], p.burns * times) for p in pure), Fuel())
        mixed = sum(plant.burns for plant in plants if plant.hybrid) * times
        for coal in range(mixed + 1):
            yield _beyond(self.held, need + Fuel(coal=coal, oil=mixed - coal))


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))


def sets_of(plants: Plants) -> Iterator[Plants]:
    """Yield all sets of plants, the largest first, the empty one last."""
    for size in range(len(plants), -1, -1):
        yield from combinations(plants, size)


def runnable(rules: Ruleset, plants: Plants, held: Fuel) -> Plants:
    """Return the plants of a player that run together from `held` and power most cities."""
    fuel = stock(rules, plants, held)
    best: Plants = ()
    for some in sets_of(plants):
        more = sum(p.cities for p in some) > sum(p.cities for p in best)
        if more and burned_by(some, fuel, Resource.COAL) is not None:
            best = some
    return best


def next_targets(view: PlayerView, chain: Sequence[BuildTarget]) -> list[BuildTarget]:
    """Return what can be built behind a chain with the money it leaves, cheapest first (R9.3)."""
    left = (view.viewer.elektro or 0) - sum(target.total for target in chain)
    return [target for target in reachable(view, chain) if target.total <= left]


def chained(view: PlayerView, move: BuildCities) -> tuple[BuildTarget, ...]:
    """Return the targets of a building turn in its order, as they are charged, whatever they cost.

    A city that cannot be reached so, and all behind it, are left out.
    """
    chain: tuple[BuildTarget, ...] = ()
    for city in move.cities:
        wanted = (city, city in move.jumps)
        found = (
            target for target in reachable(view, chain) if (target.city, target.jump) == wanted
        )
        target = next(found, None)
        if target is None:
            break
        chain = (*chain, target)
    return chain


def reachable(view: PlayerView, chain: Sequence[BuildTarget]) -> list[BuildTarget]:
    """Return what could be built behind a chain with enough money, cheapest first."""
    me = view.viewer
    cities = (*me.cities, *(target.city for target in chain))
    if view.ruleset.end_timing == "immediate" and len(cities) >= view.numbers.end_cities:
        return []  # the game ends at once with the last city (B27)
    players = (replace(p, cities=cities) if p.seat == me.seat else p for p in view.players)
    local = view.local
    if any(target.jump for target in chain):
        local = replace(local, jumped=(*local.jumped, me.seat))
    grown = replace(view, players=tuple(players), local=local)
    within = targets(grown, me.seat)
    return sorted(within, key=lambda target: (target.total, target.city, target.jump))
