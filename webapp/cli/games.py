"""``kraftpost export``: a stored game as a file."""

from pathlib import Path

import click

from core.settings import Settings
from core.store.session import make_engine, read
from core.table import archive, gamelog
from core.table.errors import TableError
from webapp.cli.common import fail, with_settings


@click.command()
@click.argument("game_id", type=int, metavar="ID")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it here.")
@with_settings
def export(settings: Settings, game_id: int, out: Path | None) -> None:
    """Write a game's log as JSON Lines; while it runs, what nobody may know is blanked."""
    engine = make_engine(settings.database_url)
    try:
        with read(engine) as session:
            text = "".join(archive.export(session, gamelog.find(session, game_id)))
    except TableError as error:
        fail(str(error))
    finally:
        engine.dispose()
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"{out}: {text.count(chr(10)) - 1} events")
