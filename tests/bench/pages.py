"""How long a page takes in the web process, from request to answer, without network."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.support.site import Visitor, open_site

TIMES = 40
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Franz")
ROUND = 6


def lines() -> Iterator[str]:
    """Pages of a game of six in its sixth round, SQLite, as a player sees them."""
    with (
        tempfile.TemporaryDirectory(prefix="kp-bench-") as data,
        pytest.MonkeyPatch.context() as patch,
        open_site(Path(data), patch, LOG_LEVEL="ERROR") as site,
    ):
        game_id = site.house.start(*NAMES)
        site.house.play(game_id, until=lambda state: state.round == ROUND)
        visitor = site.at(game_id, site.house.asked(game_id)[0].seat)
        length = site.house.game(game_id).seq
        pages = {
            "game page, with its form": f"/games/{game_id}",
            "replay, in the middle": f"/games/{game_id}/at/{length // 2}",
            "lobby": "/",
        }
        for name, path in pages.items():
            took = [_time(visitor, path) for _ in range(TIMES)][1:]
            yield (
                f"{name} ({length} events): p50 {median(took) * 1000:.0f} ms, "
                f"p95 {quantiles(took, n=20)[-1] * 1000:.0f} ms"
            )


def _time(visitor: Visitor, path: str) -> float:
    began = time.perf_counter()
    visitor.page(path)
    return time.perf_counter() - began
