"""Work that takes too long is stopped, and only that."""

import signal
import time

import pytest

from tasks.app import TooSlow, at_most


def work(seconds: float) -> None:
    """Keep the processor busy for so long."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_work_is_stopped_when_its_time_is_over():
    with pytest.raises(TooSlow), at_most(0.05):
        while True:
            pass


def test_what_comes_after_the_work_has_all_time():
    before = signal.getsignal(signal.SIGPROF)
    with at_most(0.05):
        pass
    work(0.1)
    assert signal.getsignal(signal.SIGPROF) is before


def test_after_a_failure_nothing_rings():
    with pytest.raises(ZeroDivisionError), at_most(0.05):
        raise ZeroDivisionError
    work(0.1)


def test_a_busy_machine_stops_nothing():
    """What others do meanwhile is not the work's own time."""
    with at_most(0.2):
        time.sleep(0.4)
