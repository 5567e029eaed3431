"""How long the gallery and statistics take with 100,000 games in PostgreSQL, as a stranger sees."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from statistics import median, quantiles

import pytest
from sqlalchemy import Engine, text

from core.store.session import write
from core.table.record import results
from tests.support.postgres_server import PostgresServer, find_programs
from tests.support.site import Visitor, open_site

GAMES = 100_000
TIMES = 200
FEW = 10
_SEED = (
    """INSERT INTO users (id, email, name, zone, locale, mail_games, mail_chat, mail_mode,
         batch_minutes, digest_hour, quiet_except_hours, reminders, undeliverable_why,
         feed_version, share_private, created_at)
       SELECT n, n || '@bench.example', 'Player ' || n, 'UTC', 'en', true, false, 'instant', 30, 7,
         0, '[]', '', 0, n % 3 > 0, timestamptz '2020-01-01' FROM generate_series(1, 1000) AS n""",
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
    # every 100th game has the two first people, every fourth other seat a bot
    """INSERT INTO seats (game_id, seat, user_id, bot, name, letter, colour, joined_at,
         later_seconds, graces, open)
       SELECT game, seat, person, CASE WHEN person IS NULL THEN 'engineer' ELSE '' END,
         'Player ' || coalesce(person, 0), chr(65 + seat), 'navy', created_at, '[]', 0, false
       FROM (SELECT id AS game, seat, created_at,
               CASE WHEN id % 100 = 1 AND seat < 2 THEN seat + 1
                    WHEN (id / 3 + seat) % 4 > 0
                    THEN 10 + (id * 13 + id / 900 * 7) % 900 + seat END AS person
             FROM games, generate_series(0, 5) AS seat WHERE seat < players) AS s""",
    """INSERT INTO result_seats (game_id, seat, user_id, bot, place, powered, elektro, cities,
         first, turns, own_turns, missed, median_seconds)
       SELECT game_id, seat, user_id, bot, 1 + (seat + game_id / 5) % players, 10, 50, 14,
         1 + (seat + game_id / 7) % players, 20, 20 - game_id % 13, game_id % 2, 3600
       FROM seats JOIN games ON games.id = game_id""",
    """INSERT INTO ratings (game_id, user_id, ended_at, games, mu, sigma)
       SELECT game_id, user_id, ended_at,
         row_number() OVER (PARTITION BY user_id ORDER BY ended_at, game_id),
         25 + user_id % 17, 8.3 / (1 + ln(1 + row_number() OVER (PARTITION BY user_id)))
       FROM result_seats JOIN results USING (game_id) WHERE rated AND user_id > 0""",
)


def seed(engine: Engine, games: int = GAMES) -> None:
    """Fill an empty database with games that are over, and tidy it up as it does itself in time."""
    with write(engine) as session:
        for statement in _SEED:
            wanted = {"games": games} if ":games" in statement else {}
            session.execute(text(statement), wanted)
        results.count(session)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))


def lines() -> Iterator[str]:
    """Pages of the gallery by random wishes; statistics of the site and of people."""
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
        visitor = site.visitor()
        for name, paths in _pages():
            visitor.page(paths[0])
            took = sorted(_time(visitor, path) for path in paths)
            yield f"{name}: {told(took)}, slowest {took[-1][0] * 1000:.0f} ms ({took[-1][2]})"


def _pages() -> Iterator[tuple[str, list[str]]]:
    """What is asked for, by name."""
    chance = Random(1)
    wishes = list(product(
        ("", "map=usa", "map=italy"), ("", "players=3", "players=6"),
        ("", "variant=recharged", "variant=standard"), ("", "length=short", "length=long"),
        ("", "close=photo", "close=close"), ("", "rated=yes", "rated=no"),
    ))  # fmt: skip
    for name, last in (("first page", ()), ("late page", ("before=5000", "before=500"))):
        some = [(*wish, *last[n % 2 : n % 2 + 1]) for n, wish in enumerate(wishes)]
        paths = ["/gallery?" + "&".join(filter(None, wish)) for wish in chance.sample(some, TIMES)]
        yield f"gallery, {name} of any wishes", paths
    places = ["", "?map=usa", "?variant=recharged", "?map=italy&variant=standard"]
    yield "statistics", [f"/statistics{place}" for place in places] * FEW
    people = [chance.randrange(10, 900) for _ in range(4 * FEW)]
    yield "a player of some hundred games", [f"/players/{n}" for n in people]
    yield "a player of a thousand games", ["/players/1", "/players/2"] * FEW
    yield "two who met sometimes", [f"/players/{n}/vs/{n + 1}" for n in people]
    yield "two who met in a thousand games", ["/players/1/vs/2", "/players/2/vs/1"] * FEW


def told(took: Sequence[tuple[float, float, str]]) -> str:
    """Times on the wall, and on the processor of the web process, which a busy one leaves alone."""
    wall, work = ([one[i] * 1000 for one in took] for i in (0, 1))
    return (
        f"p50 {median(wall):.0f} ms, p95 {quantiles(wall, n=20)[-1]:.0f} ms "
        f"(web's processor {median(work):.0f} and {quantiles(work, n=20)[-1]:.0f})"
    )


def _time(visitor: Visitor, path: str) -> tuple[float, float, str]:
    began, worked = time.perf_counter(), time.process_time()
    visitor.page(path)
    return time.perf_counter() - began, time.process_time() - worked, path
