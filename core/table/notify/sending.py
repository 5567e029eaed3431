"""May these mails go now, or when, or never? Asked of every mail at the moment of sending.

In this order: does its reader want such mails of this table (M5, M6); do they want them now, or
gathered, or in their digest; are they at the table just now (M3); do they sleep (M17). What was
put off and has come due together is claimed together (core.mail.outbox) and goes as one message.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select, update

from core.mail.kinds import KINDS, MailKind
from core.mail.outbox import QUEUE, NotWanted
from core.statuses import MailStatus
from core.store.tables import OutboxMail, Turn, User
from core.table.notify import digests, modes, quiet
from core.when import NEVER

SPARE: Final = timedelta(hours=3)
"""No turn is gathered for longer than until so long before its deadline."""


def may(session: Session, rows: Sequence[OutboxMail], now: datetime) -> list[OutboxMail]:
    """Return those of the claimed mails of one reader that go out now, as one message.

    The others have been put off, or dropped because they are not wanted any more.
    """
    first = rows[0]
    if first.user_id is None or KINDS[first.kind].at_night:
        return list(rows)
    user = session.exec(
        select(User).where(User.id == first.user_id).with_for_update(key_share=True)
    ).one()
    going: list[OutboxMail] = []
    claimed = _claimed(session, rows)
    for row in claimed:
        digest = bool(going) and going[0].kind == MailKind.DIGEST
        if digest and _is_told_daily(session, user, row):
            going.append(row)
            continue
        try:
            when = _when(session, user, row, claimed, now)
        except NotWanted as reason:
            QUEUE.mark(session, [row], status=MailStatus.DROPPED, error=str(reason))
            continue
        if when > now or digest:
            _hold(session, row, when)
        else:
            going.append(row)
    asked = {_question(row) for row in going if row.kind == MailKind.TURN}
    twice = [r for r in going if r.kind == MailKind.REMINDER and _question(r) in asked]
    QUEUE.mark(session, twice, status=MailStatus.DROPPED, error="told with the turn itself")
    going = [row for row in going if row not in twice]
    if len(going) == 1:
        going[0].held = False  # whatever comes later, this one goes by itself
    return going


def _claimed(session: Session, rows: Sequence[OutboxMail]) -> list[OutboxMail]:
    """Return what is still claimed, a digest first.

    A row that version 0.1 wrote may hold the ids of mails that it tells; they are claimed with it,
    as if they had been tried with it before.
    """
    first, mine = rows[0], QUEUE.mine(session, rows)
    if mine and (ids := first.context.get("rows")):
        told = (col(OutboxMail.id).in_(ids), col(OutboxMail.status) == MailStatus.DROPPED)
        others = session.exec(select(OutboxMail).where(*told)).all()
        again = {"status": MailStatus.PENDING, "held": True, "error": "",
                 "attempts": first.attempts + 1, "lease_until": first.lease_until}  # fmt: skip
        session.execute(update(OutboxMail).where(*told).values(**again))
        if first.kind == MailKind.GATHERED:
            QUEUE.mark(session, [first], status=MailStatus.DROPPED, error="told by its own mails")
        mine = QUEUE.mine(session, [*rows, *others])
    return sorted(mine, key=lambda row: (row.kind != MailKind.DIGEST, row.id))


def _is_told_daily(session: Session, user: User, row: OutboxMail) -> bool:
    """Return True if a digest tells a turn: it waits for one, or was tried in this one before."""
    return row.attempts > 1 or modes.mode(session, user, row.game_id) == "digest"


def _when(
    session: Session, user: User, row: OutboxMail, rows: Sequence[OutboxMail], now: datetime
) -> datetime:
    """Return when a mail may go; `rows` were claimed with it. NotWanted if it may never."""
    if row.kind == MailKind.DIGEST and digests.is_over(row, user, now):
        raise NotWanted("its day is over, and nobody got it")
    if row.kind not in (MailKind.TURN, MailKind.REMINDER):
        if row.kind == MailKind.CHAT and modes.table_mode(session, user, row.game_id) == "mute":
            raise NotWanted("the table is muted")
        return quiet.when(user, row.kind, now)
    asked = question(session, row)
    if asked is None:
        return now  # answered meanwhile: it is dropped when it is written
    deadline = asked.deadline if asked.deadline < NEVER else None
    mode = modes.mode(session, user, row.game_id)
    wanted = now
    if mode == "off":
        raise NotWanted("no turn mails any more")
    if row.kind == MailKind.REMINDER:
        if mode == "digest" and row.context.get("step") != "last":
            raise NotWanted("the daily digest tells the deadline")
    elif mode == "digest":
        wanted = digests.following(user, now)
    elif mode == "batched":
        wanted = _end_of_batch(session, user, rows, deadline, now)
    here = now if mode == "always" else quiet.until(session, asked, user.id, row.created_at)
    return quiet.when(user, row.kind, max(wanted, here), deadline)


def question(session: Session, row: OutboxMail) -> Turn | None:
    """Return the open question that a row is about."""
    query = select(Turn).where(
        Turn.game_id == row.game_id,
        Turn.seat == row.seat,
        Turn.turn == row.turn,
        col(Turn.closed_at).is_(None),
    )
    return session.exec(query).first()


def _end_of_batch(
    session: Session,
    user: User,
    rows: Sequence[OutboxMail],
    deadline: datetime | None,
    now: datetime,
) -> datetime:
    """Return when the gathering ends that the first of the waiting turns has begun."""
    waiting = session.exec(
        select(OutboxMail).where(
            OutboxMail.user_id == user.id,
            OutboxMail.kind == MailKind.TURN,
            OutboxMail.status == MailStatus.PENDING,
            OutboxMail.attempts == 0,
            col(OutboxMail.held).is_(True),
        )
    ).all()
    first = min(
        row.created_at
        for row in (*rows, *waiting)
        if row.kind == MailKind.TURN and modes.mode(session, user, row.game_id) == "batched"
    )
    end = first + timedelta(minutes=user.batch_minutes)
    return max(now, min(end, deadline - SPARE) if deadline else end)


def _hold(session: Session, row: OutboxMail, until: datetime) -> None:
    """Put a mail off; that was no attempt to send it."""
    attempts = max(row.attempts - 1, 0)
    QUEUE.mark(session, [row], held=True, next_attempt_at=until, attempts=attempts, error="")


def _question(row: OutboxMail) -> tuple[int | None, int | None, int | None]:
    return row.game_id, row.seat, row.turn
