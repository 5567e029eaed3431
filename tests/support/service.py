"""The whole service in processes of its own, as ``kraftpost up`` starts it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

# The servers that one machine may have running do not belong to the service under test.
STRANGE = ("DATABASE_URL", "REDIS_URL", "MAIL_URL", "PUBLIC_URL", "WEB_LISTEN", "INBOUND_LISTEN")


def eventually(wanted: Callable[[], Any], within: float = 30, every: float = 0.05) -> Any:
    """Ask again until the answer is true, and return it.

    Raises:
        TimeoutError: it never is within so many seconds.
    """
    end = time.monotonic() + within
    while not (answer := wanted()):
        if time.monotonic() > end:
            raise TimeoutError(f"not within {within} s")
        time.sleep(every)
    return answer


class Service:
    """One running service; ``facts`` holds what it printed: site, mailbox, smtp, data, …"""

    def __init__(self, data: Path, *words: str, environ: Mapping[str, str] | None = None) -> None:
        self.data = data
        plain = {name: text for name, text in os.environ.items() if name not in STRANGE}
        chosen = words or ("--port", "0", "--smtp-port", "0", "--no-demo")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "webapp.cli", "up", "--json", "--data", str(data), *chosen],
            env={**plain, "KRAFTPOST_DATA": str(data), **(environ or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.communicate(timeout=30)[1])
        self.facts: dict[str, Any] = json.loads(line)

    @property
    def site(self) -> str:
        """Address of the site, without a slash at its end."""
        return str(self.facts["site"])

    @property
    def smtp(self) -> tuple[str, int]:
        """Where it takes mail."""
        host, _, port = str(self.facts["smtp"]).rpartition(":")
        return host, int(port)

    def pid(self, name: str) -> int:
        """Process that the supervisor runs under this name now; waits for one to be started."""
        return int(eventually(lambda: self._children().get(name)))

    def kill(self, name: str) -> int:
        """End a program as a crash would, and return the process id it had."""
        pid = self.pid(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def processes(self) -> list[int]:
        """Every process that belongs to it, the supervisor's grandchildren included."""
        mark = f"KRAFTPOST_DATA={self.data}\0".encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in entry.read_bytes():
                    found.append(int(entry.parent.name))
            except OSError:
                continue
        return found

    def stop(self, number: int = signal.SIGTERM) -> str:
        """Ask it to stop, and return what it said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=60)[1]

    def _children(self) -> dict[str, int]:
        """Direct children of the supervisor, by the name of their program."""
        found = {}
        for pid in self.processes():
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
                words += Path(f"/proc/{pid}/comm").read_text().split()
            except OSError:
                continue
            if f"\nPPid:\t{self.process.pid}\n" in status and "\nState:\tZ" not in status:
                found[_name(words)] = pid
        return found


def _name(words: list[str]) -> str:
    programs = ("web", "worker", "beat", "inbound", "release", "demo")
    return next((name for name in programs if name in words), "redis")
