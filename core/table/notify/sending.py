"""May this mail go now, or when, or never? Asked of every mail at the moment of sending.

In this order: does its reader want such mails of this table (M5, M6); does he want them now, or
gathered, or in his digest; is he at the table just now (M3); does he sleep (M17). What was put off
and has come due together goes out as one mail. Who decides holds the row of the reader, so that
two senders never decide about mails of one reader at once.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select, update

from core.mail import outbox
from core.mail.kinds import KINDS, MailKind
from core.mail.outbox import NotWanted
from core.statuses import MailStatus
from core.store.tables import OutboxMail, Turn, User
from core.table.notify import digests, modes, quiet
from core.when import NEVER

_GATHERED: Final = [kind.name for kind in KINDS.values() if kind.gather]
SPARE: Final = timedelta(hours=3)
"""No turn is gathered for longer than until so long before its deadline."""
TOGETHER: Final = "told in one mail together with others"


def may(session: Session, row: OutboxMail, now: datetime) -> bool:
    """Send it now? Else it was held for later, or has become part of another mail.

    Raises:
        NotWanted: its reader does not want it.
    """
    if KINDS[row.kind].at_night or row.user_id is None:
        return True
    user = _lock(session, row.user_id)
    fresh = session.get(OutboxMail, row.id)
    if fresh is None or fresh.status != MailStatus.PENDING:
        return False  # another sender has made it part of another mail
    if why := _stale(session, user, fresh, now):
        _give_back(session, fresh, why, now)
        return False
    when = _when(session, user, fresh, now)
    if when > now:
        _hold(session, fresh, when)
        return False
    if fresh.held and KINDS[fresh.kind].gather:
        return _release(session, user, fresh, now)
    return True


def _lock(session: Session, user_id: int) -> User:
    query = select(User).where(User.id == user_id).with_for_update(key_share=True)
    return session.exec(query).one()


def _stale(session: Session, user: User, row: OutboxMail, now: datetime) -> str:
    """Why a mail must not say for others what it was made for; it has waited for the mail server.

    Of the gathered ones each must still be due: its reader may want it in his digest by now.
    """
    if row.kind == MailKind.DIGEST and digests.is_over(row, user, now):
        return "its day is over, and nobody got it"
    told = _told(session, row) if row.kind == MailKind.GATHERED else ()
    if not all(_due(session, user, other, now) for other in told):
        return "not all in it is wanted now"
    return ""


def _told(session: Session, row: OutboxMail) -> Sequence[OutboxMail]:
    """The mails that are dropped because this one tells them."""
    told = col(OutboxMail.id).in_(row.context.get("rows", ()))
    return session.exec(
        select(OutboxMail).where(told, OutboxMail.status == MailStatus.DROPPED)
    ).all()


def _due(session: Session, user: User, row: OutboxMail, now: datetime) -> bool:
    try:
        return _when(session, user, row, now) <= now
    except NotWanted:
        return False


def _when(session: Session, user: User, row: OutboxMail, now: datetime) -> datetime:
    """The instant from which on a mail may go; NotWanted if it may never."""
    if row.kind == MailKind.GATHERED:
        return now  # each that it tells was asked for by `_stale`
    if row.kind not in (MailKind.TURN, MailKind.REMINDER):
        if row.kind == MailKind.CHAT and modes.table_mode(session, user, row.game_id) == "mute":
            raise NotWanted("the table is muted")
        return quiet.when(user, row.kind, now)
    asked = question(session, row)
    if asked is None:
        return now  # answered meanwhile: it is dropped when it is written
    deadline = asked.deadline if asked.deadline < NEVER else None
    wanted = _by_mode(session, user, row, deadline, now)
    here = quiet.until(session, asked.game_id, user.id, row.created_at)
    return quiet.when(user, row.kind, max(wanted, here), deadline)


def question(session: Session, row: OutboxMail) -> Turn | None:
    """The open question that a row is about."""
    query = select(Turn).where(
        Turn.game_id == row.game_id,
        Turn.seat == row.seat,
        Turn.turn == row.turn,
        col(Turn.closed_at).is_(None),
    )
    return session.exec(query).first()


def _by_mode(
    session: Session, user: User, row: OutboxMail, deadline: datetime | None, now: datetime
) -> datetime:
    """By the user's mode and the table's own."""
    mode = modes.mode(session, user, row.game_id)
    if mode == "off":
        raise NotWanted("no turn mails any more")
    if row.kind == MailKind.REMINDER:
        if mode == "digest" and row.context.get("step") != "last":
            raise NotWanted("the daily digest tells the deadline")
        return now
    if mode == "digest":
        return digests.following(user, now)
    if (
        mode == "batched" and row.status == MailStatus.PENDING
    ):  # else it is in a gathered mail already
        return _batch(session, user, row, deadline, now)
    return now


def _batch(
    session: Session, user: User, row: OutboxMail, deadline: datetime | None, now: datetime
) -> datetime:
    """When the gathering ends that the first of the waiting turns has begun."""
    first = min(
        (r.created_at for r in _waiting(session, user) if _is_batched(session, user, r)),
        default=row.created_at,
    )
    end = min(first, row.created_at) + timedelta(minutes=user.batch_minutes)
    return max(now, min(end, deadline - SPARE) if deadline else end)


def _is_batched(session: Session, user: User, row: OutboxMail) -> bool:
    return row.kind == MailKind.TURN and modes.mode(session, user, row.game_id) == "batched"


def _waiting(session: Session, user: User) -> Sequence[OutboxMail]:
    """A user's mails that are held, oldest first."""
    query = select(OutboxMail).where(
        OutboxMail.user_id == user.id,
        OutboxMail.status == MailStatus.PENDING,
        col(OutboxMail.held).is_(True),
        col(OutboxMail.kind).in_(_GATHERED),
    )
    return session.exec(query.order_by(col(OutboxMail.id))).all()


def _hold(session: Session, row: OutboxMail, until: datetime) -> None:
    """Put a mail off; that was no attempt to send it."""
    _set(session, [row], held=True, next_attempt_at=until, lease_until=None,
         attempts=max(row.attempts - 1, 0))  # fmt: skip


def _give_back(session: Session, row: OutboxMail, why: str, now: datetime) -> None:
    """Drop a mail that nobody got; what it would have told is decided anew.

    The next one tells it, and if its reader wants none any more, each turn has its mail.
    """
    told = _told(session, row)
    _set(session, told, status=MailStatus.PENDING, held=True, next_attempt_at=now, error="")
    _set(session, [row], status=MailStatus.DROPPED, error=why)


def _release(session: Session, user: User, row: OutboxMail, now: datetime) -> bool:
    """Send a mail that was held, with all others of its reader that have come due by now."""
    due = [r for r in _waiting(session, user) if r.id == row.id or r.next_attempt_at <= now]
    due = [r for r in due if r.id == row.id or _may_join(session, user, r, now)]
    asked = {(r.game_id, r.seat, r.turn) for r in due if r.kind == MailKind.TURN}
    twice = [r for r in due if r.kind == MailKind.REMINDER and (r.game_id, r.seat, r.turn) in asked]
    _set(session, twice, status=MailStatus.DROPPED, error="told with the turn itself")
    rows = [r for r in due if r not in twice]
    if len(rows) == 1:
        _set(session, rows, held=False)  # whatever comes later, this one goes by itself
        return rows[0].id == row.id
    outbox.owe(
        session,
        MailKind.GATHERED,
        key=f"together:{rows[0].id}:{now.isoformat()}",  # one that came back is gathered again
        now=now,
        user=user,
        context={"rows": [r.id for r in rows]},
    )
    _set(session, rows, status=MailStatus.DROPPED, error=TOGETHER)
    return False


def _may_join(session: Session, user: User, row: OutboxMail, now: datetime) -> bool:
    try:
        return _when(session, user, row, now) <= now
    except NotWanted as reason:
        _set(session, [row], status=MailStatus.DROPPED, error=str(reason))
        return False


def _set(session: Session, rows: Sequence[OutboxMail], **values: object) -> None:
    if "status" in values:
        values["lease_until"] = None
    session.execute(
        update(OutboxMail)
        .where(col(OutboxMail.id).in_([row.id for row in rows]))
        .values(**values)
        .execution_options(synchronize_session=False)
    )
