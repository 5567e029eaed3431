"""Orders at the auction: what to open, how far to bid, which plant to give up (R7)."""

from collections.abc import Iterable, Sequence

from core.game.board.fuel_market import cheaper_of_coal_and_oil
from core.game.moves import Bid, DiscardPlant, Move, OpenAuction, Pass
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import BidOffer, DiscardOffer, OpeningOffer
from core.game.types import Elektro, Fuel, PlantNumber, Resource
from core.orders import words
from core.orders.model import Act, Ask, AuctionSheet, Limit, Nothing, Standing, Verdict, chosen
from core.orders.position import position
from core.text import _


def ceiling(
    rows: Iterable[Standing], plant: PlantNumber, purse: Elektro, round_: int
) -> tuple[int, Elektro] | None:
    """Return the number of the order that speaks of this plant, and the most it bids in Elektro.

    A limit on the plant comes before the sheet of the round. A sheet that does not name the plant
    bids nothing. None where no order speaks of it.
    """
    rows = tuple(rows)
    limits = [r for r in rows if isinstance(r.order, Limit) and r.order.plant == plant]
    if limits:
        row = max(limits, key=lambda r: r.number)
        return row.number, Elektro(min(_most(row, plant), purse))
    sheet = chosen(rows, AuctionSheet, round_)
    if sheet is None:
        return None
    number, order = sheet
    return number, Elektro(min(_wished(order, plant), purse - order.keep))


def opening(view: PlayerView, offer: OpeningOffer, rows: Sequence[Standing]) -> Verdict:
    """Put up the first wish that can be had; with none left, pass (R7.3). Says what it skips.

    Without a sheet, limits speak of it only together: a seat that may pass, and has set a limit
    below the lowest bid on each plant that it could put up, wants none (M71).
    """
    sheet = chosen(rows, AuctionSheet, view.round)
    if sheet is None:
        return _wants_none(offer, rows)
    number, order = sheet
    least = {plant.plant: plant.minimum for plant in offer.plants}
    skipped: list[str] = []
    for wish in order.wishes:
        _row, most = ceiling(rows, wish.plant, offer.maximum, view.round) or (number, Elektro(0))
        if wish.plant in least and least[wish.plant] <= most:
            bid = most if offer.sealed else least[wish.plant]
            return Act(OpenAuction(wish.plant, bid), number, " ".join(skipped))
        skipped.append(words.no_wish(wish.plant, wish.plant in view.market.actual))
    if offer.may_pass:
        return Act(Pass(), number, " ".join(skipped))
    return Ask(_must_buy(order), number)


def _wants_none(offer: OpeningOffer, rows: Sequence[Standing]) -> Verdict:
    limits = {row.order.plant: row for row in rows if isinstance(row.order, Limit)}
    mine = [limits.get(plant.plant) for plant in offer.plants]
    low = [
        row
        for row, plant in zip(mine, offer.plants, strict=True)
        if row is not None and _most(row, plant.plant) < plant.minimum
    ]
    if offer.may_pass and low and len(low) == len(mine):
        return Act(Pass(), low[0].number)
    return Nothing()


def bidding(view: PlayerView, offer: BidOffer, rows: Sequence[Standing]) -> Verdict:
    """Raise by one as long as the order goes, in sealed auctions hand in all of it; else pass."""
    most = ceiling(rows, offer.plant, offer.maximum, view.round)
    if most is None:
        return Nothing()
    number, cap = most
    if cap < offer.minimum:
        return Act(Pass(), number)
    return Act(Bid(cap if offer.sealed else offer.minimum), number)


def discarding(view: PlayerView, offer: DiscardOffer, rows: Sequence[Standing]) -> Verdict:
    """Give up the plant that the sheet names, with the cheaper fuel where not all fits (R7.11)."""
    sheet = chosen(rows, AuctionSheet, view.round)
    if sheet is None or sheet[1].discard is None:
        return Nothing()
    number, order = sheet
    for choice in offer.choices:
        if choice.plant == order.discard:
            return Act(_given_up(view, choice.plant, choice.keeps), number)
    reason = _("Plant {plant} cannot go; choose from {plants}.").format(
        plant=order.discard, plants=wording.plants(c.plant for c in offer.choices)
    )
    return Ask(reason, number)


def _most(row: Standing, plant: PlantNumber) -> Elektro:
    return row.order.most if isinstance(row.order, Limit) else Elektro(0)


def _wished(order: AuctionSheet, plant: PlantNumber) -> Elektro:
    for wish in order.wishes:
        if wish.plant == plant:
            return wish.most
    return order.others or Elektro(0)


def _must_buy(order: AuctionSheet) -> str:
    wished = wording.plants(wish.plant for wish in order.wishes)
    return _(
        "In the first round everybody buys a plant, and none that you wish ({plants}) can be had "
        "on your terms."
    ).format(plants=wished)


def _given_up(view: PlayerView, plant: PlantNumber, keeps: tuple[Fuel, ...]) -> Move:
    """Return all ways keep equally many tokens, so only coal and oil differ: keep the dear one."""
    if len(keeps) == 1:
        return DiscardPlant(plant)
    cheap = cheaper_of_coal_and_oil(position(view))
    dear = Resource.OIL if cheap is Resource.COAL else Resource.COAL
    return DiscardPlant(plant, max(keeps, key=lambda kept: kept[dear]))
