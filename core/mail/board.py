"""The board of a mail: a picture, and the same in words for readers without pictures (M20)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.drawing import summary
from core.drawing.board import board as draw
from core.drawing.from_view import scene
from core.drawing.png import png
from core.tableview import TableView

_WIDTHS: Final = (800, 640, 480)  # pixels
_MOST_BYTES: Final = 85_000
"""A third more when encoded: with text and HTML the mail stays below 150 KB."""
_KEPT: Final = 32
"""Pictures that a process remembers: all seats of a table get the same one."""


@dataclass(frozen=True, slots=True)
class Board:
    """The same board twice."""

    png: bytes
    text: str


def board(table: TableView) -> Board:
    """The board as the reader of this table may see it."""
    shown = scene(table.view, table.seats, look="light")
    return Board(_picture(draw(shown)), summary.describe(shown))


@lru_cache(maxsize=_KEPT)
def _picture(svg: str) -> bytes:
    pictures = (png(svg, width) for width in _WIDTHS)
    return next(one for one in pictures if len(one) <= _MOST_BYTES)
