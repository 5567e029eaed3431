"""The running service of the simulated month: real workers that do what is rung for alone."""

from datetime import datetime
from typing import Any

import redis

from tasks.app import celery
from tests.support.month.clock import Clock
from tests.support.workers import Workers, wait_for

SENT, DONE = "test:sent", "test:done"
"""Where tests.support.month.worker counts."""


class Service:
    """Two workers, each with database connections of its own; the test is their clock and beat."""

    def __init__(self, workers: Workers, redis_url: str, clock: Clock) -> None:
        self._redis = redis.Redis.from_url(redis_url)
        self.clock = clock
        self.up = True
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
        wait_for(self._idle, within=60, every=0.001)

    def _idle(self) -> bool:
        sent, done = self._redis.mget(SENT, DONE)
        return int(sent or 0) == int(done or 0)
