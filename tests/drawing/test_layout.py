"""Names, costs and cities find room on every map, at their true places (look 7)."""

from dataclasses import replace
from itertools import permutations, product
from math import hypot

import pytest

from core.drawing import layout as laying
from core.drawing import style
from core.drawing.geometry import distance_to_way
from core.drawing.layout import Layout, layout
from core.game.rules import catalog
from core.game.rules.knobs import City, Map
from core.game.rules.load import load
from core.game.types import CityId

BOARDS = {
    (board := load(m.key, v.key).map): f"{m.key} {v.key}"
    for m in catalog.maps()
    for v in catalog.variants()
}
EVERY_BOARD = pytest.mark.parametrize("board", BOARDS, ids=BOARDS.values())


@EVERY_BOARD
def test_nothing_covers_anything(board: Map) -> None:
    """No name over a name, a city or a cost."""
    assert layout(board).overlaps() == ()


def test_an_overlap_is_found() -> None:
    plan = layout(load("usa").map)
    spot = plan.spots[CityId("boston")]
    moved = replace(plan, spots={**plan.spots, CityId("miami"): spot})
    assert any("boston" in words and "miami" in words for words in moved.overlaps())


@EVERY_BOARD
def test_everything_lies_on_the_sheet(board: Map) -> None:
    plan = layout(board)
    boxes = [b for s in plan.spots.values() for b in (s.plate, s.name)]
    for box in boxes + [line.tag for line in plan.lines if line.tag]:
        assert plan.sheet.left <= box.left < box.right <= plan.sheet.right
        assert plan.sheet.top <= box.top < box.bottom <= plan.sheet.bottom


@EVERY_BOARD
def test_a_cost_stands_on_its_own_line(board: Map) -> None:
    tags = [(line.tag, line.way) for line in layout(board).lines if line.tag]
    assert all(distance_to_way(tag.middle, way) < 0.01 for tag, way in tags)
    assert len(tags) in (0, len(board.connections))


def test_a_map_of_free_lines_has_no_costs_on_it() -> None:
    board = load("usa").map
    free = replace(board, connections=tuple(replace(c, cost=0) for c in board.connections))
    assert all(line.tag is None for line in layout(free).lines)
    assert layout(free).overlaps() == ()


@EVERY_BOARD
def test_no_line_runs_through_the_houses_of_a_third_city(board: Map) -> None:
    plan = layout(board)
    assert [
        (line.a, line.b, key)
        for line in plan.lines
        for key, spot in plan.spots.items()
        if key not in (line.a, line.b) and spot.plate.chord(line.way) > 0
    ] == []


@EVERY_BOARD
def test_cities_keep_their_place_among_the_others(board: Map) -> None:
    """Who lies clearly north or west of another does so in the drawing."""
    plan = layout(board)
    place = laying.fit([(c.lon, c.lat) for c in board.cities])
    true = {c.id: place(c.lon, c.lat) for c in board.cities}
    for one, two in permutations(true, 2):
        for axis in (0, 1):
            if true[two][axis] - true[one][axis] > 85:
                assert plan.spots[one].at[axis] < plan.spots[two].at[axis], (one, two)


@EVERY_BOARD
def test_the_projection_keeps_the_compass(board: Map) -> None:
    place = laying.fit([(c.lon, c.lat) for c in board.cities])
    for one, two in permutations(board.cities, 2):
        if one.lat - two.lat > 3 and abs(one.lon - two.lon) < 12:
            assert place(one.lon, one.lat)[1] < place(two.lon, two.lat)[1]
        if two.lon - one.lon > 3 and abs(one.lat - two.lat) < 6:
            assert place(one.lon, one.lat)[0] < place(two.lon, two.lat)[0]


@EVERY_BOARD
def test_cities_are_moved_no_further_than_need_be(board: Map) -> None:
    plan = layout(board)
    place = laying.fit([(c.lon, c.lat) for c in board.cities])
    moved = [
        hypot(plan.spots[c.id].at[0] - x, plan.spots[c.id].at[1] - y)
        for c in board.cities
        for x, y in [place(c.lon, c.lat)]
    ]
    assert sum(moved) / len(moved) < 30
    assert max(moved) < 110


def test_a_crowded_flat_map_gets_a_taller_sheet() -> None:
    """Only as far as its cities stand in each other's way."""
    places = [(c.lon, c.lat) for c in load("usa").map.cities]
    low = [(lon, 38 + (lat - 38) / 2) for lon, lat in places]
    width = laying.WIDEST - 2 * laying.MARGIN
    heights = [(laying.fit(row).height - 2 * laying.MARGIN) / width for row in (places, low)]
    assert heights[1] > 0.65 * heights[0]


def test_the_same_map_comes_out_the_same() -> None:
    board = load("italy").map
    first = layout(board)
    layout.cache_clear()
    assert layout(board) == first


def test_type_is_large_enough_to_read() -> None:
    assert min(laying.NAME_SIZE, laying.COST_SIZE) >= 12


@EVERY_BOARD
def test_cities_are_large_enough_to_hit(board: Map) -> None:
    """24 pixels for a finger on the map; the list beside it is the larger target."""
    for spot in layout(board).spots.values():
        hit = spot.plate.grown(4)
        assert min(hit.right - hit.left, hit.bottom - hit.top) >= 24


@pytest.mark.parametrize("side", laying.SIDES)
def test_a_name_never_covers_its_own_houses(side: str) -> None:
    place = (100.0, 100.0)
    for name in ("Ulm", "Clermont-Ferrand"):
        box = laying.name_box(name, place, side)
        assert not box.meets(laying.plate_box(place))
        assert box.right - box.left >= style.width(name, laying.NAME_SIZE, bold=True)


def test_a_map_may_say_where_a_name_goes() -> None:
    board = load("france").map
    cities = tuple(replace(c, label="e") if c.id == "brest" else c for c in board.cities)
    spot = layout(replace(board, cities=cities)).spots[CityId("brest")]
    assert spot.name.left > spot.plate.right


@EVERY_BOARD
def test_regions_hold_their_cities_and_borders_part_two(board: Map) -> None:
    plan = layout(board)
    home = {c.id: c.region for c in board.cities}
    assert all(cell.region == home[cell.city] for cell in plan.cells)
    assert bool(plan.borders) is (len(board.regions) > 1)
    assert all(one != two for one, two in (border.regions for border in plan.borders))


def test_cells_share_out_the_sheet() -> None:
    plan = layout(load("germany").map)
    total = sum(abs(_area(cell.corners)) for cell in plan.cells)
    sheet = plan.sheet.grown(40)
    assert total == pytest.approx((sheet.right - sheet.left) * (sheet.bottom - sheet.top))


def _area(corners: tuple[tuple[float, float], ...]) -> float:
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2


def test_the_map_lies_between_its_coasts() -> None:
    """Nearly all cities stand on land, or at its coast, after both have moved together."""
    steps = (-40, 0, 40)  # as far as the places of a city reach from its middle
    for board in BOARDS:
        plan = layout(board)
        abroad = sum(bool(city.places) for city in board.cities)  # beyond a border, some
        at_sea = [
            city for city, spot in plan.spots.items()
            if not any(_inside(ring, (spot.at[0] + dx, spot.at[1] + dy))
                       for ring in plan.land for dx, dy in product(steps, steps))
        ]  # fmt: skip
        assert len(at_sea) <= 4 + abroad, (BOARDS[board], at_sea)


def _inside(ring: tuple[tuple[float, float], ...], at: tuple[float, float]) -> bool:
    crossings = sum(
        (ay > at[1]) != (by > at[1]) and at[0] < (bx - ax) * (at[1] - ay) / (by - ay) + ax
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)
    )
    return crossings % 2 == 1


def test_islands_without_cities_stand_apart() -> None:
    plan = layout(load("italy").map)
    assert (len(plan.land), len(plan.islands)) == (2, 1)


def test_a_map_without_outline_is_laid_out_all_the_same() -> None:
    plan = layout(replace(load("usa").map, outline=""))
    assert (plan.land, plan.overlaps()) == ((), ())


def test_outlines_are_found_by_name_only() -> None:
    assert laying.rings("../outlines/usa") == ()
    assert len(laying.rings("usa")) == 1


@pytest.mark.parametrize(
    "places",
    [
        {"one": (10.0, 50.0)},
        {"one": (10.0, 50.0), "two": (10.0, 51.0)},
        {"one": (10.0, 5.0), "two": (12.0, -5.0)},
        {"one": (10.0, 50.0), "two": (10.001, 50.001), "three": (10.002, 50.0)},
    ],
)
def test_odd_little_maps_are_drawn(places: dict[str, tuple[float, float]]) -> None:
    """One city, a straight line, across the equator, all in one spot."""
    usa = load("usa").map
    region = usa.regions[0].id
    cities = tuple(City(CityId(k), k, region, lat, lon) for k, (lon, lat) in places.items())
    plan: Layout = layout(replace(usa, cities=cities, connections=(), outline=""))
    assert plan.overlaps() == ()
