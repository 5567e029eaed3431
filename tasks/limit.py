"""A limit on the time that a piece of work takes, in a worker's process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlow(Exception):
    """The work took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlow inside the block once it has taken so many seconds.

    Celery's own limit counts from a task's beginning, also the time in which it waits for others.
    Only for the main thread, where a worker runs its tasks.
    """
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: object) -> None:
    raise TooSlow
