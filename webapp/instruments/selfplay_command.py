"""``kraftpost selfplay``: bots play whole games, without a database or a clock."""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click

from core.bots import BOTS, CARETAKER, bot
from core.game.errors import RulesError
from core.game.events import Event, GameEnded
from core.game.evolve import replay
from core.game.log.jsonl import dump, log_of
from core.game.rules import catalog
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from webapp.cli.common import data_option, json_option
from webapp.instruments.selfplay import EndlessGame, play_game
from webapp.instruments.soak import Table, tables
from webapp.instruments.soak_command import Broken, Notebook, play_all, seed_of, told, told_broken

_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for."""

    board: str | None
    variant: str
    auction: str | None
    options: tuple[str, ...]
    players: int
    bots: str
    seed: str | None
    games: int
    out: Path | None
    check: bool
    every: bool
    jobs: int
    resume: Path | None
    as_json: bool

    @property
    def chosen(self) -> dict[str, str]:
        """The rules that are not the variant's."""
        auction = {"auction": self.auction} if self.auction else {}
        return dict(option.partition("=")[::2] for option in self.options) | auction

    @property
    def first_seed(self) -> str:
        """The seed asked for, else a new one."""
        return self.seed or secrets.token_hex(32)


@click.command()
@click.option("--map", "board", help="Key of a map.")
@click.option("--variant", default=catalog.STANDARD, show_default=True, help="Its rules.")
@click.option("--auction", type=click.Choice(["open", "sealed"]), help="How plants are sold.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Another rule.")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="Seats.")
@click.option("--seed", help="Any text; the same seed gives the same game.  [default: a new one]")
@click.option(
    "--bots", default=CARETAKER, show_default=True, help="One for all seats, or one a seat: a,b,c."
)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many.")
@click.option("--out", type=_FILE, help="Write the game's log here.")
@click.option("--check", is_flag=True, help="Check every position; tell no game, but the sum.")
@click.option("--all", "every", is_flag=True, help="Check so many games at every table there is.")
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that check."
)
@click.option("--resume", type=_FILE, help="Note here what is checked; go on from what is noted.")
@json_option
@data_option
def selfplay(**given: Any) -> None:
    """Let bots play one game or more, and tell how they ended.

    With --games the second game has the seed SEED/2, and so on; --out wants a single game.

    --check looks at every position: money, fuel, cards and cities, and has every game judged by
    its rules; every 20th is also written, read and verified. The first game that breaks or does
    not end is told with its seed, and the exit code is 1. --all does so for every variant, map and
    number of players, with open and sealed auctions, with regions by chance and drafted.
    """
    request = Request(**given)
    if request.every or request.check:
        _check(request)
    else:
        _play_and_tell(request)


def _play_and_tell(request: Request) -> None:
    if request.out and request.games > 1:
        raise click.UsageError("--out writes one game; leave out --games")
    if request.resume:
        raise click.UsageError("--resume goes with --check or --all")
    ruleset, names = _ruleset(request), _names(request.bots, request.players)
    first, results = request.first_seed, []
    for n in range(request.games):
        seed = seed_of(first, n)
        events = _play(ruleset, names, seed)
        results.append(_result(seed, names, events))
        if request.out:
            request.out.write_text("".join(dump(log_of(events, _seat_names(names)))), "utf-8")
        if not request.as_json:
            click.echo(_line(results[-1]))
    if request.as_json:
        click.echo(json.dumps(results))


def _check(request: Request) -> None:
    if request.out:
        raise click.UsageError("--out writes one game; leave out --check and --all")
    if request.resume and not request.seed:
        raise click.UsageError("--resume goes on with the same games only with the same --seed")
    first = request.first_seed
    seeds = _every_table(request, first) if request.every else {_one_table(request): first}
    bots = sorted({",".join(table.bots) for table in seeds})
    notebook = Notebook(request.resume, {"seed": request.seed, "bots": bots})
    result = play_all(seeds, request.games, request.jobs, notebook)
    if isinstance(result, Broken):
        raise click.ClickException(told_broken(result))
    click.echo(json.dumps(asdict(result)) if request.as_json else told(result))


def _every_table(request: Request, seed: str) -> dict[Table, str]:
    if request.board or request.chosen:
        raise click.UsageError("--all takes every map with its rules; leave out --map and --option")
    names = request.bots.split(",")
    _check_bots(names)
    return {table: f"{seed}/{table.key}" for table in tables(names)}


def _one_table(request: Request) -> Table:
    rules, names = _ruleset(request), _names(request.bots, request.players)
    edition = tuple(request.chosen.items())
    return Table(rules.variant, rules.map.key, request.players, tuple(names), (edition,))


def _ruleset(request: Request) -> Ruleset:
    if request.board is None:
        raise click.UsageError("Missing option '--map'.")
    try:
        return load(request.board, request.variant, request.chosen)
    except RulesError as error:
        raise click.UsageError(str(error)) from error


def _check_bots(names: list[str]) -> None:
    for name in names:
        if name not in BOTS:
            raise click.UsageError(f"there is no bot {name!r}; there are {', '.join(BOTS)}")


def _names(bots: str, players: int) -> list[str]:
    names = bots.split(",")
    names = names * players if len(names) == 1 else names
    _check_bots(names)
    if len(names) != players:
        raise click.UsageError(f"{len(names)} bots cannot fill {players} seats")
    return names


def _play(ruleset: Ruleset, names: list[str], seed: str) -> list[Event]:
    bots = [bot(name, f"{seed}.{seat}") for seat, name in enumerate(names)]
    try:
        return play_game(ruleset, bots, seed)
    except (EndlessGame, RulesError) as error:
        raise click.ClickException(f"{error} (seed {seed})") from error


def _seat_names(bots: list[str]) -> list[str]:
    """Return the first engineer is ``engineer 1``."""
    return [f"{name} {bots[: i + 1].count(name)}" for i, name in enumerate(bots)]


def _result(seed: str, bots: list[str], events: list[Event]) -> dict[str, Any]:
    end = events[-1]
    if not isinstance(end, GameEnded):
        raise click.ClickException(f"the game has no end (seed {seed})")
    names = _seat_names(bots)
    return {
        "seed": seed,
        "rounds": replay(events).round,
        "events": len(events),
        "standings": [{"name": names[s.seat], **asdict(s)} for s in end.standings],
    }


def _line(result: dict[str, Any]) -> str:
    places = ", ".join(
        f"{s['place']}. {s['name']} ({s['powered']} powered, {s['elektro']} Elektro)"
        for s in result["standings"]
    )
    return f"{result['rounds']} rounds, {result['events']} events: {places}; seed {result['seed']}"
