"""``kraftpost conform``: replay games recorded elsewhere and compare every position."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from core.game.errors import LogError, RulesError
from webapp.cli.common import data_option, json_option
from webapp.instruments.conform.compare import NOT_COMPARED, Findings
from webapp.instruments.conform.replay import conform as compare
from webapp.instruments.conform.trace import UnknownMap, read_trace


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path), metavar="DIR")
@json_option
@data_option
def conform(folder: Path, as_json: bool) -> None:
    """Replay the recorded games of DIR (or one file) through the engine.

    Compares the table, the options before and the position after every move, and the ranking.
    Habits of the recorder that are allowed for are counted by name, and so is what is not compared.
    Games on maps that are not here are counted apart. Exit code 0 only without a difference and
    without a file that had to be refused.
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
        click.echo("\n".join(_totals(found)))
        click.echo(f"{len(found)} games, {moves} moves, {differences} differences")
    if differences or any(f.refused for f in found):
        raise SystemExit(1)


def _one(path: Path) -> Findings:
    try:
        return compare(read_trace(path))
    except UnknownMap as error:
        return Findings(path.name, skipped=str(error))
    except (LogError, RulesError) as error:
        return Findings(path.name, refused=str(error))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        return Findings(path.name, refused=f"malformed: {type(error).__name__}: {error}")


def _line(found: Findings) -> str:
    if found.refused:
        return f"{found.game}: refused: {found.refused}"
    if found.skipped:
        return f"{found.game}: left out: {found.skipped}"
    if not found.differences:
        return f"{found.game}: {found.moves} moves, the same"
    count = len(found.differences)
    return f"{found.game}: {found.moves} moves, {count} differences, first {found.differences[0]}"


def _totals(found: list[Findings]) -> Iterator[str]:
    yield f"habits of the recorder allowed for: {_counted(f.habits for f in found)}"
    yield f"compared: {_counted(f.compared for f in found)}"
    yield f"not compared: {_counted(f.left_out for f in found)}; {', '.join(NOT_COMPARED)}"
    skipped, refused = sum(bool(f.skipped) for f in found), sum(bool(f.refused) for f in found)
    if skipped:
        yield f"{skipped} games on maps that are not here"
    if refused:
        yield f"{refused} files refused"


def _counted(counters: Iterable[Counter[str]]) -> str:
    total: Counter[str] = sum(counters, Counter())
    return ", ".join(f"{name} {count}" for name, count in sorted(total.items())) or "none"


def _report(found: list[Findings], moves: int, differences: int) -> dict[str, object]:
    return {
        "games": [
            {
                "game": f.game,
                "moves": f.moves,
                "differences": f.differences,
                "habits": +f.habits,
                "compared": f.compared,
                "not_compared": f.left_out,
                "refused": f.refused,
                "skipped": f.skipped,
            }
            for f in found
        ],
        "not_compared": NOT_COMPARED,
        "moves": moves,
        "differences": differences,
    }
