"""Writing SVG: elements as text, everything escaped."""

from html import escape as _escape
from typing import Final

from core.drawing.geometry import Box, Point

Attribute = str | float | None


class _Names(dict[str, str]):
    """Names of attributes as Python writes them, and as SVG does."""

    def __missing__(self, key: str) -> str:
        self[key] = key.rstrip("_").replace("_", "-")
        return self[key]


_NAMES: Final = _Names()


def tag(name: str, *inside: str, **attributes: Attribute) -> str:
    """Return an element; attributes that are None are left out, ``class_`` is written ``class``.

    What stands inside must be SVG already: text goes through `text`.
    """
    words = "".join([
        f' {_NAMES[key]}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    ])  # fmt: skip
    body = "".join(inside)
    return f"<{name}{words}>{body}</{name}>" if body else f"<{name}{words}/>"


def sheet(box: Box, *inside: str, **attributes: Attribute) -> str:
    """Return a whole picture, as large as the box that it shows."""
    return tag(
        "svg",
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        **attributes,
        viewBox=" ".join(map(number, (box.left, box.top, box.width, box.height))),
        width=box.width,
        height=box.height,
        font_family="DejaVu Sans",
        font_stretch="condensed",
    )


def text(words: str, at: Point, class_: str, fit: float | None = None) -> str:
    """Return words around a middle; with `fit`, squeezed into that width in whatever typeface."""
    return tag(
        "text",
        escape(words),
        x=at[0],
        y=at[1],
        class_=class_,
        textLength=fit,
        lengthAdjust=None if fit is None else "spacingAndGlyphs",
    )


def rect(box: Box, class_: str, round_: float | None = None) -> str:
    """Return a rectangle."""
    return tag(
        "rect",
        x=box.left,
        y=box.top,
        width=box.width,
        height=box.height,
        rx=round_,
        class_=class_,
    )


def path(*lines: tuple[Point, ...], closed: bool = False) -> str:
    """Return the data of a path through these points."""
    end = "Z" if closed else ""
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in line) + end for line in lines
    )


def escape(words: str) -> str:
    """Text safe inside an element or an attribute."""
    return _escape(words)


def number(value: float) -> str:
    """Return a number as short as a tenth allows."""
    return f"{value:.1f}".removesuffix(".0")


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)
