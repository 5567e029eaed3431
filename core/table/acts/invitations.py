"""Asking people to a table by their address; they can answer by mail alone.

An invitation is pending, accepted, declined by whom it was for, or withdrawn by the host, who has
taken the place back. The last two open no private table and give no place; the host may ask again.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlmodel import Session, col, select

from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import GameStatus, InvitationStatus
from core.store.session import count, put
from core.store.tables import Game, Invitation, OutboxMail, SeatRow, Uninvited, User
from core.table.acts import expiry
from core.table.people import guests, reliability
from core.table.people.accounts import clean_address, clean_name, find_user, user_for
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.text import _

MOST: Final = 20
"""Invitations to one table, so that nobody mails the world through us."""
MAILS_EACH: Final = 2
"""Mails to one address about one table: who has declined is asked once more at most."""
LATELY: Final = timedelta(days=1)
TO_ONE: Final = 3
"""Invitations of a day to an address that is nobody's here yet, over all tables."""
BY_ONE: Final = 30
"""Invitations of a day by one host, over all their tables."""
OVER: Final = (InvitationStatus.DECLINED, InvitationStatus.WITHDRAWN)
"""An invitation that opens nothing any more."""


def invite(session: Session, game: Game, email: str, name: str, now: datetime) -> Invitation:
    """Ask an address to a table; once while it has not declined. `posted` says if a mail goes out.

    Without a `name` the invitation has none: an address is nobody's name.
    """
    game = _looking(session, game.id)
    host = session.get(User, game.host_id) if game.host_id is not None else None
    if guests.is_guest(host):
        text = _("Sign in with your address to invite others; as a guest you play bots.")
        raise TableError("guest", text)
    address = clean_address(email)
    _demand_measure(session, game, address, now)
    known = invitation_for(session, game, address)
    if known is not None and known.status not in OVER:
        return known
    row = known or _new(session, game, address)
    row.name = clean_name(name) if name.strip() else row.name
    row.status, row.created_at, row.answered_at = InvitationStatus.PENDING, now, None
    session.add(row)
    session.flush()
    post(session, row, now)
    return row


def never_again(session: Session, address: str, now: datetime) -> None:
    """Invite this address no more, to no table; what waits is declined."""
    put(session, Uninvited(digest=_digest(address), at=now))
    waiting = (Invitation.email == address, Invitation.status == InvitationStatus.PENDING)
    for row in session.exec(select(Invitation).where(*waiting)).all():
        answer(session, row, InvitationStatus.DECLINED, now)


def _demand_measure(session: Session, game: Game, address: str, now: datetime) -> None:
    """Raise TableError where an address, or a host, has had enough invitations of late (H15).

    Who wants none at all gets none; the host is told the same as of one who was asked too often.
    """
    since = col(Invitation.created_at) > now - LATELY
    of_host = col(Invitation.game_id).in_(select(Game.id).where(Game.host_id == game.host_id))
    to_others = Invitation.game_id != game.id
    wants_none = session.get(Uninvited, _digest(address)) is not None
    known = find_user(session, address) is not None
    if wants_none or (not known and count(session, Invitation.email == address, since, to_others)
                      >= TO_ONE):  # fmt: skip
        text = _("This address has been invited often enough; ask its owner yourself.")
        raise TableError("invited-enough", text)
    if count(session, since, of_host) >= BY_ONE:
        text = _("You have invited {most} people within a day; go on tomorrow.")
        raise TableError("too-many-invitations", text.format(most=BY_ONE))


def _digest(address: str) -> str:
    return sha256(clean_address(address).encode()).hexdigest()


def posted(session: Session, invitation: Invitation) -> bool:
    """Return whether a mail with this invitation was sent or is owed, since it was last given.

    None is owed to users who want no mails about games; they find it on their page.
    """
    mine = col(OutboxMail.key).startswith(_key(invitation, ""))
    return count(session, mine, col(OutboxMail.created_at) >= invitation.created_at) > 0


def accept(session: Session, invitation: Invitation, now: datetime) -> SeatRow:
    """Take the place one was invited to; makes the user if the address is new. Twice is once.

    TableError `invitation-over` if it was declined or withdrawn meanwhile.
    """
    game = seats.open_table(session, invitation.game_id)
    session.refresh(invitation)
    if invitation.status in OVER:
        text = _("This invitation is not open any more. Ask the host for a new one.")
        raise TableError("invitation-over", text)
    user = user_for(session, invitation.email, now, invitation.name)
    seat = seats.seat_of(session, game.id, user.id)
    if seat is None:
        reliability.admit(session, user, now)
        seat = seats.sit_user(session, game, user, now)
        expiry.came(session, game, user, now)
    answer(session, invitation, InvitationStatus.ACCEPTED, now)
    return seat


def decline(session: Session, invitation: Invitation, now: datetime) -> None:
    """Say no, also after one has accepted: the place is free again.

    TableError `game-begun` for a place at a table whose game has begun.
    """
    game = gamelog.lock(session, invitation.game_id)
    session.refresh(invitation)
    if invitation.status in OVER:
        return
    user = find_user(session, invitation.email)
    seat = seats.seat_of(session, game.id, user.id) if user else None
    if seat is not None:
        if game.status != GameStatus.OPEN:
            text = _("The game has begun, and you play in it: it is too late to decline.")
            raise TableError("game-begun", text)
        session.delete(seat)
    answer(session, invitation, InvitationStatus.DECLINED, now)


def withdraw(session: Session, game: Game, user: User) -> None:
    """Keep a user from sitting down again until the host asks them anew."""
    row = invitation_for(session, game, user.email)
    row = row or Invitation(game_id=game.id, email=user.email, name=user.name)
    row.status = InvitationStatus.WITHDRAWN
    session.add(row)


def invitation_for(session: Session, game: Game, email: str) -> Invitation | None:
    """Return the invitation of an address to a table."""
    query = select(Invitation).where(Invitation.game_id == game.id, Invitation.email == email)
    return session.exec(query).first()


def invited(session: Session, game: Game, user: User) -> bool:
    """Is this user invited to this table, and neither has declined nor was sent away?"""
    row = invitation_for(session, game, user.email)
    return row is not None and row.status not in OVER


def _looking(session: Session, game_id: int) -> Game:
    """Return a table that has not begun, or a running game with a seat for somebody else."""
    game = gamelog.lock(session, game_id)
    if game.status == GameStatus.RUNNING and seats.open_seats(session, game_id):
        return game
    return seats.open_table(session, game_id)


def _new(session: Session, game: Game, address: str) -> Invitation:
    if count(session, Invitation.game_id == game.id) >= MOST:
        raise TableError("too-many-invitations", _("No more invitations for this table."))
    return Invitation(game_id=game.id, email=address, name="")


def post(session: Session, row: Invitation, now: datetime) -> None:
    """Owe the mail with an invitation; TableError `asked-twice`."""
    user = find_user(session, row.email)
    if user is not None and not user.mail_games:
        return
    number = count(session, col(OutboxMail.key).startswith(_key(row, "")))
    if number >= MAILS_EACH:
        text = _("This address has been asked twice; it gets no more mails about this table.")
        raise TableError("asked-twice", text)
    outbox.owe(
        session,
        MailKind.INVITE,
        key=_key(row, number),
        now=now,
        user=user,
        address=row.email,
        game_id=row.game_id,
        context={"invitation": row.id, "name": row.name},
    )


def _key(invitation: Invitation, number: int | str) -> str:
    return f"invite:{invitation.id}:{number}"


def answer(
    session: Session, invitation: Invitation, status: InvitationStatus, now: datetime
) -> None:
    """Keep what an invitation was answered with."""
    invitation.status, invitation.answered_at = status, now
    session.add(invitation)
