"""Mail that comes in by whichever door: stored at once, and the workers are told of it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import getaddresses
from typing import Final

from sqlalchemy import Engine

from core.mail.message import Mailbox
from core.store.session import read, write
from core.table.drive import inbox
from tasks import enqueue

_ADDRESSED: Final = ("Delivered-To", "X-Original-To", "X-Envelope-To", "To", "Cc")


def store(
    engine: Engine,
    mailbox: Mailbox,
    raw: bytes,
    envelope_from: str | None,
    recipients: Sequence[str],
) -> list[str]:
    """Store a mail for those of its recipients that take it, and return them.

    `envelope_from`: None where the door does not say; empty for a bounce. Without recipients, those
    count that the mail's headers name. A mail that is known already is stored once.
    """
    known = [address for address in recipients or named(raw) if mailbox.takes(address)]
    with read(engine) as session:
        taken = inbox.taken(session, raw, envelope_from, known, mailbox)
    if not taken:
        return []
    with write(engine) as session:
        rows = inbox.receive(session, raw, envelope_from, taken, datetime.now(UTC))
    for row in rows:
        enqueue.process_mail(row)
    return taken


def named(raw: bytes) -> list[str]:
    """Return the addresses that a mail's headers name; each once."""
    message = message_from_bytes(raw)
    headers = [text for name in _ADDRESSED for text in message.get_all(name, [])]
    return list(dict.fromkeys(address for _name, address in getaddresses(map(str, headers))))
