"""How Alembic reaches the database and the tables; it runs this file for every command."""

import sqlite3
from typing import Final, Literal

import sqlalchemy as sa
from alembic import context
from sqlalchemy import event
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

import core.store.tables  # noqa: F401 - fills the metadata
from core.store.session import make_engine, writing
from core.store.tables import UtcDateTime


def _render(kind: str, column_type: object, _context: object) -> str | Literal[False]:
    """Write our own types as what they are in the database: a migration imports only SQLAlchemy."""
    if kind == "type" and isinstance(column_type, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(column_type, AutoString):
        return f"sa.String(length={column_type.length})"
    if kind == "type" and isinstance(column_type, sa.Enum):  # our enums are plain text
        return f"sa.String(length={column_type.length})"
    return False


def _let_tables_be_copied(connection: sqlite3.Connection, _record: object) -> None:
    """SQLite changes a table by copying it and dropping the old one, which rows refer to."""
    connection.execute("PRAGMA foreign_keys=OFF")


_ONE_AT_A_TIME: Final = sa.text("SELECT pg_advisory_xact_lock(707355)")  # the number is our own


def run() -> None:
    """Apply the migrations asked for, each database in one transaction.

    Where several programs start at once, the first one does it and the others wait for it.
    """
    engine = make_engine(context.config.attributes["url"])
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _let_tables_be_copied)
    with writing(engine).connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=SQLModel.metadata,
            render_as_batch=True,
            render_item=_render,
            compare_type=True,
        )
        with context.begin_transaction():
            if engine.dialect.name == "postgresql":
                connection.execute(_ONE_AT_A_TIME)
            context.run_migrations()
    engine.dispose()


run()
