"""A map on paper: where its cities, names, costs and coasts are drawn. Computed once per map.

The globe is laid flat by an equidistant conic projection; then cities part until they and their
names have room, and names and costs are written so that none covers another.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from math import cos, dist, exp, hypot, radians, sin
from typing import Final

from core.drawing import style
from core.drawing.geometry import (
    Border,
    Box,
    Cell,
    Point,
    Way,
    along,
    along_way,
    contains,
    distance_to_way,
    divide,
    nearest,
)
from core.game.rules.catalog import DATA
from core.game.rules.knobs import City, Connection, Map
from core.game.types import CityId, Elektro

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


NAME_SIZE: Final = 12.5
COST_SIZE: Final = 12.0
PLATE: Final = (54.0, 19.0)
"""The three house places of a city, side by side."""
NAME_HEIGHT: Final = 14.0
TAG_HEIGHT: Final = 15.0
SIDES: Final = ("n", "s", "ne", "nw", "se", "sw", "e", "w")
_BIAS: Final = {
    "n": 0.0,
    "s": 1.0,
    "ne": 2.0,
    "nw": 2.0,
    "se": 3.0,
    "sw": 3.0,
    "e": 25.0,
    "w": 25.0,
}
_CROWDED: Final = 11.0
"""A cost nearer than this to a foreign line may be taken for that line's."""
_SWEEPS: Final = 4
_PARTS: Final = tuple(0.5 + sign * k / 40 for k in range(18) for sign in (1, -1))


def caption(city: City) -> str:
    """Return what is written beside a city: its name, and what entering it costs if it does.

    The price of a single place stands behind a colon: there every city has its own.
    """
    if len(city.house_costs) == 1 and city.house_costs[0]:
        return f"{city.name}: {city.house_costs[0]}"
    return f"{city.name} ({city.entry_cost})" if city.entry_cost else city.name


def plate_box(place: Point) -> Box:
    """Return the box of the house places of a city."""
    return Box.around(place, *PLATE)


def name_box(name: str, place: Point, side: str) -> Box:
    """Return where a name is written, by the compass side of the house places."""
    wide, tall = style.width(name, NAME_SIZE, bold=True) + 2, NAME_HEIGHT
    x, y = place
    if side in ("e", "w"):
        middle = x + (PLATE[0] / 2 + wide / 2 + 2) * (1 if side == "e" else -1)
        return Box.around((middle, y), wide, tall)
    shift = max(0.0, wide - PLATE[0]) / 2
    x += {"e": shift, "w": -shift}.get(side[1:], 0.0)
    y += (PLATE[1] + tall) / 2 * (-1 if side[0] == "n" else 1)
    return Box.around((x, y), wide, tall)


def choose_side(
    name: str, place: Point, own: Sequence[Way], others: Sequence[Box], sheet: Box
) -> str:
    """Choose the side on which a name covers no city and crosses fewest lines, inside the sheet."""

    def cost(side: str) -> float:
        box = name_box(name, place, side)
        covered = sum(box.grown(2).overlap(other) for other in others)
        outside = box.joined(sheet).width - sheet.width + box.joined(sheet).height - sheet.height
        return _BIAS[side] + covered + 2 * outside + sum(box.chord(way) for way in own)

    return min(SIDES, key=cost)


def tag_box(cost: int, middle: Point) -> Box:
    """Return the little box of a connection cost."""
    return Box.around(middle, style.width(str(cost), COST_SIZE) + 7, TAG_HEIGHT)


def place_tags(lines: Sequence[Way], costs: Sequence[int], fixed: Sequence[Box]) -> list[Box]:
    """Return a box for the cost of each line, on the line and clear of `fixed` boxes.

    Boxes keep clear of each other, too. Lines with the least choice go first, then all look
    again; a tag keeps off lines that are not its own.
    """
    choices = [_candidates(i, lines, costs[i], fixed) for i in range(len(lines))]
    reach = [Box.holding(way).grown(30) for way in lines]
    chosen: dict[int, Box] = {}
    for _ in range(_SWEEPS):
        for i in sorted(range(len(lines)), key=lambda i: (len(choices[i]), i)):
            taken = [b.grown(2) for k, b in chosen.items() if k != i and b.meets(reach[i])]
            chosen[i] = _best(choices[i], taken)
    return [chosen[i] for i in range(len(lines))]


def _best(choice: Sequence[tuple[float, Box]], taken: Sequence[Box]) -> Box:
    def weight(candidate: tuple[float, Box]) -> float:
        return candidate[0] + 50 * sum(candidate[1].overlap(other) for other in taken)

    return min(choice, key=weight)[1]


def _candidates(
    i: int, lines: Sequence[Way], cost: int, fixed: Sequence[Box]
) -> list[tuple[float, Box]]:
    """Return boxes along line `i` with what speaks against each.

    Only free ones if there are any.
    """
    near = [box for box in fixed if box.grown(12).chord(lines[i]) > 0]
    reach = Box.holding(lines[i]).grown(_CROWDED)
    beside = [way for k, way in enumerate(lines) if k != i and Box.holding(way).meets(reach)]
    rated = []
    for part in _PARTS:
        box = tag_box(cost, along_way(lines[i], part))
        covered = 50 * sum(box.grown(1).overlap(other) for other in near)
        crowd = sum(max(0.0, _CROWDED - distance_to_way(box.middle, way)) for way in beside)
        rated.append((covered + 4 * crowd + 40 * abs(part - 0.5), box, covered))
    free = [(weight, box) for weight, box, covered in rated if not covered]
    return free or [(weight, box) for weight, box, _ in rated]


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

    def middles(self, places: int = 3) -> tuple[Point, ...]:
        """Return the middles of one to three house places, from the left."""
        third, (x, y) = PLATE[0] / 3, self.at
        return tuple((x + third * (i - (places - 1) / 2), y) for i in range(places))


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
    return Spot(at, plate_box(at), name_box(caption(city), at, side))


def _measure(body: Body, city: City, side: str) -> None:
    plate, name = plate_box((0, 0)), name_box(caption(city), (0, 0), side)
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
        sides.append(city.label or choose_side(caption(city), ends[i], own, others, sheet))
        _measure(body, city, sides[i])
    return sides


def _priced(board: Map) -> bool:
    return any(line.cost for line in board.connections)


def _lines(board: Map, spots: Mapping[CityId, Spot]) -> tuple[Line, ...]:
    ways = [_way(line, spots) for line in board.connections]
    fixed = [box for spot in spots.values() for box in (spot.plate, spot.name)]
    tags: Sequence[Box | None] = [None] * len(ways)
    if _priced(board):
        tags = place_tags(ways, [line.cost for line in board.connections], fixed)
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
