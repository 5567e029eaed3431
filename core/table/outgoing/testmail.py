"""A test mail: whoever opens its link and says so has got it, and is told by mail again (M1).

The mark goes by nothing less: a mail that leaves us may come back days later.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, func, select

from core.mail import outbox, reach
from core.mail.letter import Trial
from core.mail.links import ReachedLink
from core.mail.outbox import NotWanted
from core.store.tables import OutboxMail, User
from core.table.errors import TableError
from core.table.people.accounts import used_up
from core.text import _

LIFE: Final = timedelta(days=3)
"""How long the link in a test mail works: mail may be slow."""
AT_ONCE: Final = 3
"""Test mails that a user gets within `PAUSE`."""
PAUSE: Final = timedelta(hours=1)


def owe(session: Session, user: User, now: datetime) -> None:
    """Send a user a test mail; TableError `too-many-tests` for the impatient."""
    recent = select(func.count()).where(
        OutboxMail.kind == "test",
        OutboxMail.user_id == user.id,
        col(OutboxMail.created_at) > now - PAUSE,
    )
    number = session.exec(recent).one()
    if number >= AT_ONCE:
        text = _("Test mails are on their way already. Please wait an hour for them.")
        raise TableError("too-many-tests", text)
    key = f"test:{user.id}:{now.isoformat()}"
    outbox.enqueue(session, "test", key=key, now=now, user=user)


def letter(mail: OutboxMail, user: User | None, now: datetime) -> Trial:
    """What a test mail says; NotWanted once it is too late for that."""
    if user is None or now >= mail.created_at + LIFE:
        raise NotWanted("the link is too old")
    until = int((mail.created_at + LIFE).timestamp())
    return Trial(ReachedLink(mail.id, user.id, user.email, until), LIFE // timedelta(days=1))


def arrived(session: Session, link: ReachedLink, now: datetime) -> User:
    """A user says that he got the test mail: he is told by mail again.

    Said twice it is the same; but a test says nothing of what has come back since it was sent.
    TableError `link-used-up`.
    """
    user = session.exec(select(User).where(User.id == link.user).with_for_update()).first()
    mail = session.get(OutboxMail, link.mail)
    if user is None or mail is None or user.email != link.email or now.timestamp() >= link.until:
        raise used_up()
    since = user.undeliverable_at
    if since is not None and since > mail.created_at:
        text = _("Mail has come back since this test was sent. Send another one.")
        raise TableError("test-too-old", text)
    mail.context = {"arrived": now.isoformat()}
    session.add(mail)
    if since is not None:
        reach.lift(session, user, now)
    return user
