"""``kraftpost corpus``: the games that are stored, and whether this build still reads them."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Final

import click
from sqlalchemy import Engine

from core.settings import Settings
from core.store.session import make_engine, read, write
from core.table.record import corpus as stored
from core.table.record.corpus import Finding
from webapp.cli.common import json_option, with_settings

_TELL_EVERY: Final = 500  # games


@click.group()
def corpus() -> None:
    """Look after the stored games as a whole."""


@corpus.command()
@json_option
@with_settings
def check(settings: Settings, as_json: bool) -> None:
    """Fold every stored game with this build and compare it with what it was (M47).

    Part of every release. Exit code 0 if every game is what it was, 1 if one is not: then do not
    start this version. A game that nothing was kept of yet is noted for the next time.
    """
    engine = make_engine(settings.database_url)
    try:
        found = list(_findings(engine))
    finally:
        engine.dispose()
    wrong = [finding for finding in found if finding.problems]
    click.echo(_as_json(found) if as_json else "\n".join(_told(found, wrong)))
    if wrong:
        raise SystemExit(1)


def _findings(engine: Engine) -> Iterator[Finding]:
    """Each game in a transaction of its own; the service may go on meanwhile."""
    with read(engine) as session:
        ids = stored.games(session)
    for n, game_id in enumerate(ids, start=1):
        with read(engine) as session:
            found = stored.check(session, game_id)
        if not found.compared and not found.problems:
            with write(engine) as session:
                stored.keep_missing(session, game_id, datetime.now(UTC))
        if n % _TELL_EVERY == 0 or (sys.stderr.isatty() and n % 10 == 0):
            click.echo(f"{n} of {len(ids)} games", err=True)
        yield found


def _told(found: list[Finding], wrong: list[Finding]) -> Iterator[str]:
    for finding in wrong:
        yield from (f"Game {finding.game}: {problem}" for problem in finding.problems)
    new = sum(not finding.compared for finding in found)
    events = sum(finding.events for finding in found)
    yield (
        f"{len(found)} games, {events} events: {len(wrong)} differ, "
        f"{len(found) - new} compared, {new} noted for the next time."
    )


def _as_json(found: list[Finding]) -> str:
    return json.dumps({
        "games": len(found),
        "events": sum(finding.events for finding in found),
        "compared": sum(finding.compared for finding in found),
        "wrong": [asdict(finding) for finding in found if finding.problems],
    })  # fmt: skip
