"""Plain text in columns and paragraphs, as wide as it looks: Chinese letters fill two places.

No line ever begins with four spaces: in our mails that is what marks a command.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from core.questions import Command

WIDTH: Final = 72
_ALIGNED: Final = 28  # longer commands stand alone; their prices are not lined up


def width(text: str) -> int:
    """Places that a text fills in a fixed-width font."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def clip(text: str, places: int) -> str:
    """A text cut to so many places, with an ellipsis where something is missing."""
    if width(text) <= places:
        return text
    while text and width(text) > places - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def columns(rows: Iterable[Sequence[object]], align: str) -> str:
    """Rows under each other; `align` has ``<`` or ``>`` for each column, the first is ``<``.

    >>> print(columns([("coal", 18, "3 3 4"), ("oil", 4, "7")], "<><"))
    coal  18  3 3 4
    oil    4  7
    """
    table = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(_padded(*cell) for cell in zip(row, widths, align, strict=True)).rstrip()
        for row in table
    ]
    return "\n".join(lines)


def fill(text: str, first: str = "", rest: str = "") -> str:
    """A paragraph broken at spaces; addresses are never broken."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullets(lines: Iterable[str]) -> str:
    """One paragraph for each line, behind a dash."""
    return "\n".join(fill(line, "- ", "  ") for line in lines)


def paragraphs(text: str) -> str:
    """Each line of a longer text as a paragraph of its own."""
    return "\n".join(fill(line) for line in text.splitlines())


def answers(commands: Iterable[Command]) -> str:
    """Commands, each alone on its line behind four spaces, and what it costs behind `` # ``."""
    lines = [(command.text, command.note) for command in commands]
    longest = max((width(text) for text, _note in lines if width(text) <= _ALIGNED), default=0)
    return "\n".join(
        f"    {_padded(text, longest, '<')} # {note}" if note else f"    {text}"
        for text, note in lines
    )


def _padded(text: str, places: int, align: str) -> str:
    blank = " " * (places - width(text))
    return blank + text if align == ">" else text + blank
