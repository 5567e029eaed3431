"""An open auction among orders alone, in few bids instead of many (M65).

Only the table may call this: it looks at the orders of all bidders at once. The bids it makes are
such that the auction ends with the same winner at the same price as bid by bid.
"""

from collections.abc import Mapping, Sequence

from core.game.moves import Bid, Pass
from core.game.phases.auction import resolve
from core.game.state import Auction, GameState
from core.game.types import Elektro, Seat
from core.orders.bids import ceiling
from core.orders.model import Act, Standing

Caps = dict[Seat, Elektro | None]


def fast_forward(state: GameState, rows: Mapping[Seat, Sequence[Standing]]) -> Act | None:
    """The next bidder's bid, as high as it may be without changing how the auction ends.

    None where the auction is not an open one, or where a bidder has no order for its plant: then
    each is asked in turn, see `core.orders.decide.decide`.
    """
    auction = state.auction
    if auction is None or auction.sealed or state.discarding is not None:
        return None
    caps: Caps = {}
    numbers: dict[Seat, int] = {}
    for seat in auction.bidders:
        purse = state.players[seat].elektro
        found = ceiling(rows.get(seat, ()), auction.plant, purse, state.round)
        if found is None:
            return None
        numbers[seat], caps[seat] = found
    return Act(next_bid(auction, caps), numbers[auction.bidders[0]])


def next_bid(auction: Auction, caps: Mapping[Seat, Elektro | None]) -> Bid | Pass:
    """The highest bid of the next bidder after which all ends as bid by bid; else to pass.

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
