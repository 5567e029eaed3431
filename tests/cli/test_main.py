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
