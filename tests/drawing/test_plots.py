"""Plots: every value is in them, nothing lies over anything else, colour is never alone."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.drawing.plots import SLIM, Line, plot, plots
from core.drawing.style import PLAYERS

COLOURS = list(PLAYERS)
SVG = "{http://www.w3.org/2000/svg}"


def lines_of(columns):
    return [
        Line("ABCDEF"[n], f"player {n}", COLOURS[n], tuple(values))
        for n, values in enumerate(columns)
    ]


def drawn(columns, rounds, **how):
    numbers = list(range(1, rounds + 1))
    return ElementTree.fromstring(plot("Elektro by round", numbers, columns, **how))


VALUES = st.one_of(st.none(), st.integers(0, 900))


@given(st.data())
def test_every_value_is_a_point_in_the_picture_and_ends_keep_apart(data):
    rounds = data.draw(st.integers(1, 20))
    columns = data.draw(st.lists(st.lists(VALUES, min_size=rounds, max_size=rounds), max_size=6))
    lines = lines_of(columns)
    picture = drawn(lines, rounds, width=data.draw(st.sampled_from([SLIM, 560.0])))
    circles = picture.findall(f"{SVG}circle")
    points = [c for c in circles if "point" in c.get("class")]
    assert len(points) == sum(v is not None for line in lines for v in line.values)
    width, height = float(picture.get("width")), float(picture.get("height"))
    for circle in circles:
        assert 0 <= float(circle.get("cx")) <= width
        assert 7 <= float(circle.get("cy")) <= height
    ends = sorted(float(c.get("cy")) for c in circles if "end" in c.get("class"))
    assert all(b - a > 14.4 for a, b in pairwise(ends))


def test_higher_is_more_and_later_is_further_right():
    picture = drawn(lines_of([[10, 30, 20]]), 3)
    points = [
        (float(c.get("cx")), float(c.get("cy")))
        for c in picture.findall(f"{SVG}circle")
        if "point" in c.get("class")
    ]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert points[1][1] < points[2][1] < points[0][1]


def test_lines_are_told_apart_without_colour():
    picture = drawn(lines_of([[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]), 2)
    courses = [p for p in picture.findall(f"{SVG}path") if "course" in p.get("class")]
    assert len({p.get("stroke-dasharray") for p in courses}) == 6
    letters = [t.text for t in picture.findall(f"{SVG}text") if "letter" in t.get("class")]
    assert sorted(letters) == list("ABCDEF")


@pytest.mark.parametrize("top", [3, 7, 18, 21, 99, 101, 597, 1234])
def test_the_scale_has_round_numbers_and_room_for_the_highest_value(top):
    picture = drawn(lines_of([[top]]), 1)
    labels = [t.text for t in picture.findall(f"{SVG}text") if t.get("class") == "value"]
    assert all(label.isdigit() for label in labels)
    assert int(labels[-1]) >= top
    assert int(labels[-1]) <= max(5, 2 * top)


@pytest.mark.parametrize("rounds", [1, 12, 13, 40])
def test_a_phone_gets_a_plot_that_fits_with_its_labels_apart(rounds):
    both = ElementTree.fromstring(f"<a>{plots('Elektro', range(1, rounds + 1), [])}</a>")
    roomy, slim = both.findall(f"{SVG}svg")
    assert (roomy.get("class"), slim.get("class")) == ("plot", "plot slim")
    assert float(slim.get("width")) == SLIM < 320 < float(roomy.get("width"))
    at = [float(t.get("x")) for t in slim.findall(f"{SVG}text") if t.get("class") == "round"]
    assert all(b - a > 16 for a, b in pairwise(at))  # two digits of 12 px and a gap


def test_names_are_written_for_those_who_cannot_see_it():
    picture = ElementTree.fromstring(plot("Cities <&> of A", [1], lines_of([[1]])))
    assert picture.find(f"{SVG}title").text == picture.get("aria-label") == "Cities <&> of A"
