"""The Procfile with a process manager of its own: all start at once and stay (D2)."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from core.store.migrations import is_current
from core.store.session import make_engine, read
from core.store.tables import Heartbeat
from tests.support.service import eventually
from webapp.cli.common import accepts

ROOT = Path(__file__).parents[2]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _lives(database: str, name: str) -> bool:
    engine = make_engine(database)
    try:
        if not is_current(engine):
            return False
        with read(engine) as session:
            return session.get(Heartbeat, name) is not None
    finally:
        engine.dispose()


def test_a_process_manager_starts_all_programs_at_once(tmp_path, redis_url):
    """None comes before the tables, none ends, and PORT says where the site is."""
    port, smtp = _free_port(), _free_port()
    shutil.copy(ROOT / "Procfile", tmp_path)
    database = f"sqlite:///{tmp_path}/kraftpost.sqlite3"
    environ = {
        **{name: value for name, value in os.environ.items() if name != "WEB_LISTEN"},
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "KRAFTPOST_ENV": "test",
        "KRAFTPOST_DATA": str(tmp_path / "data"),
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "PORT": str(port),
        "WEB_CONCURRENCY": "1",
        "WORKER_CONCURRENCY": "1",
        "INBOUND_LISTEN": f"127.0.0.1:{smtp}",
    }
    log = (tmp_path / "log").open("wb")
    command = [sys.executable, "-m", "honcho", "start"]
    manager = subprocess.Popen(command, cwd=tmp_path, env=environ, stdout=log, stderr=log)
    try:
        eventually(lambda: _answers(port), within=60)
        eventually(lambda: accepts("127.0.0.1", smtp), within=30)
        for name in ("worker", "beat"):
            eventually(lambda name=name: _lives(database, name), within=30)
        assert manager.poll() is None, "one program that ends stops all the others"
        # To stop, the manager ends the worker's processes with it: a task in hand says so.
        said = (tmp_path / "log").read_text()
    finally:
        manager.send_signal(signal.SIGTERM)
        manager.wait(30)
        log.close()
    assert "Traceback" not in said and "no such table" not in said, said


def test_two_releases_at_once_do_no_harm(tmp_path):
    """Whichever comes first makes the tables; the other waits for it and finds them made."""
    command = [sys.executable, "-m", "webapp.cli", "release", "--data", str(tmp_path)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for one in both:
        _, complaint = one.communicate(timeout=60)
        assert one.returncode == 0, complaint


def test_who_waits_for_the_tables_is_told_what_to_run(tmp_path):
    command = [sys.executable, "-m", "webapp.cli", "ready", "--within", "0", "--data"]
    done = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "run “kraftpost release”" in done.stderr
