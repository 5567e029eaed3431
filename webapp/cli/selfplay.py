"""``kraftpost selfplay``: bots play whole games, without a database or a clock."""

import functools
import json
import secrets
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from core.bots import BOTS, CARETAKER, Bot, bot
from core.bots.selfplay import EndlessGame, play_game
from core.game.errors import RulesError
from core.game.events import Event, GameEnded
from core.game.evolve import replay
from core.game.log.jsonl import dump, log_of
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.rules.model import Ruleset
from webapp.cli.common import data_option, json_option

_PLAYERS: Final = click.IntRange(2, 6)


def with_ruleset(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose the rules, and hand the ruleset to the command."""

    @click.option("--map", "board", required=True, help="Key of a map.")
    @click.option("--variant", default=catalog.STANDARD, show_default=True, help="Its rules.")
    @click.option("--auction", type=click.Choice(["open", "sealed"]), help="How plants are sold.")
    @click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Another rule.")
    @functools.wraps(command)
    def with_all(
        board: str, variant: str, auction: str | None, options: tuple[str, ...], **rest: Any
    ) -> Any:
        chosen = dict(option.partition("=")[::2] for option in options)
        try:
            ruleset = load(board, variant, chosen | ({"auction": auction} if auction else {}))
        except RulesError as error:
            raise click.UsageError(str(error)) from error
        return command(ruleset, **rest)

    return with_all


@click.command()
@with_ruleset
@click.option("--players", type=_PLAYERS, default=4, show_default=True, help="Seats.")
@click.option("--seed", help="Any text; the same seed gives the same game.  [default: a new one]")
@click.option(
    "--bots", default=CARETAKER, show_default=True, help="One for all seats, or one a seat: a,b,c."
)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the game's log here."
)
@json_option
@data_option
def selfplay(
    ruleset: Ruleset,
    players: int,
    seed: str | None,
    bots: str,
    games: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Let bots play one game or more, and tell how they ended.

    With --games the second game has the seed SEED/2, and so on; --out wants a single game.
    """
    if out and games > 1:
        raise click.UsageError("--out writes one game; leave out --games")
    names = _names(bots, players)
    seed = seed or secrets.token_hex(32)
    results = []
    for n in range(1, games + 1):
        this_seed = seed if n == 1 else f"{seed}/{n}"
        events = _play(ruleset, [bot(name) for name in names], this_seed)
        results.append(_result(this_seed, names, events))
        if out:
            out.write_text("".join(dump(log_of(events, _seat_names(names)))), "utf-8")
        if not as_json:
            click.echo(_line(results[-1]))
    if as_json:
        click.echo(json.dumps(results))


def _names(bots: str, players: int) -> list[str]:
    names = bots.split(",")
    names = names * players if len(names) == 1 else names
    for name in names:
        if name not in BOTS:
            raise click.UsageError(f"there is no bot {name!r}; there are {', '.join(BOTS)}")
    if len(names) != players:
        raise click.UsageError(f"{len(names)} bots cannot fill {players} seats")
    return names


def _play(ruleset: Ruleset, bots: list[Bot], seed: str) -> list[Event]:
    try:
        return play_game(ruleset, bots, seed)
    except (EndlessGame, RulesError) as error:
        raise click.ClickException(f"{error} (seed {seed})") from error


def _seat_names(bots: list[str]) -> list[str]:
    """The first engineer is ``engineer 1``."""
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
