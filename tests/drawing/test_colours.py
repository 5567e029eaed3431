"""Contrast, and three families of colour that never mix."""

import re
from itertools import combinations
from math import sqrt

import pytest

from core.drawing import style
from core.drawing.style import LETTERS, PLAYERS, REGION_TINTS, THEMES

FUELS = ("coal", "oil", "garbage", "uranium", "none")
TINTS = tuple(f"r{i}" for i in range(REGION_TINTS))
EVERY_THEME = pytest.mark.parametrize("theme", THEMES)


def lab(colour: str) -> tuple[float, float, float]:
    """CIE L*a*b* of #rrggbb, D65."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def contrast(one: str, two: str) -> float:
    """Contrast of two colours (#rrggbb) after WCAG 2.2, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def difference(one: str, two: str) -> float:
    return sqrt(sum((a - b) ** 2 for a, b in zip(lab(one), lab(two), strict=True)))


@pytest.mark.parametrize(
    ("one", "two", "ratio"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#123456", "#123456", 1.0)],
)
def test_contrast_as_the_guidelines_count_it(one: str, two: str, ratio: float) -> None:
    assert contrast(one, two) == pytest.approx(ratio, abs=0.01)
    assert contrast(two, one) == contrast(one, two)


@EVERY_THEME
def test_m73_words_stand_out_from_all_they_are_written_on(theme: style.Theme) -> None:
    colours = THEMES[theme]
    pairs = [("ink", back) for back in (*TINTS, "land", "sheet", "paper")]
    pairs += [("soft", back) for back in ("land", "sheet", "paper")]
    pairs += [("on-fuel", back) for back in FUELS]
    pairs += [("on-signal", "signal")]
    for front, back in pairs:
        assert contrast(colours[front], colours[back]) >= 4.5, (front, back)


@pytest.mark.parametrize("name", PLAYERS)
def test_letters_stand_out_from_houses(name: str) -> None:
    assert contrast(LETTERS[name], PLAYERS[name]) >= 4.5


@EVERY_THEME
@pytest.mark.parametrize("name", PLAYERS)
def test_letters_stand_out_from_planned_houses(theme: style.Theme, name: str) -> None:
    """A planned house is the house, three parts in ten, over the sheet."""
    assert ".house.planned{fill-opacity:0.3;" in style.RULES
    sheet, house = THEMES[theme]["sheet"], PLAYERS[name]
    parts = [(int(house[i : i + 2], 16), int(sheet[i : i + 2], 16)) for i in (1, 3, 5)]
    mixed = "#" + "".join(f"{round(0.3 * a + 0.7 * b):02x}" for a, b in parts)
    assert contrast(THEMES[theme]["ink"], mixed) >= 4.5


@EVERY_THEME
def test_lines_and_pictures_stand_out(theme: style.Theme) -> None:
    """3 to 1 for what is no text."""
    colours = THEMES[theme]
    for front in ("wire", "signal", *FUELS):
        for back in ("sheet", *(TINTS if front in ("wire", "signal") else ())):
            assert contrast(colours[front], colours[back]) >= 3, (front, back)
    for house in PLAYERS.values():
        edge = contrast(colours["house-edge"], colours["sheet"])
        assert max(contrast(house, colours["sheet"]), edge) >= 3


@EVERY_THEME
def test_the_three_families_do_not_mix(theme: style.Theme) -> None:
    colours = THEMES[theme]
    fuels = [colours[name] for name in FUELS]
    tints = [colours[name] for name in TINTS]
    families = [list(PLAYERS.values()), fuels, tints]
    for one, two in combinations(families, 2):
        for a in one:
            for b in two:
                assert difference(a, b) >= 12, (a, b)


@EVERY_THEME
def test_within_a_family_colours_differ(theme: style.Theme) -> None:
    colours = THEMES[theme]
    for one, two in combinations([colours[name] for name in FUELS], 2):
        assert difference(one, two) >= 14
    for one, two in combinations([colours[name] for name in TINTS[:6]], 2):
        assert difference(one, two) >= 5


def test_all_themes_name_the_same_colours() -> None:
    assert len({frozenset(colours) for colours in THEMES.values()}) == 1
    assert set(re.findall(r"var\(--([a-z0-9-]+)\)", style.RULES)) <= set(THEMES["light"])


def test_a_page_gets_both_themes_and_keeps_its_own_colours() -> None:
    sheet = style.page()
    assert sheet.count("--coal:") == 2
    assert "prefers-color-scheme:dark" in sheet
    for name in style.SHARED:
        assert f"--{name}:" not in sheet
