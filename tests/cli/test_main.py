"""The command itself: every command is found, documented, and takes the same options."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from webapp.cli import COMMANDS, main

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, those of groups included."""
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {sub}", one) for sub, one in command.commands.items())
        else:
            yield name, command


def test_help_lists_every_command_with_a_sentence() -> None:
    listed = CliRunner().invoke(main, ["--help"]).stdout.partition("Commands:")[2]
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S+", listed, re.MULTILINE), name


def test_operations_tell_of_every_command() -> None:
    section = OPERATIONS.read_text().partition("## Commands")[2]
    told = set(re.findall(r"^\| `([a-z -]+)` \|", section, re.MULTILINE))
    assert {name for name, _ in commands()} == told


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_it_explains_itself(name: str, command: click.Command) -> None:
    assert command.help, name
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{name} {option.name}"


def test_every_command_takes_the_same_data() -> None:
    without = [
        name for name, c in commands() if "--data" not in {o for p in c.params for o in p.opts}
    ]
    assert not without


def test_an_unknown_command_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["uppp"])
    assert result.exit_code == 2
    assert "No such command 'uppp'" in result.stderr


def test_data_wins_over_the_environment(tmp_path: Path) -> None:
    environ = {"KRAFTPOST_DATA": str(tmp_path / "elsewhere")}
    result = CliRunner(env=environ).invoke(main, ["doctor", "--data", str(tmp_path / "here")])
    assert f"{tmp_path}/here/kraftpost.sqlite3 does not exist" in result.stdout


def test_settings_that_cannot_be_used_are_told_line_by_line() -> None:
    result = CliRunner(env={"KRAFTPOST_ENV": "production"}).invoke(main, ["up"])
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["SECRET_KEY", "PUBLIC_URL"]


WRONG = {
    "a file as data folder": {"KRAFTPOST_DATA": "{file}"},
    "no place for a folder": {"KRAFTPOST_DATA": "/proc/nowhere"},
    "a database that is away": {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"},
    "a database where none can be": {"DATABASE_URL": "sqlite:////proc/x.db"},
    "a file that is no database": {"DATABASE_URL": "sqlite:///{file}"},
    "a Redis that is away": {"REDIS_URL": "redis://127.0.0.1:1"},
}
ASKED = (
    "corpus check", "doctor", "release", "demo", "backup", "results rebuild", "export 1",
    "game unflag 1", "table new --map germany --players a@x.org,bot", "ready --within 0",
    "service", "token list a@x.org", "pace --map nowhere", "pace --variant nothing",
    "selfplay --map nowhere", "check-map nowhere", "replay {file}", "verify {file}",
    "judge {file}", "import {file}", "restore {file}", "conform {file}",
)  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_world_is_told_in_a_line(wrong: str, tmp_path: Path, monkeypatch) -> None:
    """No traceback for a wrong folder, file, key or setting: a reason, and an exit code."""
    file = tmp_path / "plain.txt"
    file.write_text("plain text\n" * 100)
    monkeypatch.setenv("KRAFTPOST_ENV", "test")
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path / "data"))
    for name, value in WRONG[wrong].items():
        monkeypatch.setenv(name, value.format(file=file))
    for words in ASKED:
        done = CliRunner().invoke(main, words.format(file=file).split())
        assert done.exception is None or isinstance(done.exception, SystemExit), (
            words,
            done.exception,
        )
        assert "Traceback" not in done.output, words
        if done.exit_code:
            assert done.stderr.strip() or done.stdout.strip(), f"{words} says nothing"
