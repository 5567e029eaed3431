"""Every table of the database. SQL is the truth; whatever else is kept can be made again.

Times are UTC and aware. Unique keys carry the promises of the service: an event once, a
submission once, a mail once. Change a table together with a migration (core/store/migrations).
"""

from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import at, json_list, json_object, key, maybe_at

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata.naming_convention = NAMING


class User(SQLModel, table=True):
    """A person with an address. `email` is folded to lower case; nobody else ever sees it."""

    __tablename__ = "users"
    id: int = key()
    email: str = Field(max_length=254, unique=True)
    name: str = Field(max_length=40)
    zone: str = Field(default="UTC", max_length=64)
    locale: str = Field(default="en", max_length=16)
    mail_turns: bool = True
    """Turn mails and the answers to one's own."""
    mail_games: bool = True
    """Start, end and invitation mails: a toggle of their own (M15)."""
    mail_chat: bool = False
    created_at: datetime = at()


class SignInToken(SQLModel, table=True):
    """A mailed sign-in link: single use, 15 minutes. Only the SHA-256 of the token is kept."""

    __tablename__ = "sign_in_tokens"
    id: int = key()
    email: str = Field(max_length=254, index=True)
    digest: str = Field(max_length=64, unique=True)
    created_at: datetime = at()
    expires_at: datetime = at()
    used_at: datetime | None = maybe_at()


class WebSession(SQLModel, table=True):
    """A browser that is signed in. Only the SHA-256 of its secret is kept."""

    __tablename__ = "web_sessions"
    id: int = key()
    user_id: int = Field(foreign_key="users.id", index=True)
    digest: str = Field(max_length=64, unique=True)
    created_at: datetime = at()
    seen_at: datetime = at()
    expires_at: datetime = at()


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


class EventRow(SQLModel, table=True):
    """Event number `seq` (from 1) of a game, as core.game.log.codec writes it."""

    __tablename__ = "events"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seq: int = Field(primary_key=True)
    at: datetime = at()
    body: dict[str, Any] = json_object()
    submission_id: int | None = Field(default=None, foreign_key="submissions.id")


class Turn(SQLModel, table=True):
    """A user's seat is asked for a move: since log position `turn`, until `deadline`.

    Open while `closed_at` is empty; `closed_by`: move, forced, missed, caretaker, ended;
    `closed_seq`: log position before the answer, so what came after it is new to the seat.
    """

    __tablename__ = "turns"
    __table_args__ = (UniqueConstraint("game_id", "seat", "turn"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    seat: int
    turn: int
    asked_at: datetime = at()
    deadline: datetime = at(index=True)
    closed_at: datetime | None = maybe_at(index=True)
    closed_seq: int | None = None
    closed_by: str = Field(default="", max_length=12)


class Submission(SQLModel, table=True):
    """A move as it was received. `status`: pending, accepted, rejected, stale.

    `key` is the form's nonce or the mail's Message-ID; the same key twice is the same submission.
    """

    __tablename__ = "submissions"
    __table_args__ = (UniqueConstraint("game_id", "seat", "key"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    seat: int
    turn: int
    text: str = Field(sa_type=Text)
    channel: str = Field(max_length=8)
    key: str = Field(max_length=400)
    status: str = Field(default="pending", max_length=12, index=True)
    code: str = Field(default="", max_length=40)
    reason: str = Field(default="", sa_type=Text)
    seq: int | None = None
    """Log position after the move and all that followed from it."""
    created_at: datetime = at()
    decided_at: datetime | None = maybe_at()


class SealedBidRow(SQLModel, table=True):
    """A sealed bid until all are in; None is a pass. Removed when the bids are opened."""

    __tablename__ = "sealed_bids"
    __table_args__ = (UniqueConstraint("game_id", "seat"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    seat: int
    maximum: int | None = Field(default=None, repr=False)


class OutboxMail(SQLModel, table=True):
    """A mail that is owed. `status`: pending, sent, dropped, failed; `key` makes it one.

    `message_id` is fixed by the row, so a mail that goes out twice is the same mail.
    `lease_until`: a sender works on it until then. `thread`: what the mail answers.
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
    sent_at: datetime | None = maybe_at()
    error: str = Field(default="", sa_type=Text)


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


class Draft(SQLModel, table=True):
    """What a seat has filled in and not sent, for one turn."""

    __tablename__ = "drafts"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seat: int = Field(primary_key=True)
    turn: int
    fields: dict[str, Any] = json_object()
    saved_at: datetime = at()


class Heartbeat(SQLModel, table=True):
    """When a process last said that it lives: worker, beat, inbound."""

    __tablename__ = "heartbeats"
    name: str = Field(primary_key=True, max_length=40)
    at: datetime = at()
