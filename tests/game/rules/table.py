"""A position under test: moves played from it, and what one asks of it afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.game import moves
from core.game.chance import Chance
from core.game.engine import default_move, options, play, preview, to_act
from core.game.errors import IllegalMove
from core.game.events import Event, FuelRefilled, PlantMarket
from core.game.evolve import replay
from core.game.state import GameState, Player
from core.game.types import STEP_3_CARD, CityId, Phase, PlantNumber, Seat

E_ = TypeVar("E_", bound=Event)
FIRST = Seat(0)


@dataclass(frozen=True)
class Drawn(Chance):
    """Chance that shuffles into the order that a case names, or else leaves cards as they lie."""

    seed: str = "5eed"
    order: tuple[int, ...] = ()
    shuffles: list[tuple[int, ...]] = field(default_factory=list)

    def shuffled(self, cards: Sequence[Any], purpose: str) -> tuple[Any, ...]:
        self.shuffles.append(tuple(sorted(cards)))
        if not self.order:
            return tuple(cards)
        assert sorted(cards) == sorted(self.order)
        return self.order


class Table:
    """A position, and the moves made from it."""

    def __init__(self, state: GameState, chance: Drawn | None = None) -> None:
        self.first = self.state = state
        self.chance = chance or Drawn()
        self.sealed: dict[Seat, int | None] = {}
        self.events: list[Event] = []

    def plays(self, seat: Seat, *made: moves.Move) -> "Table":
        """Make moves; in sealed auctions the envelopes are kept as a table keeps them."""
        for move in made:
            new = play(self.state, seat, move, self.chance, self.sealed)
            self._keep_envelope(seat, move)
            self.events += new
            self.state = replay(new, self.state)
        return self

    def all_play(self, move: moves.Move) -> "Table":
        """Everybody makes this move once, in the order asked."""
        for _ in self.state.waiting:
            self.plays(to_act(self.state)[0], move)
        return self

    def goes_on_to(self, phase: Phase) -> "Table":
        """Everybody passes, buys, builds nothing and powers all until the phase is there."""
        while self.state.phase is not phase:
            seat = to_act(self.state)[0]
            self.plays(seat, default_move(self.state, seat))
        return self

    def refusal(self, seat: Seat, move: moves.Move) -> str:
        """The code with which a move is refused, the same by `play` and `preview`."""
        codes = set()
        for attempt in (lambda: play(self.state, seat, move, self.chance, self.sealed),
                        lambda: preview(self.state, seat, move)):  # fmt: skip
            try:
                attempt()
                codes.add("")
            except IllegalMove as refusal:
                codes.add(refusal.code)
        assert len(codes) == 1, codes
        return codes.pop()

    def allows(self, seat: Seat, move: moves.Move) -> bool:
        return not self.refusal(seat, move)

    def offer(self, seat: Seat) -> Any:
        return options(self.state, seat)

    def _keep_envelope(self, seat: Seat, move: moves.Move) -> None:
        match move:
            case moves.OpenAuction(bid=amount):
                self.sealed = {seat: amount}
            case moves.Bid(amount=amount):
                self.sealed[seat] = amount
            case moves.Pass():
                self.sealed[seat] = None

    # --- what one asks of it ---

    @property
    def market(self) -> str:
        """As written in the cases."""
        return shown(self.state.market)

    @property
    def stack(self) -> str:
        return " ".join(map(_card, self.state.stack))

    @property
    def boxed(self) -> str:
        """Cards boxed since the table was laid, in that order."""
        return " ".join(map(_card, self.state.boxed[len(self.first.boxed) :]))

    @property
    def asked(self) -> tuple[Seat, ...]:
        return to_act(self.state)

    def player(self, seat: Seat) -> Player:
        return self.state.players[seat]

    def spent(self, seat: Seat) -> int:
        return self.first.players[seat].elektro - self.player(seat).elektro

    def earned(self, seat: Seat) -> int:
        return -self.spent(seat)

    def event(self, kind: type[E_]) -> E_:
        """The last event of this kind."""
        return [e for e in self.events if isinstance(e, kind)][-1]

    def count(self, kind: type[Event], **like: object) -> int:
        """Events of this kind with these values."""
        return sum(
            isinstance(e, kind) and all(getattr(e, k) == v for k, v in like.items())
            for e in self.events
        )

    @property
    def refilled(self) -> tuple[int, ...]:
        """The last refill: coal, oil, garbage, uranium."""
        return self.event(FuelRefilled).amounts.counts()

    def price(self, city: str, seat: Seat = FIRST) -> int | None:
        """What a city costs now, None where it cannot be built."""
        totals = {t.city: t.total for t in self.offer(seat).targets}
        return totals.get(CityId(city))

    def grows(self, seat: Seat, count: int) -> "Table":
        """Build this many of the cheapest cities in one turn."""
        cities: list[CityId] = []
        for _ in range(count):
            ahead = preview(self.state, seat, moves.BuildCities(tuple(cities)))
            targets = options(replay(ahead, self.state), seat).targets
            cities.append(targets[0].city)
        return self.plays(seat, moves.BuildCities(tuple(cities)))


def shown(market: PlantMarket) -> str:
    rows = [" ".join(map(_card, row)) for row in (market.actual, market.future) if row]
    return " / ".join(rows)


def _card(number: PlantNumber) -> str:
    return "S3" if number == STEP_3_CARD else str(number)
