"""`kraftpost selfplay --check` and `--all`: many games, checked, told in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from webapp.cli import main
from webapp.instruments import soak
from webapp.instruments.soak import Played, Table, Unsound

ONE = ("--check", "--map", "usa", "--players", "2", "--bots", "random", "--jobs", "1")


def kraftpost(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["selfplay", *arguments])


def tally(*arguments: str) -> dict[str, Any]:
    result = kraftpost(*arguments, "--json")
    assert result.exit_code == 0, result.output
    body = json.loads(result.stdout)
    assert isinstance(body, dict)
    return body


def test_checked_games_are_told_in_one_line() -> None:
    result = kraftpost(*ONE, "--games", "3", "--seed", "x")
    assert result.exit_code == 0
    assert result.stdout.startswith("3 games, ")
    assert "all sound and over after " in result.stdout


def test_every_table_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "play", lambda *_: Played(moves=7, rounds=9, step=3))
    found = tally("--all", "--bots", "random", "--games", "30", "--jobs", "2", "--seed", "x")
    games = 30 * len(soak.tables(("random",)))
    assert (found["games"], found["moves"], found["steps"]) == (games, 7 * games, {"3": games})


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Seeds of the games that break; the others go their way."""
    broken: set[str] = set()

    def play(_table: Table, n: int, seed: str) -> Played:
        if seed in broken:
            raise Unsound("a token is lost")
        return Played(moves=1, rounds=n + 1, step=3)

    monkeypatch.setattr(soak, "play", play)
    return broken


def test_a_broken_game_is_told_with_the_command_that_plays_it(breaks: set[str]) -> None:
    breaks.add("x/3")
    result = kraftpost(*ONE, "--games", "9", "--seed", "x", "--auction", "sealed")
    assert result.exit_code == 1
    assert "Unsound: a token is lost" in result.output
    assert "--map usa --variant standard --players 2 --bots random,random" in result.output
    assert "--option auction=sealed --seed x/3" in result.output


def test_a_run_goes_on_where_it_was_stopped(breaks: set[str], tmp_path: Path) -> None:
    run = (*ONE, "--seed", "x", "--resume", str(tmp_path / "done"), "--games", "60")
    breaks.add("x/60")
    assert kraftpost(*run).exit_code == 1
    breaks |= {"x", "x/26"}  # in batches that are done already, so they are not played again
    breaks.discard("x/60")
    file = tmp_path / "done"
    file.write_text(file.read_text("utf-8") + '{"batch": "standard/us', "utf-8")  # cut off
    found = tally(*run)
    assert (found["games"], found["fewest_rounds"], found["most_rounds"]) == (60, 1, 60)
    assert tally(*run) == found


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((*ONE, "--out", "x"), "leave out --check and --all"),
        (("--check",), "Missing option '--map'"),
        (("--all", "--map", "usa"), "leave out --map and --option"),
        (("--all", "--bots", "genius"), "there is no bot 'genius'"),
        (("--map", "usa", "--resume", "x"), "--resume goes with --check or --all"),
        ((*ONE, "--resume", "x"), "only with the same --seed"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    result = kraftpost(*arguments)
    assert result.exit_code == 2
    assert reason in result.output


def test_a_file_of_another_run_is_left_alone(breaks: set[str], tmp_path: Path) -> None:
    file = tmp_path / "done"
    assert kraftpost(*ONE, "--seed", "x", "--resume", str(file)).exit_code == 0
    result = kraftpost(*ONE, "--seed", "y", "--resume", str(file))
    assert result.exit_code == 2
    assert "belongs to another run" in result.output
