"""What a host does about the table itself: its link, its title and clock, and who is host (H2)."""

import secrets
from datetime import datetime

from sqlmodel import Session, select

from core.game.types import Seat
from core.mail import outbox
from core.statuses import GameStatus, InvitationStatus
from core.store.tables import Game, Invitation, SeatRow, User
from core.table.acts import expiry, invitations, lobby, replace
from core.table.notify import mails
from core.table.people import reliability
from core.table.people.accounts import clean_name
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.text import _


def give_link(session: Session, game: Game) -> str:
    """Make the link by which anybody may come; one that was given before is void."""
    game = gamelog.lock(session, game.id)
    game.invite_link = secrets.token_urlsafe(32)
    session.add(game)
    return game.invite_link


def withdraw_link(session: Session, game: Game) -> None:
    """Make the link void."""
    game = gamelog.lock(session, game.id)
    game.invite_link = ""
    session.add(game)


def by_link(session: Session, token: str) -> Game | None:
    """Return the table to which a link leads; None for a void one."""
    if not token:
        return None
    return session.exec(select(Game).where(Game.invite_link == token)).first()


def come(session: Session, token: str, user: User, now: datetime) -> Game:
    """Take a place by a link, also at a private table, or the first seat that is open.

    TableError `link-void`, `not-open`, and as for everybody who sits down.
    """
    found = by_link(session, token)
    if found is None:
        raise TableError("link-void", _("This link leads nowhere any more; ask for a new one."))
    game = gamelog.lock(session, found.id)
    if game.invite_link != token:
        raise TableError("link-void", _("This link leads nowhere any more; ask for a new one."))
    if seats.seat_of(session, game.id, user.id) is not None:
        return game
    if game.status == GameStatus.RUNNING:
        row = next(iter(seats.open_seats(session, game.id)), None)
        if row is None:
            raise TableError("not-open", _("Nobody is looked for at this table any more."))
        replace.take(session, game.id, Seat(row.seat or 0), user, now, asked=True)
        return game
    seats.open_table(session, game.id)
    reliability.admit(session, user, now)
    seats.sit_user(session, game, user, now)
    expiry.came(session, game, user, now)
    return game


def change(session: Session, game: Game, title: str, turn_hours: int, now: datetime) -> None:
    """Change title and time for a turn before the game begins; all who sit there are told.

    TableError `begun` afterwards, `hours-out-of-range`, `name-empty`.
    """
    game = seats.open_table(session, game.id)
    lobby.demand_hours(turn_hours)
    wanted = clean_name(title, lobby.TITLE_LENGTH)
    if (wanted, turn_hours) == (game.title, game.turn_hours):
        return
    game.title, game.turn_hours = wanted, turn_hours
    session.add(game)
    for row in seats.seats(session, game.id):
        user = session.get(User, row.user_id) if row.user_id is not None else None
        if user is not None and user.id != game.host_id:
            mails.notify_user(
                session, user, game, mails.UserNotice.CHANGED, now, hours=turn_hours, name=wanted
            )


def hand_over(session: Session, game: Game, row_id: int) -> User:
    """Make somebody else who sits at the table its host; TableError `no-such-seat`."""
    game = gamelog.lock(session, game.id)
    row = session.get(SeatRow, row_id)
    user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
    if row is None or row.game_id != game.id or user is None or row.open:
        raise TableError("no-such-seat", _("Choose one of the players."))
    game.host_id = user.id
    session.add(game)
    return user


def ask_again(session: Session, game: Game, invitation_id: int, now: datetime) -> bool:
    """Send an invitation once more; False if its reader wants no mails about games.

    TableError `invitation-over` for one that was answered, `asked-twice`.
    """
    row = _pending(session, game, invitation_id)
    row.created_at = now
    session.add(row)
    session.flush()
    invitations.post(session, row, now)
    return invitations.posted(session, row)


def take_back(session: Session, game: Game, invitation_id: int, now: datetime) -> None:
    """Withdraw an invitation that nobody has answered; its mail is not sent any more."""
    row = _pending(session, game, invitation_id)
    invitations.answer(session, row, InvitationStatus.WITHDRAWN, now)
    outbox.drop(session, f"invite:{row.id}:", "withdrawn")


def _pending(session: Session, game: Game, number: int) -> Invitation:
    gamelog.lock(session, game.id)
    row = session.get(Invitation, number)
    if row is None or row.game_id != game.id or row.status != InvitationStatus.PENDING:
        raise TableError("invitation-over", _("This invitation has been answered already."))
    return row
