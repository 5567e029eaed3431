"""``kraftpost check-map``: what it finds, what it draws, how it fails."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.game.rules import catalog
from webapp.cli import main
from webapp.instruments import check_map

DOCS = Path(__file__).parents[2] / "docs" / "maps.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with the map that docs/maps.md shows."""
    example = re.search(r"```toml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert example
    (tmp_path / "switzerland.toml").write_text(example.group(1))
    return tmp_path


def check(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["check-map", *map(str, words)])


def test_a_sound_map_is_in_order(folder: Path) -> None:
    result = check("switzerland", "--dir", folder, "--games", "5")
    assert result.exit_code == 0, result.output
    assert "switzerland: 12 cities, 19 connections" in result.output
    assert "5 games played to the end" in result.output
    assert result.output.endswith("in order\n")


def test_it_answers_in_json(folder: Path) -> None:
    result = check("switzerland", "--dir", folder, "--games", "1", "--json")
    (report,) = json.loads(result.output)
    assert (report["map"], report["games"], report["problems"]) == ("switzerland", 1, [])
    assert report["choices"] == {"2": 3, "3": 1}


def test_without_a_name_all_maps_are_checked(folder: Path) -> None:
    result = check("--dir", folder, "--games", "0", "--json")
    names = {report["map"] for report in json.loads(result.output)}
    assert names == {info.key for info in catalog.maps()} | {"switzerland"}
    assert result.exit_code == 0


def test_it_draws_every_board(folder: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn"
    result = check("germany", "switzerland", "--dir", folder, "--games", "0", "--svg", drawn)
    assert result.exit_code == 0, result.output
    assert {path.name for path in drawn.iterdir()} == {
        "germany.svg", "germany-2.svg", "switzerland.svg",
    }  # fmt: skip
    assert "Stralsund" in (drawn / "germany-2.svg").read_text()


def test_a_mistake_is_told_with_file_key_and_reason(folder: Path) -> None:
    path = folder / "switzerland.toml"
    path.write_text(path.read_text().replace("luzern = 9", "lucern = 9"))
    result = check("switzerland", "--dir", folder)
    assert result.exit_code == 1
    assert "switzerland.toml: connections.bern.lucern: no city 'lucern'" in result.output


def test_a_map_that_is_not_there() -> None:
    result = check("atlantis")
    assert result.exit_code == 1
    assert "germany" in result.output


def test_a_drawing_that_covers_itself_is_a_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.drawing.layout.Layout.overlaps", lambda _self: ("this / that",))
    result = check("switzerland", "--dir", folder, "--games", "0")
    assert result.exit_code == 1
    assert "PROBLEM switzerland: this / that" in result.output


def test_a_game_that_does_not_end_is_a_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object) -> None:
        raise check_map.EndlessGame("on and on")

    monkeypatch.setattr(check_map, "play_game", endless)
    result = check("switzerland", "--dir", folder, "--games", "1")
    assert result.exit_code == 1
    assert "2 players, game 0: on and on" in result.output
