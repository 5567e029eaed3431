"""Moves through a real worker and a real Redis, against tasks that only commit one row."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from core.settings import load
from core.store.migrations import migrate
from core.store.session import make_engine
from core.store.tables import Submission, User
from tasks import enqueue
from tasks.app import celery
from tests.support import broker
from tests.support.redis_server import RedisServer
from tests.support.table import House
from tests.support.workers import Workers, wait_for
from webapp.cli import up

GAMES = 6
SECONDS = 12
BARE = 400


def lines() -> Iterator[str]:
    """Measure both in one run, on SQLite, with the two processes that `kraftpost up` starts."""
    program = up.find_server()
    if program is None:
        yield "worker: no Redis here, not measured"
        return
    redis = RedisServer(program)
    redis.start()
    with tempfile.TemporaryDirectory(prefix="kp-bench-") as directory:
        try:
            yield from _measure(Path(directory), redis.url)
        finally:
            redis.close()


def _measure(data: Path, redis_url: str) -> Iterator[str]:
    environment = {
        "DATABASE_URL": f"sqlite:///{data}/bench.sqlite3",
        "REDIS_URL": redis_url,
        "MAIL_URL": f"file://{data}/mail",
        "LOG_LEVEL": "ERROR",
    }
    migrate(environment["DATABASE_URL"])
    broker.use(load({**environment, "KRAFTPOST_DATA": str(data)}))
    workers = Workers(data, **environment)
    workers.start(app="tests.support.bare", concurrency=2)
    try:
        house = House(make_engine(environment["DATABASE_URL"]), real_time=True)
        bare = _bare(workers)
        moves = _moves(house)
    finally:
        workers.close()
    yield f"bare one-commit tasks through the worker: {bare:.0f}/s"
    yield f"accepted moves through the worker: {moves:.0f}/s ({moves / bare:.0%} of the bare task)"


def _bare(workers: Workers) -> float:
    def send_all(times: int) -> float:
        before, began = _finished(workers), time.monotonic()
        for number in range(times):
            celery.send_task("bare", (number,))
        wait_for(lambda: _finished(workers) >= before + times, 60, 0.01)
        return times / (time.monotonic() - began)

    send_all(20)
    return send_all(BARE)


def _finished(workers: Workers) -> int:
    return workers.log.count("succeeded")


def _moves(house: House) -> float:
    """Submit in several games at once, as fast as the worker judges."""
    games = [house.start("Anna", "Ben", "Clara") for _ in range(GAMES)]
    for user in house.all(User):
        with house.write() as session:
            session.merge(user).mail_mode = "off"
    waiting: dict[int, int] = {}
    accepted, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        for game in games:
            if game in waiting:
                if house.get(Submission, waiting[game]).status == "pending":
                    continue
                accepted += 1
                del waiting[game]
            if asked := house.asked(game):
                seat = asked[0].seat
                waiting[game] = house.submit(game, seat, house.line(game, seat))
                enqueue.adjudicate(game)
        time.sleep(0.002)
    return accepted / SECONDS
