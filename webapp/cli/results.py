"""``kraftpost results``: results, statistics and ratings, made again from the logs."""

import json
from datetime import UTC, datetime

import click
from sqlalchemy import Engine

from core.settings import Settings
from core.store.session import make_engine, write
from core.table.people import ratings
from core.table.record import results as kept
from webapp.cli.common import fail, json_option, with_settings


@click.group()
def results() -> None:
    """Look after what is counted of games that are over."""


@results.command()
@json_option
@with_settings
def rebuild(settings: Settings, as_json: bool) -> None:
    """Throw results and ratings away and make all of them again from the logs.

    The same logs give the same numbers. Meanwhile the pages show less; games are not disturbed.
    """
    engine = make_engine(settings.database_url)
    try:
        kept.clear(engine)
        games, rated, broken = fill(engine)
    finally:
        engine.dispose()
    if as_json:
        facts = {"games": games, "rated": rated, "broken": broken}
        click.echo(json.dumps(facts))
    else:
        click.echo(f"Results of {games} games, {rated} of them rated.")
    if broken:
        fail("\n".join(f"Game {game_id}: {reason}" for game_id, reason in broken.items()))


def fill(engine: Engine) -> tuple[int, int, dict[int, str]]:
    """Write the results that are missing, and rate what is due.

    Returns how many results were written, how many games rated, and the games whose logs are
    broken, with the reason.
    """
    found = dict(kept.fill(engine))
    broken = {game_id: reason for game_id, reason in found.items() if reason}
    rated = 0
    while True:
        with write(engine) as session:
            done = ratings.rate(session, datetime.now(UTC))
        if not done:
            return len(found) - len(broken), rated, broken
        rated += done
