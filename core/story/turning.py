"""The turning points of a game: when the lead changed, and the round that decided it.

Who leads after a round: who could power most cities (plants and network together), then who is
worth most. That is what the end counts, seen from the middle of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.game.events import Standing
from core.game.types import Elektro, PlantNumber, Seat
from core.story.course import RoundThen, SeatThen


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
