"""Databases with all tables: migrated once, then copied, since migrating takes a fifth of a second.

tests/store/test_migrations.py tests the migrations themselves.
"""

import sqlite3
import tempfile
from functools import cache
from pathlib import Path

import psycopg

from core.store.migrations import migrate

SQLITE = "sqlite:///"
TEMPLATE = "with_all_tables"


def make_tables(url: str) -> None:
    """Give an empty database all tables."""
    if url.startswith(SQLITE):
        file = Path(url.removeprefix(SQLITE))
        for rest in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            rest.unlink(missing_ok=True)
        file.write_bytes(_sqlite())
        return
    name, _, host = url.split("@/")[1].partition("?host=")
    _postgres(host, url.replace(f"@/{name}?", f"@/{TEMPLATE}?"))
    _execute(host, f"DROP DATABASE {name}")
    _execute(host, f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")


@cache
def _sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        migrate(f"{SQLITE}{file}")
        connection = sqlite3.connect(file)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return file.read_bytes()


@cache
def _postgres(host: str, url: str) -> None:
    """Make the template of this server; one for a run."""
    _execute(host, f"CREATE DATABASE {TEMPLATE} STRATEGY file_copy")
    migrate(url)


def _execute(host: str, statement: str) -> None:
    dsn = f"host={host} user=postgres dbname=postgres"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]
