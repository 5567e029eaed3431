"""The board as SVG, PNG and words."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from core.drawing import raster as pictures
from core.drawing import style
from core.drawing.board import SHAPES, board
from core.drawing.layout import caption
from core.drawing.raster import png
from core.drawing.scene import Mark, Scene, city_rows, describe
from core.drawing.style import PLAYERS
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import CityId, Elektro, RegionId, Seat

MARKS = {Seat(i): Mark(Seat(i), "ABCDEF"[i], c, f"Player {i}") for i, c in enumerate(PLAYERS)}
EAST = frozenset(map(RegionId, ("green", "brown", "yellow", "red")))
BERLIN, HALLE, KOLN = CityId("berlin"), CityId("halle"), CityId("koln")


def scene(**changed: object) -> Scene:
    plain = Scene(load("germany").map, EAST, MARKS, look="light")
    return replace(plain, **changed)  # type: ignore[arg-type]


def parts(svg: str, class_: str) -> list[ET.Element]:
    """All elements of exactly these classes."""
    return [e for e in ET.fromstring(svg).iter() if e.get("class") == class_]


def city(svg: str, key: str) -> ET.Element:
    return next(e for e in ET.fromstring(svg).iter() if e.get("data-city") == key)


def inside(element: ET.Element) -> Counter[str]:
    return Counter(e.get("class") for e in element.iter() if e.get("class"))


def test_it_says_what_it_is() -> None:
    root = ET.fromstring(board(scene(houses={BERLIN: (Seat(0),)}), ids="now"))
    assert root.get("role") == "img"
    texts = {e.get("id"): e.text for e in root if e.get("id")}
    assert texts[root.get("aria-labelledby", "")] == "Board: Germany"
    assert "Player 0 (A), 1 city: Berlin." in (texts[root.get("aria-describedby", "")] or "")


def test_two_boards_in_one_page_share_no_id() -> None:
    one, two = (set(re.findall(r' id="([^"]+)"', board(scene(), ids))) for ids in ("a", "b"))
    assert one
    assert not one & two
    assert set(re.findall(r"url\(#([^)]+)\)", board(scene(), "a"))) <= one


def test_words_are_escaped() -> None:
    bad = '<script>alert("x")</script>&'
    germany = load("germany").map
    cities = tuple(replace(c, name=bad) if c.id == BERLIN else c for c in germany.cities)
    regions = tuple(replace(r, name=bad) for r in germany.regions)
    marks = {seat: replace(mark, name=bad, letter="<") for seat, mark in MARKS.items()}
    drawn = board(
        scene(
            board=replace(germany, name=bad, cities=cities, regions=regions),
            marks=marks,
            houses={BERLIN: (Seat(0),)},
        )
    )
    assert "<script" not in drawn
    assert bad in [e.text for e in ET.fromstring(drawn).iter()]


@pytest.mark.parametrize("name", [info.key for info in catalog.maps()])
def test_every_city_connection_and_cost_in_play_is_there(name: str) -> None:
    rules = load(name)
    regions = frozenset(r.id for r in rules.map.regions[:5])
    drawn = board(Scene(rules.map, regions, MARKS))
    home = {c.id: c.region for c in rules.map.cities}
    costs = [str(c.cost) for c in rules.map.connections if {home[c.a], home[c.b]} <= regions]
    if not any(c.cost for c in rules.map.connections):
        costs = []  # then the cities cost something, which stands behind their names
    assert sorted(e.text or "" for e in parts(drawn, "cost")) == sorted(costs)
    names = [caption(c) for c in rules.map.cities if c.region in regions]
    assert [e.text for e in parts(drawn, "name")] == names
    assert len(parts(drawn, "city")) == len(names)
    away = len(rules.map.cities) - len(names)
    assert (len(parts(drawn, "name away")), len(parts(drawn, "dot"))) == (away, away)


@pytest.mark.parametrize("open_places", [1, 2, 3])
def test_three_places_are_always_drawn_and_closed_ones_marked(open_places: int) -> None:
    """R9.4."""
    found = inside(city(board(scene(step=open_places)), "berlin"))
    assert (found["place"], found["closed"]) == (open_places, 3 - open_places)


def test_m73_a_house_is_colour_shape_and_letter() -> None:
    houses = {BERLIN: (Seat(2), Seat(0))}
    drawn = city(board(scene(houses=houses, step=3)), "berlin")
    shapes = [e for e in drawn.iter() if str(e.get("class")).startswith("house")]
    assert [e.get("class") for e in shapes] == ["house teal", "house navy"]
    assert [e.get("d") for e in shapes] == [SHAPES["teal"], SHAPES["navy"]]
    letters = [e.text for e in drawn.iter() if str(e.get("class")).startswith("letter")]
    assert letters == ["C", "A"]


def test_no_two_colours_share_a_shape() -> None:
    assert set(SHAPES) == set(PLAYERS)
    assert len(set(SHAPES.values())) == len(PLAYERS)


def test_houses_beyond_the_step_still_show() -> None:
    """A plan for the next Step, or a rule that counts otherwise, hides no house."""
    houses = {BERLIN: (Seat(0), Seat(1))}
    found = inside(city(board(scene(houses=houses, step=1)), "berlin"))
    assert (found["place"], found["closed"]) == (2, 1)


def test_planned_houses_are_dashed() -> None:
    drawn = city(
        board(scene(houses={BERLIN: (Seat(0),)}, planned={BERLIN: Seat(3)}, step=2)),
        "berlin",
    )
    assert inside(drawn)["house red planned"] == 1
    assert inside(drawn)["house navy"] == 1
    assert "stroke-dasharray" in style.RULES.split(".house.planned{")[1].split("}")[0]


def test_targets_carry_their_total_and_can_be_hit() -> None:
    targets = {BERLIN: Elektro(46), HALLE: Elektro(114)}
    drawn = board(scene(targets=targets, houses={HALLE: (Seat(0),)}, step=2))
    assert [e.text for e in parts(drawn, "total")] == ["46", "114"]
    assert {e.get("data-city") for e in parts(drawn, "city target")} == set(targets)
    assert len(parts(drawn, "hit")) == 2


@pytest.mark.parametrize("taken", [0, 1, 2])
@pytest.mark.parametrize("total", [9, 46, 114])
def test_a_price_covers_no_name_and_no_house(taken: int, total: int) -> None:
    from core.drawing.board import _price_box
    from core.drawing.layout import layout

    for spot in layout(load("usa").map).spots.values():
        box = _price_box(str(total), spot.middles()[: taken + 1], spot)
        assert not box.meets(spot.name)
        for x, _ in spot.middles()[:taken]:
            assert box.left > x + 2 or total > 99


def test_paths_and_rings_are_marked() -> None:
    path = (BERLIN, HALLE, CityId("erfurt"))
    drawn = board(scene(paths=(path,), ringed=frozenset({HALLE})))
    assert parts(drawn, "wire path")[0].get("d", "").count("M") == 2
    assert len(parts(drawn, "tag path")) == 2
    assert len(parts(drawn, "ring")) == 1


def test_regions_not_in_play_are_hatched() -> None:
    drawn = board(scene(), "x")
    assert drawn.count('fill="url(#x-off)"') == 2
    assert all(parts(drawn, f"r{i}") for i in range(4))
    assert not parts(drawn, "r4")


def test_in_a_page_the_picture_brings_no_style() -> None:
    """The pages' Content-Security-Policy allows none."""
    drawn = board(scene(look="page"))
    assert "<style" not in drawn
    assert "style=" not in drawn
    assert not re.search(r"#[0-9a-f]{6}", drawn)


def test_every_class_has_a_rule() -> None:
    drawn = board(
        scene(
            houses={BERLIN: (Seat(0), Seat(1), Seat(2))},
            planned={HALLE: Seat(3)},
            targets={CityId("essen"): Elektro(10)},
            paths=((BERLIN, HALLE),),
            ringed=frozenset({BERLIN}),
        )
    )
    used = {word for e in ET.fromstring(drawn).iter() for word in str(e.get("class") or "").split()}
    known = set(re.findall(r"\.([a-z][a-z0-9-]*)", style.RULES))
    assert used - known <= {"city", "map", "rim"}


def test_alone_the_picture_names_all_its_colours() -> None:
    assert "var(" not in board(scene(look="light"))


def test_a_picture_that_is_too_large_gets_fewer_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = board(scene())
    full = png(drawn)
    monkeypatch.setattr(pictures, "MOST_BYTES", len(full) - 1)
    assert len(png(drawn)) < len(full)


def test_letters_are_drawn_by_the_vendored_typeface() -> None:
    """Without fonts words vanish silently."""
    with_words = png(board(scene()))
    without = png(re.sub(r"<text.*?</text>", "", board(scene())))
    assert len(with_words) > 1.2 * len(without)


def test_the_same_in_words() -> None:
    shown = scene(houses={BERLIN: (Seat(1), Seat(0)), HALLE: (Seat(1),)}, planned={KOLN: Seat(0)})
    words = describe(shown).splitlines()
    assert words[0] == "Regions in play: North-west, North-east, Centre, West."
    assert words[1:3] == ["Player 0 (A), 1 city: Berlin.", "Player 1 (B), 2 cities: Berlin, Halle."]
    assert words[3] == "Player 2 (C), 0 cities."
    assert words[-1] == "Planned: Köln."


def test_the_table_beside_the_board_holds_every_city_in_play() -> None:
    rows = city_rows(scene(houses={BERLIN: (Seat(1), Seat(0))}, step=3))
    assert len(rows) == 28
    row = next(row for row in rows if row.city == BERLIN)
    assert (row.region, row.owners, row.places_left) == ("North-east", ("Player 1", "Player 0"), 1)
