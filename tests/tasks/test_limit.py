"""Work that takes too long is stopped, and only that."""

import signal
import time

import pytest

from tasks.limit import TooSlow, at_most


def test_work_is_stopped_when_its_time_is_over():
    with pytest.raises(TooSlow), at_most(0.05):
        while True:
            pass


def test_what_comes_after_the_work_has_all_time():
    before = signal.getsignal(signal.SIGALRM)
    with at_most(0.05):
        pass
    time.sleep(0.1)
    assert signal.getsignal(signal.SIGALRM) is before


def test_after_a_failure_nothing_rings():
    with pytest.raises(ZeroDivisionError), at_most(0.05):
        raise ZeroDivisionError
    time.sleep(0.1)
