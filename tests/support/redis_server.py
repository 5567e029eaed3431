"""A real Redis for tests, which can be flushed, killed and started again."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import redis

from webapp.cli import up


class RedisServer:
    """One embedded server in a directory of its own; ``url`` stays the same over a restart."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.directory = Path(tempfile.mkdtemp(prefix="kp-redis-"))
        self.socket = self.directory / "redis.sock"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            up.command(self.program, self.socket),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if not up.answers(self.socket, within=10):
            raise RuntimeError(f"{self.program} did not start")

    def stop(self, *, kill: bool = False) -> None:
        """End it: with SIGTERM, or with SIGKILL as a crash would."""
        if self.process is not None:
            self.process.kill() if kill else self.process.terminate()
            self.process.wait(10)
            self.process = None

    def flush(self) -> None:
        """Throw away everything that it holds."""
        with redis.Redis(unix_socket_path=str(self.socket)) as client:
            client.flushall()

    def close(self) -> None:
        """End it and remove its directory."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
