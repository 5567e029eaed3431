"""``kraftpost conform``: replay games recorded elsewhere and compare every position."""

import json
from collections import Counter
from pathlib import Path

import click

from core.game.errors import LogError, RulesError
from webapp.cli.common import data_option, json_option
from webapp.instruments.conform.compare import Findings
from webapp.instruments.conform.replay import conform as compare
from webapp.instruments.conform.trace import read_trace


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path), metavar="DIR")
@json_option
@data_option
def conform(folder: Path, as_json: bool) -> None:
    """Replay the recorded games of DIR (or one file) through the engine.

    Compares the options before and the position after every move, and the ranking. Habits of the
    recorder that are allowed for are counted by name. Exit code 0 only without a difference.
    """
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    if not paths:
        raise click.ClickException(f"There is no recorded game (*.json) in {folder}.")
    found = []
    for path in paths:
        found.append(_one(path))
        if not as_json:
            click.echo(_line(found[-1]))
    moves, differences = sum(f.moves for f in found), sum(len(f.differences) for f in found)
    if as_json:
        click.echo(json.dumps(_report(found, moves, differences)))
    else:
        click.echo(_habits(found))
        click.echo(f"{len(found)} games, {moves} moves, {differences} differences")
    if differences:
        raise SystemExit(1)


def _one(path: Path) -> Findings:
    try:
        return compare(read_trace(path))
    except (LogError, RulesError, KeyError) as error:
        return Findings(path.name, differences=[f"cannot be replayed: {error}"])


def _line(found: Findings) -> str:
    if not found.differences:
        return f"{found.game}: {found.moves} moves, the same"
    count = len(found.differences)
    return f"{found.game}: {found.moves} moves, {count} differences, first {found.differences[0]}"


def _habits(found: list[Findings]) -> str:
    total: Counter[str] = sum((f.habits for f in found), Counter())
    counted = ", ".join(f"{name} {count}" for name, count in sorted(total.items()))
    return f"habits of the recorder allowed for: {counted or 'none'}"


def _report(found: list[Findings], moves: int, differences: int) -> dict[str, object]:
    return {
        "games": [
            {"game": f.game, "moves": f.moves, "differences": f.differences, "habits": f.habits}
            for f in found
        ],
        "moves": moves,
        "differences": differences,
    }
