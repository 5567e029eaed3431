"""``kraftpost check-map``: is a map ready to be played?"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click

from core.bots import CARETAKER, bot
from core.drawing.board import board
from core.drawing.layout import layout
from core.drawing.scene import Scene
from core.game.errors import RulesError
from core.game.evolve import replay
from core.game.rules import catalog
from core.game.rules.check import PLAYERS
from core.game.rules.choices import region_choices
from core.game.rules.knobs import Map, Ruleset
from core.game.rules.load import load
from webapp.cli.common import data_option, json_option
from webapp.instruments.selfplay import EndlessGame, play_game

GAMES: Final = 50


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about a map; `problems` is empty when it can be played."""

    map: str
    cities: int
    connections: int
    choices: dict[int, int]
    size: tuple[int, int]
    games: int
    rounds: tuple[int, int]
    problems: tuple[str, ...]


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--dir",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with more map files.",
)
@click.option("--games", default=GAMES, show_default=True, help="Games that bots play on it.")
@click.option(
    "--svg", type=click.Path(file_okay=False, path_type=Path), help="Folder to draw boards into."
)
@json_option
@data_option
def check_map(
    names: tuple[str, ...], folder: Path | None, games: int, svg: Path | None, as_json: bool
) -> None:
    """Load a map with every variant, cross-check it, draw it and let bots play on it.

    NAME is a map file without its ending; without NAME all maps are checked. Errors say file, key
    and reason. Exit code 0 only when nothing was found.
    """
    try:
        wanted = names or tuple(info.key for info in catalog.maps(folder))
        reports = [_check(name, folder, games, svg) for name in wanted]
    except RulesError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps([asdict(report) for report in reports]))
    else:
        click.echo("\n".join(line for report in reports for line in _lines(report)))
    if any(report.problems for report in reports):
        raise SystemExit(1)


def _check(name: str, folder: Path | None, games: int, svg: Path | None) -> Report:
    editions = [load(name, variant.key, extra_dir=folder) for variant in catalog.variants()]
    boards = tuple(dict.fromkeys(rules.map for rules in editions))
    problems = [f"{b.key}: {covered}" for b in boards for covered in layout(b).overlaps()]
    rounds, failed = _play(editions, games)
    first = editions[0].map
    sheet = layout(first).sheet
    if svg:
        _draw(boards, svg)
    return Report(
        map=name,
        cities=len(first.cities),
        connections=len(first.connections),
        choices={
            size: len(region_choices(editions[0], size))
            for size in sorted(set(editions[0].regions_in_play))
        },
        size=(round(sheet.right - sheet.left), round(sheet.bottom - sheet.top)),
        games=len(rounds),
        rounds=(min(rounds, default=0), max(rounds, default=0)),
        problems=(*problems, *failed),
    )


def _play(editions: list[Ruleset], games: int) -> tuple[list[int], list[str]]:
    """Play games with 2 to 6 players in turn and, where boards differ, on each of them in turn."""
    boards = list({rules.map: rules for rules in editions}.values())
    rounds, failed = [], []
    for i in range(games):
        rules, seats = boards[i // len(PLAYERS) % len(boards)], PLAYERS[i % len(PLAYERS)]
        try:
            events = play_game(rules, [bot(CARETAKER)] * seats, f"check-map {i}")
            rounds.append(replay(events).round)
        except EndlessGame as error:
            failed.append(f"{rules.map.key}, {rules.variant}, {seats} players, game {i}: {error}")
    return rounds, failed


def _draw(boards: tuple[Map, ...], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for i, drawn in enumerate(boards):
        scene = Scene(drawn, frozenset(region.id for region in drawn.regions), {}, look="light")
        path = folder / f"{drawn.key}{f'-{i + 1}' if i else ''}.svg"
        path.write_text(board(scene), "utf-8")


def _lines(report: Report) -> Iterator[str]:
    choices = ", ".join(f"{n} of {size}" for size, n in report.choices.items())
    yield f"{report.map}: {report.cities} cities, {report.connections} connections"
    yield f"  connected choices of regions: {choices}"
    yield f"  drawn on {report.size[0]} × {report.size[1]}"
    least, most = report.rounds
    yield f"  {report.games} games played to the end, {least} to {most} rounds"
    yield from (f"  PROBLEM {problem}" for problem in report.problems)
    yield "  in order" if not report.problems else f"  {len(report.problems)} problems"
