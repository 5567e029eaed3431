"""What the tasks of one process share: settings and the database engine, made when first used."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from sqlalchemy import Engine

from core import settings as environment
from core.settings import Settings
from core.store.session import make_engine

_given: list[Settings] = []


def use(settings: Settings) -> None:
    """Work with these settings instead of the environment's, from now on."""
    _given[:] = [settings]


def settings() -> Settings:
    """Return the settings of this process, read once."""
    if not _given:
        _given.append(environment.load())
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
