"""Where the cities stand: at their true places, moved only as far as they need room."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot
from typing import Final

from core.drawing.geometry import Box, Point, along, nearest

SPACE: Final = (5.0, 4.0)
"""Least space between two cities with their names, sideways and up."""
TAG_SPACE: Final = (24.0, 19.0)
"""The same where a connection cost must fit between."""
_QUIET: Final = 0.04
_LOOK_AROUND: Final = 16
_ONLY_PARTING: Final = 12
_FAR: Final = 60.0


@dataclass(slots=True)
class Body:
    """A city on the sheet: its true place, where it stands now, and the room it takes.

    `left`, `right`, `up`, `down` measure from the place to the edge of houses and name.
    """

    true: Point
    x: float
    y: float
    left: float
    right: float
    up: float
    down: float

    @property
    def box(self) -> Box:
        """The room it takes now."""
        return Box(self.x - self.left, self.y - self.up, self.x + self.right, self.y + self.down)


Edges = Sequence[tuple[int, int]]


def settle(bodies: Sequence[Body], edges: Edges, canvas: tuple[float, float], rounds: int) -> None:
    """Move the bodies apart until they, their names and the costs between them have room.

    The same map always settles in the same way: no chance, a fixed number of rounds.
    """
    linked = set(edges) | {(b, a) for a, b in edges}
    neighbours = [[b for a, b in linked if a == i] for i in range(len(bodies))]
    for round_ in range(rounds):
        if round_ % _LOOK_AROUND == 0:
            close = _close(bodies, linked)
            passing = _passing(bodies, edges)
        if rounds - round_ > _ONLY_PARTING:
            _pull_home(bodies, neighbours, _QUIET * (1 - round_ / rounds))
            for a, b, i in passing:
                _sidestep(bodies[a], bodies[b], bodies[i])
        for _ in range(2):
            _part(bodies, close)
        _keep_inside(bodies, *canvas)


Close = list[tuple[int, int, tuple[float, float]]]


def _close(bodies: Sequence[Body], linked: set[tuple[int, int]]) -> Close:
    """The pairs that may come too close in the next rounds, with the space they need."""
    boxes = [body.box.grown(_FAR / 2) for body in bodies]
    return [
        (i, j, TAG_SPACE if (i, j) in linked else SPACE)
        for i, j in combinations(range(len(bodies)), 2)
        if boxes[i].meets(boxes[j])
    ]


def _passing(bodies: Sequence[Body], edges: Edges) -> list[tuple[int, int, int]]:
    """The connections that run close by a city which is none of their ends."""
    found = []
    for i, body in enumerate(bodies):
        wide = body.box.grown(_FAR / 3)
        for a, b in edges:
            start, end = wide.span((bodies[a].x, bodies[a].y), (bodies[b].x, bodies[b].y))
            if start < end and i not in (a, b):
                found.append((a, b, i))
    return found


def _pull_home(bodies: Sequence[Body], neighbours: list[list[int]], pull: float) -> None:
    """Each city tends to where it lies seen from its neighbours."""
    moved = [(b.x - b.true[0], b.y - b.true[1]) for b in bodies]
    for body, others in zip(bodies, neighbours, strict=True):
        around = [moved[i] for i in others] or [(0.0, 0.0)]
        dx = 0.85 * sum(m[0] for m in around) / len(around)
        dy = 0.85 * sum(m[1] for m in around) / len(around)
        body.x += pull * (body.true[0] + dx - body.x)
        body.y += pull * (body.true[1] + dy - body.y)


def _part(bodies: Sequence[Body], close: Close) -> None:
    """Push two cities that are too close apart."""
    for i, j, space in close:
        one, two = bodies[i], bodies[j]
        if (
            one.x + one.right + space[0] > two.x - two.left
            and two.x + two.right + space[0] > one.x - one.left
            and one.y + one.down + space[1] > two.y - two.up
            and two.y + two.down + space[1] > one.y - one.up
        ):
            _push(one, two, space)


def _push(one: Body, two: Body, space: tuple[float, float]) -> None:
    """Along the compass direction that they truly have, if that is not much the longer way."""
    east, south = two.true[0] - one.true[0], two.true[1] - one.true[1]
    if east >= 0:
        need_x = one.right + two.left + space[0] - (two.x - one.x)
    else:
        need_x = one.left + two.right + space[0] - (one.x - two.x)
    if south >= 0:
        need_y = one.down + two.up + space[1] - (two.y - one.y)
    else:
        need_y = one.up + two.down + space[1] - (one.y - two.y)
    far = hypot(east, south) or 1.0
    if need_x / (abs(east) / far + 0.3) < need_y / (abs(south) / far + 0.3):
        step = 0.25 * need_x if east >= 0 else -0.25 * need_x
        one.x, two.x = one.x - step, two.x + step
    else:
        step = 0.25 * need_y if south >= 0 else -0.25 * need_y
        one.y, two.y = one.y - step, two.y + step


def _sidestep(one: Body, two: Body, body: Body) -> None:
    """Push a city off a connection that only passes by."""
    box = body.box.grown(3)
    first, last = box.span((one.x, one.y), (two.x, two.y))
    if first >= last:
        return
    middle = box.middle
    start, end = (one.x, one.y), (two.x, two.y)
    t = nearest(middle, start, end)
    foot = along(start, end, t)
    off = (middle[0] - foot[0], middle[1] - foot[1])
    far = hypot(*off)
    if far < 0.5:  # right on it: any side will do
        off, far = (
            (start[1] - end[1], end[0] - start[0]),
            hypot(end[0] - start[0], end[1] - start[1]),
        )
    x, y = off[0] / (far or 1), off[1] / (far or 1)
    body.x, body.y = body.x + 1.2 * x, body.y + 1.2 * y
    one.x, one.y = one.x - 0.6 * x * (1 - t), one.y - 0.6 * y * (1 - t)
    two.x, two.y = two.x - 0.6 * x * t, two.y - 0.6 * y * t


def _keep_inside(bodies: Sequence[Body], width: float, height: float) -> None:
    for body in bodies:
        body.x = min(max(body.x, body.left + 4), width - body.right - 4)
        body.y = min(max(body.y, body.up + 4), height - body.down - 4)
