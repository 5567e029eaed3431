"""Real Celery processes for tests: started, killed and started again."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Workers:
    """Worker and beat processes on one database, one Redis and one mail server."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.environment = {
            **os.environ,
            "KRAFTPOST_ENV": "test",
            "KRAFTPOST_DATA": str(data),
            "SECRET_KEY": "a secret for tests, long enough to be one",
            **environment,
        }
        self.running: list[subprocess.Popen[bytes]] = []
        self._log = (data / "celery.log").open("ab")

    def start(
        self, *, concurrency: int = 1, app: str = "tasks.app", pool: str = "prefork"
    ) -> subprocess.Popen[bytes]:
        """Start a worker; it takes a second or two until it works."""
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        name = f"w{len(self.running)}@test"
        return self._run(app, "worker", "-P", pool, "-c", str(concurrency), "-n", name, *quiet)

    def start_beat(self, app: str = "tasks.app") -> subprocess.Popen[bytes]:
        """Start the clock."""
        return self._run(app, "beat", "--pidfile", "")

    def _run(self, app: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "--app", app, *words, "--loglevel", "INFO"],
            cwd=ROOT,
            env=self.environment,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self.running.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a process and its children at once, as a power cut would."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
        self.running.remove(process)

    def close(self) -> None:
        """End all of them."""
        for process in list(self.running):
            self.kill(process)
        self._log.close()

    @property
    def log(self) -> str:
        """What they wrote."""
        return (self.data / "celery.log").read_text(errors="replace")


def wait_for(condition, within: float = 30, every: float = 0.05):
    """Wait until `condition()` holds and return what it gave; TimeoutError if it does not."""
    end = time.monotonic() + within
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} does not hold after {within} s")
        time.sleep(every)
