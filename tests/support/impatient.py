"""The service's Celery application, less patient by environment: for tests that kill workers.

TEST_VISIBILITY: seconds after which a task that nobody has finished is delivered again.
TEST_LEASE: seconds after which a mail whose sender died is taken again.
TEST_TICK: seconds between two looks for due work.
TEST_SLOW_MAIL: seconds that the mail server takes for each mail.
TEST_ENGINE: seconds of the processor that one adjudication may take.
TEST_WAIT: seconds that it may take in all; after two such failures its game is stopped.

A process that was killed is missed within half a second, and a mail that was refused is tried
again after one: both wait longer in the service.
"""

import os
import time
from dataclasses import replace
from datetime import timedelta

from celery.concurrency.asynpool import AsynPool

from core.mail import outbox, transport
from core.table.play import stuck
from tasks import jobs
from tasks.app import celery

celery.conf.broker_transport_options = {
    **celery.conf.broker_transport_options,
    "visibility_timeout": int(os.environ.get("TEST_VISIBILITY", "2")),
    "unacked_restore_interval": 1,
}
celery.conf.worker_lost_wait = 0.5
AsynPool.timers = property(lambda pool: {pool.maintain_pool: 0.5})
outbox.QUEUE = replace(outbox.QUEUE, first_pause=timedelta(seconds=1))
if tick := os.environ.get("TEST_TICK"):
    celery.conf.beat_schedule["tick"] |= {"schedule": float(tick)}
if lease := os.environ.get("TEST_LEASE"):
    outbox.QUEUE = replace(outbox.QUEUE, lease=timedelta(seconds=float(lease)))
if limit := os.environ.get("TEST_ENGINE"):
    jobs.ENGINE_SECONDS = float(limit)
if wait := os.environ.get("TEST_WAIT"):
    jobs.adjudicate.soft_time_limit = float(wait)
    stuck.ATTEMPTS = 2
if pause := os.environ.get("TEST_SLOW_MAIL"):
    _send = transport.Smtp.send

    def _slowly(self, message):
        time.sleep(float(pause))
        _send(self, message)

    transport.Smtp.send = _slowly
