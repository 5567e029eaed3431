"""Sealed auctions: everybody hands in a secret maximum, and the open auction is played for them.

The result is exactly that of an open auction that starts at the lowest bid and in which each
bidder, in bidding order, bids 1 more as long as his maximum allows.
"""

from core.game.course import Course
from core.game.events import SealedBid, SealedBidGiven, SealedBidsOpened
from core.game.state import Auction
from core.game.types import Elektro, Seat


def to_act(auction: Auction) -> tuple[Seat, ...]:
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
