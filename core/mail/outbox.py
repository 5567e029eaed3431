"""The outbox: mails that are owed, each sent at least once under one Message-ID.

A row is written in the transaction that gives the reason for the mail. Senders claim rows by a
lease, render and send outside any write transaction, and mark them; a dead sender's lease runs
out and another takes over: the first begins no conversation then, and marks nothing but that the
mail went out. So it is doubled only where a sender dies, or the server falls silent, between the
server's taking it and the mark. A refusal by the mail server moves the row into the future and
loses nothing (M14). Whether the mail is still wanted is asked when it is sent (M12, M13).

Mails of one reader that were held and are due together are claimed together, and are one message:
that of the first of them. It is marked as sent, the others as told in it; if it cannot be sent,
all are postponed, and tried again as the same message.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any, Final, Literal, Protocol, TypedDict, Unpack

from sqlalchemy import ColumnElement, Engine, and_, func, or_, select
from sqlmodel import Session, col

from core.mail import bounces
from core.mail.kinds import KINDS, MailKind
from core.mail.transport import Refused, Unreachable
from core.statuses import MailStatus
from core.store.leases import Queue
from core.store.session import count, put_new, read, write
from core.store.tables import OutboxMail, User
from core.text import language

QUEUE: Final = Queue(
    OutboxMail,
    waits=MailStatus.PENDING,
    since="next_attempt_at",
    lease=timedelta(minutes=2),
    round=timedelta(seconds=3),
    first_pause=timedelta(seconds=15),
)
GIVE_UP: Final = timedelta(days=5)
"""How long a mail is tried, as mail servers do themselves (RFC 5321, 4.5.4.1)."""
TOGETHER: Final = "told in one mail together with others"
IN_DIGEST: Final = "told in the daily digest"
"""What became of a mail that another one has told, in words for `OutboxMail.error`."""
_HURRIED: Final = [kind.name for kind in KINDS.values() if kind.hurry]
_GATHERED: Final = [kind.name for kind in KINDS.values() if kind.gather]


class NotWanted(Exception):
    """Nobody wants this mail any more; says why. It is dropped."""


class Sender(Protocol):
    """Takes a message to the mail server; see `core.mail.transport`."""

    def send(self, message: EmailMessage) -> None:
        """Return when the server has taken it, else raise `Refused` or `Unreachable`."""


class Render(Protocol):
    """Makes the message of a row as things stand now; `others` are told in it, too."""

    def __call__(
        self, session: Session, row: OutboxMail, now: datetime, *others: OutboxMail
    ) -> EmailMessage:
        """Return the message, or raise `NotWanted`."""


Clock = Callable[[], datetime]

May = Callable[[Session, Sequence[OutboxMail], datetime], Sequence[OutboxMail]]
"""Which of the rows that were claimed together go now? The others it has put off or settled."""


def always(_session: Session, rows: Sequence[OutboxMail], _now: datetime) -> Sequence[OutboxMail]:
    """Hold nothing back."""
    return rows


class About(TypedDict, total=False):
    """What a mail is about.

    `context`: what the row's other columns do not say, small. `thread`: Message-ID of the mail
    that it answers.
    """

    game_id: int | None
    seat: int | None
    turn: int | None
    context: dict[str, Any]
    thread: str


@dataclass(frozen=True, slots=True)
class Backlog:
    """What the outbox owes: mails due, mails that failed for good, and the oldest one due."""

    due: int
    failed: int
    oldest: datetime | None
    last_error: str


def owe(
    session: Session,
    kind: MailKind,
    *,
    key: str,
    now: datetime,
    user: User | None = None,
    address: str = "",
    due: datetime | None = None,
    **about: Unpack[About],
) -> bool:
    """Owe a mail to `user`, or to an `address` that has none yet, or is not their own now.

    `key` says what makes it one and the same mail. `due`: not before this time. Return False when
    it was owed already, whatever became of it, and for who has no address, such as a guest. Whom
    nobody knows yet reads it in the language that is spoken where it is owed.
    """
    if user is not None and not address and "@" not in user.email:
        return False
    if user is None:
        about["context"] = {"locale": language(), **about.get("context", {})}
    row = OutboxMail(
        kind=kind,
        address=user.email if user and not address else address,
        user_id=user.id if user else None,
        key=key,
        message_id=secrets.token_hex(16),
        created_at=now,
        next_attempt_at=due or now,
        **about,
    )
    return put_new(session, row, "key")


def drop(session: Session, beginning: str, why: str) -> None:
    """Send those mails no more whose keys begin like this, and that still wait."""
    waits = col(OutboxMail.status) == MailStatus.PENDING
    waiting = and_(col(OutboxMail.key).startswith(beginning, autoescape=True), waits)
    for row in session.scalars(select(OutboxMail).where(waiting)).all():
        row.status, row.error = MailStatus.DROPPED, why
        session.add(row)


def claim(session: Session, now: datetime) -> list[OutboxMail]:
    """Claim the next mail that is due and what goes out with it, the one that leads first.

    Links that live for minutes come first: somebody waits for them. So does word that the service
    is not well, which may be why the others wait. Who claims several holds the row of their
    reader, so that no two senders share them out; a reader who is held elsewhere is passed over.
    """
    mail = col(OutboxMail.id)
    order = (col(OutboxMail.kind).not_in(_HURRIED), col(OutboxMail.next_attempt_at), mail)
    locked: dict[int | None, bool] = {None: True}
    passed: list[int] = []
    while True:
        due = select(OutboxMail).where(QUEUE.due(now), mail.not_in(passed)).order_by(*order)
        first = session.scalars(due.limit(1).execution_options(populate_existing=True)).first()
        if first is None:
            return []
        wanted: ColumnElement[bool] = mail == first.id
        if first.kind == MailKind.DIGEST or (first.held and KINDS[first.kind].gather):
            if first.user_id not in locked:
                reader = select(col(User.id)).where(col(User.id) == first.user_id)
                reader = reader.with_for_update(key_share=True, skip_locked=True)
                locked[first.user_id] = session.scalar(reader) is not None
                continue  # look again: another sender may just have claimed it
            busy = first.kind == MailKind.DIGEST and _is_busy_with_turns(session, first, now)
            if busy or not locked[first.user_id]:
                passed.append(first.id)
                continue
            wanted = or_(wanted, _goes_with(first, now))
        leads = (col(OutboxMail.kind) != MailKind.DIGEST, mail)
        if rows := QUEUE.claim(session, now, wanted, leads):
            return rows
        passed.append(first.id)


def _is_busy_with_turns(session: Session, digest: OutboxMail, now: datetime) -> bool:
    """Return True while a sender decides about turns of a digest's reader: it may tell them."""
    turns = select(col(OutboxMail.id)).where(
        col(OutboxMail.user_id) == digest.user_id,
        col(OutboxMail.kind) == MailKind.TURN,
        col(OutboxMail.status) == MailStatus.PENDING,
        col(OutboxMail.held).is_(True),
        col(OutboxMail.lease_until) > now,
    )
    return session.scalar(turns.limit(1)) is not None


def _goes_with(first: OutboxMail, now: datetime) -> ColumnElement[bool]:
    """Match what goes out with a mail that was held, or with a digest.

    Rows that were claimed together share the end of their lease. They stay together until they
    are sent: their message may have arrived, and must not come again with more in it.
    """
    mail = OutboxMail
    lease = col(mail.lease_until).is_not_distinct_from(first.lease_until)
    same = and_(col(mail.user_id) == first.user_id, lease)
    held = and_(col(mail.held).is_(True), col(mail.kind).in_(_GATHERED))
    if first.lease_until is not None:
        return and_(same, or_(held, col(mail.kind) == MailKind.DIGEST))
    if first.kind == MailKind.DIGEST:
        return and_(same, held, col(mail.kind) == MailKind.TURN)
    return and_(same, held, col(mail.next_attempt_at) <= now)


def deliver(
    engine: Engine,
    render: Render,
    sender: Sender,
    clock: Clock,
    may: May = always,
) -> int:
    """Send what is due, and `may` go, for some seconds; return how many messages went out.

    An unreachable server ends the round: the other mails wait without having lost an attempt.
    """
    sent = 0
    for rows in QUEUE.claims(engine, clock, claim):
        outcome = _attempt(engine, rows, (may, render), sender, clock)
        sent += outcome == "sent"
        if outcome == "unreachable":
            break
    return sent


def backlog(session: Session, now: datetime) -> Backlog:
    """Return what is owed and what went wrong, for `doctor` and the metrics (M14)."""
    status, mail = col(OutboxMail.status), col(OutboxMail.id)
    due = (status == MailStatus.PENDING, col(OutboxMail.next_attempt_at) <= now)
    troubled = select(col(OutboxMail.error)).where(
        col(OutboxMail.error) != "", status.in_((MailStatus.PENDING, MailStatus.FAILED))
    )
    return Backlog(
        due=count(session, *due),
        failed=count(session, status == MailStatus.FAILED),
        oldest=session.scalar(select(func.min(col(OutboxMail.created_at))).where(*due)),
        last_error=session.scalar(troubled.order_by(mail.desc()).limit(1)) or "",
    )


def _attempt(
    engine: Engine,
    rows: Sequence[OutboxMail],
    post: tuple[May, Render],
    sender: Sender,
    clock: Clock,
) -> Literal["sent", "waits", "failed", "unreachable"]:
    """Send one message for all rows, and mark them."""
    may, render = post
    now = clock()
    try:
        with write(engine) as session:
            bounces.check(session, rows[0])
            rows = may(session, rows, now)
        if not rows:
            return "waits"
        first, *others = rows
        with read(engine) as session:
            message = render(session, first, now, *others)
        to = message["To"]  # the address that the reader has now
        first.address = str(to.addresses[0].addr_spec) if to and to.addresses else first.address
        if first.lease_until is None or clock() >= first.lease_until:
            return "waits"  # it took so long that another sender has it by now
        sender.send(message)
    except NotWanted as reason:
        _mark(engine, rows, status=MailStatus.DROPPED, error=str(reason))
    except bounces.Unreached as reason:
        with write(engine) as session:
            _wait(session, rows, str(reason), now)
    except Unreachable as reason:
        _postpone(engine, rows, str(reason), now)
        return "unreachable"
    except Refused as reason:
        failed = _take_back if reason.permanent else _postpone
        failed(engine, rows, str(reason), now)
    except Exception as reason:  # one mail that cannot be made must not hold up the others
        _postpone(engine, rows, f"{type(reason).__name__}: {reason}", now)
    else:
        told = IN_DIGEST if first.kind == MailKind.DIGEST else TOGETHER
        with write(engine) as session:
            # The context may hold a sign-in link: it has done its service.
            gone = {"status": MailStatus.SENT, "sent_at": now, "error": "", "context": {}}
            QUEUE.mark(session, [first], lost=True, address=first.address, **gone)
            QUEUE.mark(session, others, lost=True, status=MailStatus.DROPPED, error=told)
        return "sent"
    return "failed"


def _take_back(engine: Engine, rows: Sequence[OutboxMail], error: str, now: datetime) -> None:
    """No server takes the mail for this address: its user is told on their pages (M1)."""
    with write(engine) as session:
        if bounces.mark_reader(session, rows[0], error, now):
            _wait(session, rows, error, now)
            return
    if rows[0].user_id is not None and KINDS[rows[0].kind].unreached != "send":
        _postpone(engine, rows, error, now)  # they have another address since a moment ago
    else:
        _give_up(engine, rows, error, now)


def _wait(session: Session, rows: Sequence[OutboxMail], error: str, now: datetime) -> None:
    """Let mails wait until mail reaches their reader again, or drop those of the moment.

    What was one message comes back as one; the turns of a digest each by itself.
    """
    lease = None if rows[0].kind == MailKind.DIGEST else now
    for row in rows:
        status = bounces.status_of(row.kind)
        QUEUE.mark(session, [row], status=status, error=error, lease_until=lease)


def _postpone(engine: Engine, rows: Sequence[OutboxMail], error: str, now: datetime) -> None:
    """Try again later, each time after a longer pause, for some days."""
    attempts = min(row.attempts for row in rows)
    if QUEUE.tried(attempts) >= GIVE_UP:
        _give_up(engine, rows, error, now)
        return
    later = now + QUEUE.pause(attempts)
    _mark(engine, rows, next_attempt_at=later, lease_until=now, error=error)


def _give_up(engine: Engine, rows: Sequence[OutboxMail], error: str, now: datetime) -> None:
    """Try no more; `next_attempt_at` says since when, for the doctor."""
    _mark(engine, rows, status=MailStatus.FAILED, next_attempt_at=now, error=error)


def _mark(engine: Engine, rows: Sequence[OutboxMail], **values: Any) -> None:
    with write(engine) as session:
        QUEUE.mark(session, rows, **values)
