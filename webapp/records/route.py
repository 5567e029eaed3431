"""The way through a game: its events with something to tell, its rounds, Steps, turning points."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from core.game.events import (
    CityConnected,
    Event,
    GameAbandoned,
    GameEnded,
    RoundBegan,
    StepReached,
)
from core.game.narrate.lines import Narrator
from core.game.rewind import taken_back
from core.story.course import TurningPoint, course, lead_change, lead_changes, transitions
from core.table.record.timeline import Timeline
from core.text import _

_KEPT: Final = 64


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on the way: a round or a Step begins after event `seq`."""

    seq: int
    round: int = 0
    step: int = 0

    @property
    def label(self) -> str:
        """``3`` for a round, ``Step 2``."""
        return str(self.round) if self.round else _("Step {n}").format(n=self.step)


@dataclass(frozen=True, slots=True)
class Route:
    """`told`: events that have something to tell; `turns`: the first told event of each turn."""

    told: tuple[int, ...]
    turns: tuple[int, ...]
    ticks: tuple[Tick, ...]
    first_city: int | None
    end: int | None
    leads: tuple[TurningPoint, ...]

    def stops(self, n: int) -> dict[str, int | None]:
        """Where one can go from event `n`; None where there is nothing."""
        first, last = self.told[0], self.told[-1]
        rounds = [tick.seq for tick in self.ticks]
        return {
            "first": first if n != first else None,
            "previous": _before(self.told, n),
            "next": _after(self.told, n),
            "last": last if n != last else None,
            "turn-back": _before(self.turns, n),
            "turn-on": _after(self.turns, n),
            "round-back": _before(rounds, n),
            "round-on": _after(rounds, n),
        }

    def since(self, n: int) -> int:
        """Return the last event before `n` that had something to tell, 0 for none."""
        return _before(self.told, n) or 0

    def marks(self, names: Sequence[str]) -> list[tuple[int, str]]:
        """Return the turning points in words."""
        found = [(point.seq, lead_change(point, names)) for point in self.leads]
        if self.first_city:
            found.append((self.first_city, _("The first city is connected.")))
        if self.end:
            found.append((self.end, _("The game ends.")))
        found += [
            (tick.seq, _("Step {n} begins.").format(n=tick.step))
            for tick in self.ticks
            if tick.step
        ]
        return sorted(found)

    def round_at(self, number: int) -> int | None:
        """Return the event that began a round; the last one, where moves were taken back."""
        found = [tick.seq for tick in self.ticks if tick.round == number]
        return found[-1] if found else None


_ways: OrderedDict[tuple[int, int], tuple[Timeline, Route]] = OrderedDict()
_lock = Lock()


def find_route(shown: Timeline, names: Sequence[str], turning: bool) -> Route:
    """Return the way through a game. `turning`: the reader may know who was worth most."""
    key = (id(shown), int(turning))
    with _lock:
        known = _ways.get(key)
    if known is not None and known[0] is shown:
        return known[1]
    found = _way(shown, names, turning)
    with _lock:
        _ways[key] = shown, found  # the film is held, so that no other can get its id
        while len(_ways) > _KEPT:
            _ways.popitem(last=False)
    return found


def _way(shown: Timeline, names: Sequence[str], turning: bool) -> Route:
    events = [entry.event for entry in shown.entries]
    tell = Narrator(shown.states[0].ruleset, names, events)
    told = tuple(entry.seq for entry in shown.entries if tell.line(entry.event))
    gone = taken_back(shown.entries)
    counts = [entry for entry in shown.entries if entry.seq not in gone]
    return Route(
        told=told,
        turns=_turns(shown, told),
        ticks=tuple(t for e in shown.entries if (t := _tick(e.seq, e.event))),
        first_city=next((e.seq for e in counts if isinstance(e.event, CityConnected)), None),
        end=next((e.seq for e in counts if isinstance(e.event, GameEnded | GameAbandoned)), None),
        leads=lead_changes(course(transitions(events))) if turning else (),
    )


def _turns(shown: Timeline, told: Sequence[int]) -> tuple[int, ...]:
    """Told events at which somebody else acts than at the told event before."""
    found, former = [], object()
    for seq in told:
        who = getattr(shown.entries[seq - 1].event, "seat", None)
        if who is not None and who != former:
            found.append(seq)
        former = who
    return tuple(found)


def _tick(seq: int, event: Event) -> Tick | None:
    match event:
        case RoundBegan(round=number):
            return Tick(seq, round=number)
        case StepReached(step=step):
            return Tick(seq, step=step)
    return None


def _before(ordered: Sequence[int], n: int) -> int | None:
    at = bisect_left(ordered, n)
    return ordered[at - 1] if at else None


def _after(ordered: Sequence[int], n: int) -> int | None:
    at = bisect_right(ordered, n)
    return ordered[at] if at < len(ordered) else None


_APART: Final = 0.045
"""Of the scale's length: nearer to each other two numbers of rounds would touch on a phone."""
_WORDS_APART: Final = 0.2
"""The same for the words of two Steps."""
_EDGE: Final = 0.12


@dataclass(frozen=True, slots=True)
class Place:
    """Something at event `seq`. `x`: how far along, as SVG writes it. `low`: a row further down.

    `label` is empty where it would touch the one before.
    """

    seq: int
    x: str
    label: str = ""
    anchor: str = "middle"
    low: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """Everything on the scale."""

    rounds: tuple[Place, ...]
    steps: tuple[Place, ...]
    points: tuple[Place, ...]


def scale(ticks: Sequence[Tick], points: Sequence[tuple[int, str]], length: int) -> Scale:
    """Lay out a scale from event 1 to event `length`."""
    return Scale(
        rounds=tuple(_rounds([tick for tick in ticks if tick.round], length)),
        steps=tuple(_steps([tick for tick in ticks if tick.step], length)),
        points=tuple(Place(seq, _x(_along(seq, length)), text) for seq, text in points),
    )


def _rounds(ticks: Sequence[Tick], length: int) -> list[Place]:
    found, last = [], -1.0
    for tick in ticks:
        at = _along(tick.seq, length)
        fits = at - last >= _APART
        last = at if fits else last
        found.append(Place(tick.seq, _x(at), tick.label if fits else ""))
    return found


def _steps(ticks: Sequence[Tick], length: int) -> list[Place]:
    found, last, low = [], -1.0, False
    for tick in ticks:
        at = _along(tick.seq, length)
        low = not low and at - last < _WORDS_APART
        anchor = "start" if at < _EDGE else "end" if at > 1 - _EDGE else "middle"
        last = at
        found.append(Place(tick.seq, _x(at), tick.label, anchor, low))
    return found


def _along(seq: int, length: int) -> float:
    return (seq - 1) / max(1, length - 1)


def _x(part: float) -> str:
    return f"{100 * part:.2f}%"
