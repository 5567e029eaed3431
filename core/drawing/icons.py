"""Fuels as little pictures, 16 units wide around their middle: told apart by shape, then colour."""

from functools import lru_cache
from typing import Final

from core.drawing import svg
from core.drawing.geometry import Point
from core.game.types import Resource

NO_FUEL: Final = "none"
"""Class and colour of what burns nothing."""
_SHAPES: Final = {
    Resource.COAL.value: "M-7.5 2.5L-5.5-4.5 0-7.5 6-4.5 7.5 2 3.5 7-4.5 6.5Z",
    Resource.OIL.value: "M0-8C3.5-3 6 0 6 3A6 5.6 0 0 1-6 3C-6 0-3.5-3 0-8Z",
    Resource.GARBAGE.value: "M-7-6H-2.5V-8H2.5V-6H7V-3.5H-7ZM-5.8-2.2H5.8L4.6 7.5H-4.6Z",
    Resource.URANIUM.value: (
        "M2 0A2 2 0 1 1-2 0 2 2 0 1 1 2 0Z"
        "M3.4 0H8A8 8 0 0 0 4-6.93L1.7-2.94A3.4 3.4 0 0 1 3.4 0Z"
        "M-1.7-2.94L-4-6.93A8 8 0 0 0-8 0H-3.4A3.4 3.4 0 0 1-1.7-2.94Z"
        "M-1.7 2.94L-4 6.93A8 8 0 0 0 4 6.93L1.7 2.94A3.4 3.4 0 0 1-1.7 2.94Z"
    ),
    NO_FUEL: (
        "M3.8 0A3.8 3.8 0 1 1-3.8 0 3.8 3.8 0 1 1 3.8 0Z"
        "M-1-8H1V-5H-1ZM-1 5H1V8H-1ZM-8-1H-5V1H-8ZM5-1H8V1H5Z"
        "M4.3-5.7L5.7-4.3 4-2.9 2.9-4ZM-4.3-5.7L-5.7-4.3-4-2.9-2.9-4Z"
        "M4.3 5.7L5.7 4.3 4 2.9 2.9 4ZM-4.3 5.7L-5.7 4.3-4 2.9-2.9 4Z"
    ),
}
_CUTS: Final = {
    Resource.COAL.value: "M-7-.5L-1 1 1.5-5.5M-1 1L1 6.5M-1 1L7-.5",
    Resource.OIL.value: "M-3.2 2.6A3.4 3.4 0 0 0-.4 5.6",
    Resource.GARBAGE.value: "M-2.2 .5L-1.7 5M2.2 .5L1.7 5",
}
"""Lines left white inside, so that the shape reads without its colour."""


@lru_cache(maxsize=1024)
def icon(fuel: str, at: Point, scale: float = 1.0) -> str:
    """The picture of a fuel, by the value of its `Resource` or `NO_FUEL`."""
    parts = [svg.tag("path", d=_SHAPES[fuel], class_=fuel)]
    if fuel in _CUTS:
        parts.append(svg.tag("path", d=_CUTS[fuel], class_="cut"))
    grown = "" if scale == 1 else f" scale({scale:.2f})"
    return svg.tag(
        "g", *parts, transform=f"translate({svg.number(at[0])} {svg.number(at[1])}){grown}"
    )


def fuel_icon(fuel: str, size: float = 20) -> str:
    """The picture alone, to stand before its word in a page; hidden from readers of the screen."""
    return svg.tag(
        "svg",
        icon(fuel, (0, 0)),
        xmlns="http://www.w3.org/2000/svg",
        class_="icon",
        aria_hidden="true",
        viewBox="-9 -9 18 18",
        width=size,
        height=size,
    )
