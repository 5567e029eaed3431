"""Auctions: openings, bids, purchases, discards, the discount token (R7, R17.3)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.events.cards import PlantMarket
from core.game.types import Elektro, Fuel, PlantNumber, Seat


@dataclass(frozen=True, slots=True)
class TokenPlaced:
    """The discount token lies on this plant: its lowest bid is 1 (R17.3)."""

    VERSION: ClassVar[int] = 1
    plant: PlantNumber
    type: Literal["TokenPlaced"] = "TokenPlaced"


@dataclass(frozen=True, slots=True)
class TokenRemoved:
    """The discount token is gone for this round (R17.3)."""

    VERSION: ClassVar[int] = 1
    type: Literal["TokenRemoved"] = "TokenRemoved"


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A plant went up at `bid`. `bidders` answer in this order, the opener comes last (R7.5).

    Sealed: `bid` is the lowest bid, and each of the bidders gives a secret maximum.
    """

    VERSION: ClassVar[int] = 1
    seat: Seat
    plant: PlantNumber
    bid: Elektro
    bidders: tuple[Seat, ...]
    sealed: bool = False
    type: Literal["AuctionOpened"] = "AuctionOpened"


@dataclass(frozen=True, slots=True)
class AuctionDeclined:
    """A player passed instead of opening: out for this phase (R7.3)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["AuctionDeclined"] = "AuctionDeclined"


@dataclass(frozen=True, slots=True)
class BidPlaced:
    """The bid was raised."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    amount: Elektro
    type: Literal["BidPlaced"] = "BidPlaced"


@dataclass(frozen=True, slots=True)
class BidPassed:
    """A bidder dropped out of this auction (R7.5)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["BidPassed"] = "BidPassed"


@dataclass(frozen=True, slots=True)
class SealedBidGiven:
    """A bidder has handed in a sealed bid; its amount stays outside the log until all are in."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["SealedBidGiven"] = "SealedBidGiven"


@dataclass(frozen=True, slots=True)
class SealedBid:
    """An opened envelope: the most that `seat` would pay, None for a pass."""

    seat: Seat
    maximum: Elektro | None


@dataclass(frozen=True, slots=True)
class SealedBidsOpened:
    """All envelopes of an auction were opened, in bidding order with the opener first."""

    VERSION: ClassVar[int] = 1
    bids: tuple[SealedBid, ...]
    type: Literal["SealedBidsOpened"] = "SealedBidsOpened"


@dataclass(frozen=True, slots=True)
class PlantBought:
    """An auction ended; the winner paid `price`."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    plant: PlantNumber
    price: Elektro
    market: PlantMarket
    type: Literal["PlantBought"] = "PlantBought"


@dataclass(frozen=True, slots=True)
class PlantDiscarded:
    """A plant over the limit was given up, `lost` fuel went to the supply (R7.11, R7.12)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    plant: PlantNumber
    lost: Fuel
    type: Literal["PlantDiscarded"] = "PlantDiscarded"
