"""How much fuel is bought in this round (R8)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from core.game.moves import BuyResources, Move
from core.game.narrate import wording
from core.game.offers import PurchaseOffer
from core.game.prices import Plants, Shop, runnable, sets_of
from core.game.types import Elektro, Fuel, Resource
from core.questions.question import Card, Command, Fields, MoveQuestion, number
from core.text import _, ngettext

_MOST: Final = 14  # lines


class FuelQuestion(MoveQuestion[PurchaseOffer]):
    """Buy fuel: the whole purchase of the round."""

    template = "fuel"
    fields = (*(resource.value for resource in Resource), "then")

    @property
    def doing(self) -> str:
        return _("buying fuel")

    def card(self, names: Sequence[str]) -> Card:
        return Card(_("Buy fuel"), self._asks())

    def _asks(self) -> str:
        offer, plants = self.offer, self.me.plants
        if not offer.fuels:
            return _("There is no fuel that you could store and pay: you can only buy nothing.")
        lots = [
            _("{fuel} up to {count} for {cost}").format(
                fuel=wording.fuel_name(one.resource), count=len(one.costs), cost=one.costs[-1]
            )
            for one in offer.fuels
        ]
        has = ngettext(
            "You have {money} Elektro, plant {plants} and {held} in store.",
            "You have {money} Elektro, plants {plants} and {held} in store.",
            len(plants),
        ).format(
            money=offer.elektro,
            plants=wording.numbers(plants),
            held=wording.fuel(offer.held) if offer.held else _("no fuel"),
        )
        can = ngettext("You could buy {lots}.", "You could buy {lots} (each alone).", len(lots))
        whole = _("What you order is your whole purchase of this round.")
        return f"{has} {can.format(lots='; '.join(lots))} {whole}"

    def commands(self) -> tuple[Command, ...]:
        """Return nothing; fuel for every set of plants, once and twice; single fuels. By price."""
        return tuple(self._command(*purchase) for purchase in self._priced())

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        rows = []
        for sale in self.offer.fuels:
            before = (0, *sale.costs)
            last = ((n, cost, cost - before[n - 1]) for n, cost in enumerate(sale.costs, start=1))
            rows.append(
                {
                    "fuel": sale.resource.value,
                    "name": wording.fuel_name(sale.resource),
                    "options": list(last),
                    "costs": before,
                    "held": self.offer.held[sale.resource],
                }
            )
        return rows

    @property
    def hybrid(self) -> str:
        """How much coal and oil fit together; empty if each fits alone."""
        fits = {sale.resource: len(sale.costs) for sale in self.offer.fuels}
        if fits.get(Resource.COAL, 0) + fits.get(Resource.OIL, 0) <= self.offer.coal_or_oil:
            return ""
        text = _("Coal and oil share room: {n} together at most.")
        return text.format(n=self.offer.coal_or_oil)

    @property
    def fills(self) -> tuple[Command, ...]:
        """The cheapest purchases that power most cities, and next to most; or none."""
        cheapest: dict[int, Command] = {}
        for amounts, price in self._priced():
            powered = sum(plant.cities for plant in self._running(amounts))
            cheapest.setdefault(powered, self._command(amounts, price))
        return tuple(cheapest[powered] for powered in sorted(list(cheapest)[1:])[-2:])

    def move(self, fields: Fields) -> Move:
        counts = {r.value: number(fields, r.value, otherwise=0) for r in Resource}
        return BuyResources(Fuel(**counts))

    def _priced(self) -> list[tuple[Fuel, Elektro]]:
        """Purchases worth a line, by price; the first is nothing."""
        plants = self.view.plants_of(self.me.seat)
        shop = Shop(plants, self.offer)
        wanted = [Fuel(), *_for_plants(plants, shop), *_single(shop)]
        priced = {w: price for w in wanted if (price := shop.price(w)) is not None}
        return sorted(list(priced.items())[:_MOST], key=lambda item: item[1])

    def _running(self, amounts: Fuel) -> Plants:
        return runnable(self.rules, self.view.plants_of(self.me.seat), self.offer.held + amounts)

    def _command(self, amounts: Fuel, price: Elektro) -> Command:
        """The purchase with its price, and which plants run then, for how many cities."""
        runs = self._running(amounts)
        text = _("{price} Elektro, {left} left; runs {plants}")
        if runs:
            text = _("{price} Elektro, {left} left; runs {plants}: {cities} (you have {have})")
        note = text.format(
            price=price,
            left=self.offer.elektro - price,
            plants=wording.plants(plant.number for plant in runs),
            cities=wording.cities(sum(plant.cities for plant in runs)),
            have=len(self.me.cities),
        )
        return self.command(BuyResources(amounts), note)


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
