"""The service's Celery application by a clock that a test turns, and that says when it is idle.

TEST_CLOCK: the clock's file. Tasks are counted in Redis before they are sent and after they have
run (or come too late to be run), so that the test knows when nothing is on its way any more.
Pictures in mails are the same small one, and cards of running games are drawn anew every second
day: to draw boards takes longer than all the rest.
"""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import redis
from celery.signals import before_task_publish, task_postrun, task_revoked

from core.drawing import raster
from core.mail import compose
from core.table.views import pictures
from tasks import jobs
from tasks.app import celery
from tests.support.month.clock import Clock

__all__ = ["celery"]

SENT, DONE = "test:sent", "test:done"

_clock = Clock(Path(os.environ["TEST_CLOCK"]))
_counts = redis.Redis.from_url(os.environ["REDIS_URL"])
_picture = raster.png('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>', 8)

jobs._now = lambda: _clock.now
compose.picture = lambda _scene, _most: _picture
pictures.OLD = timedelta(days=2)


@before_task_publish.connect(weak=False)
def _sent(**_: Any) -> None:
    _counts.incr(SENT)


@task_postrun.connect(weak=False)
@task_revoked.connect(weak=False)
def _done(**_: Any) -> None:
    _counts.incr(DONE)
