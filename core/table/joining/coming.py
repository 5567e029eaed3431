"""Accepting an invitation: to a table that has not begun, or to an open seat of a running game."""

from datetime import datetime

from sqlmodel import Session, select

from core.game.types import Seat
from core.store.tables import Game, Invitation, SeatRow
from core.table import gamelog, places
from core.table.away import replace
from core.table.errors import TableError
from core.table.joining import invitations
from core.table.people.accounts import user_for
from core.text import _


def accept(session: Session, invitation: Invitation, now: datetime) -> SeatRow:
    """Take the place one was invited to; makes the user if the address is new. Twice is once.

    TableError `invitation-over` if it was declined or withdrawn meanwhile, `not-open` if the open
    seat of a running game is taken.
    """
    game = gamelog.lock(session, invitation.game_id)
    session.refresh(invitation)
    if game.status != "running" or invitation.status in invitations.OVER:
        return invitations.accept(session, invitation, now)
    user = user_for(session, invitation.email, now, invitation.name)
    if row := places.seat_of(session, game.id, user.id):
        return row
    found = next(iter(open_seats(session, game)), None)
    if found is None:
        raise TableError("not-open", _("Nobody is looked for at this table any more."))
    replace.take(session, game.id, Seat(found.seat or 0), user, now)
    invitations.answer(session, invitation, "accepted", now)
    return found


def open_seats(session: Session, game: Game) -> list[SeatRow]:
    """Seats of a running game that others may take, in seat order."""
    query = select(SeatRow).where(SeatRow.game_id == game.id, SeatRow.open)
    return sorted(session.exec(query), key=lambda row: row.seat or 0)
