"""A map as a small sketch: coast, lines and cities, without a word."""

from functools import cache
from typing import Final

from core.drawing import svg
from core.drawing.geometry import Box
from core.drawing.layout import fit, rings
from core.game.rules.load import load

_STYLE: Final = (
    "path,circle{vector-effect:non-scaling-stroke}"
    ".land{fill:#e9e2cf;stroke:#8a8168;stroke-width:1}"
    ".line{fill:none;stroke:#5b6b73;stroke-width:1.1}"
    ".city{fill:#a6341b}"
    "@media(prefers-color-scheme:dark){"
    ".land{fill:#33392f;stroke:#7b826d}.line{stroke:#90a0a8}.city{fill:#f08a5d}}"
)
DOT: Final = 9.0
"""Radius of a city, of a sheet some 760 wide."""


@cache
def sketch(key: str) -> str:
    """Return the sketch of a map, by its key, as a picture of its own. Raises LookupError."""
    board = load(key).map
    places = {city.id: (city.lon, city.lat) for city in board.cities}
    project = fit(list(places.values()))
    at = {city: project(*place) for city, place in places.items()}
    land = [tuple(project(*point) for point in ring) for ring in rings(board.outline)]
    lines = svg.path(*((at[one.a], at[one.b]) for one in board.connections))
    return svg.sheet(
        Box(0, 0, project.width, project.height),
        svg.tag("style", _STYLE),
        svg.tag("path", d=svg.path(*land, closed=True), class_="land") if land else "",
        svg.tag("path", d=lines, class_="line"),
        *(svg.tag("circle", cx=x, cy=y, r=DOT, class_="city") for x, y in at.values()),
    )
