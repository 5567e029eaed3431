"""``kraftpost release`` and ``kraftpost inbound``: what a process manager runs beside the site."""

import click

from core.settings import Settings
from core.store.migrations import migrate
from webapp.cli.common import with_settings


@click.command()
@with_settings
def release(settings: Settings) -> None:
    """Bring the database's tables up to date; run it before a new version starts."""
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    migrate(settings.database_url)
    click.echo("The tables are up to date.")
