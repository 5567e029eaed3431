"""Phase 2: auctioning power plants, bid by bid (R7.3 to R7.13)."""

from core.game.board.lifecycle import replace_sold
from core.game.board.plant_market import box, box_lowest, draw_replacement, without
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import (
    AuctionDeclined,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    OrderChanged,
    PhaseBegan,
    PlantBought,
    SealedBid,
    SealedBidGiven,
    SealedBidsOpened,
    TokenRemoved,
)
from core.game.moves import Bid, DiscardPlant, Move, OpenAuction, Pass
from core.game.offers import BidOffer, DiscardOffer, OpeningOffer, PlantOffer
from core.game.phases import discard
from core.game.phases.player_order import turn_order
from core.game.phases.steps import (
    box_step3_card_after_phase,
    enter_step2_if_due,
    enter_step3_if_due,
)
from core.game.state import Auction, GameState
from core.game.types import STEP_3_CARD, Elektro, Phase, PlantNumber, Resource, Seat
from core.lists import series
from core.text import _


def sealed_to_act(auction: Auction) -> tuple[Seat, ...]:
    """All bidders who have not handed in yet."""
    return tuple(s for s in auction.bidders if s not in auction.given)


def hand_in(course: Course, seat: Seat, maximum: Elektro | None) -> None:
    """Take an envelope; its amount goes into no event until all are in."""
    course.sealed[seat] = maximum
    course.add(SealedBidGiven(seat))


def reveal(course: Course, auction: Auction) -> tuple[Seat, Elektro]:
    """Open the envelopes (if there is more than one) and say who won at what price."""
    circle = (auction.opener, *(s for s in auction.bidders if s != auction.opener))
    maxima = {seat: course.sealed[seat] for seat in circle}
    if len(circle) > 1:
        course.add(SealedBidsOpened(tuple(SealedBid(s, maxima[s]) for s in circle)))
    return resolve(auction.bid, circle, maxima)


def resolve(
    lowest: Elektro, circle: tuple[Seat, ...], maxima: dict[Seat, Elektro | None]
) -> tuple[Seat, Elektro]:
    """Winner and price; `circle` is the bidding order and starts with the opener.

    >>> resolve(Elektro(13), (Seat(0), Seat(1), Seat(2)), {0: 15, 1: 20, 2: None})
    (1, 16)
    """
    leader, bid, asked = circle[0], lowest, list(circle[1:])
    while asked:
        seat = asked.pop(0)
        maximum = maxima[seat]
        if maximum is not None and maximum > bid:
            asked.append(leader)
            leader, bid = seat, Elektro(bid + 1)
    return leader, bid


NOTHING = Elektro(0)
LOWEST_WITH_TOKEN = Elektro(1)
"""The lowest bid for the plant with the discount token (R17.3)."""


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Who gives up a plant, who bids, or who may open; nobody when an auction is decided."""
    if state.discarding is not None:
        return (state.discarding,)
    if state.auction and state.auction.sealed:
        return sealed_to_act(state.auction)
    if state.auction:
        decided = state.auction.bidders == (state.auction.leader,)
        return () if decided else state.auction.bidders[:1]
    return state.waiting[:1] if state.market.actual else ()


def options(state: GameState, seat: Seat) -> OpeningOffer | BidOffer | DiscardOffer:
    """Return what the seat may bid on, or which plant may go."""
    if state.discarding is not None:
        return discard.options(state, seat)
    purse = state.players[seat].elektro
    if state.auction:
        plant, least = state.auction.plant, Elektro(state.auction.bid + 1)
        most = purse if may_own(state, seat, plant) else NOTHING
        return BidOffer(plant, least, most, state.auction.sealed)
    on_sale = (PlantOffer(n, lowest_bid(state, n)) for n in state.market.actual)
    plants = tuple(
        p for p in on_sale
        if p.minimum <= purse and p.plant != STEP_3_CARD and may_own(state, seat, p.plant)
    )  # fmt: skip
    is_sealed = state.ruleset.auction == "sealed"
    return OpeningOffer(plants, purse, not (plants and must_open(state, seat)), is_sealed)


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Open, bid, pass or give up a plant."""
    auction = course.state.auction
    if course.state.discarding is not None:
        discard.decide(course, seat, move)
        return
    match move:
        case OpenAuction() if auction is None:
            _open(course, seat, move)
        case Pass() if auction is None:
            offer = options(course.state, seat)
            allowed = isinstance(offer, OpeningOffer) and offer.may_pass
            demand(allowed, "must-buy", _must_open_words(course.state))
            course.add(AuctionDeclined(seat))
            _after_decline(course)
        case Bid() | Pass() if auction is not None:
            _answer(course, auction, seat, move)
        case DiscardPlant():
            raise IllegalMove("no-discard", _("You have no plant too many."))
        case OpenAuction():
            raise IllegalMove(
                "auction-open", _("Another plant is up for auction; bid for it or pass.")
            )
        case Bid():
            raise IllegalMove(
                "no-auction", _("No plant is up; put one up, for example: auction 13 for 15")
            )
        case _:
            raise IllegalMove("wrong-moment", _("Now plants are auctioned."))


def advance(course: Course) -> None:
    """Close a decided auction; end the phase when nobody is left to buy."""
    auction = course.state.auction
    if auction is None:
        _end_phase(course)
        return
    winner, price = auction.leader, auction.bid
    if auction.sealed:
        winner, price = reveal(course, auction)
    market = without(course.state, auction.plant)
    again = course.state.local.token_up
    course.add(PlantBought(winner, auction.plant, price, market, again))
    replace_sold(course)


def lowest_bid(state: GameState, plant: PlantNumber) -> Elektro:
    """Return the plant's number (R5.1), or 1 with the discount token (R17.3)."""
    return LOWEST_WITH_TOKEN if plant == state.token else Elektro(plant)


def must_open(state: GameState, seat: Seat) -> bool:
    """Return True if a player who can pay for a plant must put one up (R7.8, B38).

    In round 1 everybody buys one plant; nobody has to buy a second one.
    """
    when = state.ruleset.opener_must_open
    first = state.round == 1 and not state.players[seat].plants
    return when == "always" or (when == "round_1" and first)


def _must_open_words(state: GameState) -> str:
    if state.ruleset.opener_must_open == "always":
        return _("Whose turn it is puts up a plant, as long as one is within reach.")
    return _("In the first round everybody buys a plant.")


def _open(course: Course, seat: Seat, move: OpenAuction) -> None:
    state = course.state
    on_sale = move.plant in state.market.actual and move.plant != STEP_3_CARD
    demand(
        on_sale,
        "plant-not-on-market",
        _("Plant {plant} is not in the actual market; {plants} are.").format(
            plant=move.plant, plants=series(state.market.actual)
        ),
    )
    _check_owner(state, seat, move.plant)
    least = lowest_bid(state, move.plant)
    check_bid(state, seat, move.bid, least)
    bidders = _clockwise_from(state, seat)
    if state.ruleset.auction == "sealed":
        course.add(AuctionOpened(seat, move.plant, least, bidders, sealed=True))
        hand_in(course, seat, move.bid)
    else:
        course.add(AuctionOpened(seat, move.plant, move.bid, bidders))


def _answer(course: Course, auction: Auction, seat: Seat, move: Bid | Pass) -> None:
    amount = move.amount if isinstance(move, Bid) else None
    if amount is not None:
        _check_owner(course.state, seat, auction.plant)
        check_bid(course.state, seat, amount, Elektro(auction.bid + 1))
    if auction.sealed:
        hand_in(course, seat, amount)
    else:
        course.add(BidPassed(seat) if amount is None else BidPlaced(seat, amount))


def may_own(state: GameState, seat: Seat, plant: PlantNumber) -> bool:
    """Return True if the seat may put this plant up and bid for it.

    Some rules want a city in one of several regions from who bids for a uranium plant.
    """
    needed = state.ruleset.uranium_plants_need
    if not needed or Resource.URANIUM not in state.ruleset.plant[plant].fuels:
        return True
    city = state.ruleset.city
    return any(city[c].region in needed for c in state.players[seat].cities)


def _check_owner(state: GameState, seat: Seat, plant: PlantNumber) -> None:
    rules = state.ruleset
    demand(
        may_own(state, seat, plant),
        "uranium-region",
        _(
            "Plant {plant} burns uranium: a bidder needs a city in one of the regions {regions}."
        ).format(
            plant=plant,
            regions=series(_(rules.region[r].name) for r in rules.uranium_plants_need),
        ),
    )


def check_bid(state: GameState, seat: Seat, bid: Elektro, least: Elektro) -> None:
    """Refuse a bid below `least` or above the seat's money (R7.5)."""
    purse = state.players[seat].elektro
    demand(
        bid <= purse,
        "bid-too-high",
        _("You have {purse} Elektro; you bid {bid}.").format(purse=purse, bid=bid),
    )
    demand(
        bid >= least,
        "bid-too-low",
        _("Bid at least {least} Elektro; you bid {bid}.").format(least=least, bid=bid),
    )


def _clockwise_from(state: GameState, opener: Seat) -> tuple[Seat, ...]:
    """Those who may still buy, in bidding order, the opener last (R7.5, B10)."""
    clockwise = state.ruleset.bid_direction == "clockwise"
    circle = state.seats if clockwise else state.order
    i = circle.index(opener)
    return tuple(s for s in (*circle[i + 1 :], *circle[: i + 1]) if s in state.waiting)


def _after_decline(course: Course) -> None:
    """Where the rules say so, the first who declines in a round sends the lowest plant away."""
    if course.state.ruleset.first_decline_boxes_lowest and not course.state.local.declined:
        box_lowest(course, "first-decline")
        draw_replacement(course)


def _end_phase(course: Course) -> None:
    """R7.9, R7.10 (B11, B41), R13.2, R17.3, in the order that C03, C56 and C57 show."""
    state, rules = course.state, course.state.ruleset
    if state.token is not None:
        course.add(TokenRemoved())
        box(course, state.token, "unsold-token")
        draw_replacement(course)
    elif not state.sold:
        for _n in range(rules.no_sale_boxes if state.market.cards else 0):
            box_lowest(course, "no-sale", rules.no_sale_row)
            draw_replacement(course)
    enter_step2_if_due(course)
    box_step3_card_after_phase(course)
    first = state.round == 1 and rules.reorder_after_first_auction
    if first or rules.turn_order_set == "after_auction":
        course.add(OrderChanged(turn_order(course.state)))
    enter_step3_if_due(course, "phase")
    course.add(PhaseBegan(Phase.RESOURCES, course.state.order[::-1]))
