"""The scale under the slider of the replay: rounds, Steps and turning points where they lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webapp.records.way import Tick

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
class Ruler:
    """Everything on the scale."""

    rounds: tuple[Place, ...]
    steps: tuple[Place, ...]
    points: tuple[Place, ...]


def ruler(ticks: Sequence[Tick], points: Sequence[tuple[int, str]], length: int) -> Ruler:
    """Lay out a scale from event 1 to event `length`."""
    return Ruler(
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
