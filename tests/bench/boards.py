"""A board as a mail's picture: drawn whole, put together for the first time, and from then on."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from core.drawing import composed, raster
from core.drawing.board import board
from core.drawing.scene import Mark, Scene
from core.drawing.style import PLAYERS
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import Elektro, Seat

MOST = 85_000
MARKS = {Seat(n): Mark(Seat(n), "ABCDEF"[n], c, "") for n, c in enumerate(PLAYERS)}


def lines() -> Iterator[str]:
    """Medians over all maps, with 26 houses and 6 prices; every picture is another one."""
    whole, first, later, size = [], [], [], []
    with TemporaryDirectory(prefix="kp-bench-") as data:
        composed.keep_in(Path(data))
        for info in catalog.maps():
            one, *more = _scenes(info.key)
            whole.append(_time(lambda: raster.png(board(one))))  # noqa: B023 – called at once
            composed.base.cache_clear()
            first.append(_time(lambda: composed.picture(one, MOST)))  # noqa: B023
            later += [_time(lambda: composed.picture(scene, MOST)) for scene in more]  # noqa: B023
            size.append(len(composed.picture(one, MOST)))
    yield f"a board as PNG, median of {len(whole)} maps: drawn whole {median(whole):.0f} ms"
    yield f"  put together: {median(later):.1f} ms, the first of its kind {median(first):.0f} ms"
    yield f"  {median(size) / 1000:.0f} kB, the largest {max(size) / 1000:.0f} kB"


def _scenes(name: str) -> list[Scene]:
    rules = load(name)
    cities = [city.id for city in rules.map.cities]
    regions = frozenset(region.id for region in rules.map.regions)
    targets = {city: Elektro(17) for city in cities[26:32]}
    return [
        Scene(
            rules.map,
            regions,
            MARKS,
            {city: (Seat((i + n) % 6),) for i, city in enumerate(cities[:26])},
            2,
            targets=targets,
            look="light",
        )
        for n in range(6)
    ]


def _time(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000
