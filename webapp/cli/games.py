"""``kraftpost export`` and ``kraftpost import``: games as files."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from sqlalchemy import Engine

from core.settings import Settings
from core.store.session import read, write
from core.table.notify import wall_clock
from core.table.people import archive, ratings
from core.table.play import stuck
from core.table.record import corpus as stored
from core.table.record import gamelog
from core.table.record import results as kept
from core.table.record.corpus import Finding
from tasks import enqueue
from webapp.cli.common import database, fail, json_option, log_argument, reading, with_settings


@click.command()
@click.argument("game_id", type=int, metavar="ID")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it here.")
@with_settings
def export(settings: Settings, game_id: int, out: Path | None) -> None:
    """Write a game's log as JSON Lines; while it runs, what nobody may know is blanked."""
    with database(settings) as engine, read(engine) as session:
        text = "".join(archive.export(session, gamelog.find(session, game_id)))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"{out}: {text.count(chr(10)) - 1} events")


@click.command("import")
@log_argument
@json_option
@with_settings
def import_(settings: Settings, file: Any, as_json: bool) -> None:
    """Store a finished game from its log, so that it can be looked at; the same file only once.

    A game that was not played by its rules is refused, with the event and both values.

    FILE is a log as `kraftpost export` and `kraftpost selfplay` write it; - reads standard input.
    """
    with database(settings) as engine, reading(file) as log, write(engine) as session:
        game = archive.import_log(session, log, datetime.now(UTC))
    facts = {"game": game.id, "page": f"{settings.public_url}/games/{game.id}"}
    click.echo(json.dumps(facts) if as_json else f"Game {game.id}: {facts['page']}")


@click.group()
def game() -> None:
    """Look after games that run."""


@game.command()
@click.argument("game_id", type=click.IntRange(1, 2**31 - 1), metavar="ID")
@with_settings
def unflag(settings: Settings, game_id: int) -> None:
    """Let a game go on that the service stopped, once its trouble is mended.

    Who is asked has their whole time again, and the host is told.
    """
    with database(settings) as engine, write(engine) as session:
        released = stuck.release(session, game_id, datetime.now(UTC))
    if not released:
        fail(f"Game {game_id} was not stopped.")
    enqueue.table(game_id)
    click.echo(f"Game {game_id} goes on.")


@click.group()
def clock() -> None:
    """Look after the clock of the machine."""


@clock.command()
@with_settings
def accept(settings: Settings) -> None:
    """Go on by the clock as it is now, after it was set by more than a day.

    Look at `date` first: deadlines that are over by this clock are judged at once.
    """
    with database(settings) as engine, write(engine) as session:
        was_in_doubt = wall_clock.accept(session)
    if not was_in_doubt:
        fail("The clock is believed; there is nothing to accept.")
    click.echo(f"All goes on by {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.")


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
    with database(settings) as engine:
        found = list(_findings(engine))
    wrong = [finding for finding in found if finding.problems]
    facts = {
        "games": len(found),
        "events": sum(finding.events for finding in found),
        "compared": sum(finding.compared for finding in found),
        "wrong": [asdict(finding) for finding in wrong],
    }
    click.echo(json.dumps(facts) if as_json else "\n".join(_told(found, wrong)))
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
    with database(settings) as engine:
        kept.clear(engine)
        games, rated, broken = fill(engine)
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
