"""A map on paper: where its cities, names, costs and coasts are drawn. Computed once per map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from typing import Final

from core.drawing import labels
from core.drawing.cells import Border, Cell, divide
from core.drawing.geometry import Box, Point, Way, along, contains
from core.drawing.outline import rings
from core.drawing.placing import Body, Edges, settle
from core.drawing.projection import Projection, fit
from core.game.rules.knobs import City, Connection, Map
from core.game.types import CityId, Elektro

_FIRST_ROUNDS: Final = 160
_LAST_ROUNDS: Final = 140
_BENDS: Final = tuple(sign * off for off in range(6, 31, 4) for sign in (1, -1))


@dataclass(frozen=True, slots=True)
class Spot:
    """A city: the box of its three house places and the box of its name."""

    at: Point
    plate: Box
    name: Box

    @property
    def places(self) -> tuple[Point, Point, Point]:
        """Middles of the first, second and third house place."""
        third, (x, y) = labels.PLATE[0] / 3, self.at
        return ((x - third, y), (x, y), (x + third, y))


@dataclass(frozen=True, slots=True)
class Line:
    """A connection: its way from `a` to `b`, its cost and the box where the cost is written."""

    a: CityId
    b: CityId
    cost: Elektro
    way: Way
    tag: Box


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything on the sheet, in units that are pixels at natural size.

    `land` holds cities, `islands` none.
    """

    sheet: Box
    spots: Mapping[CityId, Spot]
    lines: tuple[Line, ...]
    land: tuple[tuple[Point, ...], ...]
    islands: tuple[tuple[Point, ...], ...]
    cells: tuple[Cell, ...]
    borders: tuple[Border, ...]

    def overlaps(self) -> tuple[str, ...]:
        """What covers what: names, house places and costs; empty when the drawing is sound."""
        boxes = [(f"{key} houses", spot.plate) for key, spot in self.spots.items()]
        boxes += [(f"{key} name", spot.name) for key, spot in self.spots.items()]
        boxes += [(f"cost {line.a}-{line.b}", line.tag) for line in self.lines]
        return tuple(
            f"{one} / {two}"
            for i, (one, box) in enumerate(boxes)
            for two, other in boxes[i + 1 :]
            if box.meets(other)
        )


@lru_cache(maxsize=16)
def layout(board: Map) -> Layout:
    """Lay out a map; the same map always comes out the same."""
    projection = fit([(city.lon, city.lat) for city in board.cities])
    number = {city.id: i for i, city in enumerate(board.cities)}
    edges = [(number[line.a], number[line.b]) for line in board.connections]
    bodies = [_body(city, projection) for city in board.cities]
    canvas = (projection.width, projection.height)
    settle(bodies, edges, canvas, _FIRST_ROUNDS)
    sides = _sides(bodies, board.cities, edges, Box(0, 0, *canvas))
    settle(bodies, edges, canvas, _LAST_ROUNDS)
    spots = {
        city.id: _spot(city, (body.x, body.y), side)
        for city, body, side in zip(board.cities, bodies, sides, strict=True)
    }
    land, islands = _coasts(board, projection, bodies)
    sheet = _sheet(projection, land)
    cells, borders = divide(
        {city.id: (body.x, body.y) for city, body in zip(board.cities, bodies, strict=True)},
        {city.id: city.region for city in board.cities},
        sheet.grown(40),
    )
    return Layout(sheet, spots, _lines(board, spots), land, islands, cells, borders)


def _body(city: City, projection: Projection) -> Body:
    x, y = projection(city.lon, city.lat)
    body = Body((x, y), x, y, 0, 0, 0, 0)
    _measure(body, city, city.label or "n")
    return body


def _spot(city: City, at: Point, side: str) -> Spot:
    return Spot(at, labels.plate(at), labels.name_box(city.name, at, side))


def _measure(body: Body, city: City, side: str) -> None:
    plate, name = labels.plate((0, 0)), labels.name_box(city.name, (0, 0), side)
    body.left = -min(plate.left, name.left)
    body.right = max(plate.right, name.right)
    body.up = -min(plate.top, name.top)
    body.down = max(plate.bottom, name.bottom)


def _sides(bodies: Sequence[Body], cities: Sequence[City], edges: Edges, sheet: Box) -> list[str]:
    """A side for each name, one after another, so that each sees what the others took."""
    ends = [(body.x, body.y) for body in bodies]
    sides = []
    for i, (body, city) in enumerate(zip(bodies, cities, strict=True)):
        own = [(ends[a], ends[b]) for a, b in edges if i in (a, b)]
        others = [other.box for k, other in enumerate(bodies) if k != i]
        sides.append(city.label or labels.choose_side(city.name, ends[i], own, others, sheet))
        _measure(body, city, sides[i])
    return sides


def _lines(board: Map, spots: Mapping[CityId, Spot]) -> tuple[Line, ...]:
    ways = [_way(line, spots) for line in board.connections]
    fixed = [box for spot in spots.values() for box in (spot.plate, spot.name)]
    tags = labels.place_tags(ways, [line.cost for line in board.connections], fixed)
    return tuple(
        Line(line.a, line.b, line.cost, way, tag)
        for line, way, tag in zip(board.connections, ways, tags, strict=True)
    )


def _way(line: Connection, spots: Mapping[CityId, Spot]) -> Way:
    """Straight, or with one bend that leads around the houses and names of other cities."""
    start, end = spots[line.a].at, spots[line.b].at
    others = [spot for key, spot in spots.items() if key not in (line.a, line.b)]

    def covers(way: Way) -> float:
        return sum(4 * s.plate.grown(2).chord(way) + s.name.chord(way) for s in others)

    if not covers((start, end)):
        return (start, end)
    length = dist(start, end) or 1.0
    x, y = (start[1] - end[1]) / length, (end[0] - start[0]) / length
    ways: list[Way] = [(start, end)]
    for off in _BENDS:
        for part in (0.5, 0.35, 0.65):
            middle = along(start, end, part)
            ways.append((start, (middle[0] + off * x, middle[1] + off * y), end))
    return min(ways, key=lambda way: (round(covers(way)), ways.index(way)))


Coast = tuple[Point, ...]


def _coasts(
    board: Map, projection: Projection, bodies: Sequence[Body]
) -> tuple[tuple[Coast, ...], tuple[Coast, ...]]:
    """The outline, parted into land with cities and islands without."""
    with_cities: list[Coast] = []
    without: list[Coast] = []
    for ring in rings(board.outline):
        lived_on = any(contains(ring, (city.lon, city.lat)) for city in board.cities)
        (with_cities if lived_on else without).append(_warp(ring, projection, bodies))
    return tuple(with_cities), tuple(without)


def _warp(ring: Sequence[Point], projection: Projection, bodies: Sequence[Body]) -> Coast:
    """A coast moves along with the cities near it."""
    return tuple(_moved(projection(lon, lat), bodies) for lon, lat in ring)


def _moved(point: Point, bodies: Sequence[Body]) -> Point:
    x = y = total = 0.0
    for body in bodies:
        near = (point[0] - body.true[0]) ** 2 + (point[1] - body.true[1]) ** 2 + 100
        weight = near**-2.2
        x += weight * (body.x - body.true[0])
        y += weight * (body.y - body.true[1])
        total += weight
    return (point[0] + x / total, point[1] + y / total)


def _sheet(projection: Projection, land: Sequence[Coast]) -> Box:
    """The canvas, a little larger where the coast would else be cut off."""
    canvas = Box(0, 0, projection.width, projection.height)
    coast = Box.holding([point for ring in land for point in ring] or [(0, 0)]).grown(6)
    whole, most = canvas.joined(coast), canvas.grown(30)
    return Box(
        max(whole.left, most.left),
        max(whole.top, most.top),
        min(whole.right, most.right),
        min(whole.bottom, most.bottom),
    )
