"""How long a page takes in the web process, from request to answer, without network."""

import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles

import pytest

from core.bots.random_bot import RandomBot
from core.game.log.jsonl import log_of
from core.game.rules.load import load
from core.table.people import archive
from tests.support.postgres_server import PostgresServer, find_programs
from tests.support.site import Site, Visitor, open_site
from webapp.instruments.selfplay import play_game

TIMES = 60
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Franz")
ROUND = 6


def lines() -> Iterator[str]:
    """Pages of a game of six: running, on SQLite; finished and long, on both databases.

    Beside the time on the wall stands that on the processor, which a busy machine leaves alone.
    """
    with tempfile.TemporaryDirectory(prefix="kp-bench-") as data:
        yield from _on(Path(data) / "sqlite", "SQLite")
        programs = find_programs()
        if programs is None:
            yield "PostgreSQL: none here, not measured"
            return
        server = PostgresServer(programs)
        try:
            server.start()
            url = server.create_database()
            yield from _on(Path(data) / "postgresql", "PostgreSQL", DATABASE_URL=url)
        finally:
            server.close()


def _on(data: Path, database: str, **environment: str) -> Iterator[str]:
    with (
        pytest.MonkeyPatch.context() as patch,
        open_site(data, patch, LOG_LEVEL="ERROR", **environment) as site,
    ):
        if database == "SQLite":
            yield from _running(site)
        yield from _long(site, database)


def _running(site: Site) -> Iterator[str]:
    """Pages of a game in its sixth round, as a player sees them."""
    game_id = site.house.start(*NAMES)
    site.house.play(game_id, until=lambda state: state.round == ROUND)
    visitor = site.at(game_id, site.house.asked(game_id)[0].seat)
    length = site.house.game(game_id).seq
    yield f"a running game of {length} events:"
    for name, path in (
        ("game page, with its form", f"/games/{game_id}"),
        ("replay, in the middle", f"/games/{game_id}/at/{length // 2}"),
        ("lobby", "/"),
    ):
        yield f"  {name}: {_measured(visitor, [path] * TIMES)}"


def _long(site: Site, database: str) -> Iterator[str]:
    """A finished game as long as aimless players make it: positions that nobody has kept yet."""
    rules = load("germany", options={"auction": "open"})
    log = play_game(rules, [RandomBot(str(n)) for n in range(len(NAMES))], "be" * 32)
    began = site.house.now - timedelta(days=len(log))
    with site.house.write() as s:
        times = [began + timedelta(hours=n) for n in range(len(log))]
        game_id = archive.import_log(s, log_of(log, NAMES, times), site.house.now).id
    yield f"a finished game of {len(log)} events, {database}:"
    visitor, at = site.visitor(), f"/games/{game_id}/at"
    for name, last in (("in its middle", len(log) // 2), ("at its end", len(log))):
        paths = [f"{at}/{last - n}" for n in range(TIMES)]
        yield f"  replay {name}: {_measured(visitor, paths)}"
    yield f"  story: {_measured(visitor, [f'/games/{game_id}/story'] * TIMES)}"


def _measured(visitor: Visitor, paths: list[str]) -> str:
    """The first answer apart: it folds the log and lays out the map, and the next ones need not."""
    first, *took = [_time(visitor, path) for path in paths]
    wall, work = ([one[i] * 1000 for one in took] for i in (0, 1))
    return (
        f"p50 {median(wall):.0f} ms, p95 {quantiles(wall, n=20)[-1]:.0f} ms "
        f"(processor {median(work):.0f} and {quantiles(work, n=20)[-1]:.0f}; "
        f"the first {first[0] * 1000:.0f})"
    )


def _time(visitor: Visitor, path: str) -> tuple[float, float]:
    began, worked = time.perf_counter(), time.process_time()
    visitor.page(path)
    return time.perf_counter() - began, time.process_time() - worked
