"""Lines for buying fuel: nothing, what runs the plants, as much as fits."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from core.game.board.storage import burned_by, fits, stock
from core.game.moves import BuyResources
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import PurchaseOffer
from core.game.rules.knobs import Plant, Ruleset
from core.game.types import Elektro, Fuel, PlantNumber, Resource
from core.questions.command import Command, command, viewer
from core.text import _

Plants = tuple[Plant, ...]


class Shop:
    """A purchase offer, to be asked for the price of any purchase."""

    def __init__(self, plants: Plants, offer: PurchaseOffer) -> None:
        """Buy for these `plants`, all of the seat."""
        self._plants = plants
        self._elektro = offer.elektro
        self.held = offer.held
        self.costs = {fuel.resource: fuel.costs for fuel in offer.fuels}

    def price(self, amounts: Fuel) -> Elektro | None:
        """Price of a whole purchase; None where market, storage or money do not allow it."""
        total = 0
        for fuel, count in amounts.items():
            if count > len(self.costs.get(fuel, ())):
                return None
            total += self.costs[fuel][count - 1]
        fitting = total <= self._elektro and fits(self._plants, self.held + amounts)
        return Elektro(total) if fitting else None

    def missing(self, plants: Plants, times: int = 1) -> Iterator[Fuel]:
        """Purchases after which these plants can run so many `times`: hybrids leave a choice."""
        pure = [plant for plant in plants if len(plant.fuels) == 1]
        need = sum((Fuel.of(p.fuels[0], p.burns * times) for p in pure), Fuel())
        mixed = sum(plant.burns for plant in plants if plant.hybrid) * times
        for coal in range(mixed + 1):
            yield _beyond(self.held, need + Fuel(coal=coal, oil=mixed - coal))


def sets_of(plants: Plants) -> Iterator[Plants]:
    """All sets of plants, the largest first, the empty one last."""
    for size in range(len(plants), -1, -1):
        yield from combinations(plants, size)


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))


_MOST: Final = 14  # lines


def purchase_lines(view: PlayerView, offer: PurchaseOffer) -> tuple[Command, ...]:
    """Nothing; fuel for every set of plants, once and for two rounds; single fuels. By price."""
    plants = view.plants_of(viewer(view).seat)
    return tuple(
        command(view, BuyResources(amounts), _note(view, offer, amounts, price))
        for amounts, price in _priced(plants, offer)
    )


def fills(view: PlayerView, offer: PurchaseOffer) -> tuple[Command, ...]:
    """The cheapest purchases that power most cities, and next to most; or none."""
    plants = view.plants_of(viewer(view).seat)
    cities = {plant.number: plant.cities for plant in plants}
    cheapest: dict[int, Command] = {}
    for amounts, price in _priced(plants, offer):
        runs = runnable(view.ruleset, plants, offer.held + amounts)
        powered = sum(cities[number] for number in runs)
        note = _note(view, offer, amounts, price)
        cheapest.setdefault(powered, command(view, BuyResources(amounts), note))
    return tuple(cheapest[powered] for powered in sorted(list(cheapest)[1:])[-2:])


def _priced(plants: Plants, offer: PurchaseOffer) -> list[tuple[Fuel, Elektro]]:
    """Purchases worth a line, by price; the first is nothing."""
    shop = Shop(plants, offer)
    wanted = [Fuel(), *_for_plants(plants, shop), *_single(shop)]
    priced = {w: price for w in wanted if (price := shop.price(w)) is not None}
    return sorted(list(priced.items())[:_MOST], key=lambda item: item[1])


def runnable(rules: Ruleset, plants: Plants, held: Fuel) -> tuple[PlantNumber, ...]:
    """Return the plants of a player that run together from this fuel and power most cities."""
    fuel = stock(rules, plants, held)
    best: Plants = ()
    for some in sets_of(plants):
        more = sum(p.cities for p in some) > sum(p.cities for p in best)
        if more and burned_by(some, fuel, Resource.COAL) is not None:
            best = some
    return tuple(plant.number for plant in best)


def _for_plants(plants: Plants, shop: Shop) -> Iterator[Fuel]:
    """The cheapest purchase that lets each set of plants run once, and then twice."""
    for times in (1, 2):
        for some in sets_of(plants):
            ways = [(price, way) for way in shop.missing(some, times)
                    if (price := shop.price(way)) is not None]  # fmt: skip
            if ways:
                yield min(ways, key=lambda item: item[0])[1]


def _single(shop: Shop) -> Iterator[Fuel]:
    """One token, and as many as there are, of each fuel."""
    for (fuel, prices), most in product(shop.costs.items(), (False, True)):
        yield Fuel.of(fuel, len(prices) if most else 1)


def _note(view: PlayerView, offer: PurchaseOffer, amounts: Fuel, price: Elektro) -> str:
    """The price, and which plants run then, for how many cities, beside those there are."""
    me = viewer(view)
    runs = runnable(view.ruleset, view.plants_of(me.seat), offer.held + amounts)
    text = _("{price} Elektro, {left} left; runs {plants}")
    if runs:
        text = _("{price} Elektro, {left} left; runs {plants}: {cities} (you have {have})")
    return text.format(
        price=price,
        left=offer.elektro - price,
        plants=wording.plants(runs),
        cities=wording.cities(sum(view.ruleset.plant[number].cities for number in runs)),
        have=len(me.cities),
    )
