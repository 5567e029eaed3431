"""Tokens of the API: made and revoked by their owner, each for what it may do.

A token is shown once; only its SHA-256 is kept.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Final

from sqlmodel import Session, col, delete, select

from core.store.session import count
from core.store.tables import ApiToken, User
from core.table.record.errors import TableError
from core.text import _, one_line

PREFIX: Final = "kp_"
"""So that a token that leaks can be told by its looks."""
MOST: Final = 20
"""Tokens of one user."""
NAME_LENGTH: Final = 60
SEEN_AGAIN: Final = timedelta(hours=1)


class Scope(StrEnum):
    """What a token is for."""

    READ = "read"
    """See what its owner sees: tables, positions, questions, logs, chat."""
    PLAY = "play"
    """Make moves and give standing orders."""
    CHAT = "chat"
    """Speak at tables."""


def make(
    session: Session, user: User, name: str, scopes: Collection[Scope], now: datetime
) -> tuple[ApiToken, str]:
    """Return a new token's row and the token itself, which nobody is told again.

    Raises:
        TableError: `token-unnamed`, `token-scopes`, or `too-many-tokens`.
    """
    called = one_line(name)[:NAME_LENGTH]
    if not called:
        raise TableError("token-unnamed", _("Name the program, so that you know its token later."))
    if not scopes:
        raise TableError("token-scopes", _("Tick at least one thing that the program may do."))
    if count(session, ApiToken.user_id == user.id) >= MOST:
        text = _("You have {most} tokens, which is the most. Revoke one first.")
        raise TableError("too-many-tokens", text.format(most=MOST))
    secret = PREFIX + secrets.token_urlsafe(32)
    words = " ".join(scope for scope in Scope if scope in scopes)
    row = ApiToken(
        user_id=user.id, name=called, scopes=words, digest=_digest(secret), created_at=now
    )
    session.add(row)
    session.flush()
    return row, secret


def of(session: Session, user: User) -> list[ApiToken]:
    """Return a user's tokens, oldest first."""
    query = select(ApiToken).where(ApiToken.user_id == user.id).order_by(col(ApiToken.id))
    return list(session.exec(query))


def revoke(session: Session, user: User, number: int) -> None:
    """Make one token void at once. Raises TableError `no-such-token` for one of somebody else."""
    row = session.get(ApiToken, number)
    if row is None or row.user_id != user.id:
        raise TableError("no-such-token", _("You have no such token; it may be revoked already."))
    session.delete(row)


def revoke_all(session: Session, user: User) -> None:
    """Make all tokens of a user void at once."""
    session.exec(delete(ApiToken).where(col(ApiToken.user_id) == user.id))


def holder(session: Session, secret: str) -> tuple[User, ApiToken] | None:
    """Return whose token this is, and its row; None for one that is not, or no more, known."""
    query = select(User, ApiToken).where(
        User.id == ApiToken.user_id,
        ApiToken.digest == _digest(secret),
        col(User.blocked_at).is_(None),
    )
    return session.exec(query).first()


def scopes_of(row: ApiToken) -> frozenset[Scope]:
    """Return what a token is for."""
    return frozenset(map(Scope, row.scopes.split()))


def was_unused(row: ApiToken, now: datetime) -> bool:
    """Tell whether a token has not been used for an hour, so that its use is worth a note."""
    return row.used_at is None or now - row.used_at >= SEEN_AGAIN


def used(session: Session, number: int, now: datetime) -> None:
    """Note that a token was used."""
    row = session.get(ApiToken, number)
    if row is not None:
        row.used_at = now
        session.add(row)


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
