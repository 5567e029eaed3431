"""Plots of a game's course as SVG: a line for each player or fuel, told apart without colour.

Every line has its own dashes and its letter at the end; what it shows stands in a table beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from core.drawing import svg
from core.drawing.geometry import Box, Point

ROOMY: Final = 560.0
SLIM: Final = 310.0
"""Widths in pixels; the slim one fits a phone of 360, its text as large as in the other."""
_HEIGHT: Final = 240.0
_RUNGS: Final = 5
_LETTER: Final = 15.0
"""Height that a letter at the end of a line needs."""
_DASHES: Final = (None, "8 4", "2 3", "12 3 2 3", "5 5", "14 6")
_LABELS: Final = 12
"""Most labels along the axis of the rounds."""
_TENTHS: Final = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
"""Steps of a scale that read well, in tenths of a power of ten."""


@dataclass(frozen=True, slots=True)
class Line:
    """One course: `letter` stands at its end, `colour` is a CSS class of the drawings.

    `values`: one for each round, None where there is none.
    """

    letter: str
    name: str
    colour: str
    values: tuple[float | None, ...]


def plots(title: str, rounds: Sequence[int], lines: Sequence[Line]) -> str:
    """Return the plot for a page, twice: the style sheet shows the one that fits."""
    return plot(title, rounds, lines) + plot(title, rounds, lines, SLIM)


def plot(title: str, rounds: Sequence[int], lines: Sequence[Line], width: float = ROOMY) -> str:
    """Return all lines over the rounds; `title` is also the text for those who cannot see it."""
    values = [v for line in lines for v in line.values if v is not None]
    frame = Box(44, 14, width - 34, _HEIGHT - 26)
    scale = _scale(frame, len(rounds), values)
    return svg.tag(
        "svg",
        svg.tag("title", svg.escape(title)),
        svg.tag("rect", width=width, height=_HEIGHT, class_="back"),
        *_rungs(scale),
        *_rounds(scale, rounds),
        *(part for n, line in enumerate(lines) for part in _course(scale, line, n)),
        *_letters(scale, lines),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {svg.number(width)} {svg.number(_HEIGHT)}",
        width=width,
        height=_HEIGHT,
        role="img",
        aria_label=title,
        class_="plot slim" if width == SLIM else "plot",
        font_family="DejaVu Sans",
        font_stretch="condensed",
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where a round and a value lie in the frame."""

    frame: Box
    rounds: int
    low: float
    top: float
    step: float
    """From one rung to the next; both ends are rungs."""

    def at(self, n: int, value: float) -> Point:
        return self.x(n), self.y(value)

    def x(self, n: int) -> float:
        return self.frame.left + self.frame.width * (n + 0.5) / max(1, self.rounds)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.top - self.low)
        return self.frame.bottom - self.frame.height * share


def _scale(frame: Box, rounds: int, values: Sequence[float]) -> _Scale:
    """From zero, or from below it where a value is, in steps that read well."""
    least, most = min(values, default=0), max(values, default=1)
    step = _nice(max(most, -least)) / _RUNGS
    if least >= 0:
        return _Scale(frame, rounds, 0, step * _RUNGS, step)
    return _Scale(frame, rounds, step * floor(least / step), step * ceil(max(most, 0) / step), step)


def _nice(most: float) -> float:
    """Return a round number that is not below `most`, and that the rungs divide."""
    if most <= _RUNGS:
        return float(_RUNGS)
    step: int = 10 ** int(log10(most / _RUNGS))
    tenths = next(t for t in _TENTHS if t * step % 10 == 0 and t * step * _RUNGS >= 10 * most)
    return float(tenths * step * _RUNGS / 10)


def _rungs(scale: _Scale) -> Iterator[str]:
    frame = scale.frame
    for i in range(round((scale.top - scale.low) / scale.step) + 1):
        value = scale.low + scale.step * i
        y = scale.y(value)
        yield svg.tag("line", x1=frame.left, x2=frame.right, y1=y, y2=y, class_="rung")
        label = svg.escape(svg.number(value))
        yield svg.tag("text", label, x=frame.left - 6, y=y + 4, class_="value")


def _rounds(scale: _Scale, rounds: Sequence[int]) -> Iterator[str]:
    every = ceil(len(rounds) / _LABELS) or 1
    for n, number in enumerate(rounds):
        if n % every == 0:
            yield svg.text(str(number), (scale.x(n), _HEIGHT - 9), "round")


def _course(scale: _Scale, line: Line, n: int) -> Iterator[str]:
    points = [scale.at(i, v) for i, v in enumerate(line.values) if v is not None]
    if not points:
        return
    dashes = _DASHES[n % len(_DASHES)]
    for class_ in ("under", f"course {line.colour}"):
        yield svg.tag(
            "path",
            d=svg.path(tuple(points)),
            class_=class_,
            stroke_dasharray=dashes,
        )
    for at in points:
        yield svg.tag("circle", cx=at[0], cy=at[1], r=2.6, class_=f"point {line.colour}")


def _letters(scale: _Scale, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the letters at the ends, moved apart where lines end at the same height."""
    ends = []
    for line in lines:
        last = next((v for v in reversed(line.values) if v is not None), None)
        if last is not None:
            ends.append((scale.y(last), line))
    ends.sort(key=lambda end: (end[0], end[1].letter))
    heights = _apart([y for y, _ in ends], scale.frame)
    for y, (_end, line) in zip(heights, ends, strict=True):
        at = (scale.frame.right + 16, y)
        yield svg.tag("circle", cx=at[0], cy=at[1], r=7.4, class_=f"end {line.colour}")
        yield svg.text(line.letter, (at[0], at[1] + 4), f"letter {line.colour}")


def _apart(heights: Sequence[float], frame: Box) -> list[float]:
    """Heights, from top to bottom, pushed down until they keep apart, and up from the bottom."""
    taken, placed = -_LETTER, []
    for y in heights:
        taken = max(y, taken + _LETTER)
        placed.append(taken)
    floor = frame.bottom + _LETTER
    for i in reversed(range(len(placed))):
        floor = placed[i] = min(placed[i], floor - _LETTER)
    return placed
