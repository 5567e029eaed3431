"""How much fuel is bought in this round (R8)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from core.game.board.buy_order import bought_now
from core.game.moves import BuyResources, Move
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import FuelOffer, PurchaseOffer
from core.game.prices import Plants, Shop, runnable, sets_of
from core.game.types import Elektro, Fuel, Resource
from core.questions.question import Card, Command, Fields, MoveQuestion, Unfilled, number
from core.text import _, ngettext

_MOST: Final = 14  # lines


class FuelQuestion(MoveQuestion[PurchaseOffer]):
    """Buy fuel: the whole purchase of the round."""

    template = "fuel"
    fields = (*(resource.value for resource in Resource), "stored", "then")

    @property
    def doing(self) -> str:
        return _("buying fuel")

    def card(self, names: Sequence[str]) -> Card:
        return Card(_("Buy fuel"), self._asks())

    def _asks(self) -> str:
        offer, plants = self.offer, self.me.plants
        if offer.forced:
            return _("There is no fuel that you could store and pay: you can only buy nothing.")
        lots = [self._lot(market, one) for market in offer.by_market for one in market.fuels]
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
        if offer.one_token:
            whole = self._token_by_token()
        elif offer.others:
            whole = _("What you order, from one market, is your whole purchase of this round.")
        if offer.stored:
            whole = f"{whole} {self.storage}"
        return f"{has} {can.format(lots='; '.join(lots))} {whole}"

    @property
    def storage(self) -> str:
        """What the storage of burnt coal has, and how it is bought from; empty without any."""
        text = _(
            "The storage has {count} burnt coal at {price} each; for some of it though the market "
            "has cheaper, end the line with a number: buy 2 coal 1 from storage."
        )
        price = self.rules.burnt_coal_price
        return text.format(count=self.offer.stored, price=price) if self.offer.stored else ""

    def _token_by_token(self) -> str:
        cap = self.rules.price_cap
        parts = [
            _(
                "Fuel is bought token by token in turn; who buys none is out for this round. Of a "
                "list you buy the first token now, and the others as an order in your next turns."
            )
        ]
        if cap:
            parts.append(
                _("In Step {step} no token above {cap} Elektro is sold.").format(
                    step=self.view.step, cap=cap[self.view.step - 1]
                )
            )
        return " ".join(parts)

    def stakes(self, after: PlayerView, move: Move) -> list[str]:
        if not (isinstance(move, BuyResources) and self.offer.one_token and move.amounts):
            return []
        first, _done = bought_now(self.rules, move.amounts)
        others = move.amounts - first
        if not others:
            return [_("You are asked for the next token after the others.")]
        return [
            _(
                "The others ({fuel}) are bought in your next turns as an order; then you are out."
            ).format(fuel=wording.fuel(others))
        ]

    def _lot(self, market: PurchaseOffer, sale: FuelOffer) -> str:
        values = {
            "fuel": wording.fuel_name(sale.resource),
            "count": len(sale.costs),
            "cost": sale.costs[-1],
            "market": market.market or self.rules.main_market,
        }
        if self.offer.others:
            return _("{fuel} from {market} up to {count} for {cost}").format(**values)
        return _("{fuel} up to {count} for {cost}").format(**values)

    def commands(self) -> tuple[Command, ...]:
        """Return nothing; fuel for every set of plants, once and twice; single fuels. By price."""
        return tuple(self._command(*purchase) for purchase in self._priced())

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [self._row(sale) for sale in self.offer.fuels]

    @property
    def markets(self) -> Sequence[Mapping[str, Any]]:
        """The fields market by market, where there are several; all have the same fuels."""
        by_market = [{sale.resource: sale for sale in one.fuels} for one in self.offer.by_market]
        fuels = [fuel for fuel in Resource if any(fuel in sales for sales in by_market)]
        return [
            {
                "name": name,
                "rows": [self._row(sales.get(fuel, FuelOffer(fuel, ()))) for fuel in fuels],
            }
            for name, sales in zip(self.rules.market_names, by_market, strict=True)
        ]

    def _row(self, sale: FuelOffer) -> Mapping[str, Any]:
        before = (0, *sale.costs)
        last = ((n, cost, cost - before[n - 1]) for n, cost in enumerate(sale.costs, start=1))
        return {
            "fuel": sale.resource.value,
            "name": wording.fuel_name(sale.resource),
            "options": list(last),
            "costs": before,
            "held": self.offer.held[sale.resource],
        }

    @property
    def hybrid(self) -> str:
        """How much coal and oil fit together; empty if each fits alone."""
        if all(self._apart(one) for one in self.offer.by_market):
            return ""
        text = _("Coal and oil share room: {n} together at most.")
        return text.format(n=self.offer.coal_or_oil)

    @staticmethod
    def _apart(offer: PurchaseOffer) -> bool:
        """Return True if all coal and all oil of this market fit beside each other."""
        fits = {sale.resource: len(sale.costs) for sale in offer.fuels}
        return fits.get(Resource.COAL, 0) + fits.get(Resource.OIL, 0) <= offer.coal_or_oil

    @property
    def fills(self) -> tuple[Command, ...]:
        """The cheapest purchases that power most cities, and next to most; or none."""
        cheapest: dict[int, Command] = {}
        for move, price in self._priced():
            powered = sum(plant.cities for plant in self._running(move.amounts))
            cheapest.setdefault(powered, self._command(move, price))
        return tuple(cheapest[powered] for powered in sorted(list(cheapest)[1:])[-2:])

    def move(self, fields: Fields) -> Move:
        """Each fuel has a field for each market, in their order; one market may be filled in."""
        filled = []
        for at, one_market in enumerate(self.offer.by_market):
            counts = {
                r.value: number({r.value: fields.get(r.value, [])[at:]}, r.value, otherwise=0)
                for r in Resource
            }
            if any(counts.values()):
                stored = number(fields, "stored", otherwise=0)
                filled.append(BuyResources(Fuel(**counts), one_market.market, stored=stored))
        if len(filled) > 1:
            raise Unfilled(_("A purchase is from one market: fill in only one."))
        return filled[0] if filled else BuyResources(Fuel())

    def _priced(self) -> list[tuple[BuyResources, Elektro]]:
        """Purchases worth a line, by price; the first is nothing."""
        plants = self.view.plants_of(self.me.seat)
        shops = [Shop(plants, one_market) for one_market in self.offer.by_market]
        priced = {BuyResources(Fuel()): Elektro(0)}
        for shop in shops:
            wanted = dict.fromkeys((*_for_plants(plants, shop), *_single(shop)))
            prices = {amounts: shop.price(amounts) for amounts in wanted if amounts}
            found = [(BuyResources(w, shop.market), p) for w, p in prices.items() if p is not None]
            priced |= dict(found[: (_MOST - 1) // len(shops)])
        return sorted(priced.items(), key=lambda item: item[1])

    def _running(self, amounts: Fuel) -> Plants:
        return runnable(self.rules, self.view.plants_of(self.me.seat), self.offer.held + amounts)

    def _command(self, move: BuyResources, price: Elektro) -> Command:
        """Return the purchase with its price, and which plants run then, for how many cities."""
        runs = self._running(move.amounts)
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
        return self.command(move, note)


def _for_plants(plants: Plants, shop: Shop) -> Iterator[Fuel]:
    """Return the cheapest purchase that lets each set of plants run once, and then twice."""
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
