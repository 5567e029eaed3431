"""Orders at the auction: what to open, how far to bid, which plant to give up (R7)."""

from collections.abc import Iterable, Mapping, Sequence

from core.game.board.fuel_market import cheaper_of_coal_and_oil
from core.game.moves import Bid, DiscardPlant, Move, OpenAuction, Pass
from core.game.narrate import wording
from core.game.observe import PlayerView, position
from core.game.offers import BidOffer, DiscardOffer, OpeningOffer
from core.game.phases.auction import resolve
from core.game.state import Auction, GameState
from core.game.types import Elektro, Fuel, PlantNumber, Resource, Seat
from core.lists import sentences
from core.orders.model import Act, Ask, AuctionSheet, Limit, Nothing, Standing, Verdict, chosen
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
            return Act(OpenAuction(wish.plant, bid), number, sentences(skipped))
        why = (
            _("Plant {plant} costs more than you allowed.")
            if wish.plant in view.market.actual
            else _("Plant {plant} is not in the actual market.")
        )
        skipped.append(why.format(plant=wish.plant))
    if offer.may_pass:
        return Act(Pass(), number, sentences(skipped))
    why = _(
        "In the first round everybody buys a plant, and none that you wish ({plants}) can be had "
        "on your terms."
    )
    return Ask(why.format(plants=wording.plants(wish.plant for wish in order.wishes)), number)


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


def _given_up(view: PlayerView, plant: PlantNumber, keeps: tuple[Fuel, ...]) -> Move:
    """All ways keep equally many tokens, so only coal and oil differ: keep the dear one."""
    if len(keeps) == 1:
        return DiscardPlant(plant)
    cheap = cheaper_of_coal_and_oil(position(view))
    dear = Resource.OIL if cheap is Resource.COAL else Resource.COAL
    return DiscardPlant(plant, max(keeps, key=lambda kept: kept[dear]))


def fast_forward(state: GameState, rows: Mapping[Seat, Sequence[Standing]]) -> Act | None:
    """Return the next bid, as high as it may be without changing how the auction ends (M65).

    Only the table may call this: it looks at the orders of all bidders at once. None where the
    auction is not an open one, or where a bidder has no order for its plant: then each is asked in
    turn, see `core.orders.decide.decide`.
    """
    auction = state.auction
    if auction is None or auction.sealed or state.discarding is not None:
        return None
    caps: dict[Seat, Elektro | None] = {}
    numbers: dict[Seat, int] = {}
    for seat in auction.bidders:
        purse = state.players[seat].elektro
        found = ceiling(rows.get(seat, ()), auction.plant, purse, state.round)
        if found is None:
            return None
        numbers[seat], caps[seat] = found
    return Act(next_bid(auction, caps), numbers[auction.bidders[0]])


def next_bid(auction: Auction, caps: Mapping[Seat, Elektro | None]) -> Bid | Pass:
    """Return the highest bid after which all ends as bid by bid; else a pass.

    The leader is the last of the bidders, so they and their ceilings go to `resolve` as they are.
    """
    seat, *others = auction.bidders
    limits = dict(caps)
    ceiling_ = limits[seat]
    if ceiling_ is None or ceiling_ <= auction.bid:
        return Pass()
    end = resolve(auction.bid, (auction.leader, seat, *others[:-1]), limits)
    bids = map(Elektro, range(min(ceiling_, end[1]), auction.bid, -1))
    return Bid(next(bid for bid in bids if resolve(bid, (seat, *others), limits) == end))
