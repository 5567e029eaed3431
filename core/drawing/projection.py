"""From the globe to the sheet: an equidistant conic projection, fitted to the canvas."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import cos, exp, radians, sin

from core.drawing.geometry import Point
from core.game.rules.catalog import DATA

WIDEST, TALLEST = 760.0, 820.0
MARGIN = 44.0
MOST_STRETCH = (1.12, 1.3)
"""How much wider a tall country, and taller a flat one, may be drawn to give its cities room."""

CROWDED = 0.8
"""Pairs of cities in each other's way, for each city."""
IN_THE_WAY = (80.0, 45.0)
WELL_FILLED = 0.8
LAST_STRETCH = (1.4, 1.9)
"""The same for a crowded map whose sheet would else fill less than `WELL_FILLED` of the canvas."""

EVENNESS = 0.4
"""0 leaves all distances as they are, 1 spreads the cities evenly over both axes."""
SOFTNESS = 25.0


@dataclass(frozen=True, slots=True)
class Projection:
    """Longitude and latitude in degrees to a point of a canvas of `width` and `height`."""

    cone: float
    apex: float
    meridian: float
    scale: tuple[float, float]
    shift: Point
    width: float
    height: float
    crowd: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())

    def __call__(self, lon: float, lat: float) -> Point:
        """Return the place of a point of the globe."""
        x, y = self._flat(lon, lat)
        return (_spread(x, self.crowd[0], self.width), _spread(y, self.crowd[1], self.height))

    def _flat(self, lon: float, lat: float) -> Point:
        x, y = _conic(self.cone, self.apex, self.meridian, lon, lat)
        return (x * self.scale[0] + self.shift[0], y * self.scale[1] + self.shift[1])


def fit(places: Sequence[Point]) -> Projection:
    """Return the projection that fills the canvas with these places, given as (lon, lat)."""
    lons, lats = [p[0] for p in places], [p[1] for p in places]
    low, high = min(lats), max(lats)
    middle, spread = radians((low + high) / 2), max(radians(high - low) / 3, 1e-3)
    one, two = middle - spread, middle + spread
    cone = (cos(one) - cos(two)) / (two - one)
    if abs(cone) < 1e-4:  # a map across the equator: a very flat cone
        cone = 1e-4
    apex = cos(one) / cone + one
    meridian = (min(lons) + max(lons)) / 2
    flat = [_conic(cone, apex, meridian, *place) for place in places]
    xs, ys = [p[0] for p in flat], [p[1] for p in flat]
    wide, tall = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    room = (WIDEST - 2 * MARGIN, TALLEST - 2 * MARGIN)
    scale = min(room[0] / wide, room[1] / tall)
    plain = Projection(cone, apex, meridian, (0.0, 0.0), (0.0, 0.0), 0.0, 0.0)
    for stretch in (MOST_STRETCH, LAST_STRETCH):
        sx, sy = min(room[0] / wide, scale * stretch[0]), min(room[1] / tall, scale * stretch[1])
        plain = replace(
            plain,
            scale=(sx, sy),
            shift=(MARGIN - min(xs) * sx, MARGIN - min(ys) * sy),
            width=wide * sx + 2 * MARGIN,
            height=tall * sy + 2 * MARGIN,
        )
        if not _needs_more(plain, [plain(*place) for place in places]):
            break
    drawn = [plain(*place) for place in places]
    crowd = (tuple(sorted(p[0] for p in drawn)), tuple(sorted(p[1] for p in drawn)))
    return replace(plain, crowd=crowd)


def _needs_more(sheet: Projection, drawn: Sequence[Point]) -> bool:
    """Do cities stand in each other's way, while the canvas has room on one side?"""
    if min(sheet.width / WIDEST, sheet.height / TALLEST) > WELL_FILLED:
        return False
    wide, tall = IN_THE_WAY
    close = [
        1 for a, b in combinations(drawn, 2) if abs(a[0] - b[0]) < wide and abs(a[1] - b[1]) < tall
    ]
    return len(close) > CROWDED * len(drawn)


def _spread(value: float, crowd: Sequence[float], size: float) -> float:
    """Give crowded strips of the sheet more room, without changing who lies north or west."""
    if not crowd:
        return value
    first, last = _share(MARGIN, crowd), _share(size - MARGIN, crowd)
    share = (_share(value, crowd) - first) / (last - first)
    even = MARGIN + share * (size - 2 * MARGIN)
    return (1 - EVENNESS) * value + EVENNESS * even


def _share(value: float, crowd: Sequence[float]) -> float:
    """Return the share of the cities before `value`, as a soft curve."""
    return sum(1 / (1 + exp((place - value) / SOFTNESS)) for place in crowd) / len(crowd)


def _conic(cone: float, apex: float, meridian: float, lon: float, lat: float) -> Point:
    ray, angle = apex - radians(lat), cone * radians(lon - meridian)
    return (ray * sin(angle), ray * cos(angle) - apex)


@cache
def rings(name: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outline of that name; none where a map has none of its own."""
    path = {file.stem: file for file in (DATA / "outlines").glob("*.json")}.get(name)
    if path is None:
        return ()
    document = json.loads(path.read_text("utf-8"))
    return tuple(tuple((lon, lat) for lon, lat in ring) for ring in document["rings"])
