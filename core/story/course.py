"""How a game went, round by round: the numbers behind the plots."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.game import events as ev
from core.game.board.fuel_market import price_of_next
from core.game.state import GameState
from core.game.types import Elektro, Phase, PlantNumber, Resource, Seat
from core.story.transitions import Transition


@dataclass(frozen=True, slots=True)
class SeatThen:
    """A seat at the end of a round.

    `worth`: Elektro, plants and houses at what they cost, fuel at the price of the next token.
    `capacity`: cities that all its plants could power. `powered`: cities powered in the round.
    `place`: place in turn order, from 1.
    """

    elektro: Elektro
    worth: Elektro
    cities: int
    capacity: int
    powered: int
    plants: tuple[PlantNumber, ...]
    place: int


@dataclass(frozen=True, slots=True)
class RoundThen:
    """The table at the end of a round; `first` and `last` are its events.

    `prices`: what the next token of each fuel would cost, None where there is none.
    """

    round: int
    first: int
    last: int
    step: int
    seats: tuple[SeatThen, ...]
    prices: dict[Resource, Elektro | None]
    complete: bool


class _Recorder:
    """Follows the log and keeps what a position alone does not tell."""

    def __init__(self) -> None:
        self.invested: Counter[Seat] = Counter()
        self.paid: dict[tuple[Seat, PlantNumber], int] = {}
        self.rounds: list[RoundThen] = []
        self.first = 1

    def take(self, transition: Transition) -> None:
        match transition.event:
            case ev.RoundBegan() if transition.before is not None and transition.before.round:
                self._close(transition.before, transition.seq - 1)
            case ev.PlantBought(seat=seat, plant=plant, price=price):
                self.paid[seat, plant] = price
            case ev.CityConnected(seat=seat, house_cost=house, connection_cost=way):
                self.invested[seat] += house + way
        if isinstance(transition.event, ev.RoundBegan):
            self.first = transition.seq

    def end(self, transition: Transition) -> None:
        if transition.after.round:
            self._close(transition.after, transition.seq)

    def _close(self, state: GameState, last: int) -> None:
        tracks = state.ruleset.tracks
        prices = {r: price_of_next(t, state.fuel_market[r]) for r, t in tracks.items()}
        self.rounds.append(
            RoundThen(
                round=state.round,
                first=self.first,
                last=last,
                step=state.step,
                seats=tuple(self._seat(state, seat, prices) for seat in state.seats),
                prices=prices,
                complete=state.phase in (Phase.FINISHED, Phase.BUREAUCRACY),
            )
        )

    def _seat(
        self, state: GameState, seat: Seat, prices: dict[Resource, Elektro | None]
    ) -> SeatThen:
        player = state.players[seat]
        plants = sum(self.paid.get((seat, plant), 0) for plant in player.plants)
        fuel = sum(player.fuel[r] * (prices[r] or 0) for r in prices)
        return SeatThen(
            elektro=player.elektro,
            worth=Elektro(player.elektro + plants + fuel + self.invested[seat]),
            cities=len(player.cities),
            capacity=sum(plant.cities for plant in state.plants_of(seat)),
            powered=player.powered,
            plants=tuple(sorted(player.plants)),
            place=state.order.index(seat) + 1,
        )


def course(log: Iterable[Transition]) -> tuple[RoundThen, ...]:
    """The rounds of a game; the last one may not be over."""
    recorder, transition = _Recorder(), None
    for transition in log:
        recorder.take(transition)
    if transition is not None:
        recorder.end(transition)
    return tuple(recorder.rounds)
