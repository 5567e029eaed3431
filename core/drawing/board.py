"""The board as SVG: land, regions, connections with their costs, cities with their houses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.drawing import style, svg
from core.drawing.geometry import Box, Point
from core.drawing.layout import Layout, Spot, caption, layout
from core.drawing.scene import Mark, Scene, describe, title
from core.drawing.style import REGION_TINTS
from core.game.rules.knobs import City, Map
from core.game.types import CityId, RegionId
from core.text import _, language


@dataclass(frozen=True, slots=True)
class _Ground:
    """`steps`: the connections on a path, as pairs. `ids`: begins every id of the picture.

    `own`: the connections of one network, drawn in its `colour`.
    """

    board: Map
    regions: frozenset[RegionId]
    steps: frozenset[frozenset[CityId]]
    plan: Layout
    ids: str
    own: frozenset[frozenset[CityId]] = frozenset()
    colour: str = ""

    def in_play(self, city: City) -> bool:
        return city.region in self.regions


@lru_cache(maxsize=64)
def below(
    board: Map,
    regions: frozenset[RegionId],
    steps: frozenset[frozenset[CityId]],
    ids: str,
    own: frozenset[frozenset[CityId]] = frozenset(),
    colour: str = "",
    spoken: str = "",
) -> str:
    """Land, regions, connections and their costs; the regions are named as is `spoken` now."""
    ground = _Ground(board, regions, steps, layout(board), ids, own, colour)
    parts = (*_definitions(ground), *_land(ground), *_wires(ground), *_tags(ground))
    return "".join(parts)


@lru_cache(maxsize=64)
def names(board: Map, regions: frozenset[RegionId]) -> str:
    """Return the cities' names, over everything else."""
    plan = layout(board)
    return "".join(
        part for city in board.cities for part in _name(city, plan, city.region in regions)
    )


def _definitions(ground: _Ground) -> Iterator[str]:
    yield svg.tag(
        "clipPath",
        svg.tag("path", d=svg.path(*ground.plan.land, closed=True)),
        id=f"{ground.ids}-land",
    )
    lines = svg.tag("path", d="M-2 2L2-2M0 8L8 0M6 10L10 6", class_="hatch")
    yield svg.tag(
        "pattern", lines, id=f"{ground.ids}-off", width=8, height=8, patternUnits="userSpaceOnUse"
    )


def _land(ground: _Ground) -> Iterator[str]:
    """Faint land; tints for the regions in play, hatching for the others."""
    plan, board = ground.plan, ground.board
    outline = svg.path(*plan.land, closed=True)
    tint = {r.id: i % REGION_TINTS for i, r in enumerate(board.regions)}
    cells = []
    for region in board.regions:
        shapes = [cell.corners for cell in plan.cells if cell.region == region.id]
        off = region.id not in ground.regions
        cells.append(
            svg.tag(
                "path",
                svg.tag("title", svg.escape(_(region.name))),
                d=svg.path(*shapes, closed=True),
                class_=None if off else f"r{tint[region.id]}",
                fill=f"url(#{ground.ids}-off)" if off else None,
            )
        )
    borders = svg.path(*(border.ends for border in plan.borders))
    yield svg.tag("path", d=svg.path(*plan.land, *plan.islands, closed=True), class_="land")
    yield svg.tag(
        "g",
        *cells,
        svg.tag("path", d=borders, class_="border"),
        clip_path=f"url(#{ground.ids}-land)" if plan.land else None,
    )
    yield svg.tag("path", d=outline + svg.path(*plan.islands, closed=True), class_="coast")


def _wires(ground: _Ground) -> Iterator[str]:
    """Yield all connections; those on a path last, so that none covers them."""
    city, marked = {c.id: c for c in ground.board.cities}, ground.steps
    plain, away, paths, own = [], [], [], []
    for line in ground.plan.lines:
        pair = frozenset((line.a, line.b))
        if pair in marked:
            paths.append(line.way)
        elif pair in ground.own:
            own.append(line.way)
        elif ground.in_play(city[line.a]) and ground.in_play(city[line.b]):
            plain.append(line.way)
        else:
            away.append(line.way)
    looks = (
        (away, "wire away"), (plain, "wire"),
        (own, "wire case"), (own, f"wire own {ground.colour}"),
        (paths, "wire path"),
    )  # fmt: skip
    for lines, class_ in looks:
        if lines:
            yield svg.tag("path", d=svg.path(*lines), class_=class_)


def _tags(ground: _Ground) -> Iterator[str]:
    city, marked = {c.id: c for c in ground.board.cities}, ground.steps
    for line in ground.plan.lines:
        if line.tag and ground.in_play(city[line.a]) and ground.in_play(city[line.b]):
            also = " path" if frozenset((line.a, line.b)) in marked else ""
            x, y = line.tag.middle
            yield svg.rect(line.tag, f"tag{also}", 3)
            yield svg.text(str(line.cost), (x, y + 4.3), "cost")


def _name(city: City, plan: Layout, in_play: bool) -> Iterator[str]:
    box = plan.spots[city.id].name
    x, y = box.middle
    away = "" if in_play else " away"
    wide = box.width - 2
    said = caption(city)
    yield svg.text(said, (x, y + 4.5), f"name halo{away}", wide)
    yield svg.text(said, (x, y + 4.5), f"name{away}", wide)


PLACES: Final = 3
PRICE_SIZE: Final = 12.5
SHAPES: Final = {
    "navy": "M-7.5 7.5V-2L0-8.5 7.5-2V7.5Z",
    "yellow": "M8 0A8 8 0 1 1-8 0 8 8 0 1 1 8 0Z",
    "teal": "M-7.5-7.5H7.5V7.5H-7.5Z",
    "red": "M0-9.5 9 0 0 9.5-9 0Z",
    "pink": "M-7.5-7.5H7.5V2L0 8.8-7.5 2Z",
    "ink": "M-4.6-8H4.6L9 0 4.6 8H-4.6L-9 0Z",
}
"""Each house colour has a shape of its own, too."""
_HOUSE_REACH: Final = (11.0, 11.0)


def board(scene: Scene, ids: str = "board") -> str:
    """Draw a scene; `ids` begins every id in it, so that two boards in one page need two of them.

    With ``look="page"`` it takes its colours from `style.page`.
    """
    plan = layout(scene.board)
    return svg.sheet(
        plan.sheet,
        svg.tag("title", svg.escape(title(scene)), id=f"{ids}-title"),
        svg.tag("desc", svg.escape(describe(scene)), id=f"{ids}-desc"),
        *_own_style(scene, plan.sheet),
        below(
            scene.board,
            scene.regions,
            scene.steps(),
            ids,
            scene.links,
            scene.own_colour,
            language(),
        ),
        *_regions(scene, plan),
        *_cities(scene, plan),
        names(scene.board, scene.regions),
        class_="map",
        role="img",
        aria_labelledby=f"{ids}-title",
        aria_describedby=f"{ids}-desc",
    )


@dataclass(frozen=True, slots=True)
class Stamp:
    """Something that comes onto a board in the course of a game, drawn around the origin.

    `at`: where its middle lies on the sheet. `reach`: how far it goes from there, (across, down).
    """

    at: Point
    reach: tuple[float, float]
    drawn: str


def stamps(scene: Scene) -> Iterator[Stamp]:
    """Yield what `board` draws of a scene beside what a scene without seats has, in its order."""
    plan = layout(scene.board)
    for place in scene.board.cities:
        if place.region in scene.regions:
            spot = plan.spots[place.id]
            yield from _house_stamps(scene, place, spot)
            yield from _aim_stamps(scene, place, spot)


def _house_stamps(scene: Scene, place: City, spot: Spot) -> Iterator[Stamp]:
    third = spot.plate.width / PLACES
    taken = zip(_taken(scene, place.id), spot.middles(place.size), strict=False)
    for i, ((mark, planned), middle) in enumerate(taken):
        if i >= scene.holds(place):
            yield _rect_stamp(Box.around(middle, third, spot.plate.height), _free(place))
        yield Stamp(middle, _HOUSE_REACH, house(mark, (0, 0), planned))


def _aim_stamps(scene: Scene, place: City, spot: Spot) -> Iterator[Stamp]:
    if place.id in scene.ringed:
        yield _rect_stamp(spot.plate.joined(spot.name).grown(3), "ring", 6)
    if place.id in scene.targets:
        total = str(scene.targets[place.id])
        yield _rect_stamp(spot.plate, "aim")
        price = _rect_stamp(_price_box(total, _up_to_next(scene, place, spot), spot), "price")
        yield Stamp(price.at, price.reach, price.drawn + svg.text(total, (0, 4.5), "total"))


def _rect_stamp(box: Box, class_: str, round_: float | None = None) -> Stamp:
    wide, tall = box.width, box.height
    drawn = svg.rect(Box.around((0, 0), wide, tall), class_, round_)
    return Stamp(box.middle, (wide / 2 + 2, tall / 2 + 2), drawn)


def house(mark: Mark, at: Point, planned: bool = False) -> str:
    """Return one house: colour, shape and letter say whose it is."""
    also = " planned" if planned else ""
    return svg.tag(
        "g",
        svg.tag("path", d=SHAPES[mark.colour], class_=f"house {mark.colour}{also}"),
        svg.text(mark.letter, (0, 4.3), f"letter {mark.colour}{also}"),
        transform=f"translate({svg.number(at[0])} {svg.number(at[1])})",
    )


def _own_style(scene: Scene, box: Box) -> Iterator[str]:
    if scene.look != "page":
        yield svg.tag("style", style.alone())
        yield svg.rect(box, "back")


def _cities(scene: Scene, plan: Layout) -> Iterator[str]:
    for city in scene.board.cities:
        spot = plan.spots[city.id]
        if city.region in scene.regions:
            yield svg.tag(
                "g",
                *_mine(scene, city, spot),
                *_places(scene, city, spot),
                *_aim(scene, city, spot),
                class_=_look(scene, city.id),
                data_city=city.id,
                data_name=city.name if city.id in scene.targets else None,
            )
        else:
            yield svg.tag("circle", cx=spot.at[0], cy=spot.at[1], r=3.5, class_="dot")


def _mine(scene: Scene, city: City, spot: Spot) -> Iterator[str]:
    if scene.mine is not None and scene.mine in scene.houses.get(city.id, ()):
        yield svg.rect(spot.plate.grown(3.5), f"own {scene.own_colour}", 5)


def _look(scene: Scene, city: CityId) -> str:
    """Return the classes of a city: within reach, too dear, picked."""
    looks = {
        "mine": [c for c, seats in scene.houses.items() if scene.mine in seats],
        "target": scene.targets, "dear": scene.dear, "picked": scene.picked,
    }  # fmt: skip
    return " ".join(["city", *(name for name, cities in looks.items() if city in cities)])


def _regions(scene: Scene, plan: Layout) -> Iterator[str]:
    """Yield the regions' names below all else while players choose; a mark for those chosen."""
    for region in scene.board.regions if scene.drafted is not None else ():
        middles = [plan.spots[c.id].at for c in scene.board.cities if c.region == region.id]
        x = sum(at[0] for at in middles) / len(middles)
        y = sum(at[1] for at in middles) / len(middles)
        chosen = scene.drafted is not None and region.id in scene.drafted
        name = _(region.name)
        said = f"✓ {name}" if chosen else name
        yield svg.text(said, (x, y), "banner chosen" if chosen else "banner")


def _places(scene: Scene, place: City, spot: Spot) -> Iterator[str]:
    """Yield the house places: taken, planned, free, or closed until a later Step (R9.4)."""
    taken, middles = _taken(scene, place.id), spot.middles(place.size)
    third = spot.plate.width / PLACES
    for i, middle in enumerate(middles):
        box = Box.around(middle, third, spot.plate.height)
        shut = i >= max(scene.holds(place), len(taken))
        yield svg.rect(box, "closed" if shut else _free(place))
        if shut:
            corners = ((box.left + 3, box.bottom - 3), (box.right - 3, box.top + 3))
            yield svg.tag("path", d=svg.path(corners), class_="shut")
    for (mark, planned), middle in zip(taken, middles, strict=False):
        yield house(mark, middle, planned)


def _free(place: City) -> str:
    return f"place {place.start}".rstrip()


def _taken(scene: Scene, city: CityId) -> list[tuple[Mark, bool]]:
    """Return whose houses stand in a city, in order, and whether each is only planned."""
    taken = [(scene.marks[seat], False) for seat in scene.houses.get(city, ())]
    if city in scene.planned:
        taken.append((scene.marks[scene.planned[city]], True))
    return taken


def _aim(scene: Scene, place: City, spot: Spot) -> Iterator[str]:
    """Yield what can be built here and for how much; a ring around what has changed."""
    city, plate = place.id, spot.plate
    if city in scene.ringed:
        yield svg.rect(plate.joined(spot.name).grown(3), "ring", 6)
    if city in scene.targets:
        total = str(scene.targets[city])
        box = _price_box(total, _up_to_next(scene, place, spot), spot)
        x, y = box.middle
        yield svg.rect(plate, "aim")
        yield svg.rect(box, "price")
        yield svg.text(total, (x, y + 4.5), "total")
        yield svg.rect(plate.grown(4), "hit")


def _up_to_next(scene: Scene, place: City, spot: Spot) -> tuple[Point, ...]:
    return spot.middles(place.size)[: len(scene.houses.get(place.id, ())) + 1]


def _price_box(total: str, up_to: Sequence[Point], spot: Spot) -> Box:
    """From the next free place to the right, but never over the name."""
    plate, wide = spot.plate, max(18.0, style.width(total, PRICE_SIZE, bold=True) + 5)
    left = up_to[-1][0] - 9
    beside = spot.name.left > plate.middle[0] and spot.name.top < plate.middle[1] < spot.name.bottom
    right = plate.right if beside or wide < 24 else plate.right + 9
    left = min(left, right - wide)
    return Box(left, plate.top, left + wide, plate.bottom)
