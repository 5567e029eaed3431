"""A map on paper: where its cities, names, costs and coasts are drawn. Computed once per map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import dist, hypot
from typing import Final

from core.drawing import labels
from core.drawing.geometry import Border, Box, Cell, Point, Way, along, contains, divide, nearest
from core.drawing.projection import Projection, fit, rings
from core.game.rules.knobs import City, Connection, Map
from core.game.types import CityId, Elektro

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


def settle(
    bodies: Sequence[Body],
    edges: Edges,
    canvas: tuple[float, float],
    rounds: int,
    between: tuple[float, float] = TAG_SPACE,
) -> None:
    """Move the bodies apart until they, their names and the costs between them have room.

    `between` is the least space of two linked cities, sideways and up.
    The same map always settles in the same way: no chance, a fixed number of rounds.
    """
    linked = set(edges) | {(b, a) for a, b in edges}
    neighbours = [[b for a, b in linked if a == i] for i in range(len(bodies))]
    for round_ in range(rounds):
        if round_ % _LOOK_AROUND == 0:
            close = _close(bodies, linked, between)
            passing = _passing(bodies, edges)
        if rounds - round_ > _ONLY_PARTING:
            _pull_home(bodies, neighbours, _QUIET * (1 - round_ / rounds))
            for a, b, i in passing:
                _sidestep(bodies[a], bodies[b], bodies[i])
        for _ in range(2):
            _part(bodies, close)
        _keep_inside(bodies, *canvas)


Close = list[tuple[int, int, tuple[float, float]]]


def _close(
    bodies: Sequence[Body], linked: set[tuple[int, int]], between: tuple[float, float]
) -> Close:
    """Return the pairs that may come too close in the next rounds, with the space they need."""
    boxes = [body.box.grown(_FAR / 2) for body in bodies]
    return [
        (i, j, between if (i, j) in linked else SPACE)
        for i, j in combinations(range(len(bodies)), 2)
        if boxes[i].meets(boxes[j])
    ]


def _passing(bodies: Sequence[Body], edges: Edges) -> list[tuple[int, int, int]]:
    """Return the connections that run close by a city which is none of their ends."""
    found = []
    for i, body in enumerate(bodies):
        wide = body.box.grown(_FAR / 3)
        for a, b in edges:
            start, end = wide.span((bodies[a].x, bodies[a].y), (bodies[b].x, bodies[b].y))
            if start < end and i not in (a, b):
                found.append((a, b, i))
    return found


def _pull_home(bodies: Sequence[Body], neighbours: list[list[int]], pull: float) -> None:
    """Move each city towards its place as seen from its neighbours."""
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


_FIRST_ROUNDS: Final = 160
_LAST_ROUNDS: Final = 140
_TOUCHING: Final = 1e-6
"""Two boxes side by side share no more than this, however their edges were rounded."""
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
    """A connection: its way from `a` to `b`, its cost and the box where the cost is written.

    No box where all lines of the map cost nothing: then they only say who lies beside whom.
    """

    a: CityId
    b: CityId
    cost: Elektro
    way: Way
    tag: Box | None


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
        """Return what covers what: names, house places and costs.

        Empty when the drawing is sound.
        """
        boxes = [(f"{key} houses", spot.plate) for key, spot in self.spots.items()]
        boxes += [(f"{key} name", spot.name) for key, spot in self.spots.items()]
        boxes += [(f"cost {line.a}-{line.b}", line.tag) for line in self.lines if line.tag]
        return tuple(
            f"{one} / {two}"
            for i, (one, box) in enumerate(boxes)
            for two, other in boxes[i + 1 :]
            if box.overlap(other) > _TOUCHING
        )


@lru_cache(maxsize=16)
def layout(board: Map) -> Layout:
    """Lay out a map; the same map always comes out the same."""
    projection = fit([(city.lon, city.lat) for city in board.cities])
    number = {city.id: i for i, city in enumerate(board.cities)}
    edges = [(number[line.a], number[line.b]) for line in board.connections]
    bodies = [_body(city, projection) for city in board.cities]
    canvas = (projection.width, projection.height)
    between = TAG_SPACE if _priced(board) else SPACE
    settle(bodies, edges, canvas, _FIRST_ROUNDS, between)
    sides = _sides(bodies, board.cities, edges, Box(0, 0, *canvas))
    settle(bodies, edges, canvas, _LAST_ROUNDS, between)
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
    """Return a side for each name, one after another, so that each sees what the others took."""
    ends = [(body.x, body.y) for body in bodies]
    sides = []
    for i, (body, city) in enumerate(zip(bodies, cities, strict=True)):
        own = [(ends[a], ends[b]) for a, b in edges if i in (a, b)]
        others = [other.box for k, other in enumerate(bodies) if k != i]
        sides.append(city.label or labels.choose_side(city.name, ends[i], own, others, sheet))
        _measure(body, city, sides[i])
    return sides


def _priced(board: Map) -> bool:
    return any(line.cost for line in board.connections)


def _lines(board: Map, spots: Mapping[CityId, Spot]) -> tuple[Line, ...]:
    ways = [_way(line, spots) for line in board.connections]
    fixed = [box for spot in spots.values() for box in (spot.plate, spot.name)]
    tags: Sequence[Box | None] = [None] * len(ways)
    if _priced(board):
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
    """Return the outline, parted into land with cities and islands without."""
    with_cities: list[Coast] = []
    without: list[Coast] = []
    for ring in rings(board.outline):
        lived_on = any(contains(ring, (city.lon, city.lat)) for city in board.cities)
        (with_cities if lived_on else without).append(_warp(ring, projection, bodies))
    return tuple(with_cities), tuple(without)


def _warp(ring: Sequence[Point], projection: Projection, bodies: Sequence[Body]) -> Coast:
    """Return a coast moves along with the cities near it."""
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
    """Return the canvas, a little larger where the coast would else be cut off."""
    canvas = Box(0, 0, projection.width, projection.height)
    coast = Box.holding([point for ring in land for point in ring] or [(0, 0)]).grown(6)
    whole, most = canvas.joined(coast), canvas.grown(30)
    return Box(
        max(whole.left, most.left),
        max(whole.top, most.top),
        min(whole.right, most.right),
        min(whole.bottom, most.bottom),
    )
