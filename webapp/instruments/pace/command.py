"""``kraftpost pace``: the same games played under six regimes, and how often each asks people."""

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from statistics import median
from typing import Final

import click
import structlog

from core.game.rules import catalog
from core.game.rules.load import load
from webapp.cli.common import data_option, json_option
from webapp.instruments.pace.match import Pace, play_seed
from webapp.instruments.pace.regimes import REGIMES

_COLUMNS: Final = ("rounds", "asked", "hand_offs", "mails", "waits")
_PROCESSES: Final = 2


@click.command()
@click.option("--map", "board", help="Key of a map.  [default: the first of the catalogue]")
@click.option("--variant", default=catalog.STANDARD, show_default=True, help="Its rules.")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="Seats.")
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="How many.")
@click.option("--seed", default="pace", show_default=True, help="Any text: which games.")
@data_option
@json_option
def pace(
    board: str | None, variant: str, players: int, games: int, seed: str, as_json: bool
) -> None:
    """Play games under six regimes at the real table, and print what each asks of people.

    Medians a game: times somebody is asked, serial hand-offs (steps at which somebody is newly
    asked, for whom the table then waits), mails owed, and waits that only time ended. Bots play
    the people; nothing is sent, and the database is in memory.
    """
    chosen = board or catalog.maps()[0].key
    load(chosen, variant)  # a key that there is not is told here, not by every process
    seeds = [hashlib.sha256(f"{seed}/{n}".encode()).hexdigest() for n in range(games)]
    played = list(_play(chosen, variant, players, seeds, quiet=as_json))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in played]))
        return
    click.echo(f"{games} games of {players} on {chosen}, rules {variant}: medians a game")
    click.echo(f"{'regime':<24}" + "".join(f"{name.replace('_', '-'):>12}" for name in _COLUMNS))
    for regime in REGIMES:
        mine = [one for one in played if one.regime == regime.name]
        values = (median(getattr(one, name) for one in mine) for name in _COLUMNS)
        click.echo(f"{regime.name:<24}" + "".join(f"{value:>12g}" for value in values))


def _play(
    board: str, variant: str, players: int, seeds: Sequence[str], *, quiet: bool
) -> Iterator[Pace]:
    """Yield all games, spread over processes, with a line that says how far they are."""
    with ProcessPoolExecutor(_PROCESSES, initializer=_hush) as pool:
        jobs = [pool.submit(_one, board, variant, players, seed) for seed in seeds]
        for done, job in enumerate(as_completed(jobs), 1):
            if not quiet:
                click.echo(f"\r{done} of {len(jobs)} seeds", nl=done == len(jobs), err=True)
            yield from job.result()


def _one(board: str, variant: str, players: int, seed: str) -> list[Pace]:
    return list(play_seed(board, variant, players, seed))


def _hush() -> None:
    """Silence the table's own log, which would say of each move that it was judged."""
    quiet = structlog.make_filtering_bound_logger(logging.WARNING)
    structlog.configure(wrapper_class=quiet)
