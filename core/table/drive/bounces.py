"""Reports that mail came back, or was unwanted, and what follows for its reader (M1).

Anybody can write such a report, so one counts only if it holds the random name of a mail that was
sent to this user at their present address. None is ever answered (M22).
"""

from collections.abc import Sequence
from datetime import datetime

import structlog
from sqlmodel import Session, col, select

from core.mail import bounces
from core.mail.bounces import Report, may_be_report, names, read_report
from core.mail.inbound import Inbound
from core.mail.kinds import MailKind
from core.mail.message import Mailbox
from core.store.tables import OutboxMail, User
from core.table.notify import modes

log = structlog.get_logger()


def taken(
    session: Session,
    raw: bytes,
    envelope_from: str | None,
    recipients: Sequence[str],
    mailbox: Mailbox,
) -> list[str]:
    """Return the recipients for which a mail is taken in, of those that `Mailbox.takes`.

    The address that our mails are from takes nothing but reports on mails of ours, so that people
    who write there are told at once that nobody reads it.
    """
    answered = [address for address in recipients if mailbox.answers(address)]
    if len(answered) == len(recipients) or not may_be_report(raw, envelope_from):
        return answered
    ours = _mails(session, names(raw, mailbox.domain))
    return list(recipients) if ours else answered


def act(session: Session, raw: bytes, mail: Inbound, domain: str, now: datetime) -> int:
    """Do what a report says, if the mail is one; the number of users that it has marked."""
    report = read_report(raw, domain) if mail.automatic is not None else None
    if report is None:
        return 0
    marked = sum(_act_on(session, report, row, now) for row in _mails(session, report.names))
    log.info("mail_reported", complaint=report.complaint, users=marked)
    return marked


def _act_on(session: Session, report: Report, row: OutboxMail, now: datetime) -> bool:
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is None or user.email != row.address or _is_settled(session, row):
        return False
    if not report.complaint:
        return bounces.came_back(session, row, report.why, now)
    modes.no_turns(session, user, now)
    bounces.mark(session, user, bounces.COMPLAINT, now)
    return True


def _mails(session: Session, found: Sequence[str]) -> Sequence[OutboxMail]:
    tried = (col(OutboxMail.message_id).in_(found), col(OutboxMail.attempts) > 0)
    return session.exec(select(OutboxMail).where(*tried)).all() if found else ()


def _is_settled(session: Session, row: OutboxMail) -> bool:
    """Has a test mail arrived that was sent later than this mail? Then a late report is history."""
    tests = session.exec(
        select(OutboxMail).where(
            OutboxMail.kind == MailKind.TEST,
            OutboxMail.user_id == row.user_id,
            OutboxMail.address == row.address,
            col(OutboxMail.created_at) >= (row.sent_at or row.created_at),
        )
    )
    return any("arrived" in test.context for test in tests)
