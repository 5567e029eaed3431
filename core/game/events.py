"""What happened, in the past tense. The log is a list of these and nothing else.

Events carry results (prices paid, cards drawn, markets as they now lie), never instructions: the
fold assigns and decides nothing, so a later change to the rules cannot change a game already
played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from core.game.edition import EDITION
from core.game.rules.knobs import Ruleset
from core.game.types import CityId, Elektro, Fuel, Phase, PlantNumber, RegionId, Seat

BoxedBecause = Literal[
    "obsolete",  # R11: a network has outgrown it
    "too-small",  # R6.2c: drawn, but already outgrown
    "no-sale",  # R7.10
    "step-2",  # R12.1
    "step-3",  # R13: the lowest goes with the Step 3 card
    "rotation",  # R10.5 in Step 3
    "below-token",  # R17.3: drawn lower than the plant with the discount token
    "unsold-token",  # R17.3
    "first-decline",  # the first of a round has declined to open
    "banned",  # its kind is not for sale in Step 1
    "surplus",  # more plants have come than are planned
    "each-round",  # in phase 5 of Steps 1 and 2, beside the one that goes under the stack
]


@dataclass(frozen=True, slots=True)
class PlantMarket:
    """The market as it lies: plants that can be auctioned, and those to come (R6.1)."""

    actual: tuple[PlantNumber, ...]
    future: tuple[PlantNumber, ...]

    @property
    def cards(self) -> tuple[PlantNumber, ...]:
        """Both rows."""
        return self.actual + self.future


EVENTS: Final[dict[str, type["Event"]]] = {}
"""Every kind of event, by its name."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; each kind is a frozen dataclass and registers by itself.

    `type`: the name of the kind, as the log writes it. `VERSION` counts its shape;
    core.game.log.codec lifts old shapes.
    """

    VERSION: ClassVar[int] = 1
    type: ClassVar[str]

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Register a kind; an `abstract` class stands for several."""
        if not abstract:
            cls.type = cls.__name__
            EVENTS[cls.type] = cls  # dataclass makes a class with slots anew: the last one counts


class SeatMoved(Event, abstract=True):
    """The event by which a seat's move is made."""

    __slots__ = ()
    seat: Seat


@dataclass(frozen=True, slots=True)
class PlantDrawn(Event):
    """The top card of the stack came to the market (R6.2); 99 is the Step 3 card (R13.2)."""

    plant: PlantNumber
    market: PlantMarket


@dataclass(frozen=True, slots=True)
class PlantBoxed(Event):
    """A plant left the game. `from_stack`: it was drawn and never reached the market."""

    plant: PlantNumber
    because: BoxedBecause
    market: PlantMarket
    from_stack: bool = False


@dataclass(frozen=True, slots=True)
class PlantPutUnder(Event):
    """The highest plant went face down under the stack (R10.5)."""

    plant: PlantNumber
    market: PlantMarket


@dataclass(frozen=True, slots=True)
class Step3CardBack(Event):
    """The Step 3 card came for the first time, begins Step 2 and lies under the shuffled stack.

    `stack`: the next card first; secret until the end. `market`: without the card.
    """

    stack: tuple[PlantNumber, ...]
    market: PlantMarket


@dataclass(frozen=True, slots=True)
class PlantSetAside(Event):
    """A plant went to the pile that becomes the stack once this is used up."""

    plant: PlantNumber
    market: PlantMarket


@dataclass(frozen=True, slots=True)
class StackUsedUp(Event):
    """No card is left to draw: the pile beside the stack is the next one, or all lie in one row.

    `stack`: that pile, shuffled, the next card first; secret until the end. `market`: as it lies.
    """

    stack: tuple[PlantNumber, ...]
    market: PlantMarket


@dataclass(frozen=True, slots=True)
class PlantsOnTop(Event):
    """Plants that waited for Step 2 lie on top of the stack now, the next card first."""

    plants: tuple[PlantNumber, ...]


@dataclass(frozen=True, slots=True)
class Step3CardBoxed(Event):
    """The Step 3 card left the game; from now on the market is one row (R13).

    `from_stack`: it was drawn in phase 4 or 5 and never lay in the market.
    """

    market: PlantMarket
    from_stack: bool = False


@dataclass(frozen=True, slots=True)
class StackShuffled(Event):
    """The stack lies in this new order, next card first (R13). Secret until the end."""

    stack: tuple[PlantNumber, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's result (R14.2); `place` 1 is the winner, ties share a place."""

    seat: Seat
    place: int
    powered: int
    elektro: Elektro
    cities: int


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The table is set (R3). Carries its whole ruleset, so the log needs no other file.

    `commitment`: SHA-256 over the seed, hexadecimal; in edition 0 over seed and stack.
    `boxed`: cards put away unseen. `edition`: that of the rules' code by which the game is decided.
    """

    VERSION: ClassVar[int] = 2
    ruleset: Ruleset
    seats: int
    regions: tuple[RegionId, ...]
    order: tuple[Seat, ...]
    market: PlantMarket
    stack: tuple[PlantNumber, ...]
    boxed: tuple[PlantNumber, ...]
    commitment: str
    edition: int = EDITION


@dataclass(frozen=True, slots=True)
class RegionChosen(SeatMoved):
    """A player added a region to the board (R3.1)."""

    seat: Seat
    region: RegionId


@dataclass(frozen=True, slots=True)
class CitiesBlocked(Event):
    """Cities were drawn in which nobody builds in this game."""

    cities: tuple[CityId, ...]


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """A round began; phase 1 gave this order, leader first (R7.2)."""

    round: int
    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class OrderChanged(Event):
    """Turn order was sorted again after the first auctions (R7.9)."""

    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """A phase began; `seats` will act, in this order (all at once in bureaucracy)."""

    phase: Phase
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class StepReached(Event):
    """Step 2 or Step 3 began (R12, R13)."""

    step: int


@dataclass(frozen=True, slots=True)
class MinesSold(Event):
    """The mines of a seat sold uranium at this `price`; so many `tokens` lie on their track now."""

    seat: Seat
    price: Elektro
    income: Elektro
    tokens: int


@dataclass(frozen=True, slots=True)
class MineTokensRemoved(Event):
    """So many tokens left the cheapest slots of the track on which mines sell."""

    tokens: int


@dataclass(frozen=True, slots=True)
class LastIncome(Event):
    """Everybody was paid once more before the end: there was an outage in the last round."""

    incomes: tuple[Elektro, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over (R14); best first. `seed` lets anybody recompute every shuffle."""

    standings: tuple[Standing, ...]
    seed: str = ""


EndedBecause = Literal[
    "host",  # of the table (M77)
    "vote",  # of the players (M48)
    "service",  # whoever runs the site
    "last-player",  # all others had left (M43)
    "nobody-left",  # nobody came back for a long time
]


@dataclass(frozen=True, slots=True)
class GameAbandoned(Event):
    """The game was ended before its end; there is no winner and no loser (M43, M48, M77).

    `reason`: what whoever ended it says; may be empty where `because` says it all.
    """

    VERSION: ClassVar[int] = 2
    reason: str
    seed: str = ""
    because: EndedBecause = "host"


@dataclass(frozen=True, slots=True)
class TokenPlaced(Event):
    """The discount token lies on this plant: its lowest bid is 1 (R17.3)."""

    plant: PlantNumber


@dataclass(frozen=True, slots=True)
class TokenRemoved(Event):
    """The discount token is gone for this round (R17.3)."""


@dataclass(frozen=True, slots=True)
class AuctionOpened(SeatMoved):
    """A plant went up at `bid`. `bidders` answer in this order, the opener comes last (R7.5).

    Sealed: `bid` is the lowest bid, and each of the bidders gives a secret maximum.
    """

    seat: Seat
    plant: PlantNumber
    bid: Elektro
    bidders: tuple[Seat, ...]
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class AuctionDeclined(SeatMoved):
    """A player passed instead of opening: out for this phase (R7.3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BidPlaced(SeatMoved):
    """The bid was raised."""

    seat: Seat
    amount: Elektro


@dataclass(frozen=True, slots=True)
class BidPassed(SeatMoved):
    """A bidder dropped out of this auction (R7.5)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SealedBidGiven(SeatMoved):
    """A bidder has handed in a sealed bid; its amount stays outside the log until all are in."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SealedBid:
    """An opened envelope: the most that `seat` would pay, None for a pass.

    `hidden`: a bid whose maximum is not told before the game is over (B39).
    """

    seat: Seat
    maximum: Elektro | None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SealedBidsOpened(Event):
    """All envelopes of an auction were opened, in bidding order with the opener first."""

    VERSION: ClassVar[int] = 2
    bids: tuple[SealedBid, ...]


@dataclass(frozen=True, slots=True)
class PlantBought(Event):
    """An auction ended; the winner paid `price`. `again`: and may buy once more in the phase."""

    VERSION: ClassVar[int] = 2
    seat: Seat
    plant: PlantNumber
    price: Elektro
    market: PlantMarket
    again: bool = False


@dataclass(frozen=True, slots=True)
class PlantDiscarded(SeatMoved):
    """A plant over the limit was given up, `lost` fuel went to the supply (R7.11, R7.12)."""

    seat: Seat
    plant: PlantNumber
    lost: Fuel


@dataclass(frozen=True, slots=True)
class FuelBought(SeatMoved):
    """A player's purchase of this round; `amounts` may be nothing (R8).

    `from_supply`: the part of `amounts` that came from the supply (R17.4). `market`: the name of
    the market beside the main one that it is from. `done`: the seat buys no more in this phase.
    `from_storage`: the part of the coal that came from the storage of burnt coal.
    """

    VERSION: ClassVar[int] = 2
    seat: Seat
    amounts: Fuel
    cost: Elektro
    from_supply: Fuel = Fuel()
    market: str = ""
    done: bool = True
    from_storage: int = 0


@dataclass(frozen=True, slots=True)
class CityConnected(Event):
    """A house was built; `path` leads from the network to the city, both ends included (R9.3).

    `jump`: by the one free jump of its seat.
    """

    VERSION: ClassVar[int] = 2

    seat: Seat
    city: CityId
    house_cost: Elektro
    connection_cost: Elektro
    path: tuple[CityId, ...]
    jump: bool = False


@dataclass(frozen=True, slots=True)
class BuildingEnded(SeatMoved):
    """A player's building turn is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlantsRun(SeatMoved):
    """A player ran `plants`, burned fuel, powered cities and was paid (R10.1 to R10.3)."""

    seat: Seat
    plants: tuple[PlantNumber, ...]
    burned: Fuel
    powered: int
    income: Elektro


@dataclass(frozen=True, slots=True)
class FuelRefilled(Event):
    """Tokens moved from the supply to the market (R4.4); `others`: to those beside it.

    `cheap_slots`: slots that are at 1 by now, because the supply was short.
    """

    VERSION: ClassVar[int] = 2
    amounts: Fuel
    others: tuple[Fuel, ...] = ()
    cheap_slots: Fuel = Fuel()


OrderKind = Literal["limit", "auction", "fuel", "build", "power"]


@dataclass(frozen=True, slots=True)
class MoveOrdered(Event):
    """The next move of a seat comes from a standing order of this kind; nobody was asked.

    `made`: the number of the event that the order has made, where that is told only afterwards:
    nobody learns whether a bid was ordered before the plant is sold. 0 for the next move.
    """

    VERSION: ClassVar[int] = 2
    seat: Seat
    kind: OrderKind
    made: int = 0


@dataclass(frozen=True, slots=True)
class RevealedOrder:
    """A standing order as its owner wrote it: given after event `given`, over after `closed`.

    `status`: done, failed, cancelled, lapsed, or ended with the game.
    """

    seat: Seat
    text: str
    given: int
    closed: int
    status: str


@dataclass(frozen=True, slots=True)
class OrdersRevealed(Event):
    """The game is over, and everybody may see what the others had ordered."""

    orders: tuple[RevealedOrder, ...]


Authority = Literal["host", "vote", "service"]
"""Who did it: the host, a majority of the players, or whoever runs the site."""


@dataclass(frozen=True, slots=True)
class GamePaused(Event):
    """All clocks of the game stand still."""

    by: Authority
    reason: str


@dataclass(frozen=True, slots=True)
class GameResumed(Event):
    """The clocks run again, each with what was left on it."""

    by: Authority
    reason: str


@dataclass(frozen=True, slots=True)
class TurnSkipped(Event):
    """A seat is not waited for any longer: the default move follows, and is no missed turn."""

    seat: Seat
    by: Authority
    reason: str


@dataclass(frozen=True, slots=True)
class MoveCorrected(Event):
    """The host makes the next move of a seat, in place of one that was taken back."""

    seat: Seat
    by: Authority
    reason: str


Undoing = Literal["player", "consent", "host", "vote"]
"""On whose word moves are taken back: the player's own, all who are affected, the host's, or a
majority's where the host is gone."""


@dataclass(frozen=True, slots=True)
class Rewound(Event):
    """Moves were taken back: the position is that after event `to` once more (M56, M59).

    The log keeps what was taken back, and goes on counting. `to` may itself lie in what an earlier
    Rewound took back: then that one is undone. `seat`: whose move it was about, None for the
    table's. `reason`: the host's; empty where a player needs none. `again`: it brings back what an
    earlier one took back.
    """

    to: int
    seat: Seat | None
    by: Undoing
    reason: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class TurnMissed(Event):
    """A deadline passed; the default move follows.

    None follows where the seat has never moved in round 1: it is opened to others first (M39).
    """

    seat: Seat


@dataclass(frozen=True, slots=True)
class MoveForced(Event):
    """A seat had a single legal move, so the table makes it without asking; it follows (M71)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DraftPlayed(Event):
    """A deadline passed and the seat had saved a move, which the table agreed to play (M36)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CaretakerAppointed(Event):
    """A bot plays for this seat until its owner returns."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OwnerReturned(Event):
    """The owner of a seat plays again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """The deadline of a seat's open turn, before and after: UTC instants as in ISO 8601."""

    seat: Seat
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DeadlineExtended(Event):
    """Everybody who is asked was given more time; hours, by whom, and why (M77).

    `turns`: the deadlines that moved; none at a table without deadlines, or in an old log.
    """

    VERSION: ClassVar[int] = 3
    hours: int
    reason: str
    by: Authority = "host"
    turns: tuple[DeadlineMoved, ...] = ()


@dataclass(frozen=True, slots=True)
class GraceGiven(Event):
    """A seat was late and got more time by itself; hours (M37, M38)."""

    seat: Seat
    hours: int


@dataclass(frozen=True, slots=True)
class VacationBegan(Event):
    """A player is away for so many days; `sitter` may move meanwhile, empty for nobody (M26)."""

    seat: Seat
    days: int
    sitter: str = ""


@dataclass(frozen=True, slots=True)
class MadeBySitter(Event):
    """Somebody whom the absent player named makes the next move of the seat; their name."""

    seat: Seat
    sitter: str


@dataclass(frozen=True, slots=True)
class SeatOpened(Event):
    """The owner of a seat is away for good: somebody else may take it over (M39).

    `by`: who offers it; the service does after missed turns, and `player` is the owner, who
    leaves. `reason`: what they, the host, or who asked for the vote, said.
    """

    VERSION: ClassVar[int] = 3
    seat: Seat
    by: Literal["player"] | Authority = "service"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """Somebody else plays a seat from now on: its new and its former name (M40, M41).

    `bot`: the new player is a bot. `by`: who gave them the seat; `player` if they took it.
    `reason`: what the host, or who asked for the vote, said; may be empty.
    """

    seat: Seat
    name: str
    former: str
    bot: bool = False
    reason: str = ""
    by: Literal["player", "host", "vote", "service"] = "player"


def closing(events: Sequence[Event]) -> GameEnded | GameAbandoned | None:
    """How the game ended; None while it runs."""
    for event in reversed(events[-2:]):
        if isinstance(event, GameEnded | GameAbandoned):
            return event
        if not isinstance(event, OrdersRevealed):
            break
    return None
