"""A position: frozen, complete, made only by the fold (core.game.evolve)."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.game.events import PlantMarket, Standing
from core.game.rules.knobs import Plant, PlayerNumbers, Ruleset
from core.game.types import (
    STEP_3_CARD,
    CityId,
    Elektro,
    Fuel,
    Phase,
    PlantNumber,
    RegionId,
    Seat,
)

T = TypeVar("T")

if TYPE_CHECKING:  # so that names and types of the fields are checked
    fast_replace = dataclasses.replace
else:

    def fast_replace(record: T, **changes: Any) -> T:
        """As `dataclasses.replace`, some ten times as fast.

        For records without `__slots__`, `__post_init__` and cached properties.
        """
        copy = object.__new__(type(record))
        object.__setattr__(copy, "__dict__", {**vars(record), **changes})
        return copy


@dataclass(frozen=True)
class Player:
    """What one seat owns. Plants in the order bought, cities in the order built."""

    elektro: Elektro
    plants: tuple[PlantNumber, ...] = ()
    fuel: Fuel = Fuel()
    cities: tuple[CityId, ...] = ()
    powered: int = 0
    """Cities powered in the last bureaucracy."""
    missed: int = 0
    """Turns missed in a row."""
    caretaker: bool = False
    """A bot plays until the owner returns."""


@dataclass(frozen=True)
class Auction:
    """A plant on offer (R7.5).

    `bidders` still in, next to answer first; in sealed auctions all who have not handed in yet
    are asked at once, and `given` have.
    """

    plant: PlantNumber
    opener: Seat
    bid: Elektro
    leader: Seat
    bidders: tuple[Seat, ...]
    sealed: bool = False
    given: tuple[Seat, ...] = ()


@dataclass(frozen=True)
class Local:
    """What only the rules of some maps need to know of a position; all of it is public.

    `declined`: a plant has gone because somebody declined to open in this round. `token_boxed`:
    one has gone unsold with the discount token in this round. `markets`: tokens on the fuel markets
    beside the main one. `cheap_slots`: by fuel, slots of the main market that have become slots
    at 1. `one_row`: all plants on show can be bought, whatever the Step. `side_pile`: plants set
    aside until the stack is used up. `decks_used`: how often it has been. `token_up`: the plant
    that is up has the discount token, and who buys it buys once more. `blocked`: cities in which
    nobody builds. `houses_built`: by all in this round, where that matters. `storage`: coal that
    was burnt and is not back on the market. `jumped`: seats that have had their free jump.
    `mine_tokens`: uranium on the track on which mines sell.
    """

    declined: bool = False
    token_boxed: bool = False
    markets: tuple[Fuel, ...] = ()
    cheap_slots: Fuel = Fuel()
    one_row: bool = False
    side_pile: tuple[PlantNumber, ...] = ()
    decks_used: int = 0
    token_up: bool = False
    blocked: tuple[CityId, ...] = ()
    houses_built: int = 0
    storage: int = 0
    jumped: tuple[Seat, ...] = ()
    mine_tokens: int = 0

    def next_round(self) -> "Local":
        """Return what is left of it in the next round."""
        if self == PLAIN:
            return self
        return fast_replace(self, declined=False, token_boxed=False, houses_built=0)


PLAIN: Final = Local()
"""That of most positions; they share it."""


def running(rules: Ruleset, numbers: tuple[PlantNumber, ...]) -> tuple[Plant, ...]:
    """Return those of these plants that are no mines."""
    plants = tuple(rules.plant[n] for n in numbers)
    return tuple(p for p in plants if not p.mine) if rules.mines else plants


@dataclass(frozen=True)
class GameState:
    """The whole position, secrets included: never hand it to a page or a mail, see `observe`.

    `waiting`: seats that still have to act in this phase, next first; in the auction phase those
    who may still buy, in turn order. `seq`: number of events folded so far.
    """

    ruleset: Ruleset
    seq: int
    players: tuple[Player, ...]
    regions: tuple[RegionId, ...]
    order: tuple[Seat, ...]
    round: int
    phase: Phase
    step: int
    market: PlantMarket
    stack: tuple[PlantNumber, ...]
    boxed: tuple[PlantNumber, ...]
    fuel_market: Fuel
    supply: Fuel
    waiting: tuple[Seat, ...] = ()
    auction: Auction | None = None
    discarding: Seat | None = None
    sold: bool = False
    """Somebody bought a plant in this auction phase."""
    token: PlantNumber | None = None
    """The plant with the discount token (R17.3)."""
    step3_drawn: bool = False
    """The Step 3 card has left the stack (R13)."""
    uranium_stopped: bool = False
    """No uranium is refilled any more (R17.4)."""
    standings: tuple[Standing, ...] = ()
    abandoned: bool = False
    local: Local = PLAIN
    unasked: Seat | None = None
    """The seat whose next move is not its own: a default move or a forced one."""

    @property
    def numbers(self) -> PlayerNumbers:
        """The numbers of R2 for this table."""
        return self.ruleset.numbers(len(self.players), self.regions)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise."""
        return tuple(Seat(i) for i in range(len(self.players)))

    @property
    def leader_cities(self) -> int:
        """The highest city count of any player."""
        return max(len(p.cities) for p in self.players)

    @property
    def all_built(self) -> bool:
        """Do as many houses stand as there are cities in play?"""
        houses = sum(len(p.cities) for p in self.players)
        return bool(self.regions) and houses >= self.ruleset.cities_in(self.regions)

    @property
    def card_in_market(self) -> bool:
        """Does the Step 3 card lie in the market, as its highest card (R13.2)?"""
        return STEP_3_CARD in self.market.cards

    @property
    def step2_due(self) -> bool:
        """Has the Step 3 card come where its first coming begins Step 2 (R12.1)?"""
        by_card = self.ruleset.step2_trigger == "deck"
        return by_card and self.step == 1 and self.card_in_market

    @property
    def outage(self) -> bool:
        """Have so many houses been built in this round that incomes are lower (R10.2)?"""
        outage = self.ruleset.outage
        return bool(outage and self.local.houses_built > outage.above * len(self.players))

    @property
    def one_row(self) -> bool:
        """Can all plants on show be bought, as when the Step 3 card is gone (R6.1)?"""
        return self.local.one_row or (self.step3_drawn and not self.card_in_market)

    def plants_of(self, seat: Seat) -> tuple[Plant, ...]:
        """Return the plants of a seat that run, in the order bought."""
        return running(self.ruleset, self.players[seat].plants)

    def mines_of(self, seat: Seat) -> tuple[Plant, ...]:
        """Return the mines of a seat, in the order bought."""
        plants = (self.ruleset.plant[n] for n in self.players[seat].plants)
        return tuple(plant for plant in plants if plant.mine)

    def houses(self, city: CityId) -> tuple[Seat, ...]:
        """Return seats with a house in a city, in seat order."""
        return tuple(s for s in self.seats if city in self.players[s].cities)

    def with_player(self, seat: Seat, player: Player) -> "GameState":
        """Return the position with one player changed."""
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        return fast_replace(self, players=players)

    def with_burnt(self, fuel: Fuel) -> "GameState":
        """Return the position with burnt fuel in the supply; its coal in the storage, if any."""
        stored = 0 if self.ruleset.burnt_coal_price is None else fuel.coal
        state = self.with_local(storage=self.local.storage + stored) if stored else self
        return fast_replace(state, supply=self.supply + fuel - Fuel(coal=stored))

    def with_local(self, **changes: Any) -> "GameState":
        """Return the position with a part of `local` changed."""
        return fast_replace(self, local=fast_replace(self.local, **changes))

    def without_waiting(self, seat: Seat) -> "GameState":
        """Return the position in which a seat has nothing more to do in this phase."""
        return fast_replace(self, waiting=tuple(s for s in self.waiting if s != seat))
