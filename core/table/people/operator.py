"""What whoever runs the service does about people and mails; all of it is written down.

The pages `/admin` and the command `kraftpost people` call the same functions.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, or_, select

from core.mail import bounces
from core.statuses import MailStatus
from core.store.tables import OperatorAct, OutboxMail, User
from core.table.people import accounts, reliability
from core.table.record.errors import TableError
from core.text import _

SHOWN: Final = 50
"""People, mails and acts that one page lists."""


def find(session: Session, text: str) -> Sequence[User]:
    """Return the people whose address or name holds a text, the newest first."""
    wanted = text.strip().lower()
    named = or_(
        col(User.email).contains(wanted, autoescape=True),
        col(User.name).icontains(text.strip(), autoescape=True),
    )
    known = select(User).where(col(User.deleted_at).is_(None), named)
    return session.exec(known.order_by(col(User.id).desc()).limit(SHOWN)).all()


def person(session: Session, address: str) -> User:
    """Return the person with this address, locked; TableError `nobody`."""
    query = select(User).where(User.email == accounts.clean_address(address)).with_for_update()
    user = session.exec(query).first()
    if user is None:
        raise TableError("nobody", _("Nobody here has this address."))
    return user


def block(session: Session, user: User, by: str, now: datetime) -> None:
    """Sign somebody out for good: no browser, program or mailed link signs them in any more."""
    user.blocked_at = user.blocked_at or now
    session.add(user)
    accounts.sign_out_everywhere(session, user)
    note(session, "block", user, by, now)


def unblock(session: Session, user: User, by: str, now: datetime) -> None:
    """Let a blocked person sign in again."""
    user.blocked_at = None
    session.add(user)
    note(session, "unblock", user, by, now)


def bar(session: Session, user: User, by: str, now: datetime) -> None:
    """Keep somebody from others' tables for some days, as who has left a game."""
    reliability.bar(session, user, now)
    note(session, "bar", user, by, now)


def unbar(session: Session, user: User, by: str, now: datetime) -> None:
    """Lift a bar before its end (H5)."""
    reliability.lift(session, user)
    note(session, "unbar", user, by, now)


def readdress(session: Session, user: User, address: str, by: str, now: datetime) -> None:
    """Give somebody another address, who cannot reach the old one any more.

    TableError `address-taken`, `address-invalid`.
    """
    new = accounts.clean_address(address)
    if accounts.find_user(session, new) is not None:
        raise TableError("address-taken", _("Somebody plays under this address already."))
    old, user.email = user.email, new
    session.add(user)
    accounts.sign_out_everywhere(session, user)
    if user.undeliverable_at is not None:
        bounces.lift(session, user, now)
    note(session, "readdress", user, by, now, f"{old} → {new}")


def mails_of(session: Session, address: str) -> Sequence[OutboxMail]:
    """Return the last mails to an address, each with why it was not sent, if it was not."""
    query = select(OutboxMail).where(OutboxMail.address == accounts.clean_address(address))
    return session.exec(query.order_by(col(OutboxMail.id).desc()).limit(SHOWN)).all()


def resend(session: Session, mail_id: int, by: str, now: datetime) -> None:
    """Try a mail again that was given up or waits; TableError `sent` for all others."""
    row = session.get(OutboxMail, mail_id, with_for_update=True)
    again = (MailStatus.PENDING, MailStatus.FAILED)
    if row is None or row.status not in again:
        raise TableError("sent", _("This mail was sent, or is wanted no more; none is owed."))
    row.status, row.next_attempt_at, row.attempts = MailStatus.PENDING, now, 0
    row.lease_until = None
    session.add(row)
    _write(session, "resend", f"mail {row.id}, {row.kind}, to {row.address}", by, now)


def note(session: Session, what: str, user: User, by: str, now: datetime, more: str = "") -> None:
    """Write down what was done about somebody, and by whom."""
    _write(session, what, f"user {user.id} ({more or user.email})", by, now)


def journal(session: Session) -> Sequence[OperatorAct]:
    """Return what was done last, the newest first."""
    query = select(OperatorAct).order_by(col(OperatorAct.id).desc())
    return session.exec(query.limit(SHOWN)).all()


def _write(session: Session, what: str, about: str, by: str, now: datetime) -> None:
    session.add(OperatorAct(by=by[:254], what=what, about=about[:300], at=now))
