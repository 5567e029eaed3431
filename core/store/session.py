"""Engines, and the two scopes in which all work is done: `write` and `read`.

SQLite: WAL, and a write scope takes the write lock at once (BEGIN IMMEDIATE), since a lock that
is taken later fails at once when another writer was faster, whatever the timeout.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Engine,
    Select,
    create_engine,
    event,
    func,
    inspect,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.exc import OperationalError
from sqlalchemy.sql.dml import ReturningInsert
from sqlmodel import Session, SQLModel

PATIENCE: Final = 30.0
"""Seconds to wait for SQLite's write lock; pages have less."""
_PAUSES: Final = (0.0005, 0.002)
"""Seconds between two tries to take it: at first, and later."""
_WRITES: Final = "kraftpost_writes"
_TAKE: Final = "BEGIN IMMEDIATE"


class Busy(OperationalError):
    """Others hold the database for too long: nothing was done, and it may be tried again."""


def make_engine(url: str, patience: float = PATIENCE) -> Engine:
    """Return an engine for SQLite or PostgreSQL. Make it after a fork, never before.

    `patience`: seconds for which SQLite's write lock is waited for, until `write` raises Busy.
    Its errors tell the statement but not the parameters, which would bring addresses and secrets
    into the logs.
    """
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": patience}, hide_parameters=True)
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", partial(_begin_sqlite, patience))
    return engine


def writing(engine: Engine) -> Engine:
    """Return the same engine, whose transactions take SQLite's write lock at their beginning."""
    known: Engine | None = engine.__dict__.get(_WRITES)
    if known is None:  # made once: every transaction asks for it
        known = engine.__dict__[_WRITES] = engine.execution_options(**{_WRITES: True})
    return known


@contextmanager
def write(engine: Engine) -> Iterator[Session]:
    """Open one transaction that changes something: committed at the end, undone by an exception."""
    with Session(writing(engine), expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def read(engine: Engine) -> Iterator[Session]:
    """Yield one consistent look at the database; whatever is changed in it is thrown away."""
    if engine.dialect.name == "postgresql":  # SQLite's transactions see one state anyway
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with Session(engine, expire_on_commit=False, autoflush=False) as session:
        yield session


def _configure_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # the driver must not begin transactions by itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(patience: float, connection: Connection) -> None:
    if not connection.get_execution_options().get(_WRITES):
        connection.exec_driver_sql("BEGIN")
        return
    raw: Any = connection.connection.dbapi_connection
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        _take_lock(raw, time.monotonic() + patience)
    finally:
        raw.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")


def _take_lock(connection: sqlite3.Connection, until: float) -> None:
    """Take the write lock, with many tries in short succession.

    SQLite's own wait sleeps up to 100 ms between two tries; whoever comes back for the lock at
    once, as a busy worker does, would nearly always be before it.
    """
    pause, longest = _PAUSES
    while True:
        try:
            connection.execute(_TAKE)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OperationalError(_TAKE, None, error) from error
            if time.monotonic() > until:
                raise Busy(_TAKE, None, error) from error
            time.sleep(pause)
            pause = min(pause * 1.2, longest)
        else:
            return


def put(session: Session, row: SQLModel) -> None:
    """Insert a row, or overwrite the one that has its primary key, in one statement.

    To look first, as `Session.merge` does, fails where another is as fast.
    """
    session.execute(_putting(_dialect(session), type(row)), row.model_dump())


@cache
def _putting(dialect: str, table: type[SQLModel]) -> Insert:
    insert, keys = _insert(dialect, table), _keys(table)
    new = {name: insert.excluded[name] for name in table.model_fields if name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=new)


def put_new(session: Session, row: SQLModel, unique: str = "") -> bool:
    """Insert a row; return False if there is one with this `unique` column, or primary key."""
    values = {name: value for name, value in row.model_dump().items() if name != "id"}
    insert = _putting_new(_dialect(session), type(row), unique)
    return session.execute(insert, values).first() is not None


@cache
def _putting_new(dialect: str, table: type[SQLModel], unique: str) -> ReturningInsert[Any]:
    found = [unique] if unique else _keys(table)
    insert = _insert(dialect, table).on_conflict_do_nothing(index_elements=found)
    return insert.returning(*inspect(table).primary_key)


def count(session: Session, *where: Any) -> int:
    """Return the number of rows that match, of the table that `where` speaks of."""
    return int(session.execute(select(func.count()).where(*where)).scalar_one())


def add_up(session: Session, table: type[SQLModel], sums: Select[Any]) -> None:
    """Add the rows of a query, columns as in the table, to those that have their primary keys.

    The query's order is that in which rows are locked; it must always be the same.
    """
    columns, keys = list(table.model_fields), _keys(table)
    insert = _insert(_dialect(session), table).from_select(columns, sums)
    grown = {
        name: getattr(table, name) + insert.excluded[name] for name in columns if name not in keys
    }
    session.execute(insert.on_conflict_do_update(index_elements=keys, set_=grown))


def _keys(table: type[SQLModel]) -> list[str]:
    return [column.name for column in inspect(table).primary_key]


def _insert(dialect: str, table: type[SQLModel]) -> Insert:
    insert: Insert = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    return insert


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name
