"""Somebody else plays a seat from now on: a user who takes it, or a bot (M39, M40, M41).

Its houses, money and past moves stay; what the former owner had in mind (drafts, standing orders,
answers to what is proposed) goes with them. The new player is asked anew and has the full time.
"""

from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, delete, select

from core import bots
from core.game.errors import StaleMove
from core.game.events import SeatTaken
from core.game.types import Seat
from core.statuses import ClosedBy, GameStatus, InvitationStatus, ProposalStatus
from core.store.tables import Draft, Game, Invitation, Proposal, ProposalAnswer, SeatRow, User
from core.table.acts import invitations
from core.table.notify import mails
from core.table.people import reliability
from core.table.people.accounts import user_for
from core.table.play import submissions
from core.table.play.play import Play
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.text import SOURCE, _, speaking


def take(
    session: Session, game_id: int, seat: int, user: User, now: datetime, *, asked: bool = False
) -> None:
    """Let a user take an open seat over; `asked`: the host's link brings them.

    Raises:
        TableError: `not-open` if it is not open, or not any more; `already-here`; `not-invited`
            at a private table; `barred`, `unreliable`.
    """
    play = Play.running(session, game_id, now)
    place = Seat(seat)
    row = play.rows.get(place)
    if row is None or not row.open:
        text = _("This seat is not free: its owner is back, or somebody else has taken it.")
        raise TableError("not-open", text)
    _demand_new(session, play.game, user)
    invited = asked or invitations.invited(session, play.game, user)
    if play.game.private and play.game.host_id != user.id and not invited:
        raise TableError("not-invited", _("This table is private; its host can invite you."))
    reliability.admit(session, user, now, None if invited else play.game)
    seats.refuse_same_mailbox(session, play.game, user)
    hand_over(play, place, user)
    play.settle()


def demand_missed(play: Play, seat: Seat) -> None:
    """TableError `not-missed` unless the seat `may_be_replaced`."""
    if not may_be_replaced(play, seat):
        text = _("{name} has missed no deadline; a seat is given away only after one.")
        raise TableError("not-missed", text.format(name=play.rows[seat].name))


def may_be_replaced(play: Play, seat: Seat) -> bool:
    """Return True if its owner has missed a deadline, and not moved since (M41)."""
    player = play.state.players[seat] if seat in play.rows else None
    if player is None or seat in play.bots:
        return False
    return player.missed > 0 or player.caretaker or play.rows[seat].open


def hand_over(
    play: Play,
    seat: Seat,
    user: User | None,
    why: tuple[Literal["player", "host", "vote", "service"], str] = ("player", ""),
) -> None:
    """Give a seat to a user, or to a caretaker for good; `play.settle` asks them then."""
    bot = "" if user else bots.CARETAKER
    session, row, former = play.session, play.rows[seat], play.owners[seat]
    refuse_pending(play, seat, former)
    late = row.open and not play.state.players[seat].caretaker
    play.close(seat, ClosedBy.MISSED if late else ClosedBy.REPLACED)
    name = (
        seats.own_name(session, play.game.id, user.name)
        if user
        else seats.bot_name(session, play.game.id, bot)
    )
    play.record(SeatTaken(seat, name, row.name, user is None, why[1], why[0]))
    row.user_id, row.bot, row.name = user.id if user else None, bot, name
    row.open, row.joined_at = False, play.now
    row.bank_seconds = row.left_seconds = None
    row.later_seconds = []
    session.add(row)
    session.exec(delete(Draft).where(col(Draft.game_id) == play.game.id, col(Draft.seat) == seat))
    asked = select(Proposal.id).where(
        Proposal.game_id == play.game.id, Proposal.status == ProposalStatus.OPEN
    )
    said = col(ProposalAnswer.proposal_id).in_(asked), col(ProposalAnswer.seat) == seat
    session.exec(delete(ProposalAnswer).where(*said))
    session.flush()
    play.sit(seat, user)
    if former is not None:
        mails.notify_user(
            session, former, play.game, mails.UserNotice.REPLACED, play.now, name=name
        )
    mails.notify_seat(session, play.game, seat, mails.SeatNotice.SEATED, play.now)


def _demand_new(session: Session, game: Game, user: User) -> None:
    if seats.seat_of(session, game.id, user.id) is not None:
        raise TableError("already-here", _("You, or whoever it is, play at this table already."))


def refuse_pending(play: Play, seat: Seat, former: User | None, why: str = "") -> None:
    """Refuse the moves of a former owner that nobody has judged yet; they are told."""
    for submission in submissions.pending(play.session, play.game.id):
        if submission.seat == seat:
            with speaking(former.locale if former else SOURCE):
                error = StaleMove(why or _("Somebody else plays this seat now."))
                submissions.refuse(play.session, former, submission, error, play.now)


def accept_seat(session: Session, invitation: Invitation, now: datetime) -> SeatRow:
    """Take the place one was invited to; makes the user if the address is new. Twice is once.

    TableError `invitation-over` if it was declined or withdrawn meanwhile, `not-open` if the open
    seat of a running game is taken.
    """
    game = gamelog.lock(session, invitation.game_id)
    session.refresh(invitation)
    if game.status != GameStatus.RUNNING or invitation.status in invitations.OVER:
        return invitations.accept(session, invitation, now)
    user = user_for(session, invitation.email, now, invitation.name)
    if row := seats.seat_of(session, game.id, user.id):
        return row
    found = next(iter(seats.open_seats(session, game.id)), None)
    if found is None:
        raise TableError("not-open", _("Nobody is looked for at this table any more."))
    take(session, game.id, Seat(found.seat or 0), user, now)
    invitations.answer(session, invitation, InvitationStatus.ACCEPTED, now)
    return found
