"""Changing one's address: by a link mailed to the new one, which the former one can undo.

A link says all that there is to it, signed; nothing is kept, so no reader of the database can use
one. It works once: afterwards the address that it starts from is the user's no more.
"""

import secrets
from dataclasses import astuple
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, or_, select

from core.mail import outbox, reach
from core.mail.links import AddressLink
from core.mail.outbox import Kind
from core.store.tables import Invitation, OutboxMail, User
from core.table.errors import TableError
from core.table.people.accounts import (
    LINKS_AT_ONCE,
    TOKEN_LIFE,
    clean_address,
    sign_out_everywhere,
    used_up,
)
from core.text import _

UNDO_LIFE: Final = timedelta(days=3)
"""How long the owner of a former address can take a change back."""


def request_change(session: Session, user: User, email: str, now: datetime) -> None:
    """Mail a link to a new address; only when its bearer confirms it do mails go there.

    The same for addresses that are free and those of other users: it tells nothing. TableError
    `address-same`, and `too-many-links` for the impatient.
    """
    address = clean_address(email)
    if address == user.email:
        raise TableError("address-same", _("Your mails go to this address already."))
    recent = select(func.count()).where(
        OutboxMail.kind == "address",
        or_(OutboxMail.user_id == user.id, OutboxMail.address == address),
        col(OutboxMail.created_at) > now - TOKEN_LIFE,
    )
    if session.exec(recent).one() >= LINKS_AT_ONCE:
        text = _("Too many links have been asked for. Please wait a quarter of an hour.")
        raise TableError("too-many-links", text)
    link = AddressLink(user.id, user.email, address, int((now + TOKEN_LIFE).timestamp()))
    _owe_link(session, "address", user, address, link, now)


def may_change(user: User, link: AddressLink, now: datetime) -> bool:
    """Whether this link still changes the address of this user: once, and within its time."""
    return user.id == link.user and user.email == link.old and now.timestamp() < link.until


def change(session: Session, link: AddressLink, now: datetime) -> User:
    """Do what a confirmed link says; his pending invitations move with him.

    The former address is told, with a link that takes it back. Every browser is signed out, so
    that whoever takes it back is rid of an intruder; whoever confirmed may be signed in anew.
    TableError `link-used-up` or `address-taken`.
    """
    user = session.exec(select(User).where(User.id == link.user).with_for_update()).first()
    if user is None or not may_change(user, link, now):
        raise used_up()
    sign_out_everywhere(session, user)
    try:
        with session.begin_nested():
            user.email = link.new
            session.add(user)
    except IntegrityError as error:
        text = _("Somebody plays under this address already.")
        raise TableError("address-taken", text) from error
    _move_invitations(session, user, link.old)
    if user.undeliverable_at is not None:
        reach.lift(session, user, now)
    back = AddressLink(user.id, link.new, link.old, int((now + UNDO_LIFE).timestamp()))
    _owe_link(session, "moved", user, link.old, back, now)
    return user


def _move_invitations(session: Session, user: User, old: str) -> None:
    mine = select(Invitation).where(Invitation.email == user.email)
    taken = {row.game_id for row in session.exec(mine)}
    for row in session.exec(select(Invitation).where(Invitation.email == old)):
        if row.game_id not in taken:
            # The host sees an address that he wrote himself where there is no name; not this one.
            row.email, row.name = user.email, row.name or user.name
            session.add(row)


def _owe_link(
    session: Session, kind: Kind, user: User, to: str, link: AddressLink, now: datetime
) -> None:
    outbox.enqueue(
        session,
        kind,
        key=f"{kind}:{user.id}:{secrets.token_hex(8)}",
        now=now,
        user=user,
        address=to,
        context={"link": list(astuple(link))},
    )
