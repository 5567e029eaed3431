"""`kraftpost verify`: exit code 0 for a fair game, 1 and the first misfit for any other file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webapp.cli import main


def kraftpost(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=given)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    words = ("selfplay", "--map", "france", "--players", "3", "--seed", "fa1r", "--out", str(path))
    assert kraftpost(*words).exit_code == 0
    return path


def test_a_fair_game(file: Path) -> None:
    result = kraftpost("verify", str(file))
    assert result.exit_code == 0, result.output
    assert "seed fa1r" in result.output
    assert result.output.endswith("game.jsonl: everything fits.\n")


def test_the_same_for_programs_and_from_standard_input(file: Path) -> None:
    result = kraftpost("verify", "-", "--json", given=file.read_text("utf-8"))
    body = json.loads(result.stdout)
    assert (result.exit_code, body["fair"], body["misfit"]) == (0, True, None)
    assert body["seed"] == "fa1r"


def test_a_tampered_file_is_told_apart_and_fails(file: Path, tmp_path: Path) -> None:
    spoiled = tmp_path / "game.jsonl"
    spoiled.write_text(file.read_text("utf-8").replace('"seed":"fa1r"', '"seed":"fa11"'), "utf-8")
    result = kraftpost("verify", str(spoiled))
    assert result.exit_code == 1
    assert "event 1: NOT so: the commitment is that of the seed" in result.output
    body = json.loads(kraftpost("verify", str(spoiled), "--json").stdout)
    assert (body["fair"], body["misfit"]["seq"]) == (False, 1)


@pytest.mark.parametrize("content", [b"{}", b"", b"\xff\xfe"])
def test_what_is_no_log_is_refused(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(content)
    result = kraftpost("verify", str(broken))
    assert result.exit_code == 1
    assert "broken.jsonl: " in result.output
    assert "Traceback" not in result.output
