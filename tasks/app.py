"""The Celery application, with settings under which killed workers lose and double nothing.

docs/adr tells of the experiments behind them. `celery --app tasks.app worker` finds `celery`.
"""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import structlog
from celery import Celery
from celery.signals import beat_init, worker_process_init
from kombu.transport import redis, virtual
from sqlalchemy import Engine

from core.drawing import composed
from core.settings import Settings, load
from core.store.session import make_engine

_given: list[Settings] = []


def use(settings: Settings) -> None:
    """Work with these settings instead of the environment's, from now on."""
    _given[:] = [settings]


def settings() -> Settings:
    """Return the settings of this process, read once."""
    if not _given:
        _given.append(load())
    return _given[0]


@cache
def engine() -> Engine:
    """Return the database; never touched by a worker's parent, so no connection crosses a fork."""
    return make_engine(settings().database_url)


class TooSlow(Exception):
    """The work took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlow inside the block once it has taken so many seconds of the processor.

    Those of the wall say how busy the machine is, not whether the work comes to an end: for work
    that waits and waits there is Celery's own limit, and after some such attempts the work is put
    aside, too (core.table.play.stuck). Only for the main thread, where a worker runs its tasks.
    """
    before = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _ring(_number: int, _frame: object) -> None:
    raise TooSlow


class ForgivingQoS(redis.QoS):
    """kombu's account of what is owed, which lets go of what cannot be acknowledged."""

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message; raises what the connection raises, but owes it no more."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Let all channels of this process account this way."""
    redis.Channel.QoS = ForgivingQoS


def configure(level: str) -> None:
    """Write what is at least of this level to standard error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


TICK_SECONDS: Final = 5.0
"""How often due work is looked for."""

install()
celery = Celery("kraftpost", include=["tasks.jobs"])


def configuration() -> dict[str, Any]:
    """Return everything that is set.

    Asked for when first needed, so that importing reads nothing.
    """
    return {
        "broker_url": settings().broker_url,
        "broker_connection_retry_on_startup": True,
        # A killed worker's tasks come back after 60 s; no task may take as long.
        "broker_transport_options": {
            "visibility_timeout": 60,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "unacked_mutex_expire": 10,
            "socket_timeout": 10,
            "socket_connect_timeout": 0.5,
            # A page that rings while Redis is away waits for one try, not for kombu's six seconds.
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "connect_retries_timeout": 0.5,
        },
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_soft_time_limit": 30,
        "task_time_limit": 45,
        "task_ignore_result": True,
        # Nobody waits for results, so a killed process's task need not wait for one either (10 s).
        "worker_lost_wait": 1.0,
        "task_default_queue": "kraftpost",
        "task_serializer": "json",
        "accept_content": ["json"],
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "timezone": "UTC",
        # The plain scheduler: the tick does no harm when it comes twice, so nothing is stored.
        "beat_scheduler": "tasks.beat:Scheduler",
        "beat_schedule": {
            "tick": {
                "task": "tick",
                "schedule": TICK_SECONDS,
                "options": {"expires": TICK_SECONDS},
            }
        },
    }


celery.add_defaults(configuration)


def ring_briefly() -> None:
    """Wait half a second at most for the broker, in a process that only rings (S2)."""
    told = dict(celery.conf.broker_transport_options)
    celery.conf.broker_transport_options = {
        **told, "socket_timeout": 0.5, "socket_connect_timeout": 0.4,
    }  # fmt: skip


@worker_process_init.connect
@beat_init.connect
def _begin(**_: object) -> None:
    os.umask(0o077)
    configure(settings().log_level)
    composed.keep_in(settings().data / "boards")
