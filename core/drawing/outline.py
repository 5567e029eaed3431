"""The coasts behind a map: rings of longitude and latitude from data/outlines."""

import json
from functools import cache

from core.drawing.geometry import Point
from core.game.rules.catalog import DATA


@cache
def rings(name: str) -> tuple[tuple[Point, ...], ...]:
    """The outline of that name; none where a map has none of its own."""
    path = {file.stem: file for file in (DATA / "outlines").glob("*.json")}.get(name)
    if path is None:
        return ()
    document = json.loads(path.read_text("utf-8"))
    return tuple(tuple((lon, lat) for lon, lat in ring) for ring in document["rings"])
