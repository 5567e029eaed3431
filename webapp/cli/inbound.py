"""``kraftpost release`` and ``kraftpost inbound``: what a process manager runs beside the site."""

import contextlib
import ssl
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import click

from core.mail.imap import Fetcher, envelope_of
from core.mail.listener import STORED, UNKNOWN, Listener, Receive, serve
from core.mail.message import Mailbox
from core.settings import Settings, load
from core.store.session import make_engine, put, write
from core.store.tables import Heartbeat
from core.table.views.health import IMAP
from tasks import arrivals
from webapp.cli.common import data_option, fail, with_settings
from webapp.cli.games import fill

READY_EVERY: Final = 0.5  # seconds


@click.command()
@with_settings
def release(settings: Settings) -> None:
    """Bring the database's tables up to date; run it before a new version starts.

    Results that a table does not hold yet are made from the logs.
    """
    from core.store.migrations import migrate  # 33 MB, which no other program has to carry

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
    from core.store.migrations import is_current

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
    """Take answers by mail at INBOUND_LISTEN and fetch those of IMAP_URL, until told to stop."""
    mailbox = Mailbox.of(settings)
    host, port = settings.inbound_address
    listener = Listener(
        storing(settings.database_url, mailbox),
        mailbox.takes,
        host,
        port,
        lmtp=settings.inbound_protocol == "lmtp",
        hostname=settings.mail_domain,
        tls=_tls(settings.inbound_tls),
    )
    try:
        with fetching(settings, mailbox):
            serve(listener, lambda ready: click.echo(f"Taking mail at {host}:{ready.port}."))
    except OSError as error:
        fail(f"Cannot take mail at {host}:{port}: {error.strerror}. INBOUND_LISTEN names another.")


def _tls(files: str) -> ssl.SSLContext | None:
    """Return the certificate of INBOUND_TLS, which senders may ask for by STARTTLS."""
    if not files:
        return None
    chain, _colon, key = files.partition(":")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    return context


def storing(database_url: str, mailbox: Mailbox) -> Receive:
    """Make what stores a mail, if it is taken, and rings for it once it is safe."""
    engine = make_engine(database_url)

    def receive(raw: bytes, envelope_from: str, recipients: Sequence[str]) -> list[str]:
        taken = arrivals.store(engine, mailbox, raw, envelope_from, recipients)
        return [STORED if address in taken else UNKNOWN for address in recipients]

    return receive


def fetching(settings: Settings, mailbox: Mailbox) -> contextlib.AbstractContextManager[object]:
    """Make what fetches answers from IMAP_URL; nothing where none is set."""
    server = settings.imap_server
    if server is None:
        return contextlib.nullcontext()
    engine = make_engine(settings.database_url)

    def looked() -> None:
        with write(engine) as session:
            put(session, Heartbeat(name=IMAP, at=datetime.now(UTC)))

    return Fetcher(
        server,
        take=lambda raw: bool(arrivals.store(engine, mailbox, raw, envelope_of(raw), ())),
        ours=lambda headers: any(map(mailbox.takes, arrivals.named(headers))),
        looked=looked,
    )


EX_NOUSER = 67
EX_TEMPFAIL = 75
"""The mail system keeps the mail and tries again."""


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
    engine = make_engine(settings.database_url)
    try:
        taken = arrivals.store(engine, Mailbox.of(settings), raw, sender, recipients)
    finally:
        engine.dispose()
    if not taken:
        fail("No such address here: answer to the address of the mail you were sent.", EX_NOUSER)
