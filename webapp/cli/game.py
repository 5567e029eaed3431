"""``kraftpost game``: what whoever runs the site may do to a game."""

from datetime import UTC, datetime

import click

from core.settings import Settings
from core.store.session import make_engine, write
from core.table.play import stuck
from core.table.record.errors import TableError
from tasks.doorbell import ring_adjudicate, ring_deliver
from webapp.cli.common import fail, with_settings


@click.group()
def game() -> None:
    """Look after games that run."""


@game.command()
@click.argument("game_id", type=click.IntRange(1, 2**31 - 1), metavar="ID")
@with_settings
def unflag(settings: Settings, game_id: int) -> None:
    """Let a game go on that the service stopped, once its trouble is mended.

    Who is asked has his whole time again, and the host is told.
    """
    engine = make_engine(settings.database_url)
    try:
        with write(engine) as session:
            released = stuck.unflag(session, game_id, datetime.now(UTC))
    except TableError as error:
        fail(str(error))
    finally:
        engine.dispose()
    if not released:
        fail(f"Game {game_id} was not stopped.")
    ring_adjudicate(game_id)
    ring_deliver()
    click.echo(f"Game {game_id} goes on.")
