"""How long a page of the gallery takes with 100,000 games in PostgreSQL, as a stranger sees it."""

import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from statistics import median, quantiles

import pytest
from sqlalchemy import Engine, text

from core.store.session import write
from tests.support.postgres_server import PostgresServer, find_programs
from tests.support.site import Site, open_site

GAMES = 100_000
TIMES = 200
_SEED = (
    """INSERT INTO games (id, title, map, variant, options, regions, players, turn_hours, terms,
         private, chat, status, seed, seq, restless, attempts, flag, imported, edition, created_at,
         started_at, ended_at)
       SELECT n, 'Table ' || n, (ARRAY['germany','usa','france','italy'])[1 + n % 4],
         (ARRAY['standard','recharged'])[1 + n % 7 / 5], '{}', '[]', 2 + n * 7 % 5, 24, '{}',
         n % 10 = 0, true, 'finished', md5(n::text), 500, false, 0, '', n % 50 = 0, 0,
         t, t, t
       FROM (SELECT n, timestamptz '2020-01-01' + n * interval '17 minutes' AS t
             FROM generate_series(1, :games) AS n) AS g""",
    """INSERT INTO results (game_id, map, variant, auction, players, rounds, events, turns, seconds,
         step, ended_at, abandoned, private, imported, rated, unrated, due, closeness)
       SELECT id, map, variant, 'open', players, 6 + id * 31 % 12, 500, 120, 86400, 3, ended_at,
         id % 20 = 1, private, imported, NOT private AND id % 3 > 0, '', false,
         CASE WHEN id % 3 = 0 THEN id % 40 ELSE 1000 * (id % 4) + id % 90 END FROM games""",
    """INSERT INTO seats (game_id, seat, bot, name, letter, colour, joined_at, later_seconds,
         graces, open)
       SELECT id, s, 'engineer', 'Player ' || id * 13 % 900 + s, chr(65 + s), 'navy', created_at,
         '[]', 0, false FROM games, generate_series(0, 5) AS s WHERE s < players""",
    """INSERT INTO result_seats (game_id, seat, bot, place, powered, elektro, cities, first, turns,
         own_turns, missed)
       SELECT game_id, seat, bot, seat + 1, 10, 50, 14, seat + 1, 20, 20, 0 FROM seats""",
    "ANALYZE",
)


def seed(engine: Engine, games: int = GAMES) -> None:
    """Fill an empty database with games that are over; PostgreSQL."""
    with write(engine) as session:
        for statement in _SEED:
            wanted = {"games": games} if ":games" in statement else {}
            session.execute(text(statement), wanted)


def lines() -> Iterator[str]:
    """Pages by random wishes, the first and later ones."""
    programs = find_programs()
    if programs is None:
        yield "gallery: no PostgreSQL here"
        return
    server = PostgresServer(programs)
    server.start()
    try:
        yield from _measured(server.create_database())
    finally:
        server.close()


def _measured(url: str) -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="kp-bench-") as data,
        pytest.MonkeyPatch.context() as patch,
        open_site(Path(data), patch, LOG_LEVEL="ERROR", DATABASE_URL=url) as site,
    ):
        began = time.perf_counter()
        seed(site.house.engine)
        yield f"gallery: {GAMES} games seeded in {time.perf_counter() - began:.0f} s"
        took = sorted(_took(site))
        yield (
            f"gallery page, any wishes: p50 {median(t for t, _ in took) * 1000:.0f} ms, "
            f"p95 {quantiles([t for t, _ in took], n=20)[-1] * 1000:.0f} ms, "
            f"slowest {took[-1][0] * 1000:.0f} ms ({took[-1][1]})"
        )


def _took(site: Site) -> Iterator[tuple[float, str]]:
    chance = Random(1)
    visitor = site.visitor()
    wishes = list(product(
        ("", "map=usa", "map=italy"), ("", "players=3", "players=6"),
        ("", "variant=recharged", "variant=standard"), ("", "length=short", "length=long"),
        ("", "close=photo", "close=close"), ("", "rated=yes", "rated=no"),
        ("", "before=90000", "before=50000", "before=500"),
    ))  # fmt: skip
    visitor.page("/gallery")
    for wish in chance.sample(wishes, TIMES):
        path = "/gallery?" + "&".join(filter(None, wish))
        began = time.perf_counter()
        visitor.page(path)
        yield time.perf_counter() - began, path
