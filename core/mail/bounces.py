"""What other mail servers report of mails that we sent: they came back, or somebody complained.

Read are delivery reports (RFC 3464), the plain ones of servers that know no such form, and
complaints (RFC 5965). A report proves nothing by itself: only `names`, which nobody knows but who
got the mail, and the servers on its way, say that it is about a mail of ours.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser, HeaderParser
from email.policy import compat32
from typing import Final

from sqlmodel import Session, and_, col, exists, not_, update

from core.mail.inbound import MAX_BYTES, MAX_HEAD, is_monstrous
from core.mail.kinds import KINDS, MailKind
from core.statuses import MailStatus
from core.store.tables import OutboxMail, Turn, User
from core.text import one_line

WHY_LENGTH: Final = 300
"""Characters of a reason; the column `User.undeliverable_why` has as many."""
MAX_NAMES: Final = 5

_REPORTS: Final = ("message/delivery-status", "message/global-delivery-status")
_UNWANTED: Final = frozenset({"abuse", "fraud", "opt-out", "opt-out-list"})
"""Kinds of feedback that say: no more of this. `not-spam` and `auth-failure` are among others."""
_NAME: Final = r"\b([0-9a-f]{32})@"
_FROM_A_SERVER: Final = re.compile(r"mailer-daemon|mail delivery|postmaster|mdaemon", re.IGNORECASE)
_TEMPORARY: Final = re.compile(
    r"warning|delayed|not yet been delivered|temporar|will (?:keep|continue|be) ?(?:re)?try",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])|\b55[0-4][ -]")
_WORDS: Final = re.compile(r"permanent (?:fatal )?error", re.IGNORECASE)
"""For good: by the codes of RFC 5321 and 3463, or else as Exim, Sendmail and qmail say it."""
_COPY: Final = re.compile(r"^(?:Return-Path|Received|Message-ID|From|Date):", re.I | re.MULTILINE)
"""Where the mail that comes back begins, in a report that holds it as it was."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a mail. `why`: one line, of the other server; empty for a complaint.

    `names`: what may be `OutboxMail.message_id`; whose they are, the database says.
    """

    complaint: bool
    why: str
    names: tuple[str, ...]


def may_be_report(raw: bytes, envelope_from: str | None) -> bool:
    """Whether a message looks like a report from outside: no sender to answer, or its type."""
    if envelope_from is not None and envelope_from.strip() in ("", "<>"):
        return True
    head = BytesHeaderParser(policy=compat32).parsebytes(raw[:MAX_HEAD])
    return head.get_content_type() == "multipart/report"


def names(raw: bytes, domain: str) -> tuple[str, ...]:
    """Return the mails of ours that a report may be about, by what stands in it."""
    message = _parsed(raw)
    return _names(message, domain) if message is not None else ()


def read_report(raw: bytes, domain: str) -> Report | None:
    """Return what a message reports for good; None if it is no report, or tells of a delay."""
    message = _parsed(raw)
    if message is None:
        return None
    complaint = _is_complaint(message)
    why = "" if complaint else _why(message)
    return Report(complaint, why, _names(message, domain)) if complaint or why else None


def _parsed(raw: bytes) -> Message | None:
    seen = raw[:MAX_BYTES]
    return None if is_monstrous(seen) else BytesParser(policy=compat32).parsebytes(seen)


def _names(message: Message, domain: str) -> tuple[str, ...]:
    """In the head that comes back, its Message-ID; where the body does too, its pictures."""
    text = "\n".join(_texts(message)).lower()
    found = re.findall(_NAME + re.escape(domain.lower()) + r"\b", text)
    return tuple(dict.fromkeys(found))[:MAX_NAMES]


def _texts(message: Message) -> Iterator[str]:
    for part in message.walk():
        yield from (str(value) for value in part.values())
        if part.get_content_maintype() == "text":
            yield _text(part)


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _is_complaint(message: Message) -> bool:
    kinds = [_field(block, "Feedback-Type").lower() for block in _blocks(message, _FEEDBACK)]
    return any(kind in _UNWANTED for kind in kinds)


_FEEDBACK: Final = ("message/feedback-report",)


def _why(message: Message) -> str:
    """Why a mail has come back for good; empty if it has not."""
    blocks = list(_blocks(message, _REPORTS))
    if not blocks:
        return _why_in_words(message)
    for block in blocks:
        status, told = _field(block, "Status"), _field(block, "Diagnostic-Code")
        told = told.partition(";")[2].strip() or told
        for_good = status.startswith("5.") or (not status and _CODE.search(told))
        if _field(block, "Action").lower() == "failed" and for_good:
            return (told or status)[:WHY_LENGTH]
    return ""


def _blocks(message: Message, types: tuple[str, ...]) -> Iterator[Message]:
    """Return the blocks of fields of a report, also of kinds that Python takes for whole mails."""
    for part in message.walk():
        payload = part.get_payload() if part.get_content_type() in types else ()
        for block in payload if isinstance(payload, list) else ():
            if not isinstance(block, Message):
                continue
            yield block
            for text in re.split(r"\r?\n\r?\n", _text(block)):
                yield HeaderParser(policy=compat32).parsestr(text)


def _why_in_words(message: Message) -> str:
    """Return why, of a report without a form: what its sender's server says above the copy."""
    told = f"{_field(message, 'From')} {_field(message, 'Return-Path')}"
    failed = _field(message, "X-Failed-Recipients")
    if not (failed or _FROM_A_SERVER.search(told)) or _TEMPORARY.search(_field(message, "Subject")):
        return ""
    text = next((_text(p) for p in message.walk() if p.get_content_type() == "text/plain"), "")
    text = _COPY.split(text, maxsplit=1)[0]
    found = _CODE.search(text) or _WORDS.search(text)
    if found is None or _TEMPORARY.search(text[: found.start()]):
        return ""
    begin = text.rfind("\n", 0, found.start()) + 1
    line = text[begin:].splitlines()[0]
    return one_line(line)[:WHY_LENGTH]


def _field(block: Message, name: str) -> str:
    """Return a field on one line; letters that a server wrote as they are count as UTF-8."""
    raw = next((str(value) for key, value in block.raw_items() if key.lower() == name.lower()), "")
    return one_line(raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


COMPLAINT: Final = "complaint"
"""What `User.undeliverable_why` says where a mail of ours was reported as unwanted."""
WAITS: Final = timedelta(days=5)
"""How long a mail waits for its user: as long as a mail server would have tried.

A turn's own mail comes for as long as the turn is open.
"""


class Unreached(Exception):
    """Mails to the user of this mail come back."""


def status_of(kind: str) -> MailStatus:
    """Return what becomes of a mail that would come back: it waits, or is of the moment."""
    return MailStatus.UNREACHED if KINDS[kind].unreached == "keep" else MailStatus.DROPPED


def check(session: Session, row: OutboxMail) -> None:
    """Return if a mail may go out; raise Unreached while mails to its user come back."""
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if (
        user is not None
        and user.undeliverable_at is not None
        and KINDS[row.kind].unreached != "send"
    ):
        raise Unreached("mail to this user comes back")


def came_back(session: Session, row: OutboxMail, why: str, now: datetime) -> bool:
    """Mark the user whose mail came back for good; False if it is not theirs.

    The mail itself waits with the others where it can still be written.
    """
    if not mark_reader(session, row, why, now):
        return False
    sent, status = row.status == MailStatus.SENT, status_of(row.kind)
    if not sent or (status == MailStatus.UNREACHED and KINDS[row.kind].lasting):
        values = {"status": status, "error": why, "lease_until": None}
        session.exec(update(OutboxMail).where(col(OutboxMail.id) == row.id).values(**values))
    return True


def mark_reader(session: Session, row: OutboxMail, why: str, now: datetime) -> bool:
    """Mark the user of a mail; return False if it went to an address that is not theirs."""
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is None or row.address != user.email:
        return False
    mark(session, user, why, now)
    return True


def mark(session: Session, user: User, why: str, now: datetime) -> None:
    """No mails to this user from now on; the first reason stands, until they are reached again."""
    if user.undeliverable_at is None:
        user.undeliverable_at, user.undeliverable_why = now, why[:WHY_LENGTH]
        session.add(user)


def lift(session: Session, user: User, now: datetime) -> None:
    """They are reached again: take the mark away and let go what waited and is still of use."""
    user.undeliverable_at, user.undeliverable_why = None, ""
    session.add(user)
    mine = update(OutboxMail).where(col(OutboxMail.user_id) == user.id)
    mine = mine.execution_options(synchronize_session=False)
    waits = and_(
        OutboxMail.user_id == user.id,
        OutboxMail.status == MailStatus.UNREACHED,
        col(OutboxMail.created_at) > now - WAITS,
    )
    again = {"status": MailStatus.PENDING, "attempts": 0, "error": "", "created_at": now,
             "next_attempt_at": now}  # fmt: skip
    asked = exists().where(
        col(Turn.game_id) == col(OutboxMail.game_id),
        col(Turn.seat) == col(OutboxMail.seat),
        col(Turn.turn) == col(OutboxMail.turn),
        col(Turn.user_id) == user.id,
        col(Turn.closed_at).is_(None),
    )
    # Also a turn that was told in a digest, or with others: that may be what came back.
    turns = mine.where(col(OutboxMail.kind) == MailKind.TURN, asked, not_(waits))
    session.exec(turns.values(held=False, lease_until=None, **again))
    as_one = and_(col(OutboxMail.held), col(OutboxMail.lease_until).is_not(None))
    session.exec(mine.where(waits).values(held=as_one, **again))
    session.exec(
        mine.where(col(OutboxMail.status) == MailStatus.UNREACHED).values(status=MailStatus.DROPPED)
    )
