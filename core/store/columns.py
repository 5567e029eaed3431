"""Names, column types and defaults that all tables share."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata.naming_convention = NAMING  # before any table is declared


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC; SQLite knows no zones, so it gets the plain UTC time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time without a zone: nobody could say which instant it means."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """The present instant, in UTC."""
    return datetime.now(UTC)


def key() -> Any:
    """A primary key that the database counts up."""
    return Field(default=None, primary_key=True)


def at(index: bool = False) -> Any:
    """A time that is always known."""
    return Field(sa_type=UtcDateTime, default_factory=now, index=index)


def maybe_at(index: bool = False) -> Any:
    """A time that is not known yet."""
    return Field(sa_type=UtcDateTime, default=None, nullable=True, index=index)


def json_object() -> Any:
    """A JSON object; assign a new one to change it."""
    return Field(sa_type=JSON, default_factory=dict)


def json_list() -> Any:
    """A JSON array; assign a new one to change it."""
    return Field(sa_type=JSON, default_factory=list)
