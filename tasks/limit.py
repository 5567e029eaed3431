"""A limit on the processor time that a piece of work takes, in a worker's process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


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
