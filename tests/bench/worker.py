"""Moves through a real worker and a real Redis, against tasks that only commit one row."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlmodel import func, select

from core.settings import load
from core.statuses import MailStatus, SubmissionStatus
from core.store.migrations import migrate
from core.store.session import make_engine
from core.store.tables import OutboxMail, Submission, User
from tasks import enqueue
from tasks.app import celery
from tests.support import broker
from tests.support.postgres_server import PostgresServer, find_programs
from tests.support.redis_server import RedisServer
from tests.support.table import House
from tests.support.workers import Workers, wait_for
from webapp.cli import up

GAMES = 6
SECONDS = 12
BARE = 400


def lines() -> Iterator[str]:
    """Measure both in one run, on each database, with the two processes of `kraftpost up`."""
    program = up.find_server()
    if program is None:
        yield "worker: no Redis here, not measured"
        return
    redis = RedisServer(program)
    redis.start()
    programs = find_programs()
    postgres = PostgresServer(programs) if programs else None
    with tempfile.TemporaryDirectory(prefix="kp-bench-") as directory:
        data = Path(directory)
        try:
            yield from _on("SQLite", f"sqlite:///{data}/bench.sqlite3", data, redis.url)
            if postgres is None:
                yield "worker: no PostgreSQL here, not measured"
                return
            postgres.start()
            yield from _on("PostgreSQL", postgres.create_database(), data, redis.url)
        finally:
            redis.close()
            if postgres is not None:
                postgres.close()


def _on(database: str, database_url: str, data: Path, redis_url: str) -> Iterator[str]:
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "MAIL_URL": f"file://{data}/mail",
        "LOG_LEVEL": "ERROR",
    }
    migrate(database_url)
    broker.use(load({**environment, "KRAFTPOST_DATA": str(data)}))
    workers = Workers(data, **environment)
    workers.start(app="tests.support.bare", concurrency=2)
    house = House(make_engine(database_url), real_time=True)
    try:
        games = _games(house)
        bare = _bare(workers)
        judged, settled = _moves(house, games)
    finally:
        workers.close()
        house.engine.dispose()
    yield f"bare one-commit tasks through the worker, {database}: {bare:.0f}/s"
    yield f"  moves judged: {judged:.0f}/s ({judged / bare:.0%} of the bare task)"
    yield f"  moves with their mails settled: {settled:.0f}/s ({settled / bare:.0%})"


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


def _games(house: House) -> list[int]:
    """Start several games, and let the mails that tell of it go before anything is timed."""
    games = [house.start("Anna", "Ben", "Clara") for _ in range(GAMES)]
    for user in house.all(User):
        with house.write() as session:
            session.merge(user).mail_mode = "off"
    enqueue.deliver()
    wait_for(lambda: not _owed(house), 120, 0.1)
    return games


def _moves(house: House, games: list[int]) -> tuple[float, float]:
    """Submit in several games at once, as fast as the worker judges: moves a second.

    Once until the last is judged, and once until nothing is owed any more.
    """
    waiting: dict[int, int] = {}
    accepted, began = 0, time.monotonic()
    while time.monotonic() < began + SECONDS:
        for game in games:
            if game in waiting:
                if house.get(Submission, waiting[game]).status == SubmissionStatus.PENDING:
                    continue
                accepted += 1
                del waiting[game]
            if asked := house.asked(game):
                seat = asked[0].seat
                waiting[game] = house.submit(game, seat, house.line(game, seat))
                enqueue.adjudicate(game)
        time.sleep(0.002)
    judged = accepted / SECONDS
    wait_for(lambda: not _owed(house), 60, 0.01)
    return judged, (accepted + len(waiting)) / (time.monotonic() - began)


def _owed(house: House) -> int:
    with house.read() as session:
        waits = OutboxMail.status == MailStatus.PENDING
        return session.exec(select(func.count()).where(waits)).one()
