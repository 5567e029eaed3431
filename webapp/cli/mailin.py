"""``kraftpost mail-in``: take one mail from standard input, as Postfix pipes it."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import getaddresses

import click

from core.mail.letter import Mailbox
from core.settings import Settings, load
from core.store.session import make_engine, read, write
from core.table.drive import bounces, inbox
from tasks import doorbell
from webapp.cli.common import data_option, fail

EX_NOUSER = 67
EX_TEMPFAIL = 75
"""The mail system keeps the mail and tries again."""
_ADDRESSED = ("Delivered-To", "X-Original-To", "To", "Cc")


@click.command(name="mail-in")
@click.option("--from", "sender", help="Envelope sender; empty for a bounce.  [default: unknown]")
@click.argument("recipients", nargs=-1)
@data_option
def mail_in(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Store one mail from standard input; a worker acts on it.

    RECIPIENTS are the envelope's; without any, those that the mail's headers name. Exit codes are
    those of sysexits: 0 stored, 67 no such address here, 75 try again later.
    """
    try:
        _take(load(), sys.stdin.buffer.read(), sender, recipients)
    except Exception as error:  # whatever it is: a mail must not be lost for it
        fail(f"Not stored ({type(error).__name__}); try again later.", EX_TEMPFAIL)


def _take(settings: Settings, raw: bytes, sender: str | None, recipients: Sequence[str]) -> None:
    mailbox = Mailbox.of(settings)
    known = [to for to in recipients or _named(raw) if mailbox.takes(to)]
    engine = make_engine(settings.database_url)
    try:
        with read(engine) as session:
            known = bounces.taken(session, raw, sender, known, mailbox)
        with write(engine) as session:
            rows = inbox.receive(session, raw, sender, known, datetime.now(UTC))
    finally:
        engine.dispose()
    if not rows:
        fail("No such address here: answer to the address of the mail you were sent.", EX_NOUSER)
    for row in rows:
        doorbell.ring_process_mail(row)


def _named(raw: bytes) -> Sequence[str]:
    """The addresses in the headers; each once."""
    message = message_from_bytes(raw)
    headers = [text for name in _ADDRESSED for text in message.get_all(name, [])]
    return list(dict.fromkeys(address for _name, address in getaddresses(map(str, headers))))
