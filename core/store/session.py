"""Engines, and the two scopes in which all work is done: `write` and `read`.

SQLite: WAL, and a write scope takes the write lock at once (BEGIN IMMEDIATE), since a lock that
is taken later fails at once when another writer was faster, whatever the timeout.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
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
from sqlmodel import Session, SQLModel

_BUSY_SECONDS: Final = 30
_WRITES: Final = "kraftpost_writes"


def make_engine(url: str) -> Engine:
    """Return an engine for SQLite or PostgreSQL. Make it after a fork, never before.

    Its errors tell the statement but not the parameters, which would bring addresses and secrets
    into the logs.
    """
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def writing(engine: Engine) -> Engine:
    """Return the same engine, whose transactions take SQLite's write lock at their beginning."""
    return engine.execution_options(**{_WRITES: True})


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


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def put(session: Session, row: SQLModel) -> None:
    """Insert a row, or overwrite the one that has its primary key, in one statement.

    To look first, as `Session.merge` does, fails where another is as fast.
    """
    values = row.model_dump()
    insert = _insert(session, type(row)).values(**values)
    keys = _keys(type(row))
    new = {name: insert.excluded[name] for name in values if name not in keys}
    session.execute(insert.on_conflict_do_update(index_elements=keys, set_=new))


def put_new(session: Session, row: SQLModel, unique: str = "") -> bool:
    """Insert a row; return False if there is one with this `unique` column, or primary key."""
    values = {name: value for name, value in row.model_dump().items() if name != "id"}
    keys = inspect(type(row)).primary_key
    insert = (
        _insert(session, type(row))
        .values(**values)
        .on_conflict_do_nothing(index_elements=[unique] if unique else _keys(type(row)))
    )
    return session.execute(insert.returning(*keys)).first() is not None


def count(session: Session, *where: Any) -> int:
    """Return the number of rows that match, of the table that `where` speaks of."""
    return int(session.execute(select(func.count()).where(*where)).scalar_one())


def add_up(session: Session, table: type[SQLModel], sums: Select[Any]) -> None:
    """Add the rows of a query, columns as in the table, to those that have their primary keys.

    The query's order is that in which rows are locked; it must always be the same.
    """
    columns, keys = list(table.model_fields), _keys(table)
    insert = _insert(session, table).from_select(columns, sums)
    grown = {
        name: getattr(table, name) + insert.excluded[name] for name in columns if name not in keys
    }
    session.execute(insert.on_conflict_do_update(index_elements=keys, set_=grown))


def _keys(table: type[SQLModel]) -> list[str]:
    return [column.name for column in inspect(table).primary_key]


def _insert(session: Session, table: type[SQLModel]) -> Insert:
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    insert: Insert = dialect.insert(table)
    return insert
