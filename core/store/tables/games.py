"""Tables and who sits at them."""

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import at, json_list, json_object, key, maybe_at


class Game(SQLModel, table=True):
    """A table and its game. Its row is the lock: who writes events holds it.

    `status`: open (players join), running, finished, abandoned. `seq`: events in the log.
    `seed`: 256 secret bits, shown only in the log's last event.
    """

    __tablename__ = "games"
    id: int = key()
    title: str = Field(max_length=80)
    host_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    """Who opened the table; nobody where the game was imported."""
    map: str = Field(max_length=60)
    variant: str = Field(max_length=60)
    options: dict[str, Any] = json_object()
    """Single knobs of the ruleset changed for this table, the kind of auction among them."""
    regions: list[str] = json_list()
    """Regions chosen by the host; none means by chance, or a draft where the rules say so."""
    players: int
    turn_hours: int
    terms: dict[str, Any] = json_object()
    """Clock, absence and mail terms of the table, as core.terms.Terms writes them."""
    shaken_at: datetime | None = maybe_at()
    """When somebody last touched a table that has not begun, so that it is not closed (M45)."""
    private: bool = False
    chat: bool = True
    status: str = Field(default="open", max_length=12, index=True)
    seed: str = Field(default="", max_length=64, repr=False)
    seq: int = 0
    restless: bool = Field(default=False, index=True)
    """Bots have not finished: adjudicate again, also without a submission."""
    attempts: int = 0
    """Adjudications begun since the last that ended well; too many stop the game (M78)."""
    flag: str = Field(default="", max_length=200)
    """Why the service stopped adjudicating; empty while all is well (M78)."""
    imported: bool = False
    """Played elsewhere, or by an earlier installation, and read from a file."""
    digest: str | None = Field(default=None, max_length=64, unique=True)
    """SHA-256 of an imported log, so that a file is one game however often it is imported."""
    edition: int = 0
    """Counted up when a name is taken out of the log, so that nothing remembered shows it."""
    created_at: datetime = at()
    started_at: datetime | None = maybe_at()
    ended_at: datetime | None = maybe_at()


class SeatRow(SQLModel, table=True):
    """A place at a table, held by a user or a bot. `seat` is drawn when the game starts."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("game_id", "seat"), UniqueConstraint("game_id", "user_id"))
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    seat: int | None = None
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    bot: str = Field(default="", max_length=40)
    """Name of the bot that plays here; empty for a user."""
    name: str = Field(max_length=40)
    letter: str = Field(default="", max_length=1)
    colour: str = Field(default="", max_length=12)
    joined_at: datetime = at()
    bank_seconds: int | None = None
    """What is left of the seat's time bank, where the table has one."""
    left_seconds: int | None = None
    """What was left of a question that was taken back; the seat's next turn has no more (M60)."""
    later_seconds: list[int] = json_list()
    """The same of the seat's questions after that one, where several were taken back at once."""
    graces: int = 0
    """Grace extensions that this seat, whoever holds it, has used (M37)."""
    open: bool = False
    """Its owner is away for good: somebody else may take the seat over."""


class Invitation(SQLModel, table=True):
    """An address asked to a table. `status`: pending, accepted, declined, withdrawn by the host."""

    __tablename__ = "invitations"
    __table_args__ = (UniqueConstraint("game_id", "email"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    email: str = Field(max_length=254, index=True)
    name: str = Field(max_length=40)
    status: str = Field(default="pending", max_length=12)
    created_at: datetime = at()
    answered_at: datetime | None = maybe_at()


class Pause(SQLModel, table=True):
    """The clocks of a game stand still from `starts_at` on; until `ends_at`, once it is over."""

    __tablename__ = "pauses"
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    starts_at: datetime = at()
    ends_at: datetime | None = maybe_at()


class Outage(SQLModel, table=True):
    """The service was down: all clocks that ran then stood still (M33)."""

    __tablename__ = "outages"
    id: int = key()
    starts_at: datetime = at()
    ends_at: datetime = at(index=True)


class Presence(SQLModel, table=True):
    """When a user last did something at a table; a page that lies open does nothing (M2)."""

    __tablename__ = "presences"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    at: datetime = at()


class TablePreference(SQLModel, table=True):
    """How a user wants the mails of one table: inherit, instant, batched, digest or mute (M6)."""

    __tablename__ = "table_preferences"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    mode: str = Field(default="inherit", max_length=12)
