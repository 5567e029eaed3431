"""Put rows in their place, whether or not there are any: also where two do so at once."""

from typing import Any

from sqlalchemy import Select, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import Insert
from sqlmodel import Session, SQLModel


def put(session: Session, row: SQLModel) -> None:
    """Insert a row, or overwrite the one that has its primary key, in one statement.

    To look first, as `Session.merge` does, fails where another is as fast.
    """
    values = row.model_dump()
    insert = _insert(session, type(row)).values(**values)
    keys = _keys(type(row))
    new = {name: insert.excluded[name] for name in values if name not in keys}
    session.execute(insert.on_conflict_do_update(index_elements=keys, set_=new))


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
