"""Points, boxes and lines on the canvas; all lengths in units of the drawing, y downwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist

from core.game.types import CityId, RegionId

Point = tuple[float, float]
Way = tuple[Point, ...]
"""A line of straight pieces, corner by corner."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: Point, width: float, height: float) -> "Box":
        """Return a box by its middle and size."""
        x, y = middle
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @classmethod
    def holding(cls, points: Sequence[Point]) -> "Box":
        """Return the smallest box around all points."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return cls(min(xs), min(ys), max(xs), max(ys))

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Its centre."""
        return ((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def grown(self, by: float) -> "Box":
        """Return the box with a margin of `by` around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def joined(self, other: "Box") -> "Box":
        """Return the smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def meets(self, other: "Box") -> bool:
        """Return True if the two share an area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def overlap(self, other: "Box") -> float:
        """Return the area that the two share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0

    def chord(self, way: Way) -> float:
        """Return how much of a way runs inside, as a length."""
        spans = ((self.span(a, b), dist(a, b)) for a, b in pairwise(way))
        return sum(max(0.0, end - start) * length for (start, end), length in spans)

    def span(self, a: Point, b: Point) -> tuple[float, float]:
        """Return where a line is inside, as parts of its length; start >= end when it never is."""
        start, end = 0.0, 1.0
        for from_, to, low, high in (
            (a[0], b[0], self.left, self.right),
            (a[1], b[1], self.top, self.bottom),
        ):
            step = to - from_
            if abs(step) < 1e-9:
                if not low < from_ < high:
                    return (1.0, 0.0)
                continue
            near, far = sorted(((low - from_) / step, (high - from_) / step))
            start, end = max(start, near), min(end, far)
        return (start, end)


def along(a: Point, b: Point, t: float) -> Point:
    """Return the point at the part `t` of the way from `a` to `b`."""
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)


def along_way(way: Way, t: float) -> Point:
    """Return the point at the part `t` of a way."""
    lengths = [dist(a, b) for a, b in pairwise(way)]
    rest = t * sum(lengths)
    for (a, b), length in zip(pairwise(way), lengths, strict=True):
        if rest <= length:
            return along(a, b, rest / (length or 1.0))
        rest -= length
    return way[-1]


def distance_to_way(p: Point, way: Way) -> float:
    """Return how far a point lies from a way."""
    return min(dist(p, along(a, b, nearest(p, a, b))) for a, b in pairwise(way))


def nearest(p: Point, a: Point, b: Point) -> float:
    """Return the part of the way from `a` to `b` at which it comes closest to `p`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return 0.0
    return max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))


def contains(ring: Sequence[Point], point: Point) -> bool:
    """Return True if the point lies inside the ring."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


_Edge = tuple[Point, CityId | None]
"""A corner and the neighbour across the side that starts there."""


@dataclass(frozen=True, slots=True)
class Cell:
    """All points that lie closer to this city than to any other."""

    city: CityId
    region: RegionId
    corners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Border:
    """A piece of the border between two regions."""

    regions: tuple[RegionId, RegionId]
    ends: tuple[Point, Point]


def divide(
    places: Mapping[CityId, Point], home: Mapping[CityId, RegionId], sheet: Box
) -> tuple[tuple[Cell, ...], tuple[Border, ...]]:
    """Divide the sheet among the cities, and find where regions meet."""
    cells, borders = [], []
    for city in places:
        shape = _cell(city, places, sheet)
        cells.append(Cell(city, home[city], tuple(point for point, _ in shape)))
        for (start, other), (end, _) in zip(shape, shape[1:] + shape[:1], strict=True):
            if other is not None and city < other and home[city] != home[other]:
                borders.append(Border((home[city], home[other]), (start, end)))
    return tuple(cells), tuple(borders)


def _cell(city: CityId, places: Mapping[CityId, Point], sheet: Box) -> list[_Edge]:
    shape: list[_Edge] = [
        ((sheet.left, sheet.top), None),
        ((sheet.right, sheet.top), None),
        ((sheet.right, sheet.bottom), None),
        ((sheet.left, sheet.bottom), None),
    ]
    for other, place in places.items():
        if other != city:
            shape = _cut(shape, places[city], place, other)
    return shape


def _cut(shape: Sequence[_Edge], own: Point, place: Point, other: CityId) -> list[_Edge]:
    """Keep what lies on the own side of the line half way to the other city."""
    x, y = place[0] - own[0], place[1] - own[1]
    limit = (place[0] ** 2 + place[1] ** 2 - own[0] ** 2 - own[1] ** 2) / 2
    over = [point[0] * x + point[1] * y - limit for point, _ in shape]
    kept: list[_Edge] = []
    for i, (point, neighbour) in enumerate(shape):
        follow = (i + 1) % len(shape)
        if over[i] <= 0:
            kept.append((point, neighbour))
        if (over[i] <= 0) != (over[follow] <= 0):
            end, t = shape[follow][0], over[i] / (over[i] - over[follow])
            crossing = (point[0] + (end[0] - point[0]) * t, point[1] + (end[1] - point[1]) * t)
            kept.append((crossing, other if over[i] <= 0 else neighbour))
    return kept
