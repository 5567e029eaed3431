"""The outbox: mails that are owed, each sent at least once under one Message-ID.

A row is written in the transaction that gives the reason for the mail. Senders claim rows by a
lease, render and send outside any write transaction, and mark the row; a dead sender's lease runs
out and another takes over: the first begins no conversation then, and marks nothing but that the
mail went out. So it is doubled only where a sender dies, or the server falls silent, between the
server's taking it and the mark. A refusal by the mail server moves the row into the future and
loses nothing (M14). Whether the mail is still wanted is asked when it is sent (M12, M13).
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any, Final, Literal, Protocol, TypedDict, Unpack

from sqlalchemy import Engine, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from core.mail import bounces
from core.mail.kinds import KINDS, MailKind
from core.mail.transport import Refused, Unreachable
from core.statuses import MailStatus
from core.store.session import read, write
from core.store.tables import OutboxMail, User

LEASE: Final = timedelta(minutes=2)
"""How long a sender may work on a mail before another one takes it over."""
GIVE_UP: Final = timedelta(days=5)
"""How long a mail is tried, as mail servers do themselves (RFC 5321, 4.5.4.1)."""
_HURRIED: Final = [kind.name for kind in KINDS.values() if kind.hurry]
_FIRST_PAUSE: Final = timedelta(seconds=15)
_LONGEST_PAUSE: Final = timedelta(hours=2)
_ROUND: Final = timedelta(seconds=3)


class NotWanted(Exception):
    """Nobody wants this mail any more; says why. It is dropped."""

    status: Final = MailStatus.DROPPED


class Sender(Protocol):
    """Takes a message to the mail server; see `core.mail.transport`."""

    def send(self, message: EmailMessage) -> None:
        """Return when the server has taken it, else raise `Refused` or `Unreachable`."""


Render = Callable[[Session, OutboxMail, datetime], EmailMessage]
"""Makes the message of a row as things stand now, or raises `NotWanted`."""

Clock = Callable[[], datetime]

May = Callable[[Session, OutboxMail, datetime], bool]
"""May a row's mail go now? If not, it has been put off or settled in the same transaction."""


def always(_session: Session, _row: OutboxMail, _now: datetime) -> bool:
    """Hold nothing back."""
    return True


class About(TypedDict, total=False):
    """What a mail is about.

    `context`: what the row's other columns do not say, small. `thread`: Message-ID of the mail
    that it answers. `due`: not before this time.
    """

    game_id: int | None
    seat: int | None
    turn: int | None
    context: Mapping[str, Any]
    thread: str
    due: datetime


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
    **about: Unpack[About],
) -> bool:
    """Owe a mail to `user`, or to an `address` that has none yet, or is not his own now.

    `key` says what makes it one and the same mail; False when it was owed already, whatever
    became of it.
    """
    values = {
        "kind": kind,
        "address": user.email if user and not address else address,
        "user_id": user.id if user else None,
        "game_id": about.get("game_id"),
        "seat": about.get("seat"),
        "turn": about.get("turn"),
        "context": dict(about.get("context", {})),
        "key": key,
        "message_id": secrets.token_hex(16),
        "thread": about.get("thread", ""),
        "created_at": now,
        "next_attempt_at": about.get("due", now),
        "status": MailStatus.PENDING,
        "attempts": 0,
        "held": False,
        "error": "",
    }
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    insert = dialect.insert(OutboxMail).values(**values)
    row = session.execute(
        insert.on_conflict_do_nothing(index_elements=["key"]).returning(col(OutboxMail.id))
    )
    return row.first() is not None


def claim(session: Session, now: datetime) -> OutboxMail | None:
    """Take the next mail that is due, for `LEASE`; the attempt counts before it is made.

    Links that live for minutes come first: somebody waits for them. So does word that the service
    is not well, which may be why the others wait.
    """
    pending = (
        select(col(OutboxMail.id))
        .where(
            col(OutboxMail.status) == MailStatus.PENDING,
            col(OutboxMail.next_attempt_at) <= now,
            or_(col(OutboxMail.lease_until).is_(None), col(OutboxMail.lease_until) <= now),
        )
        .order_by(
            col(OutboxMail.kind).not_in(_HURRIED),
            col(OutboxMail.next_attempt_at),
            col(OutboxMail.id),
        )
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()  # looked for once; IN may look again for each row, and lock another one
    )
    taken = (
        update(OutboxMail)
        .where(col(OutboxMail.id) == pending)
        .values(lease_until=now + LEASE, attempts=col(OutboxMail.attempts) + 1)
        .returning(OutboxMail)
        .execution_options(synchronize_session=False)
    )
    return session.scalars(taken).first()


def deliver(
    engine: Engine,
    render: Render,
    sender: Sender,
    clock: Clock,
    may: May = always,
) -> int:
    """Send what is due, and `may` go, for some seconds; the number of mails that went out.

    An unreachable server ends the round: the other mails wait without having lost an attempt.
    """
    sent = 0
    end = clock() + _ROUND
    while clock() < end:
        with write(engine) as session:
            row = claim(session, clock())
        if row is None:
            break
        outcome = _attempt(engine, row, (may, render), sender, clock)
        sent += outcome == "sent"
        if outcome == "unreachable":
            break
    return sent


def backlog(session: Session, now: datetime) -> Backlog:
    """What is owed and what went wrong, for `doctor` and the metrics (M14)."""
    due = (col(OutboxMail.status) == MailStatus.PENDING, col(OutboxMail.next_attempt_at) <= now)
    troubled = select(col(OutboxMail.error)).where(
        col(OutboxMail.error) != "",
        col(OutboxMail.status).in_((MailStatus.PENDING, MailStatus.FAILED)),
    )
    counted = select(func.count()).select_from(OutboxMail)
    oldest = select(func.min(col(OutboxMail.created_at))).where(
        col(OutboxMail.status) == MailStatus.PENDING, col(OutboxMail.next_attempt_at) <= now
    )
    return Backlog(
        due=session.scalar(counted.where(*due)) or 0,
        failed=session.scalar(counted.where(col(OutboxMail.status) == MailStatus.FAILED)) or 0,
        oldest=session.scalar(oldest),
        last_error=session.scalar(troubled.order_by(col(OutboxMail.id).desc()).limit(1)) or "",
    )


def _attempt(
    engine: Engine, row: OutboxMail, post: tuple[May, Render], sender: Sender, clock: Clock
) -> Literal["sent", "waits", "dropped", "failed", "unreachable"]:
    now = clock()
    try:
        message = _write(engine, row, post, now)
        if message is None or row.lease_until is None or clock() >= row.lease_until:
            return "waits"  # or it took so long that another sender has it by now
        sender.send(message)
    except (NotWanted, bounces.Unreached) as reason:
        _mark(engine, row, status=reason.status, error=str(reason))
        return "dropped"
    except Unreachable as reason:
        _postpone(engine, row, str(reason), now)
        return "unreachable"
    except Refused as reason:
        if reason.permanent:
            _take_back(engine, row, str(reason), now)
        else:
            _postpone(engine, row, str(reason), now)
        return "failed"
    except Exception as reason:  # one mail that cannot be made must not hold up the others
        _postpone(engine, row, f"{type(reason).__name__}: {reason}", now)
        return "failed"
    # The context may hold a sign-in link: it has done its service.
    _mark(
        engine, row, status=MailStatus.SENT, sent_at=now, error="", context={}, address=row.address
    )
    return "sent"


def _write(
    engine: Engine, row: OutboxMail, post: tuple[May, Render], now: datetime
) -> EmailMessage | None:
    """The message, with the address that its reader has now; None if it may not go yet."""
    may, render = post
    with write(engine) as session:
        bounces.check(session, row)
        if not may(session, row, now):
            return None
    with read(engine) as session:
        message = render(session, row, now)
    to = message["To"]
    row.address = str(to.addresses[0].addr_spec) if to and to.addresses else row.address
    return message


def _take_back(engine: Engine, row: OutboxMail, error: str, now: datetime) -> None:
    """No server takes the mail for this address: its user is told on his pages (M1)."""
    with write(engine) as session:
        marked = bounces.came_back(session, row, error, now)
    if not marked and row.user_id is not None and KINDS[row.kind].unreached != "send":
        _postpone(engine, row, error, now)  # he has another address since a moment ago
    elif not marked:
        _give_up(engine, row, error, now)


def _postpone(engine: Engine, row: OutboxMail, error: str, now: datetime) -> None:
    """Try again later, each time after a longer pause, for some days."""
    if now - row.created_at >= GIVE_UP:
        _give_up(engine, row, error, now)
        return
    pause = min(_FIRST_PAUSE * 2 ** min(row.attempts - 1, 20), _LONGEST_PAUSE)
    _mark(engine, row, next_attempt_at=now + pause, error=error)


def _give_up(engine: Engine, row: OutboxMail, error: str, now: datetime) -> None:
    """Try no more; `next_attempt_at` says since when, for the doctor."""
    _mark(engine, row, status=MailStatus.FAILED, next_attempt_at=now, error=error)


def _mark(engine: Engine, row: OutboxMail, **values: Any) -> None:
    """Note what has become of a mail, unless another sender has it; that it was sent, always."""
    sent = values.get("status") == MailStatus.SENT
    mine = () if sent else (col(OutboxMail.lease_until) == row.lease_until,)
    with write(engine) as session:
        session.execute(
            update(OutboxMail)
            .where(col(OutboxMail.id) == row.id, *mine)
            .values(lease_until=None, **values)
        )
