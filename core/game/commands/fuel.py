"""Lines for buying fuel: nothing, what runs the plants, as much as fits."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from core.game.board.storage import burned_by
from core.game.commands.command import Command, command, viewer
from core.game.commands.shopping import Plants, Shop, sets_of
from core.game.moves import BuyResources
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import PurchaseOffer
from core.game.types import Elektro, Fuel, PlantNumber, Resource
from core.text import _

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
        powered = sum(cities[number] for number in runnable(plants, offer.held + amounts))
        note = _note(view, offer, amounts, price)
        cheapest.setdefault(powered, command(view, BuyResources(amounts), note))
    return tuple(cheapest[powered] for powered in sorted(list(cheapest)[1:])[-2:])


def _priced(plants: Plants, offer: PurchaseOffer) -> list[tuple[Fuel, Elektro]]:
    """Purchases worth a line, by price; the first is nothing."""
    shop = Shop(plants, offer)
    wanted = [Fuel(), *_for_plants(plants, shop), *_single(shop)]
    priced = {w: price for w in wanted if (price := shop.price(w)) is not None}
    return sorted(list(priced.items())[:_MOST], key=lambda item: item[1])


def runnable(plants: Plants, held: Fuel) -> tuple[PlantNumber, ...]:
    """The plants that can run together from this fuel and power most cities."""
    best: Plants = ()
    for some in sets_of(plants):
        more = sum(p.cities for p in some) > sum(p.cities for p in best)
        if more and burned_by(some, held, Resource.COAL) is not None:
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
    runs = runnable(view.plants_of(me.seat), offer.held + amounts)
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
