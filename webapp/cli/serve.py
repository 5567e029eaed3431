"""``kraftpost release`` and ``kraftpost inbound``: what a process manager runs beside the site."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from core.mail.letter import Mailbox
from core.mail.listener import STORED, UNKNOWN, Listener, Receive, serve
from core.settings import Settings
from core.store.migrations import migrate
from core.store.session import make_engine, read, write
from core.table.drive import bounces, inbox
from tasks import doorbell
from webapp.cli.common import fail, with_settings
from webapp.cli.results import fill


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
            taken = bounces.taken(session, raw, envelope_from, recipients, mailbox)
        with write(engine) as session:
            rows = inbox.receive(session, raw, envelope_from, taken, datetime.now(UTC))
        for row in rows:
            doorbell.ring_process_mail(row)
        return [STORED if address in taken else UNKNOWN for address in recipients]

    return receive
