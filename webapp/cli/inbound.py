"""``kraftpost release`` and ``kraftpost inbound``: what a process manager runs beside the site."""

import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from email.utils import getaddresses
from typing import Final

import click

from core.mail.listener import STORED, UNKNOWN, Listener, Receive, serve
from core.mail.message import Mailbox
from core.settings import Settings, load
from core.store.migrations import is_current, migrate
from core.store.session import make_engine, read, write
from core.table.drive import inbox
from tasks import enqueue
from webapp.cli.common import data_option, fail, with_settings
from webapp.cli.games import fill

READY_EVERY: Final = 0.5  # seconds


@click.command()
@with_settings
def release(settings: Settings) -> None:
    """Bring the database's tables up to date; run it before a new version starts.

    Results that a table does not hold yet are made from the logs.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    migrate(settings.database_url)
    engine = make_engine(settings.database_url)
    _games, _rated, broken = fill(engine)
    engine.dispose()
    for game_id, reason in broken.items():
        click.echo(f"No result of game {game_id}: {reason}", err=True)
    click.echo("The tables are up to date.")


@click.command()
@click.option("--within", default=300.0, show_default=True, help="Seconds to wait at most.")
@with_settings
def ready(settings: Settings, within: float) -> None:
    """Wait until the tables are those of this version; for programs that start beside `release`."""
    engine = make_engine(settings.database_url)
    end = time.monotonic() + within
    while not is_current(engine):
        if time.monotonic() > end:
            fail("The tables are not those of this version: run “kraftpost release”.")
        time.sleep(READY_EVERY)
    engine.dispose()


@click.command()
@with_settings
def inbound(settings: Settings) -> None:
    """Take answers by mail at INBOUND_LISTEN, by SMTP or LMTP, until told to stop."""
    mailbox = Mailbox.of(settings)
    host, port = settings.inbound_address
    listener = Listener(
        storing(settings.database_url, mailbox),
        mailbox.takes,
        host,
        port,
        lmtp=settings.inbound_protocol == "lmtp",
        hostname=settings.mail_domain,
    )
    try:
        serve(listener, lambda ready: click.echo(f"Taking mail at {host}:{ready.port}."))
    except OSError as error:
        fail(f"Cannot take mail at {host}:{port}: {error.strerror}. INBOUND_LISTEN names another.")


def storing(database_url: str, mailbox: Mailbox) -> Receive:
    """Make what stores a mail, if it is taken, and rings for it once it is safe."""
    engine = make_engine(database_url)

    def receive(raw: bytes, envelope_from: str, recipients: Sequence[str]) -> list[str]:
        with read(engine) as session:
            taken = inbox.taken(session, raw, envelope_from, recipients, mailbox)
        with write(engine) as session:
            rows = inbox.receive(session, raw, envelope_from, taken, datetime.now(UTC))
        for row in rows:
            enqueue.process_mail(row)
        return [STORED if address in taken else UNKNOWN for address in recipients]

    return receive


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
            known = inbox.taken(session, raw, sender, known, mailbox)
        with write(engine) as session:
            rows = inbox.receive(session, raw, sender, known, datetime.now(UTC))
    finally:
        engine.dispose()
    if not rows:
        fail("No such address here: answer to the address of the mail you were sent.", EX_NOUSER)
    for row in rows:
        enqueue.process_mail(row)


def _named(raw: bytes) -> Sequence[str]:
    """Return the addresses in the headers; each once."""
    message = message_from_bytes(raw)
    headers = [text for name in _ADDRESSED for text in message.get_all(name, [])]
    return list(dict.fromkeys(address for _name, address in getaddresses(map(str, headers))))
