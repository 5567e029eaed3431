"""`kraftpost selfplay` and `kraftpost replay`: games between bots, and their logs as text."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from core.game.log.jsonl import load
from webapp.cli import main


def kraftpost(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=given)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played = kraftpost(
        "selfplay", "--map", "usa", "--players", "3", "--seed", "s", "--out", str(path)
    )
    assert played.exit_code == 0, played.output
    return path


def played(*arguments: str) -> list[dict[str, Any]]:
    result = kraftpost("selfplay", "--map", "germany", *arguments, "--json")
    assert result.exit_code == 0, result.output
    games = json.loads(result.stdout)
    assert isinstance(games, list)
    return games


def test_the_same_seed_gives_the_same_game() -> None:
    assert played("--seed", "x", "--players", "2") == played("--seed", "x", "--players", "2")
    assert played("--seed", "x", "--players", "2") != played("--seed", "y", "--players", "2")


def test_without_a_seed_each_game_is_another_and_tells_its_seed() -> None:
    first, second = played("--players", "2"), played("--players", "2")
    assert first[0]["seed"] != second[0]["seed"]


def test_several_games_have_seeds_that_can_be_played_again() -> None:
    games = played("--seed", "x", "--players", "2", "--games", "2")
    assert [game["seed"] for game in games] == ["x", "x/2"]
    assert played("--seed", "x/2", "--players", "2") == games[1:]


def test_bots_and_rules_can_be_chosen() -> None:
    (game,) = played(
        "--bots", "engineer,random,random", "--players", "3", "--auction", "sealed",
        "--variant", "recharged", "--option", "end_timing=immediate",
    )  # fmt: skip
    names = sorted(s["name"] for s in game["standings"])
    assert names == ["engineer 1", "random 1", "random 2"]


def test_a_result_is_told_in_one_line() -> None:
    result = kraftpost("selfplay", "--map", "germany", "--players", "2", "--seed", "x")
    (line,) = result.output.splitlines()
    assert " rounds, " in line
    assert ": 1. engineer " in line
    assert line.endswith("; seed x")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--map", "nowhere"), "no 'nowhere'"),
        (("--map", "usa", "--variant", "none"), "no 'none'"),
        (("--map", "usa", "--option", "colour=red"), "colour: no such rule"),
        (("--map", "usa", "--players", "7"), "not in the range"),
        (("--map", "usa", "--bots", "genius"), "there is no bot 'genius'"),
        (("--map", "usa", "--bots", "random,random"), "2 bots cannot fill 4 seats"),
        (("--map", "usa", "--games", "2", "--out", "x"), "leave out --games"),
    ],
)
def test_what_cannot_be_played_is_refused_with_exit_code_2(
    arguments: tuple[str, ...], reason: str
) -> None:
    result = kraftpost("selfplay", *arguments)
    assert result.exit_code == 2
    assert reason in result.output


def test_the_log_is_a_file_that_can_be_read(file: Path) -> None:
    log = load(file.read_text("utf-8").splitlines())
    assert log.header.names == ("engineer 1", "engineer 2", "engineer 3")
    assert all(entry.at is None for entry in log.entries)


def test_a_replay_tells_the_story_and_the_last_position(file: Path) -> None:
    result = kraftpost("replay", str(file))
    assert result.exit_code == 0
    count = len(file.read_text("utf-8").splitlines()) - 1
    assert "Round 1 · Step 1 · " in result.output
    assert " won with " in result.output
    assert f"After event {count} of {count}: " in result.output


def test_a_replay_stops_at_the_event_that_is_asked_for(file: Path) -> None:
    result = kraftpost("replay", str(file), "--at", "3")
    assert "After event 3 of " in result.output
    assert "Plants: 3, 4, 5 and 6; to come: 7, 8, 9 and 10; stack: 27 cards" in result.output
    assert "engineer 1: 50 Elektro; plants none; nothing; 0 cities (none)" in result.output
    assert "won" not in result.output


def test_a_position_is_there_for_programs_too(file: Path) -> None:
    result = kraftpost("replay", str(file), "--at", "3", "--json")
    body = json.loads(result.stdout)
    assert body["names"][0] == "engineer 1"
    assert body["position"]["seq"] == 3
    assert body["position"]["players"][0]["elektro"] == 50


def test_a_replay_reads_standard_input(file: Path) -> None:
    result = kraftpost("replay", "-", "--json", given=file.read_text("utf-8"))
    assert json.loads(result.stdout)["position"]["phase"] == "finished"


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("{}", (), "game.jsonl: Line 1: this is no kraftpost-log."),
        (None, ("--at", "99999"), "The game has "),
    ],
)
def test_what_cannot_be_replayed_is_refused_with_exit_code_1(
    file: Path, tmp_path: Path, text: str | None, at: tuple[str, ...], reason: str
) -> None:
    spoiled = tmp_path / "game.jsonl"
    spoiled.write_text(text or file.read_text("utf-8"), "utf-8")
    result = kraftpost("replay", str(spoiled), *at)
    assert result.exit_code == 1
    assert result.output.startswith(reason)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    spoiled = tmp_path / "game.jsonl"
    spoiled.write_bytes(b"\xff\xfe\x00")
    assert kraftpost("replay", str(spoiled)).exit_code == 1
