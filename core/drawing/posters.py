"""Pictures that travel alone: a still of a game's film, the card that goes with a link.

Both are plain facts and a board; who makes them chooses only what everybody may know.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.drawing import layout, style, svg
from core.drawing.board import board, house
from core.drawing.geometry import Box, Point
from core.drawing.scene import Mark, Scene
from core.drawing.style import THEMES

CARD: Final = (1200, 630)
"""Pixels of a card, as previews of links want it."""
_COLOURS: Final = THEMES["light"]
_BREAKABLE: Final = re.compile(r"\s*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)")
"""What a line end may stand behind."""
_BAND: Final = 54.0
_ROW: Final = 25.0
_PICTURE: Final = 566.0
"""Side of the square of a card in which the board stands."""
_MARGIN: Final = 32.0


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line: their house, their name, and facts about them."""

    mark: Mark
    facts: str


def ground(scene: Scene, players: int) -> str:
    """Draw what stills of a film share while Step and regions stay: the board without houses."""
    sheet = layout.layout(scene.board).sheet
    bare = replace(scene, houses={})
    return _picture(_still_size(sheet, players), _paper(), _placed(board(bare), (0, _BAND), 1))


def still(scene: Scene, title: str, heading: str, rows: Sequence[Row]) -> str:
    """Draw what lies on the `ground`: a band above the board, houses, the players side by side."""
    sheet = layout.layout(scene.board).sheet
    half = sheet.width / 2
    return _picture(
        _still_size(sheet, len(rows)),
        svg.tag("style", style.houses()),
        _words(_fit(title, sheet.width - 24, 15), (12, 22), 15, colour="soft"),
        _words(_fit(heading, sheet.width - 24, 19, bold=True), (12, 45), 19, bold=True),
        svg.tag(
            "g", *_houses(scene), class_="map", transform=_shift(-sheet.left, _BAND - sheet.top)
        ),
        *(
            part
            for n, row in enumerate(rows)
            for part in _row(
                row, (22 + n % 2 * half, _BAND + sheet.height + 18 + n // 2 * _ROW), half - 22, 1
            )
        ),
    )


def _still_size(sheet: Box, players: int) -> Point:
    return sheet.width, _BAND + sheet.height + (players + 1) // 2 * _ROW + 12


def _houses(scene: Scene) -> Iterator[str]:
    spots = layout.layout(scene.board).spots
    for city, seats in scene.houses.items():
        for seat, at in zip(seats, spots[city].middles(), strict=False):
            yield house(scene.marks[seat], at)


def card(scene: Scene, title: str, lines: Sequence[str], rows: Sequence[Row]) -> str:
    """Return the board on the left; the table's name, some lines and the players on the right."""
    sheet = layout.layout(scene.board).sheet
    scale = min(_PICTURE / sheet.width, _PICTURE / sheet.height)
    at = (
        _MARGIN + (_PICTURE - sheet.width * scale) / 2,
        (CARD[1] - sheet.height * scale) / 2,
    )
    left = _MARGIN + _PICTURE + 30
    room = CARD[0] - _MARGIN - left
    heads = _wrapped(title, room, 40, bold=True)
    told = [part for text in lines for part in _wrapped(text, room, 24)]
    y = 130.0 + 46 * (len(heads) - 1)
    return _picture(
        CARD,
        _paper(),
        svg.tag("rect", width=CARD[0], height=12, fill=_COLOURS["signal"]),
        _placed(board(scene), at, scale),
        _words("KRAFTPOST", (left, 70), 20, bold=True, spread=5),
        *(_words(text, (left, 130 + 46 * n), 40, bold=True) for n, text in enumerate(heads)),
        *(_words(text, (left, y + 40 + 34 * n), 24, colour="soft") for n, text in enumerate(told)),
        *(
            part
            for n, row in enumerate(rows)
            for part in _row(row, (left + 16, y + 40 + 34 * len(told) + 44 * n + 22), room, 1.7)
        ),
    )


def _picture(size: Point, *parts: str) -> str:
    return svg.sheet(Box(0, 0, *size), *parts)


def _paper() -> str:
    return svg.tag("rect", width="100%", height="100%", fill=_COLOURS["sheet"])


def _shift(x: float, y: float) -> str:
    return f"translate({svg.number(x)} {svg.number(y)})"


def _placed(drawn: str, at: Point, scale: float) -> str:
    return svg.tag("g", drawn, transform=f"{_shift(*at)} scale({scale:.4f})")


def _row(row: Row, at: Point, room: float, scale: float) -> Iterator[str]:
    """Yield a house, the name in bold, the facts behind it as far as there is room."""
    x, y = at
    size = 13.5 * scale
    yield _placed(svg.tag("g", house(row.mark, (0, 0)), class_="map"), at, scale)
    start = x + 15 * scale
    facts = style.width(row.facts, size)
    name = style.drawable(row.mark.name) or row.mark.letter
    name = _fit(name, room - 24 * scale - facts, size, bold=True)
    yield _words(name, (start, y + 5 * scale), size, bold=True)
    behind = start + style.width(name, size, bold=True) + 7 * scale
    yield _words(row.facts, (behind, y + 5 * scale), size)


def _words(
    text: str, at: Point, size: float, *, bold: bool = False, colour: str = "ink", spread: float = 0
) -> str:
    return svg.tag(
        "text",
        svg.escape(text),
        x=at[0],
        y=at[1],
        font_size=size,
        font_weight="bold" if bold else None,
        fill=_COLOURS[colour],
        letter_spacing=spread or None,
    )


def _fit(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return a text cut to its room, with an ellipsis where something is missing."""
    if style.width(text, size, bold) <= room:
        return text
    while text and style.width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def _wrapped(text: str, room: float, size: float, bold: bool = False) -> list[str]:
    """Return a text in two lines at most, broken at spaces and between Han signs."""
    lines = [""]
    for word in _BREAKABLE.findall(style.drawable(text)):
        longer = lines[-1] + word
        if len(lines) < 2 and lines[-1] and style.width(longer, size, bold) > room:
            lines.append(word.strip())
        else:
            lines[-1] = longer
    return [_fit(line, room, size, bold) for line in lines]
