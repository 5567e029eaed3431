"""What a game's numbers say when it is over: where money went, who was held up, what decided it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from core.game import events as ev
from core.game.events import Event
from core.game.phases.auction import lowest_bid
from core.game.state import GameState
from core.game.types import CityId, Elektro, PlantNumber, Seat
from core.story.course import Transition


@dataclass(frozen=True, slots=True)
class Sale:
    """An auction: what was paid above the lowest bid, and the best bid of anybody else.

    `rival` and `rival_bid` are None where nobody else bid.
    """

    seq: int
    round: int
    seat: Seat
    plant: PlantNumber
    price: Elektro
    lowest: Elektro
    rival: Seat | None
    rival_bid: Elektro | None

    @property
    def above(self) -> Elektro:
        """Elektro paid above the lowest bid."""
        return Elektro(self.price - self.lowest)


@dataclass(frozen=True, slots=True)
class Connection:
    """A house: what it cost above the cheapest place in a city, and what the way to it cost."""

    seq: int
    round: int
    seat: Seat
    city: CityId
    connection: Elektro
    late: Elektro


@dataclass(frozen=True, slots=True)
class Turnout:
    """One seat's sums.

    `blocked`: full cities next to its network, counted after each of its building turns.
    `swing`: places that it moved in turn order. `fuel_per_city`: Elektro for fuel by city powered,
    None if it powered none.
    """

    seat: Seat
    above: Elektro
    fuel: Elektro
    powered: int
    connection: Elektro
    late: Elektro
    blocked: int
    swing: int
    fuel_per_city: Fraction | None


@dataclass(frozen=True, slots=True)
class Insight:
    """Every auction, every house, and the sums of each seat."""

    sales: tuple[Sale, ...]
    connections: tuple[Connection, ...]
    turnouts: tuple[Turnout, ...]


class _Reader:
    """Follows the log of a game."""

    def __init__(self) -> None:
        self.sales: list[Sale] = []
        self.connections: list[Connection] = []
        self.fuel: Counter[Seat] = Counter()
        self.powered: Counter[Seat] = Counter()
        self.blocked: Counter[Seat] = Counter()
        self.swing: Counter[Seat] = Counter()
        self._lowest = Elektro(0)
        self._bids: dict[Seat, Elektro] = {}

    def take(self, transition: Transition) -> None:
        if transition.before is not None:
            self._bid(transition.before, transition.event)
            self._count(transition, transition.before)

    def _count(self, transition: Transition, before: GameState) -> None:
        match transition.event:
            case ev.PlantBought() as event:
                self.sales.append(self._sale(transition, event))
            case ev.FuelBought(seat=seat, cost=cost):
                self.fuel[seat] += cost
            case ev.PlantsRun(seat=seat, powered=powered):
                self.powered[seat] += powered
            case ev.CityConnected() as event:
                self.connections.append(_connection(transition, event))
            case ev.BuildingEnded(seat=seat):
                self.blocked[seat] += full_neighbours(before, seat)
            case ev.RoundBegan(order=order) | ev.OrderChanged(order=order) if before.round:
                for seat in order:
                    self.swing[seat] += abs(order.index(seat) - before.order.index(seat))

    def _bid(self, before: GameState, event: Event) -> None:
        match event:
            case ev.AuctionOpened(seat=seat, plant=plant, bid=bid, sealed=sealed):
                self._lowest = lowest_bid(before, plant)
                self._bids = {} if sealed else {seat: bid}
            case ev.BidPlaced(seat=seat, amount=amount):
                self._bids[seat] = amount
            case ev.SealedBidsOpened(bids=bids):
                self._bids = {b.seat: b.maximum for b in bids if b.maximum is not None}

    def _sale(self, transition: Transition, event: ev.PlantBought) -> Sale:
        others = {seat: bid for seat, bid in self._bids.items() if seat != event.seat}
        rival = max(others, key=lambda seat: others[seat], default=None)
        return Sale(
            seq=transition.seq,
            round=transition.after.round,
            seat=event.seat,
            plant=event.plant,
            price=event.price,
            lowest=self._lowest,
            rival=rival,
            rival_bid=None if rival is None else others[rival],
        )

    def turnout(self, seat: Seat) -> Turnout:
        powered, fuel = self.powered[seat], self.fuel[seat]
        houses = [c for c in self.connections if c.seat == seat]
        return Turnout(
            seat=seat,
            above=Elektro(sum(sale.above for sale in self.sales if sale.seat == seat)),
            fuel=Elektro(fuel),
            powered=powered,
            connection=Elektro(sum(c.connection for c in houses)),
            late=Elektro(sum(c.late for c in houses)),
            blocked=self.blocked[seat],
            swing=self.swing[seat],
            fuel_per_city=Fraction(fuel, powered) if powered else None,
        )


def insight(log: Iterable[Transition]) -> Insight:
    """Read a whole log; that of a running game tells of what has happened so far."""
    reader, seats = _Reader(), 0
    for transition in log:
        reader.take(transition)
        seats = len(transition.after.players)
    turnouts = tuple(reader.turnout(Seat(seat)) for seat in range(seats))
    return Insight(tuple(reader.sales), tuple(reader.connections), turnouts)


def full_neighbours(state: GameState, seat: Seat) -> int:
    """Cities next to a seat's network that have no place for it in this Step (R9.2)."""
    own = set(state.players[seat].cities)
    lines = state.ruleset.map.connections
    ends = {b for a, b in ((c.a, c.b) for c in lines) if a in own}
    ends |= {a for a, b in ((c.a, c.b) for c in lines) if b in own}
    near = {city for city in ends - own if state.ruleset.city[city].region in state.regions}
    return sum(1 for city in near if _full(state, city))


def _full(state: GameState, city: CityId) -> bool:
    return len(state.houses(city)) >= state.ruleset.city[city].holds(state.step)


def _connection(transition: Transition, event: ev.CityConnected) -> Connection:
    cheapest = transition.after.ruleset.house_costs_in(event.city)[0]
    return Connection(
        seq=transition.seq,
        round=transition.after.round,
        seat=event.seat,
        city=event.city,
        connection=event.connection_cost,
        late=Elektro(event.house_cost - cheapest),
    )
