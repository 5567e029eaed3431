"""Every table of the database. SQL is the truth; whatever else is kept can be made again.

Times are UTC and aware. Unique keys carry the promises of the service: an event once, a
submission once, a mail once. Change a table together with a migration (core/store/migrations).
"""

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Enum,
    Index,
    LargeBinary,
    Text,
    UniqueConstraint,
    text,
    true,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from core.statuses import (
    CallStatus,
    ClosedBy,
    GameStatus,
    InboundStatus,
    InvitationStatus,
    MailStatus,
    OrderStatus,
    PictureStatus,
    ProposalStatus,
    SubmissionStatus,
)

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
    """Return the present instant, in UTC."""
    return datetime.now(UTC)


def key() -> Any:
    """Return a primary key that the database counts up."""
    return Field(default=None, primary_key=True)


def at(index: bool = False) -> Any:
    """Return a time that is always known."""
    return Field(sa_type=UtcDateTime, default_factory=now, index=index)


def maybe_at(index: bool = False) -> Any:
    """Return a time that is not known yet."""
    return Field(sa_type=UtcDateTime, default=None, nullable=True, index=index)


def json_object() -> Any:
    """Return a JSON object; assign a new one to change it."""
    return Field(sa_type=JSON, default_factory=dict)


def json_list() -> Any:
    """Return a JSON array; assign a new one to change it."""
    return Field(sa_type=JSON, default_factory=list)


def status(first: StrEnum, length: int = 12, index: bool = True) -> Any:
    """Return a word of an enum, `first` in a new row; the database keeps it as text."""
    words = [word.value for word in type(first)]
    kind = Enum(type(first), native_enum=False, length=length, values_callable=lambda _: words)
    return Field(sa_type=cast(Any, kind), default=first, index=index)


class Game(SQLModel, table=True):
    """A table and its game. Its row is the lock: who writes events holds it.

    `seq`: events in the log. `seed`: 256 secret bits, shown only in the log's last event.
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
    refreshed_at: datetime | None = Field(
        sa_type=UtcDateTime, default=None, nullable=True, sa_column_kwargs={"name": "shaken_at"}
    )
    """When somebody last touched a table that has not begun, so that it is not closed (M45)."""
    private: bool = False
    chat: bool = True
    status: GameStatus = status(GameStatus.OPEN)
    seed: str = Field(default="", max_length=64, repr=False)
    seq: int = 0
    has_automatic_moves: bool = Field(
        default=False, index=True, sa_column_kwargs={"name": "restless"}
    )
    """Bots have not finished: adjudicate again, also without a submission."""
    attempts: int = 0
    """Adjudications begun since the last that ended well; too many stop the game (M78)."""
    stopped_reason: str = Field(default="", max_length=200, sa_column_kwargs={"name": "flag"})
    """Why the service stopped adjudicating; empty while all is well (M78)."""
    imported: bool = False
    """Played elsewhere, or by an earlier installation, and read from a file."""
    invite_link: str = Field(default="", max_length=43, repr=False)
    """The secret of the link by which anybody may come; empty where there is none."""
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
    """An address asked to a table."""

    __tablename__ = "invitations"
    __table_args__ = (UniqueConstraint("game_id", "email"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    email: str = Field(max_length=254, index=True)
    name: str = Field(max_length=40)
    status: InvitationStatus = status(InvitationStatus.PENDING, index=False)
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
    """When a user last acted at a table, or opened a form; an open page does nothing (M2)."""

    __tablename__ = "presences"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    at: datetime = at()


class TablePreference(SQLModel, table=True):
    """How a user wants the mails of one table: inherit, or a mode of their own, or mute (M6)."""

    __tablename__ = "table_preferences"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    mode: str = Field(default="inherit", max_length=12)


class OutboxMail(SQLModel, table=True):
    """A mail that is owed; `key` makes it one.

    `message_id` is fixed by the row, so a mail that goes out twice is the same mail.
    `lease_until`: a sender works on it until then; after a failure, when it failed. Rows that share
    it were one message and stay one. `thread`: what the mail answers. `held`: it has
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
    status: MailStatus = status(MailStatus.PENDING)
    attempts: int = 0
    created_at: datetime = at()
    next_attempt_at: datetime = at(index=True)
    lease_until: datetime | None = maybe_at()
    held: bool = False
    sent_at: datetime | None = maybe_at()
    error: str = Field(default="", sa_type=Text)


class Digest(SQLModel, table=True):
    """A user's daily digest of a day of their own calendar: one, whoever else makes it (M7)."""

    __tablename__ = "digests"
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    local_date: date = Field(primary_key=True)
    at: datetime = at()


class InboundMail(SQLModel, table=True):
    """A mail as it came in; `key` makes it one."""

    __tablename__ = "inbound"
    id: int = key()
    key: str = Field(max_length=64, unique=True)
    message_id: str = Field(max_length=998)
    envelope_from: str = Field(max_length=320)
    recipients: list[str] = json_list()
    raw: bytes = Field(sa_type=LargeBinary, repr=False)
    status: InboundStatus = status(InboundStatus.PENDING)
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


class User(SQLModel, table=True):
    """A person with an address. `email` is folded to lower case; nobody else ever sees it."""

    __tablename__ = "users"
    id: int = key()
    email: str = Field(max_length=254, unique=True)
    name: str = Field(max_length=40)
    zone: str = Field(default="UTC", max_length=64)
    locale: str = Field(default="en", max_length=16)
    mail_games: bool = True
    """Start, end and invitation mails: a toggle of their own (M15)."""
    mail_chat: bool = False
    mail_answers: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    mail_notices: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Answers to one's own mails, and what is told of one's seat: scopes of their own."""
    mail_mode: str = Field(default="instant", max_length=12)
    """When turn mails go out: one of core.table.notify.modes.MODES (M5)."""
    batch_minutes: int = 30
    """How long turns are gathered before they are mailed together."""
    digest_hour: int = 7
    """Local hour of the daily digest; inside the quiet hours it is their end."""
    quiet_from: int | None = None
    quiet_to: int | None = None
    """Quiet hours, minutes of the local day; the end may lie on the next day (M17)."""
    quiet_except_hours: int = 0
    """A deadline nearer than this breaks the quiet hours; 0 means that nothing does."""
    reminders: list[str] = Field(sa_type=JSON, default_factory=lambda: ["most", "last"])
    """The steps of the reminder ladder that are wanted; see core.table.views.reminders (M18)."""
    window_from: int | None = None
    window_to: int | None = None
    """Play window, minutes of the local day: only inside it the clock runs (M46)."""
    window_set_at: datetime | None = maybe_at()
    """When a change of window or zone last made a running turn later; once a day it may."""
    undeliverable_at: datetime | None = maybe_at()
    undeliverable_why: str = Field(default="", max_length=300)
    """Since when, and why, mail to the address comes back (M1)."""
    feed_version: int = 0
    """Counted up to make the secret addresses of one's feeds void."""
    barred_at: datetime | None = maybe_at()
    """When missed turns last barred the user from new tables (M44)."""
    blocked_at: datetime | None = maybe_at()
    """Since when an operator keeps the user from signing in."""
    share_private: bool = True
    """Private games count on the user's page for those who played in them; else for nobody else."""
    deleted_at: datetime | None = maybe_at()
    """When the account was deleted: the row stays for what others keep, and says nothing more."""
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


class Uninvited(SQLModel, table=True):
    """An address that wants no invitations from here, ever; only its SHA-256 is kept."""

    __tablename__ = "uninvited"
    digest: str = Field(primary_key=True, max_length=64)
    at: datetime = at()


class OperatorAct(SQLModel, table=True):
    """What an operator did, about whom or what."""

    __tablename__ = "operator_acts"
    id: int = key()
    by: str = Field(max_length=254)
    what: str = Field(max_length=40)
    about: str = Field(max_length=300)
    at: datetime = at()


class ApiToken(SQLModel, table=True):
    """A program that acts for a user by the API. Only the SHA-256 of its token is kept.

    `scopes`: words of core.table.people.tokens.Scope.
    """

    __tablename__ = "api_tokens"
    id: int = key()
    user_id: int = Field(foreign_key="users.id", index=True)
    name: str = Field(max_length=60)
    scopes: str = Field(max_length=40)
    digest: str = Field(max_length=64, unique=True)
    created_at: datetime = at()
    used_at: datetime | None = maybe_at()


class Vacation(SQLModel, table=True):
    """A user is away from `starts_at` to `ends_at`, which nothing has to end (M31).

    `sitter_id`: who may move for them meanwhile.
    """

    __tablename__ = "vacations"
    id: int = key()
    user_id: int = Field(foreign_key="users.id", index=True)
    sitter_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    starts_at: datetime = at()
    ends_at: datetime = at(index=True)
    announced_at: datetime | None = maybe_at()
    """When the games were told that it has begun."""
    created_at: datetime = at()


class Webhook(SQLModel, table=True):
    """Where a user wants to be told besides by mail (M24). `kind`: slack, discord, generic."""

    __tablename__ = "webhooks"
    id: int = key()
    user_id: int = Field(foreign_key="users.id", index=True)
    kind: str = Field(max_length=12)
    url: str = Field(max_length=500, repr=False)
    secret: str = Field(max_length=64, repr=False)
    failing_since: datetime | None = maybe_at()
    disabled_at: datetime | None = maybe_at()
    last_error: str = Field(default="", max_length=300)
    created_at: datetime = at()


class WebhookCall(SQLModel, table=True):
    """A call that is owed to a webhook; `key` makes it one."""

    __tablename__ = "webhook_calls"
    id: int = key()
    webhook_id: int = Field(foreign_key="webhooks.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="games.id")
    key: str = Field(max_length=200, unique=True)
    body: dict[str, Any] = json_object()
    status: CallStatus = status(CallStatus.PENDING)
    attempts: int = 0
    created_at: datetime = at()
    next_attempt_at: datetime = at(index=True)
    lease_until: datetime | None = maybe_at()
    error: str = Field(default="", max_length=300)


class Picture(SQLModel, table=True):
    """A picture of a game that is owed or made. `kind`: film, card.

    `seq`: the log position that it shows, or will. `done` of
    `total`: frames that are made. `body`: the file once it is ready; of a film that is owed, the
    frames so far. `lease_until`: a worker makes it until then. `attempts`: those begun since it
    last got on. `error`: why it failed, in words for readers.
    """

    __tablename__ = "pictures"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    kind: str = Field(primary_key=True, max_length=8)
    status: PictureStatus = status(PictureStatus.OWED, length=8)
    seq: int
    done: int = 0
    total: int = 0
    body: bytes = Field(default=b"", sa_type=LargeBinary, repr=False)
    attempts: int = 0
    error: str = Field(default="", max_length=300)
    asked_at: datetime = at()
    made_at: datetime | None = maybe_at()
    lease_until: datetime | None = maybe_at()


class EventRow(SQLModel, table=True):
    """Event number `seq` (from 1) of a game, as core.game.log.codec writes it."""

    __tablename__ = "events"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seq: int = Field(primary_key=True)
    at: datetime = at()
    body: dict[str, Any] = json_object()
    submission_id: int | None = Field(default=None, foreign_key="submissions.id")


class PositionRow(SQLModel, table=True):
    """The position after event `seq`, as it was folded when the game last moved (M47).

    Nothing plays by it: a later build compares its own fold with it. `facts`: as
    core.game.log.codec writes them; `digest`: their SHA-256.
    """

    __tablename__ = "positions"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seq: int
    digest: str = Field(max_length=64)
    facts: dict[str, Any] = json_object()
    at: datetime = at()


class Turn(SQLModel, table=True):
    """A user's seat is asked for a move: since log position `turn`, until `deadline`.

    Open while `closed_at` is empty; `closed_seq`: log position before the answer, so what came
    after it is new to the seat.
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
    allowed_seconds: int = 0
    """Time on the clock for this turn; the deadline is when so much of it has run (M29)."""
    first_deadline: datetime | None = maybe_at()
    """The deadline that was told when the question was asked (M11)."""
    remind_at: datetime | None = maybe_at(index=True)
    """When to look next whether a reminder is due; nothing to look for if empty (M18)."""
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    """Who was asked: seats change hands, and each answers for their own turns (M44)."""
    plan: bool = False
    """The seat is asked for standing orders for the round, not for a move."""
    closed_seq: int | None = None
    closed_by: ClosedBy = status(ClosedBy.NOTHING, index=False)


class Submission(SQLModel, table=True):
    """A move as it was received.

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
    status: SubmissionStatus = status(SubmissionStatus.PENDING)
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


class StandingOrder(SQLModel, table=True):
    """What a seat has ordered ahead; the executor and its owner's list read the same rows (M69).

    `text`: as core.orders.notation writes it. `number`: the seat's own count, for `cancel 3`.
    `round`: the round it is for, None until its owner says otherwise. `reason`: why
    it has its status.
    """

    __tablename__ = "standing_orders"
    __table_args__ = (UniqueConstraint("game_id", "seat", "number"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    seat: int
    number: int
    kind: str = Field(max_length=12)
    text: str = Field(sa_type=Text, repr=False)
    round: int | None = None
    given_seq: int
    """Log position at which it was given; only later events can make it fail (M68)."""
    given_at: datetime = at()
    status: OrderStatus = status(OrderStatus.ACTIVE)
    reason: str = Field(default="", sa_type=Text)
    closed_seq: int | None = None
    closed_at: datetime | None = maybe_at()


class Proposal(SQLModel, table=True):
    """Something that others at the table must agree to: to take a move back, or to act as host.

    `number`: the table's own count, for `ok 7`. `kind`: undo, or a name of ACTS in
    core.table.acts.host_acts.
    `turn`: the asker's turn, so that there is one undo a turn (M57).
    """

    __tablename__ = "proposals"
    __table_args__ = (UniqueConstraint("game_id", "number"),)
    id: int = key()
    game_id: int = Field(foreign_key="games.id", index=True)
    number: int
    kind: str = Field(max_length=12)
    seat: int
    turn: int | None = None
    body: dict[str, Any] = json_object()
    seq: int
    """Log position at which it was made; the game moving on ends it."""
    status: ProposalStatus = status(ProposalStatus.OPEN)
    created_at: datetime = at()
    closed_at: datetime | None = maybe_at()


class ProposalAnswer(SQLModel, table=True):
    """What one seat says to a proposal."""

    __tablename__ = "proposal_answers"
    proposal_id: int = Field(foreign_key="proposals.id", primary_key=True)
    seat: int = Field(primary_key=True)
    agrees: bool
    at: datetime = at()


class Draft(SQLModel, table=True):
    """What a seat has filled in and not sent, for one turn."""

    __tablename__ = "drafts"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seat: int = Field(primary_key=True)
    turn: int
    fields: dict[str, Any] = json_object()
    saved_at: datetime = at()


class Result(SQLModel, table=True):
    """A game that is over, as galleries and statistics ask for it.

    `turns`: moves that were made, by whomever. `seconds`: from the first event to the last.
    `step`: the Step in which it ended. `unrated`: why it does not count for ratings, as
    core.table.record.results says it; empty where it does.
    """

    __tablename__ = "results"
    __table_args__ = (
        Index("ix_results_ended_at_game_id", "ended_at", "game_id"),
        # the gallery's: all that it may be asked for, so that a walk through it reads nothing else
        Index(
            "ix_results_gallery",
            *("ended_at", "game_id", "map", "variant", "players", "rounds", "closeness", "rated"),
            postgresql_where=text("NOT private AND NOT abandoned"),
            sqlite_where=text("private = 0 AND abandoned = 0"),
        ),
    )
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    map: str = Field(max_length=60)
    variant: str = Field(max_length=60)
    auction: str = Field(max_length=12)
    players: int
    rounds: int
    events: int
    turns: int
    seconds: int
    step: int
    ended_at: datetime = at()
    abandoned: bool = False
    """Ended before its end, so that nobody has won (M43, M48)."""
    private: bool = False
    imported: bool = False
    rated: bool = False
    unrated: str = Field(default="", max_length=12)
    due: bool = Field(default=False, index=True)
    """It counts for ratings and they do not know of it yet (core.table.people.ratings)."""
    closeness: int | None = None
    """How far the winner was ahead of the second; the smaller, the closer.

    Below 1,000 both powered as many cities, and it is the Elektro that the winner had more; 1,000
    and more for each city that they powered more. None where nobody has won.
    """


class ResultSeat(SQLModel, table=True):
    """How one seat came out. `user_id`: who held it at the end; nobody for a bot or a stranger.

    `place`: from 1, ties share one; None where nobody has won. `first`: place in the turn order of
    round 1, from 1. `turns`: its moves; `own_turns`: those that its last holder made themselves or
    ordered; `missed`: deadlines that they let pass; `median_seconds`: how long they took to answer,
    by the calendar, None where they never answered.
    """

    __tablename__ = "result_seats"
    game_id: int = Field(foreign_key="results.game_id", primary_key=True)
    seat: int = Field(primary_key=True)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    bot: str = Field(default="", max_length=40)
    place: int | None = None
    powered: int = 0
    elektro: int = 0
    cities: int = 0
    first: int
    turns: int = 0
    own_turns: int = 0
    missed: int = 0
    median_seconds: int | None = None


class ResultCount(SQLModel, table=True):
    """Sums over public games that were played here to their end, of one kind and by one seat each.

    `first`: the seat's place in the turn order of round 1; the sums of place 1 are those of games.
    `places`, `rounds`, `seconds`: all of them together, for averages. `close`: games in which the
    first two powered as many cities.
    """

    __tablename__ = "result_counts"
    map: str = Field(max_length=60, primary_key=True)
    variant: str = Field(max_length=60, primary_key=True)
    players: int = Field(primary_key=True)
    first: int = Field(primary_key=True)
    games: int
    wins: int
    places: int
    rounds: int
    seconds: int = Field(sa_type=BigInteger)
    close: int


class Rating(SQLModel, table=True):
    """A user's rating after a game: `mu` and `sigma` of OpenSkill, and how many games it rests on.

    The newest by (`ended_at`, `game_id`) is the present one.
    """

    __tablename__ = "ratings"
    __table_args__ = (
        Index("ix_ratings_user_id_games", "user_id", "games"),
        Index("ix_ratings_ended_at_game_id", "ended_at", "game_id"),
    )
    game_id: int = Field(foreign_key="results.game_id", primary_key=True)
    user_id: int = Field(foreign_key="users.id", primary_key=True)
    ended_at: datetime = at()
    games: int
    mu: float
    sigma: float
