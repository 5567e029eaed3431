"""Orders in words: as a sentence for form, mail and the reveal, and what an order could not do."""

from collections.abc import Iterable, Mapping

from core.game.moves import PowerPlants, Run
from core.game.narrate import wording
from core.game.rules.knobs import Plant, Ruleset
from core.game.types import Elektro, Fuel, PlantNumber, Resource
from core.lists import both, either, sentences, series
from core.orders.model import (
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    Order,
    PowerOrder,
    Standing,
)
from core.text import _, ngettext


def sentence(order: Order, ruleset: Ruleset) -> str:
    """Return the order as a person says it: ``Bid up to 26 Elektro on plant 20.``."""
    match order:
        case Limit(plant, most):
            return _("Bid up to {most} Elektro on plant {plant}.").format(most=most, plant=plant)
        case AuctionSheet():
            return _auction(order)
        case FuelOrder():
            return _fuel(order, ruleset)
        case BuildOrder():
            return _build(order, ruleset)
        case PowerOrder(move):
            return _power(move.runs) if isinstance(move, PowerPlants) else _(
                "Power most cities with least fuel."
            )  # fmt: skip


def in_full(row: Standing, ruleset: Ruleset) -> str:
    """Return the sentence, and for how long it holds."""
    said = sentence(row.order, ruleset)
    if isinstance(row.order, Limit):
        return said
    if row.round is None:
        return _("{order} In every round.").format(order=said)
    return _("{order} In round {round}.").format(order=said, round=row.round)


def partial_fill(filled: Iterable[tuple[Plant, int, int]]) -> str:
    """Return what an executed fuel order did not get; empty where nothing is missing."""
    parts = [
        _("{has} of {wanted} {fuel} for plant {plant}").format(
            has=has, wanted=wanted, fuel=_kinds(plant), plant=plant.number
        )
        for plant, has, wanted in filled
        if has < wanted
    ]
    return _("Partial fill: {parts}.").format(parts=both(parts)) if parts else ""


def not_mine(plant: PlantNumber, mine: Iterable[PlantNumber]) -> str:
    """Return a fuel order speaks of a plant that its owner does not have."""
    return _("Plant {plant} is not yours; you have {plants}.").format(
        plant=plant, plants=wording.plants(sorted(mine))
    )


def too_dear_fuel(plant: Plant, prices: Mapping[Resource, Elektro], most: Elektro) -> str:
    """Return why no token could be bought for a plant. `prices`: of the next token, if any."""
    fuel, price = min(prices.items(), key=lambda one: one[1], default=(None, most))
    if fuel is None or price <= most:
        return _("No {fuel} can be bought for plant {plant} now.").format(
            fuel=_kinds(plant), plant=plant.number
        )
    return _("A token of {fuel} costs {price} now, more than the {most} that you allowed.").format(
        fuel=wording.fuel_name(fuel), price=price, most=most
    )


def no_rest(rest: Fuel) -> str:
    """Return that nothing of what is still to be bought can be."""
    return _("Nothing of what is left to buy ({fuel}) can be had as ordered.").format(
        fuel=wording.fuel(rest)
    )


def _kinds(plant: Plant) -> str:
    return either(wording.fuel_name(fuel) for fuel in plant.fuels)


def _sentences(*parts: str) -> str:
    return sentences(parts)


def _auction(order: AuctionSheet) -> str:
    if not order.wishes and order.others is None:
        said = _("Pass at the auction.")
    else:
        said = _sentences(_wishes(order), _others(order))
    return _sentences(
        said,
        _keep(order.keep),
        _("Where a plant must go, give up plant {plant}.").format(plant=order.discard)
        if order.discard is not None
        else "",
    )


def _wishes(order: AuctionSheet) -> str:
    if not order.wishes:
        return ""
    wishes = (
        _("plant {plant} up to {most} Elektro").format(plant=wish.plant, most=wish.most)
        for wish in order.wishes
    )
    return _("At the auction, in this order: {wishes}.").format(wishes=series(wishes))


def _others(order: AuctionSheet) -> str:
    if order.others is None:
        return _("Else pass.")
    return _("Bid up to {most} Elektro on any other plant that is up.").format(most=order.others)


def _fuel(order: FuelOrder, rules: Ruleset) -> str:
    if order.plants == () and order.until is None:
        return _("Buy no fuel.")
    runs = ngettext("one run", "{n} runs", order.loads).format(n=order.loads)
    if order.until is not None:
        said = _("Buy fuel until {fuel} are in store.").format(fuel=wording.fuel(order.until))
    elif order.plants is None:
        said = _("Buy fuel for {runs} of all plants.").format(runs=runs)
    else:
        plants = order.plants or ()
        named = series(plants)
        said = ngettext(
            "Buy fuel for {runs} of plant {plants}.",
            "Buy fuel for {runs} of plants {plants}, in this order.",
            len(plants),
        ).format(runs=runs, plants=named)
    market = _("From the market {market}.").format(market=order.market or rules.main_market)
    each = _("At most {each} Elektro a token.").format(each=order.each)
    total = _("At most {total} Elektro in all.").format(total=order.total)
    return _sentences(
        said,
        "" if order.market is None else market,
        "" if order.each is None else each,
        "" if order.total is None else total,
        _keep(order.keep),
    )


def _build(order: BuildOrder, ruleset: Ruleset) -> str:
    if not order.cities:
        return _("Build nothing.")
    way = _("{city} by the free jump")
    places = ((ruleset.city[city].name, city in order.jumps) for city in order.cities)
    names = series(way.format(city=name) if jump else name for name, jump in places)
    each = _("At most {each} Elektro a city with its connection.").format(each=order.each)
    budget = _("At most {budget} Elektro in all.").format(budget=order.budget)
    stop = _("Stop at {cities}.").format(cities=wording.cities(order.stop_at or 0))
    return _sentences(
        _("Build in this order: {cities}.").format(cities=names),
        "" if order.each is None else each,
        "" if order.budget is None else budget,
        _keep(order.keep),
        "" if order.stop_at is None else stop,
        _("Do not set off Step 2.") if order.before_step else "",
        _("All of it, or ask me.") if order.exact else "",
    )


def _power(runs: tuple[Run, ...]) -> str:
    if not runs:
        return _("Power nothing.")
    named = (
        f"{run.plant}"
        if run.burn is None
        else _("{plant} with {fuel}").format(plant=run.plant, fuel=wording.fuel(run.burn))
        for run in runs
    )
    said = ngettext("Run plant {plants}.", "Run plants {plants}.", len(runs))
    return said.format(plants=both(named))


def _keep(elektro: Elektro) -> str:
    return _("Keep {keep} Elektro.").format(keep=elektro) if elektro else ""
