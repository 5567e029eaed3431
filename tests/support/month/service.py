"""The running service of the simulated month: real workers that do what is rung for alone."""

import time
from datetime import datetime
from typing import Any

import redis

from tasks.app import celery
from tests.support.month.clock import Clock
from tests.support.workers import Workers, wait_for

SENT, DONE = "test:sent", "test:done"
"""Where tests.support.month.worker counts."""
STABLE = 5
"""Seconds."""


class Service:
    """Two workers, each with database connections of its own; the test is their clock and beat."""

    def __init__(self, workers: Workers, redis_url: str, clock: Clock) -> None:
        self._redis = redis.Redis.from_url(redis_url)
        self.clock = clock
        self.up = True
        self._empty_since: float | None = None
        self.rung = 0
        for _ in range(2):
            workers.start(app="tests.support.month.worker", pool="solo")

    @property
    def now(self) -> datetime:
        return self.clock.now

    def ring(self, task: str, *args: Any, times: int = 1) -> None:
        """Send a task, as pages, beats and listeners do; in vain while the service is down."""
        for _ in range(times if self.up else 0):
            self.rung += 1
            self._redis.incr(SENT)
            celery.send_task(task, args, retry=False)

    def rest(self) -> None:
        """Wait until nothing is on its way and nothing runs."""
        wait_for(self._idle, within=600, every=0.004)

    def _idle(self) -> bool:
        sent, done = self._redis.mget(SENT, DONE)
        if int(sent or 0) != int(done or 0):
            return self._empty()
        self._empty_since = None
        return True

    def _empty(self) -> bool:
        """Where the counts differ for long: a broker that waits too long delivers a task twice.

        Then nothing may be queued and nothing unacknowledged, for some seconds.
        """
        busy = self._redis.exists("unacked") or self._redis.keys("kraftpost*")
        if busy or self._empty_since is None:
            self._empty_since = time.monotonic()
        if time.monotonic() - self._empty_since < STABLE:
            return False
        self._redis.set(DONE, self._redis.get(SENT) or 0)
        self._empty_since = None
        return True
