"""Guests: people who play against bots without an address, for a week.

A guest is a user whose `email` is no address, so no mail is ever owed to them. They sit only where
all others are bots. Signing in makes an account of the guest, or gives their seats to the account
that the address has.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select, update

from core.store.tables import Game, SeatRow, Turn, User
from core.text import language

LIFE: Final = timedelta(days=7)
"""How long a guest's games are kept without an address."""
_PREFIX: Final = "guest-"


def welcome(session: Session, now: datetime) -> User:
    """Return a new guest."""
    guest = User(
        email=_PREFIX + secrets.token_hex(16), name="Guest", created_at=now, locale=language()
    )
    session.add(guest)
    session.flush()
    guest.name = f"Guest {guest.id}"
    session.add(guest)
    return guest


def is_guest(user: User | None) -> bool:
    """Tell whether a user is a guest."""
    return user is not None and user.email.startswith(_PREFIX) and "@" not in user.email


def settle(session: Session, guest: User, address: str, now: datetime) -> User:
    """Return the account of an address, with all that a guest has played.

    `address`: as it is kept, and shown to be the guest's own. The guest becomes that account, or
    their seats go to the one that there is.
    """
    guest = session.get_one(User, guest.id, populate_existing=True, with_for_update=True)
    if not is_guest(guest):  # another browser was faster
        return guest
    known = session.exec(select(User).where(User.email == address)).first()
    if known is None:
        guest.email, guest.created_at = address, now
        session.add(guest)
        return guest
    _hand_over(session, guest, known)
    return known


def _hand_over(session: Session, guest: User, to: User) -> None:
    hosted = update(Game).where(col(Game.host_id) == guest.id).values(host_id=to.id)
    asked = update(Turn).where(col(Turn.user_id) == guest.id).values(user_id=to.id)
    seated = update(SeatRow).where(col(SeatRow.user_id) == guest.id)
    session.exec(hosted)
    session.exec(asked)
    session.exec(seated.values(user_id=to.id, name=to.name))


def over(session: Session, now: datetime) -> list[int]:
    """Return the users who have been guests for too long."""
    query = select(User.id).where(
        col(User.email).startswith(_PREFIX), col(User.created_at) <= now - LIFE
    )
    return [number for number in session.exec(query.order_by(col(User.id)).limit(100)) if number]
