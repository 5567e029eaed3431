"""Asking people to a table by their address; they can answer by mail alone."""

from datetime import datetime
from typing import Final

from sqlmodel import Session, func, select

from core.mail import outbox
from core.store.tables import Game, Invitation, SeatRow, User
from core.table import places
from core.table.accounts import clean_address, clean_name, find_user, user_for
from core.table.errors import TableError
from core.text import _

MOST: Final = 20
"""Invitations to one table, so that nobody mails the world through us."""


def invite(session: Session, game: Game, email: str, name: str, now: datetime) -> Invitation:
    """Mail an invitation; once, however often an address is invited to this table."""
    game = places.open_table(session, game.id)
    address = clean_address(email)
    known = invitation_for(session, game, address)
    if known is not None:
        return known
    sent = select(func.count()).select_from(Invitation).where(Invitation.game_id == game.id)
    if session.exec(sent).one() >= MOST:
        raise TableError("too-many-invitations", _("No more invitations for this table."))
    row = Invitation(
        game_id=game.id,
        email=address,
        name=clean_name(name or address.split("@")[0]),
        created_at=now,
    )
    session.add(row)
    session.flush()
    user = find_user(session, address)
    if user is None or user.mail_games:
        outbox.enqueue(
            session,
            "invite",
            key=f"invite:{row.id}",
            now=now,
            user=user,
            address=address,
            game_id=game.id,
            context={"invitation": row.id, "name": row.name},
        )
    return row


def accept(session: Session, invitation: Invitation, now: datetime) -> SeatRow:
    """Take the place one was invited to; makes the user if the address is new. Twice is once."""
    game = places.open_table(session, invitation.game_id)
    user = user_for(session, invitation.email, now, invitation.name)
    seat = places.seat_of(session, game.id, user.id)
    if seat is None:
        seat = SeatRow(game_id=game.id, user_id=user.id, name=user.name, joined_at=now)
        places.sit(session, game, seat)
    _answer(session, invitation, "accepted", now)
    return seat


def decline(session: Session, invitation: Invitation, now: datetime) -> None:
    """Say no; the place stays free."""
    if invitation.status == "pending":
        _answer(session, invitation, "declined", now)


def invitation_for(session: Session, game: Game, email: str) -> Invitation | None:
    """The invitation of an address to a table."""
    query = select(Invitation).where(Invitation.game_id == game.id, Invitation.email == email)
    return session.exec(query).first()


def invited(session: Session, game: Game, user: User) -> bool:
    """Was this user invited to this table?"""
    return invitation_for(session, game, user.email) is not None


def _answer(session: Session, invitation: Invitation, status: str, now: datetime) -> None:
    invitation.status, invitation.answered_at = status, now
    session.add(invitation)
