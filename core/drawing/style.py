"""How the drawings look: one set of rules, for pages with variables, for mails with values."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, Literal

from babel import Locale
from PIL import ImageFont

from core.text import language

Theme = Literal["light", "dark"]

PLAYERS: Final = {
    "navy": "#0c5080",
    "yellow": "#ffe400",
    "teal": "#2ec49e",
    "red": "#dd2300",
    "pink": "#ff5ee6",
    "ink": "#212121",
}
"""House colours, told apart by everybody: CIEDE2000 of at least 23.6 for four kinds of vision."""
LETTERS: Final = {
    "navy": "#ffffff",
    "yellow": "#1d1d1d",
    "teal": "#1d1d1d",
    "red": "#ffffff",
    "pink": "#1d1d1d",
    "ink": "#ffffff",
}
"""The letter on each of them."""
REGION_TINTS: Final = 8
_LIGHT: Final = {
    "paper": "#f4efe2",
    "sheet": "#fffdf7",
    "ink": "#1d2733",
    "soft": "#565d66",
    "line": "#d2cab8",
    "edge": "#8b8576",
    "signal": "#a5330b",
    "on-signal": "#ffffff",
    "land": "#efeadc",
    "coast": "#a49c86",
    "wire": "#4a535d",
    "house-edge": "#1d2733",
    "r0": "#e4ecd6",
    "r1": "#f0e0d0",
    "r2": "#f5efc8",
    "r3": "#f4dcda",
    "r4": "#d8e9ea",
    "r5": "#e6dff0",
    "r6": "#dbe3f3",
    "r7": "#e6e6e0",
    "coal": "#6e5038",
    "oil": "#544c6e",
    "garbage": "#6b661c",
    "uranium": "#2f6b44",
    "none": "#4d6470",
    "on-fuel": "#ffffff",
}
_DARK: Final = {
    "paper": "#14181d",
    "sheet": "#1c2229",
    "ink": "#ece7da",
    "soft": "#aeaa9d",
    "line": "#39424c",
    "edge": "#79818b",
    "signal": "#ff9a70",
    "on-signal": "#1c1009",
    "land": "#242a30",
    "coast": "#6d7680",
    "wire": "#b5b3a8",
    "house-edge": "#ece7da",
    "r0": "#2c3a2c",
    "r1": "#413426",
    "r2": "#403d22",
    "r3": "#462d31",
    "r4": "#213d43",
    "r5": "#3a3050",
    "r6": "#283458",
    "r7": "#3b3e46",
    "coal": "#cda98a",
    "oil": "#b9b0d8",
    "garbage": "#cbc56f",
    "uranium": "#8acca4",
    "none": "#a9c0cc",
    "on-fuel": "#14181d",
}
THEMES: Final[Mapping[Theme, Mapping[str, str]]] = {"light": _LIGHT, "dark": _DARK}
SHARED: Final = {"paper", "sheet", "ink", "soft", "line", "edge", "signal", "on-signal"}
"""Names that the style sheet of the page defines, too, and there wins."""


_PLOTS: Final = (
    """
.plot .back{fill:var(--sheet)}
.plot .rung{stroke:var(--line);stroke-width:1}
.plot text{fill:var(--ink);font-size:12px}
.plot .value{text-anchor:end}
.plot .round,.plot .letter{text-anchor:middle}
.plot .letter{font-size:11px;font-weight:bold}
.plot .under{fill:none;stroke:var(--house-edge);stroke-width:4;stroke-linejoin:round}
.plot .course{fill:none;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:butt}
.plot .end,.plot .point{stroke:var(--house-edge);stroke-width:1}
"""
    + "".join(
        f".plot .course.{name}{{stroke:{colour}}}"
        f".plot .end.{name},.plot .point.{name}{{fill:{colour}}}"
        f".plot .letter.{name}{{fill:{LETTERS[name]}}}\n"
        for name, colour in PLAYERS.items()
    )
    + "".join(
        f".plot .course.{fuel}{{stroke:var(--{fuel});fill:none}}"
        f".plot .letter.{fuel}{{fill:var(--on-fuel)}}\n"
        for fuel in ("coal", "oil", "garbage", "uranium")
    )
)


_FACE: Final = (
    'font-family:"DejaVu Sans Condensed","DejaVu Sans","Arial Narrow",Arial,sans-serif;'
    "font-stretch:condensed"
)
RULES: Final = (
    """
.map{background:var(--sheet)}
.map text,.card text,.ladder text{fill:var(--ink);text-anchor:middle}
.ladder .back{fill:var(--sheet)}
.map .back{fill:var(--sheet)}
.map .land{fill:var(--land)}
.map .coast{fill:none;stroke:var(--coast);stroke-width:1.2;stroke-linejoin:round}
.map .border{fill:none;stroke:var(--edge);stroke-width:1.4;stroke-dasharray:6 4}
.map .hatch{stroke:var(--coast);stroke-width:1.1}
.map .wire{fill:none;stroke:var(--wire);stroke-width:1.7;stroke-linejoin:round}
.map .wire.away{stroke:var(--coast);stroke-width:1;stroke-dasharray:2 4}
.map .wire.path{stroke:var(--signal);stroke-width:4.5}
.map .tag{fill:var(--sheet);stroke:var(--wire);stroke-width:0.9}
.map .tag.path{stroke:var(--signal);stroke-width:2}
.map .cost{font-size:12px}
.map .name{font-size:12.5px;font-weight:bold}
.map .halo{fill:none;stroke:var(--sheet);stroke-width:3.2;stroke-linejoin:round;stroke-opacity:0.85}
.map .name.away{fill:var(--soft);font-weight:normal}
.map .dot{fill:var(--soft)}
.map .place{fill:var(--sheet);stroke:var(--ink);stroke-width:1.1}
.map .place.only{stroke-width:2.6}
.map .place.never{stroke-dasharray:3 2}
.map .shut{stroke:var(--edge);stroke-width:1}
.map .closed{fill:var(--land);stroke:var(--ink);stroke-width:1.1}
.map .ring{fill:none;stroke:var(--signal);stroke-width:3}
.map .aim{fill:none;stroke:var(--signal);stroke-width:2.2}
.map .price{fill:var(--signal)}
.map .total{fill:var(--on-signal);font-size:12.5px;font-weight:bold}
.map .hit{fill:transparent}
.map .target{cursor:pointer}
.map .dear .price,.map .dear .total{display:none}
.map .dear .aim{stroke:var(--edge);stroke-width:1.2;stroke-dasharray:2 3}
.map .picked .aim{fill:var(--signal);fill-opacity:0.22;stroke-width:4}
.map .hover .aim,.map .target:hover .aim{stroke:var(--ink);stroke-width:4}
.map .hover .hit,.map .target:hover .hit{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 2}
.house{stroke:var(--house-edge);stroke-width:1.1;stroke-linejoin:round}
.house.planned{fill-opacity:0.3;stroke-width:1.5;stroke-dasharray:3 2}
.map .letter{font-size:12px;font-weight:bold}
.card .face{fill:var(--sheet);stroke:var(--ink);stroke-width:1.4}
.card .number{font-size:24px;font-weight:bold;fill:var(--on-fuel)}
.card .cities{font-size:20px;font-weight:bold}
.card .rim{fill:none;stroke:var(--ink);stroke-width:1.4}
.card .band{fill:var(--signal)}
.card .or{fill:none;stroke:var(--edge);stroke-width:1}
.card .back{fill:var(--sheet)}
.card .arrow{fill:none;stroke:var(--ink);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.card .roof{fill:var(--ink)}
.icon .cut,.card .cut,.ladder .cut{
fill:none;stroke:var(--sheet);stroke-width:1.3;stroke-linecap:round}
.ladder .slot{fill:none;stroke:var(--edge);stroke-width:1}
.ladder .next{fill:none;stroke:var(--signal);stroke-width:2}
.ladder .coming{fill:none;stroke:var(--ink);stroke-width:1.2;stroke-dasharray:2 2}
.ladder .rung{stroke:var(--line);stroke-width:1}
.ladder .rate,.ladder .fuel,.ladder .left{font-size:12.5px}
.ladder .left{font-weight:bold}
"""
    + "".join(f".map .r{i}{{fill:var(--r{i});stroke:var(--r{i})}}\n" for i in range(REGION_TINTS))
    + "".join(
        f".house.{name}{{fill:{colour}}}.map .letter.{name}{{fill:{LETTERS[name]}}}\n"
        f".map .letter.planned.{name}{{fill:var(--ink)}}\n"
        for name, colour in PLAYERS.items()
    )
    + "".join(
        f".{fuel}{{fill:var(--{fuel})}}\n" for fuel in ("coal", "oil", "garbage", "uranium", "none")
    )
    + _PLOTS
)


_QUIET: Final = """
.map .hatch{stroke-opacity:0.3}
.map .aim{stroke-width:1.4;stroke-dasharray:4 2}
.map .price{fill:var(--sheet);stroke:var(--signal);stroke-width:1}
.map .total{fill:var(--signal)}
.map .picked .aim{stroke-dasharray:none;stroke-width:4}
.map .picked .price,.map .hover .price,.map .target:hover .price{fill:var(--signal)}
.map .picked .total,.map .hover .total,.map .target:hover .total{fill:var(--on-signal)}
.map .wire.case{stroke:var(--house-edge);stroke-width:7}
.map .wire.own{stroke-width:4.4}
.map .own{fill:none;stroke:var(--ink);stroke-width:2.4}
.map text.banner{font-size:30px;font-weight:bold;fill-opacity:0.42}
.map text.banner.chosen{fill-opacity:0.9}
""" + "".join(f".map .wire.{name}{{stroke:{colour}}}\n" for name, colour in PLAYERS.items())
"""On a page prices are quiet until they matter, and the reader's own network stands out."""


def page() -> str:
    """Return the style sheet of all drawings in a page, light and dark by the reader's wish."""
    return (
        f":root{{{_variables('light')}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables('dark')}}}}}\n"
        f".map,.card,.ladder,.plot{{{_FACE};max-width:100%;height:auto}}\n{RULES}{_QUIET}"
    )


def alone() -> str:
    """Return the same rules with light colours filled in, for a picture without a page around."""
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda m: _LIGHT[m.group(1)], RULES)


def houses() -> str:
    """Return only what houses need: an eighth of the time of all rules."""
    lines = alone().splitlines()
    wanted = (".map text", ".house", ".letter")
    return "\n".join(line for line in lines if any(word in line for word in wanted))


def _variables(theme: Theme) -> str:
    own = ((name, value) for name, value in THEMES[theme].items() if name not in SHARED)
    return "".join(f"--{name}:{value};" for name, value in own)


FOLDER: Final = Path(__file__).parent / "fonts"
_FURTHER: Final = re.compile("[\u0e00-\u0e7f\u1100-\u11ff\u2e80-\U0003ffff]")
"""Signs of scripts for which there are typefaces of their own, or none."""
REGULAR: Final = FOLDER / "DejaVuSansCondensed.ttf"
BOLD: Final = FOLDER / "DejaVuSansCondensed-Bold.ttf"
_MEASURED_AT: Final = 100
_SMALL: Final = 20
_NO_SIGN: Final = "\U0010ffff"
"""Drawn as every sign is that a typeface lacks."""


def typefaces(text: str) -> tuple[Path, ...]:
    """Return the files of the typefaces that draw a text; those of the reader's script first.

    Han signs look otherwise in each script, so the first that has a sign draws it.
    """
    return REGULAR, BOLD, *(_further(language()) if _FURTHER.search(text) else ())


def drawable(text: str) -> str:
    """Return a text without the signs that no typeface has."""
    faces = (REGULAR, *_further(language()))
    return "".join(
        sign for sign in text if sign.isascii() or any(_has(face, sign) for face in faces)
    ).strip()


def width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a word is drawn at a type size, in the unit of that size."""
    further = _further(language()) if _FURTHER.search(text) else ()
    return _measured(text, BOLD if bold else REGULAR, further) * size / _MEASURED_AT


@cache
def _measured(text: str, face: Path, further: tuple[Path, ...]) -> float:
    if not further:
        return _face(face).getlength(text)
    drawn = ((next((f for f in (face, *further) if _has(f, s)), face), s) for s in text)
    runs = groupby(drawn, key=lambda pair: pair[0])
    return sum(_face(f).getlength("".join(s for _f, s in run)) for f, run in runs)


@cache
def _further(locale: str) -> tuple[Path, ...]:
    script = Locale.parse(locale).script or ""
    return tuple(
        sorted(FOLDER.glob("NotoSans-*"), key=lambda path: (script not in path.stem, path))
    )


@cache
def _has(path: Path, sign: str) -> bool:
    plain = ImageFont.truetype(str(path), _SMALL, layout_engine=ImageFont.Layout.BASIC)
    return bytes(plain.getmask(sign)) != bytes(plain.getmask(_NO_SIGN))


@cache
def _face(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), _MEASURED_AT)
