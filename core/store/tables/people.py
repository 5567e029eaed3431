"""People: users, how they are reached, when they play."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from core.store.columns import at, json_object, key, maybe_at


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
    mail_mode: str = Field(default="instant", max_length=12)
    """When turn mails go out: instant, batched, digest or off (M5, core.table.notify.modes)."""
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


class Vacation(SQLModel, table=True):
    """A user is away from `starts_at` to `ends_at`, which nothing has to end (M31).

    `sitter_id`: who may move for him meanwhile.
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
    """A call that is owed to a webhook; `key` makes it one. `status`: pending, sent, dropped."""

    __tablename__ = "webhook_calls"
    id: int = key()
    webhook_id: int = Field(foreign_key="webhooks.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="games.id")
    key: str = Field(max_length=200, unique=True)
    body: dict[str, Any] = json_object()
    status: str = Field(default="pending", max_length=12, index=True)
    attempts: int = 0
    created_at: datetime = at()
    next_attempt_at: datetime = at(index=True)
    lease_until: datetime | None = maybe_at()
    error: str = Field(default="", max_length=300)
