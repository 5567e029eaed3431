"""The your-move card: what is asked, within which limits, and what silence means.

First in the mail, in a sentence or two: "Bid on plant 30 (3 garbage → 6 cities). Anna holds it at
30. You have 76: bid 31 to 76, or pass for good on this plant."
"""

from dataclasses import dataclass
from functools import singledispatch

from core.game.narrate import wording
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.mail import words
from core.tableview import TableView
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class Card:
    """A heading such as "Buy fuel", and the sentences below it."""

    heading: str
    text: str


def card(table: TableView) -> Card:
    """The card of the reader's own open turn; ValueError when he is not asked."""
    offer = table.view.offer
    if offer is None:
        raise ValueError("no turn of this reader's is open")
    return Card(_heading(offer), _text(offer, table))


def _heading(offer: Offer) -> str:
    if isinstance(offer, BidOffer):
        return _("Bid on plant {number}").format(number=offer.plant)
    return {
        RegionOffer: _("Choose a region"),
        OpeningOffer: _("Put a plant up for auction"),
        DiscardOffer: _("Give up a plant"),
        PurchaseOffer: _("Buy fuel"),
        BuildOffer: _("Connect cities"),
        PowerOffer: _("Power your cities"),
    }[type(offer)]


@singledispatch
def _text(offer: Offer, table: TableView) -> str:
    raise TypeError(f"no words for {type(offer).__name__}")


@_text.register
def _choosing(offer: RegionOffer, table: TableView) -> str:
    names = [table.view.ruleset.region[region].name for region in offer.regions]
    return _("Add one region to the board: {names}.").format(names=", ".join(names))


@_text.register
def _opening(offer: OpeningOffer, table: TableView) -> str:
    cheapest = min((p.minimum for p in offer.plants), default=None)
    if cheapest is None:
        return _("You have {money} Elektro, too little for any plant: you can only pass.").format(
            money=offer.maximum
        )
    plants = wording.both([str(p.plant) for p in offer.plants])
    can = ngettext(
        "Plant {plants} can be bought.", "Plants {plants} can be bought.", len(offer.plants)
    )
    text = _("You have {money} Elektro: bid {least} to {money}.")
    if offer.sealed:
        text = _(
            "You have {money} Elektro: name the plant and, in secret, the most you would pay for "
            "it, {least} to {money}. You pay no more than it takes to win."
        )
    choice = (
        _("Or pass: then you buy no plant this round.")
        if offer.may_pass
        else _("In this round everybody must buy a plant.")
    )
    text = text.format(money=offer.maximum, least=cheapest)
    return f"{can.format(plants=plants)} {text} {choice}"


@_text.register
def _bidding(offer: BidOffer, table: TableView) -> str:
    view, auction = table.view, table.view.auction
    plant = words.plant(view.ruleset.plant[offer.plant])
    holder = table.names[auction.leader] if auction else ""
    if offer.minimum > offer.maximum:
        text = _("{holder} holds {plant} at {bid}. You have {money} Elektro: you can only pass.")
    elif offer.sealed:
        text = _(
            "{holder} put up {plant}. You have {money} Elektro: give, in secret, the most you "
            "would pay, {least} to {money}, or pass for good on this plant. The highest pays no "
            "more than it takes to win."
        )
    else:
        text = _(
            "{holder} holds {plant} at {bid}. You have {money} Elektro: bid {least} to {money}, "
            "or pass for good on this plant."
        )
    return text.format(
        holder=holder,
        plant=plant,
        bid=auction.bid if auction else offer.minimum,
        money=offer.maximum,
        least=offer.minimum,
    )


@_text.register
def _discarding(offer: DiscardOffer, table: TableView) -> str:
    view = table.view
    plants = [str(choice.plant) for choice in offer.choices]
    text = _("You may keep {limit} plants, so one of {plants} must go.").format(
        limit=view.numbers.plant_limit, plants=wording.both(plants)
    )
    if any(len(choice.keeps) > 1 for choice in offer.choices):
        text += " " + _("Where its fuel does not all fit the others, you choose what to keep.")
    return text


@_text.register
def _purchase(offer: PurchaseOffer, table: TableView) -> str:
    view = table.view
    me = view.me
    plants = me.plants if me else ()
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
        plants=words.numbers(plants),
        held=wording.fuel(offer.held) if offer.held else _("no fuel"),
    )
    can = ngettext("You could buy {lots}.", "You could buy {lots} (each alone).", len(lots))
    whole = _("What you order is your whole purchase of this round.")
    return f"{has} {can.format(lots='; '.join(lots))} {whole}"


@_text.register
def _building(offer: BuildOffer, table: TableView) -> str:
    view = table.view
    if not offer.targets:
        return _(
            "You have {money} Elektro and no city is within reach: you can only build nothing."
        ).format(money=offer.elektro)
    first = offer.targets[0]
    return _(
        "You have {money} Elektro. {count} within reach, the cheapest {city} for {cost}. Name the "
        "cities in the order in which they are built: that is your whole building of this round."
    ).format(
        money=offer.elektro,
        count=wording.cities(len(offer.targets)),
        city=view.ruleset.city[first.city].name,
        cost=first.total,
    )


@_text.register
def _powering(offer: PowerOffer, table: TableView) -> str:
    best = offer.choices[0]
    if not best.plants:
        return _("None of your plants can run: you are paid {income} Elektro all the same.").format(
            income=best.income
        )
    return ngettext(
        "At best plant {plants} powers {cities}, burns {fuel} and brings {income} Elektro.",
        "At best plants {plants} power {cities}, burn {fuel} and bring {income} Elektro.",
        len(best.plants),
    ).format(
        plants=wording.both([str(number) for number in best.plants]),
        cities=wording.cities(best.powered),
        fuel=wording.fuel(best.burned),
        income=best.income,
    )
