"""What houses hold, kept: what takes seconds to play is played once by each process of tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Table, func, select
from sqlmodel import Session, SQLModel

from core.when import NEVER

Row = dict[str, Any]


@dataclass(frozen=True)
class Kept:
    """All rows of a house, by their tables in an order in which they can be written."""

    at: datetime
    rows: list[tuple[Table, list[Row]]]

    @classmethod
    def of(cls, session: Session, now: datetime) -> "Kept":
        tables = SQLModel.metadata.sorted_tables
        found = [(t, [dict(row) for row in session.execute(t.select()).mappings()]) for t in tables]
        return cls(now, [(table, rows) for table, rows in found if rows])

    def write(self, session: Session, now: datetime) -> None:
        """Into an empty house, as if all of it had happened so much later."""
        for table, rows in self.rows:
            session.execute(table.insert(), [_later(row, now - self.at) for row in rows])
            number = table.autoincrement_column
            if number is not None and session.get_bind().dialect.name == "postgresql":
                sequence = func.pg_get_serial_sequence(table.name, number.name)
                last = select(func.max(number)).scalar_subquery()
                session.execute(select(func.setval(sequence, last)))


def _later(row: Row, by: timedelta) -> Row:
    return {
        name: value + by if isinstance(value, datetime) and value != NEVER else value
        for name, value in row.items()
    }
