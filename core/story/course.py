"""How a game went: its log step by step, its rounds in numbers, and the turning points in words.

Who leads after a round: who could power most cities (plants and network together), then who is
worth most. That is what the end counts, seen from the middle of the game.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.game import events as ev
from core.game.board.fuel_market import price_of_next, tracks_now
from core.game.events import Event, Rewound, Standing
from core.game.evolve import Fold
from core.game.log.jsonl import Entry
from core.game.narrate.wording import cities, plants
from core.game.rewind import taken_back
from core.game.state import GameState
from core.game.types import Elektro, Phase, PlantNumber, Resource, Seat
from core.lists import series
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class Transition:
    """Event number `seq` (from 1) and the positions around it; `before` is None for the first."""

    seq: int
    event: Event
    before: GameState | None
    after: GameState


def transitions(events: Iterable[Event]) -> Iterator[Transition]:
    """Every event that counts, in order; what was taken back is passed over."""
    log = [Entry(seq, None, event) for seq, event in enumerate(events, start=1)]
    gone, fold = taken_back(log), Fold()
    for entry in log:
        before, after = fold.state, fold.add(entry.event)
        if entry.seq not in gone and not isinstance(entry.event, Rewound):
            yield Transition(entry.seq, entry.event, before, after)


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
        tracks = tracks_now(state)
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
    """Return the rounds of a game; the last one may not be over."""
    recorder, transition = _Recorder(), None
    for transition in log:
        recorder.take(transition)
    if transition is not None:
        recorder.end(transition)
    return tuple(recorder.rounds)


@dataclass(frozen=True, slots=True)
class Gain:
    """What a seat won in a round. `plants`: those it has now and had not before."""

    seat: Seat
    plants: tuple[PlantNumber, ...]
    capacity: int
    cities: int
    worth: Elektro


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The lead went to `leader` in a round; `seq` is the round's last event."""

    round: int
    seq: int
    leader: Seat
    former: Seat | None
    gain: Gain
    former_gain: Gain | None


def lead_changes(rounds: Sequence[RoundThen]) -> tuple[TurningPoint, ...]:
    """Return every round after which somebody else leads than before it."""
    points: list[TurningPoint] = []
    former: Seat | None = None
    for n, then in enumerate(rounds):
        leader = _leader(then)
        if leader != former:
            before = rounds[n - 1] if n else None
            points.append(
                TurningPoint(
                    round=then.round,
                    seq=then.last,
                    leader=leader,
                    former=former,
                    gain=_gain(before, then, leader),
                    former_gain=None if former is None else _gain(before, then, former),
                )
            )
        former = leader
    return tuple(points)


def decisive(rounds: Sequence[RoundThen], standings: Sequence[Standing]) -> TurningPoint | None:
    """Return the round in which the winner took the lead for good.

    None without a winner, or where the winner led after no round but passed everybody in the last
    count.
    """
    winner = next((s.seat for s in standings if s.place == 1), None)
    changes = lead_changes(rounds)
    if winner is None or not changes or changes[-1].leader != winner:
        return None
    return changes[-1]


def _leader(then: RoundThen) -> Seat:
    def strength(seat: int) -> tuple[int, int, int]:
        one = then.seats[seat]
        return min(one.cities, one.capacity), one.worth, -seat

    return Seat(max(range(len(then.seats)), key=strength))


def _gain(before: RoundThen | None, then: RoundThen, seat: Seat) -> Gain:
    now = then.seats[seat]
    was = before.seats[seat] if before else SeatThen(Elektro(0), Elektro(0), 0, 0, 0, (), 0)
    return Gain(
        seat=seat,
        plants=tuple(plant for plant in now.plants if plant not in was.plants),
        capacity=now.capacity - was.capacity,
        cities=now.cities - was.cities,
        worth=Elektro(now.worth - was.worth),
    )


def lead_change(point: TurningPoint, names: Sequence[str]) -> str:
    """Return who took the lead in a round, and by what."""
    leader = names[point.leader]
    if point.former is None or point.former_gain is None:
        text = _("Round {round}: {leader} led first. {gain}")
        return text.format(round=point.round, leader=leader, gain=_gained(point.gain, names))
    text = _("Round {round}: {leader} took the lead from {former}. {gain} {other}")
    return text.format(
        round=point.round,
        leader=leader,
        former=names[point.former],
        gain=_gained(point.gain, names),
        other=_gained(point.former_gain, names),
    )


def decision(point: TurningPoint | None, winner: Seat | None, names: Sequence[str]) -> str:
    """Return the round that decided the game, with the reason; empty where nobody has won."""
    if winner is None:
        return ""
    if point is None:
        text = _("{name} led after no round before the last: the final count decided.")
        return text.format(name=names[winner])
    if point.former is None:
        return _("{name} led from the first round to the last.").format(name=names[winner])
    text = _("Round {round} decided it: from then on {name} was never caught. {gain} {other}")
    other = _gained(point.former_gain, names) if point.former_gain else ""
    return text.format(
        round=point.round, name=names[winner], gain=_gained(point.gain, names), other=other
    )


def _gained(gain: Gain, names: Sequence[str]) -> str:
    """Return ``Anna: plant 20, 3 more cities on the board, could power 5 more.``."""
    parts = []
    if gain.plants:
        text = ngettext("new plant {numbers}", "new plants {numbers}", len(gain.plants))
        parts.append(text.format(numbers=plants(gain.plants)))
    if gain.cities:
        parts.append(_("built in {cities}").format(cities=cities(gain.cities)))
    if gain.capacity > 0:
        parts.append(_("plants for {cities} more").format(cities=cities(gain.capacity)))
    done = series(parts) or _("nothing new")
    return _("{name}: {done}.").format(name=names[gain.seat], done=done)
