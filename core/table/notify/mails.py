"""The mails that a table owes, and to whom; what they say is made when they are sent.

A user's own toggle holds for the start and end of games (M15); how they want their turns is asked
when those are sent (core.table.notify.sending). The answer to their own mail they always get. Keys
make every mail one, however often the reason for it is found.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from sqlmodel import Session, col, select

from core.game.events import Event
from core.game.types import Seat
from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import MailStatus, SubmissionStatus
from core.store.session import count
from core.store.tables import ChatLine, Game, OutboxMail, SeatRow, Submission, Turn, User
from core.table.notify import sitters, webhooks
from core.table.record import gamelog, seats
from core.table.record.around import Around

_OWED: Final = "mails owed"


class SeatNotice(StrEnum):
    """What a notice tells the owner of a seat; their words are in core.table.views.render."""

    CARETAKER = "caretaker"
    GRACE = "grace"
    RETURNED = "returned"
    OFFERED = "offered"
    DRAFT = "draft"
    ASLEEP = "asleep"
    SEATED = "seated"
    STOPPED = "stopped"
    """To the host, as the next one: the service stopped the game, or lets it go on (M78)."""
    RELEASED = "released"
    ACT = "act"
    """What host, majority or players did; the words of this and the next two are in proposals."""
    PROPOSAL = "proposal"
    OVER = "over"


class UserNotice(StrEnum):
    """What a notice tells a user about a table at which they have no seat, or none yet."""

    REPLACED = "replaced"
    NO_SHOW = "no-show"
    WITHDRAWN = "withdrawn"
    IDLE = "idle"
    CLOSED = "closed"
    FULL = "full"
    CHANGED = "changed"


def owe_turn(
    session: Session, user: User | None, asked: Turn, around: Around, now: datetime
) -> None:
    """Tell the owner of a seat that it is asked; `sending` decides whether and when they hear."""
    if user is not None:
        webhooks.owe_turn(session, around.hooks.get(user.id, ()), asked, now)
        if user.id in around.vacations:
            sitters.owe_turn(session, user, asked, now)
        _owe(
            session,
            MailKind.TURN,
            key=f"turn:{asked.game_id}:{asked.seat}:{asked.turn}",
            now=now,
            user=user,
            game_id=asked.game_id,
            seat=asked.seat,
            turn=asked.turn,
        )


def owe_start(session: Session, game: Game, now: datetime) -> None:
    """Tell all users at a table that its game has begun."""
    _everybody(session, game, MailKind.START, now)


def owe_end(session: Session, game: Game, now: datetime) -> None:
    """Tell all users at a table that its game is over."""
    _everybody(session, game, MailKind.END, now)


def owe_answer(session: Session, user: User | None, submission: Submission, now: datetime) -> None:
    """Answer a move that came by mail; a form shows its answer on the page."""
    if submission.channel == "mail" and user is not None:
        refused, context = submission.status != SubmissionStatus.ACCEPTED, {}
        if refused:
            lately = _refusals(session, user, now)
            if lately >= MOST_REFUSALS:
                return
            if lately == MOST_REFUSALS - 1:
                context = {"silent": (now + REFUSAL_PAUSE).isoformat()}
        _owe(
            session,
            MailKind.DONE if submission.status == SubmissionStatus.ACCEPTED else MailKind.REFUSED,
            key=f"answer:{submission.id}",
            now=now,
            user=user,
            game_id=submission.game_id,
            seat=submission.seat,
            turn=submission.turn,
            context={"submission": submission.id, **context},
            thread=submission.key.rpartition("#")[0],
        )


MOST_REFUSALS: Final = 30
"""Illegal moves of one person that are answered in an hour; the last answer says so (M22)."""
REFUSAL_PAUSE: Final = timedelta(hours=1)


def _refusals(session: Session, user: User, now: datetime) -> int:
    return count(
        session,
        OutboxMail.user_id == user.id,
        OutboxMail.kind == MailKind.REFUSED,
        col(OutboxMail.created_at) > now - REFUSAL_PAUSE,
    )


def notify_seat(
    session: Session,
    game: Game,
    seat: Seat,
    what: SeatNotice,
    now: datetime,
    key: str = "",
    **context: Any,
) -> None:
    """Tell the owner of a seat what has become of it, or what is done or proposed at the table."""
    user = seats.owner(session, game.id, seat)
    if user is not None:
        _owe(
            session,
            MailKind.SEAT_NOTICE,
            key=key or f"notice:{what}:{game.id}:{seat}:{game.seq}",
            now=now,
            user=user,
            game_id=game.id,
            seat=seat,
            context={"what": what, **context},
        )


def notify_user(
    session: Session,
    user: User,
    game: Game,
    what: UserNotice,
    now: datetime,
    key: str = "",
    **context: Any,
) -> None:
    """Tell a user something about a table at which they have no seat, or none yet."""
    _owe(
        session,
        MailKind.USER_NOTICE,
        key=key or f"word:{what}:{game.id}:{user.id}:{now.isoformat()}",
        now=now,
        user=user,
        game_id=game.id,
        context={"what": what, **context},
    )


def notify_host(session: Session, game: Game, what: UserNotice, about: User, now: datetime) -> None:
    """Tell the host what has become of another user at the table."""
    host = session.get(User, game.host_id) if game.host_id not in (None, about.id) else None
    if host is not None:
        key = f"word:{what}:{game.id}:{about.id}:{now.isoformat()}"
        notify_user(session, host, game, what, now, key, name=about.name)


def notify_all(
    session: Session, game: Game, kind: type[Event], but: int | None, now: datetime
) -> None:
    """Tell all at the table of the last event of a kind, except the seat that did it (M77)."""
    seq = max(e.seq for e in gamelog.events(session, game.id) if isinstance(e.event, kind))
    for seat in seats.players(session, game.id):
        if seat != but:
            key = f"act:{game.id}:{seq}:{seat}"
            notify_seat(session, game, seat, SeatNotice.ACT, now, key, seq=seq)


def notify_host_of_stop(session: Session, game: Game, what: SeatNotice, now: datetime) -> None:
    """Tell the host that the service stopped the game, or lets it go on (M78)."""
    host = session.get(User, game.host_id) if game.host_id is not None else None
    if host is not None and game.started_at is not None:
        row = seats.seat_of(session, game.id, host.id)
        _owe(
            session,
            MailKind.SEAT_NOTICE,
            key=f"notice:{what}:{game.id}:{now.isoformat()}",
            now=now,
            user=host,
            game_id=game.id,
            seat=row.seat if row else None,
            context={"what": what},
        )


def _everybody(session: Session, game: Game, kind: MailKind, now: datetime) -> None:
    for seat, (_row, user) in seats.players(session, game.id).items():
        if user is not None and user.mail_games:
            key = f"{kind}:{game.id}:{seat}"
            _owe(session, kind, key=key, now=now, user=user, game_id=game.id, seat=seat)


def has_owed(session: Session) -> bool:
    """Return True if this session has owed a mail, so that delivery is worth starting."""
    return bool(session.info.get(_OWED))


def _owe(session: Session, kind: MailKind, **mail: Any) -> None:
    session.info[_OWED] = outbox.owe(session, kind, **mail) or has_owed(session)


PAUSE: Final = timedelta(minutes=15)
"""How long lines are gathered before they are mailed."""


def owe_chat(session: Session, game: Game, line: ChatLine, now: datetime) -> None:
    """Owe the others at the table a mail that begins with `line`, unless one is gathering."""
    query = (
        select(SeatRow, User)
        .join(User, col(SeatRow.user_id) == col(User.id))
        .where(SeatRow.game_id == game.id, User.id != line.user_id, User.mail_chat)
    )
    for seat, user in session.exec(query):
        if not _gathering(session, game, user):
            outbox.owe(
                session,
                MailKind.CHAT,
                key=f"chat:{game.id}:{user.id}:{line.id}",
                now=now,
                user=user,
                game_id=game.id,
                seat=seat.seat,
                context={"from": line.id},
                due=now + PAUSE,
            )


def chat_lines(session: Session, mail: OutboxMail) -> Sequence[tuple[ChatLine, str]]:
    """Return what a chat mail tells, and who said it: up to the first line of the next mail."""
    following = (
        select(OutboxMail)
        .where(
            OutboxMail.kind == MailKind.CHAT,
            OutboxMail.game_id == mail.game_id,
            OutboxMail.user_id == mail.user_id,
            col(OutboxMail.id) > mail.id,
        )
        .order_by(col(OutboxMail.id))
    )
    said = (
        select(ChatLine, User.name)
        .join(User, col(ChatLine.user_id) == col(User.id))
        .where(
            ChatLine.game_id == mail.game_id,
            ChatLine.user_id != mail.user_id,
            col(ChatLine.id) >= mail.context["from"],
        )
        .order_by(col(ChatLine.id))
    )
    if (later := session.exec(following).first()) is not None:
        # An earlier one that is sent late, or while this was said, must not tell it too. The key
        # ends in the first line; the context is gone once a mail was sent.
        said = said.where(col(ChatLine.id) < int(later.key.rpartition(":")[2]))
    return session.exec(said).all()


def _gathering(session: Session, game: Game, user: User) -> bool:
    """Return True if a chat mail is owed that no sender has taken up yet.

    None can take it up until this line is committed, so that it is told in that mail.
    """
    query = select(OutboxMail.id).where(
        OutboxMail.kind == MailKind.CHAT,
        OutboxMail.game_id == game.id,
        OutboxMail.user_id == user.id,
        OutboxMail.status == MailStatus.PENDING,
        OutboxMail.attempts == 0,
    )
    return session.exec(query.with_for_update()).first() is not None
