"""Lines for buying fuel: nothing, what runs the plants, as much as fits."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from core.game.board.storage import burned_by, fits
from core.game.commands.command import Command, command, viewer
from core.game.moves import BuyResources
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import PurchaseOffer
from core.game.rules.model import Plant
from core.game.types import Elektro, Fuel, PlantNumber, Resource
from core.text import _

_MOST: Final = 14  # lines
_Costs = dict[Resource, tuple[Elektro, ...]]


def purchase_lines(view: PlayerView, offer: PurchaseOffer) -> tuple[Command, ...]:
    """Nothing; fuel for every set of plants, once and for two rounds; single fuels. By price."""
    plants = view.plants_of(viewer(view).seat)
    costs: _Costs = {fuel.resource: fuel.costs for fuel in offer.fuels}
    wanted = [Fuel(), *_for_plants(plants, offer.held, costs), *_single(costs)]
    priced = {
        amounts: price
        for amounts in wanted
        if (price := price_of(costs, amounts)) is not None
        and price <= offer.elektro
        and fits(plants, offer.held + amounts)
    }
    useful = dict(list(priced.items())[:_MOST])
    return tuple(
        command(view, BuyResources(amounts), _note(plants, offer, amounts, price))
        for amounts, price in sorted(useful.items(), key=lambda item: item[1])
    )


def price_of(costs: _Costs, amounts: Fuel) -> Elektro | None:
    """Price of a purchase, None where the offer does not hold so much."""
    total = 0
    for fuel, count in amounts.items():
        if count > len(costs.get(fuel, ())):
            return None
        total += costs[fuel][count - 1]
    return Elektro(total)


def runnable(plants: tuple[Plant, ...], held: Fuel) -> tuple[PlantNumber, ...]:
    """The plants that can run together from this fuel and power most cities."""
    best: tuple[Plant, ...] = ()
    for some in _sets(plants):
        more = sum(p.cities for p in some) > sum(p.cities for p in best)
        if more and burned_by(some, held, Resource.COAL) is not None:
            best = some
    return tuple(plant.number for plant in best)


def _sets(plants: tuple[Plant, ...]) -> Iterator[tuple[Plant, ...]]:
    """All sets of plants, the largest first."""
    for size in range(len(plants), 0, -1):
        yield from combinations(plants, size)


def _for_plants(plants: tuple[Plant, ...], held: Fuel, costs: _Costs) -> Iterator[Fuel]:
    """What is missing to run each set of plants once, and all of them twice."""
    for times in (1, 2):
        for some in _sets(plants):
            yield from _missing(some, held, costs, times)


def _missing(plants: tuple[Plant, ...], held: Fuel, costs: _Costs, times: int) -> tuple[Fuel, ...]:
    """The cheapest fuel that is missing to run plants so many `times`; nothing if none is."""
    pure = [p for p in plants if p.fuels and not p.hybrid]
    need = sum((Fuel.of(p.fuels[0], p.burns * times) for p in pure), Fuel())
    mixed = sum(p.burns for p in plants if p.hybrid) * times
    ways = [need + Fuel(coal=n, oil=mixed - n) for n in range(mixed + 1)]
    bought = [_beyond(held, way) for way in ways]
    priced = [(price, b) for b in bought if b and (price := price_of(costs, b)) is not None]
    return (min(priced, key=lambda item: item[0])[1],) if priced else ()


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))


def _single(costs: _Costs) -> Iterator[Fuel]:
    """One token, and as many as there are, of each fuel."""
    for (fuel, prices), most in product(costs.items(), (False, True)):
        yield Fuel.of(fuel, len(prices) if most else 1)


def _note(plants: tuple[Plant, ...], offer: PurchaseOffer, amounts: Fuel, price: Elektro) -> str:
    runs = runnable(plants, offer.held + amounts)
    return _("{price} Elektro, {left} left; runs {plants}").format(
        price=price, left=offer.elektro - price, plants=wording.plants(runs)
    )
