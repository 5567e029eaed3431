"""Mail that is owed and mail that came in, what people say, who is alive."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import LargeBinary, Text
from sqlmodel import Field, SQLModel

from core.store.columns import at, json_list, json_object, key, maybe_at


class OutboxMail(SQLModel, table=True):
    """A mail that is owed. `status`: pending, sent, dropped, failed, unreached; `key` makes it one.

    Unreached are mails that wait until mail reaches their user again (core.mail.reach).
    `message_id` is fixed by the row, so a mail that goes out twice is the same mail.
    `lease_until`: a sender works on it until then. `thread`: what the mail answers. `held`: it has
    been put off because its reader wants it later (core.table.notify.sending).
    """

    __tablename__ = "outbox"
    id: int = key()
    kind: str = Field(max_length=16, index=True)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    address: str = Field(max_length=254, index=True)
    game_id: int | None = Field(default=None, foreign_key="games.id", index=True)
    seat: int | None = None
    turn: int | None = None
    context: dict[str, Any] = json_object()
    key: str = Field(max_length=400, unique=True)
    message_id: str = Field(max_length=250, unique=True)
    thread: str = Field(default="", max_length=998)
    status: str = Field(default="pending", max_length=12, index=True)
    attempts: int = 0
    created_at: datetime = at()
    next_attempt_at: datetime = at(index=True)
    lease_until: datetime | None = maybe_at()
    held: bool = False
    sent_at: datetime | None = maybe_at()
    error: str = Field(default="", sa_type=Text)


class Digest(SQLModel, table=True):
    """A user's daily digest of a day of his own calendar: one, whoever else makes it (M7)."""

    __tablename__ = "digests"
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    local_date: date = Field(primary_key=True)
    at: datetime = at()


class InboundMail(SQLModel, table=True):
    """A mail as it came in. `status`: pending, done, ignored, failed; `key` makes it one."""

    __tablename__ = "inbound"
    id: int = key()
    key: str = Field(max_length=64, unique=True)
    message_id: str = Field(max_length=998)
    envelope_from: str = Field(max_length=320)
    recipients: list[str] = json_list()
    raw: bytes = Field(sa_type=LargeBinary, repr=False)
    status: str = Field(default="pending", max_length=12, index=True)
    reason: str = Field(default="", sa_type=Text)
    attempts: int = 0
    received_at: datetime = at()
    processed_at: datetime | None = maybe_at()


class ChatLine(SQLModel, table=True):
    """A line said at a table; not part of the log."""

    __tablename__ = "chat"
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    user_id: int = Field(foreign_key="users.id")
    key: str | None = Field(default=None, max_length=400, unique=True)
    """The form's nonce or the mail's Message-ID, so that a line is said once."""
    text: str = Field(sa_type=Text)
    at: datetime = at()


class Note(SQLModel, table=True):
    """What a user wrote down about a game, for nobody else."""

    __tablename__ = "notes"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    text: str = Field(default="", sa_type=Text)
    saved_at: datetime = at()


class Heartbeat(SQLModel, table=True):
    """When a process last said that it lives: worker, beat, inbound."""

    __tablename__ = "heartbeats"
    name: str = Field(primary_key=True, max_length=40)
    at: datetime = at()
