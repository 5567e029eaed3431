"""The land of each city, so that regions can be tinted and their borders drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.drawing.geometry import Box, Point
from core.game.types import CityId, RegionId

_Edge = tuple[Point, CityId | None]
"""A corner and the neighbour across the side that starts there."""


@dataclass(frozen=True, slots=True)
class Cell:
    """All points that lie closer to this city than to any other."""

    city: CityId
    region: RegionId
    corners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Border:
    """A piece of the border between two regions."""

    regions: tuple[RegionId, RegionId]
    ends: tuple[Point, Point]


def divide(
    places: Mapping[CityId, Point], home: Mapping[CityId, RegionId], sheet: Box
) -> tuple[tuple[Cell, ...], tuple[Border, ...]]:
    """Divide the sheet among the cities, and find where regions meet."""
    cells, borders = [], []
    for city in places:
        shape = _cell(city, places, sheet)
        cells.append(Cell(city, home[city], tuple(point for point, _ in shape)))
        for (start, other), (end, _) in zip(shape, shape[1:] + shape[:1], strict=True):
            if other is not None and city < other and home[city] != home[other]:
                borders.append(Border((home[city], home[other]), (start, end)))
    return tuple(cells), tuple(borders)


def _cell(city: CityId, places: Mapping[CityId, Point], sheet: Box) -> list[_Edge]:
    shape: list[_Edge] = [
        ((sheet.left, sheet.top), None),
        ((sheet.right, sheet.top), None),
        ((sheet.right, sheet.bottom), None),
        ((sheet.left, sheet.bottom), None),
    ]
    for other, place in places.items():
        if other != city:
            shape = _cut(shape, places[city], place, other)
    return shape


def _cut(shape: Sequence[_Edge], own: Point, place: Point, other: CityId) -> list[_Edge]:
    """Keep what lies on the own side of the line half way to the other city."""
    x, y = place[0] - own[0], place[1] - own[1]
    limit = (place[0] ** 2 + place[1] ** 2 - own[0] ** 2 - own[1] ** 2) / 2
    over = [point[0] * x + point[1] * y - limit for point, _ in shape]
    kept: list[_Edge] = []
    for i, (point, neighbour) in enumerate(shape):
        follow = (i + 1) % len(shape)
        if over[i] <= 0:
            kept.append((point, neighbour))
        if (over[i] <= 0) != (over[follow] <= 0):
            end, t = shape[follow][0], over[i] / (over[i] - over[follow])
            crossing = (point[0] + (end[0] - point[0]) * t, point[1] + (end[1] - point[1]) * t)
            kept.append((crossing, other if over[i] <= 0 else neighbour))
    return kept
