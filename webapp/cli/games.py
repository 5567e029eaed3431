"""``kraftpost export`` and ``kraftpost import``: games as files."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from core.game.errors import LogError
from core.game.log.jsonl import load
from core.settings import Settings
from core.store.session import make_engine, read, write
from core.table.people import archive
from core.table.record import gamelog
from core.table.record.errors import TableError
from webapp.cli.common import fail, json_option, with_settings


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


@click.command("import")
@click.argument("file", type=click.File(encoding="utf-8-sig"))
@json_option
@with_settings
def import_(settings: Settings, file: Any, as_json: bool) -> None:
    """Store a finished game from its log, so that it can be looked at; the same file only once.

    FILE is a log as `kraftpost export` and `kraftpost selfplay` write it; - reads standard input.
    """
    engine = make_engine(settings.database_url)
    try:
        log = load(file)
        with write(engine) as session:
            game = archive.import_log(session, log, datetime.now(UTC))
    except (LogError, TableError, UnicodeDecodeError) as error:
        fail(f"{Path(file.name).name}: {error}")
    finally:
        engine.dispose()
    facts = {"game": game.id, "page": f"{settings.public_url}/games/{game.id}"}
    click.echo(json.dumps(facts) if as_json else f"Game {game.id}: {facts['page']}")
