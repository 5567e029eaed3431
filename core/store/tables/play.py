"""The log, and what moves through a game before it is in the log."""

from datetime import datetime
from typing import Any

from sqlalchemy import Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import at, json_object, key, maybe_at


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
    core.game.log.position writes them; `digest`: their SHA-256.
    """

    __tablename__ = "positions"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seq: int
    digest: str = Field(max_length=64)
    facts: dict[str, Any] = json_object()
    at: datetime = at()


class Turn(SQLModel, table=True):
    """A user's seat is asked for a move: since log position `turn`, until `deadline`.

    Open while `closed_at` is empty; `closed_by`: move, draft, forced, missed, caretaker,
    replaced, ended; `closed_seq`: log position before the answer, so what came after it is new
    to the seat.
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
    """Who was asked: seats change hands, and each answers for his own turns (M44)."""
    plan: bool = False
    """The seat is asked for standing orders for the round, not for a move."""
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


class StandingOrder(SQLModel, table=True):
    """What a seat has ordered ahead; the executor and its owner's list read the same rows (M69).

    `text`: as core.orders.notation writes it. `number`: the seat's own count, for `cancel 3`.
    `round`: the round it is for, None until its owner says otherwise. `status`: active, done,
    failed, cancelled, lapsed, ended; `reason` says why.
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
    status: str = Field(default="active", max_length=12, index=True)
    reason: str = Field(default="", sa_type=Text)
    closed_seq: int | None = None
    closed_at: datetime | None = maybe_at()


class Proposal(SQLModel, table=True):
    """Something that others at the table must agree to: to take a move back, or to act as host.

    `number`: the table's own count, for `ok 7`. `kind`: undo, or a name of ACTS in
    core.table.acts.host_acts.
    `turn`: the asker's turn, so that there is one undo a turn (M57). `status`: open, accepted,
    refused, withdrawn, lapsed.
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
    status: str = Field(default="open", max_length=12, index=True)
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
