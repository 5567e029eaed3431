"""Which mail a table owes to whom. What it says is made when it is sent (core.mail.compose).

A user's own toggle holds for the start and end of games (M15); how he wants his turns is asked
when they are sent (outgoing.sending). The answer to his own mail he always gets. Keys make every
mail one, however often the reason for it is found.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlmodel import Session, col, select

from core.game.events import Event
from core.game.types import Seat
from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import MailStatus, SubmissionStatus
from core.store.tables import ChatLine, Game, OutboxMail, SeatRow, Submission, Turn, User
from core.table.notify import sitters, webhooks
from core.table.record import gamelog, seats

Notice = Literal["caretaker", "grace", "returned", "offered", "draft", "asleep", "seated"]
Word = Literal["replaced", "no-show", "withdrawn", "idle", "closed", "full"]
HostNotice = Literal["stopped", "released"]
_OWED: Final = "mails owed"


def turn(session: Session, user: User | None, asked: Turn, now: datetime) -> None:
    """Tell the owner of a seat that he is asked; whether and when he wants it, `sending` asks."""
    if user is not None:
        webhooks.owe_turn(session, user, asked, now)
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


def started(session: Session, game: Game, now: datetime) -> None:
    """Tell all users at a table that its game has begun."""
    _everybody(session, game, MailKind.START, now)


def ended(session: Session, game: Game, now: datetime) -> None:
    """Tell all users at a table that its game is over."""
    _everybody(session, game, MailKind.END, now)


def answer(session: Session, user: User | None, submission: Submission, now: datetime) -> None:
    """Answer a move that came by mail; a form shows its answer on the page."""
    if submission.channel == "mail" and user is not None:
        _owe(
            session,
            MailKind.DONE if submission.status == SubmissionStatus.ACCEPTED else MailKind.REFUSED,
            key=f"answer:{submission.id}",
            now=now,
            user=user,
            game_id=submission.game_id,
            seat=submission.seat,
            turn=submission.turn,
            context={"submission": submission.id},
            thread=submission.key.rpartition("#")[0],
        )


def notice(
    session: Session, game: Game, seat: Seat, what: Notice, now: datetime, **context: Any
) -> None:
    """Tell a user what has become of his seat: a caretaker came or left, others may take it."""
    user = seats.owner(session, game.id, seat)
    if user is not None:
        _owe(
            session,
            MailKind.SEAT_NOTICE,
            key=f"notice:{what}:{game.id}:{seat}:{game.seq}",
            now=now,
            user=user,
            game_id=game.id,
            seat=seat,
            context={"what": what, **context},
        )


def word(
    session: Session,
    user: User,
    game: Game,
    what: Word,
    now: datetime,
    key: str = "",
    **context: Any,
) -> None:
    """Tell a user something about a table at which he has no seat, or none yet."""
    _owe(
        session,
        MailKind.USER_NOTICE,
        key=key or f"word:{what}:{game.id}:{user.id}:{now.isoformat()}",
        now=now,
        user=user,
        game_id=game.id,
        context={"what": what, **context},
    )


def to_host(session: Session, game: Game, what: Word, about: User, now: datetime) -> None:
    """Tell the host what has become of another user at his table."""
    host = session.get(User, game.host_id) if game.host_id not in (None, about.id) else None
    if host is not None:
        key = f"word:{what}:{game.id}:{about.id}:{now.isoformat()}"
        word(session, host, game, what, now, key, name=about.name)


def note(
    session: Session,
    user: User,
    game: Game,
    seat: Seat,
    key: str,
    now: datetime,
    context: dict[str, Any],
) -> None:
    """Tell a player what was done at the table, or is proposed (core.table.acts.proposals)."""
    _owe(
        session,
        MailKind.SEAT_NOTICE,
        key=key,
        now=now,
        user=user,
        game_id=game.id,
        seat=seat,
        context=context,
    )


def acted(session: Session, game: Game, kind: type[Event], but: int | None, now: datetime) -> None:
    """Tell all at the table of the last event of a kind, except the seat that did it (M77)."""
    seq = max(e.seq for e in gamelog.events(session, game.id) if isinstance(e.event, kind))
    for seat, (_row, user) in seats.players(session, game.id).items():
        if user is not None and seat != but:
            key = f"act:{game.id}:{seq}:{seat}"
            note(session, user, game, seat, key, now, {"what": "act", "seq": seq})


def host_notice(session: Session, game: Game, what: HostNotice, now: datetime) -> None:
    """Tell the host that the service stopped his game, or lets it go on (M78)."""
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
    query = (
        select(SeatRow, User)
        .join(User, col(SeatRow.user_id) == col(User.id))
        .where(SeatRow.game_id == game.id)
        .order_by(col(SeatRow.seat))
    )
    for row, user in session.exec(query):
        if user.mail_games:
            key = f"{kind}:{game.id}:{row.seat}"
            _owe(session, kind, key=key, now=now, user=user, game_id=game.id, seat=row.seat or 0)


def owed(session: Session) -> bool:
    """Has this session owed a mail, so that it is worth ringing for delivery?"""
    return bool(session.info.get(_OWED))


def _owe(session: Session, kind: MailKind, **mail: Any) -> None:
    session.info[_OWED] = outbox.owe(session, kind, **mail) or owed(session)


PAUSE: Final = timedelta(minutes=15)
"""How long lines are gathered before they are mailed."""


def owe(session: Session, game: Game, line: ChatLine, now: datetime) -> None:
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


def lines(session: Session, mail: OutboxMail) -> Sequence[tuple[ChatLine, str]]:
    """What a chat mail tells, and who said it: from its first line to that of the next mail."""
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
    """Is there a chat mail that has not been taken up by a sender yet?

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
