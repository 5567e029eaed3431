"""What lies under the houses and over them, the same at every moment of a game: drawn once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.drawing import svg
from core.drawing.layout import Layout, layout
from core.drawing.palette import REGION_TINTS
from core.game.rules.knobs import City, Map
from core.game.types import CityId, RegionId


@dataclass(frozen=True, slots=True)
class _Ground:
    """`steps`: the connections on a path, as pairs. `ids`: begins every id of the picture."""

    board: Map
    regions: frozenset[RegionId]
    steps: frozenset[frozenset[CityId]]
    plan: Layout
    ids: str

    def in_play(self, city: City) -> bool:
        return city.region in self.regions


@lru_cache(maxsize=64)
def below(
    board: Map, regions: frozenset[RegionId], steps: frozenset[frozenset[CityId]], ids: str
) -> str:
    """Land, regions, connections and their costs; nothing in it is said in a language."""
    ground = _Ground(board, regions, steps, layout(board), ids)
    parts = (*_definitions(ground), *_land(ground), *_wires(ground), *_tags(ground))
    return "".join(parts)


@lru_cache(maxsize=64)
def names(board: Map, regions: frozenset[RegionId]) -> str:
    """The cities' names, over everything else."""
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
                svg.tag("title", svg.escape(region.name)),
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
    """All connections; those on a path last, so that none covers them."""
    city, marked = {c.id: c for c in ground.board.cities}, ground.steps
    plain, away, paths = [], [], []
    for line in ground.plan.lines:
        if frozenset((line.a, line.b)) in marked:
            paths.append(line.way)
        elif ground.in_play(city[line.a]) and ground.in_play(city[line.b]):
            plain.append(line.way)
        else:
            away.append(line.way)
    for lines, class_ in ((away, "wire away"), (plain, "wire"), (paths, "wire path")):
        if lines:
            yield svg.tag("path", d=svg.path(*lines), class_=class_)


def _tags(ground: _Ground) -> Iterator[str]:
    city, marked = {c.id: c for c in ground.board.cities}, ground.steps
    for line in ground.plan.lines:
        if ground.in_play(city[line.a]) and ground.in_play(city[line.b]):
            also = " path" if frozenset((line.a, line.b)) in marked else ""
            x, y = line.tag.middle
            yield svg.rect(line.tag, f"tag{also}", 3)
            yield svg.text(str(line.cost), (x, y + 4.3), "cost")


def _name(city: City, plan: Layout, in_play: bool) -> Iterator[str]:
    box = plan.spots[city.id].name
    x, y = box.middle
    away = "" if in_play else " away"
    wide = box.width - 2
    yield svg.text(city.name, (x, y + 4.5), f"name halo{away}", wide)
    yield svg.text(city.name, (x, y + 4.5), f"name{away}", wide)
