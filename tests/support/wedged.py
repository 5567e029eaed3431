"""The service's Celery application with three moves that no engine should know.

`wedge` never comes to an end, nor does `wait`, which burns no processor; `die` kills the process
that judges it.
"""

import os
import signal
import time

from core.table.drive import adjudicate
from tests.support.impatient import celery

__all__ = ["celery"]

_read = adjudicate.read


def _faulty(line, state, seat):
    if line == "wedge":
        while True:
            pass
    if line == "wait":
        time.sleep(3600)
    if line == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return _read(line, state, seat)


adjudicate.read = _faulty
