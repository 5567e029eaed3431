"""`kraftpost import`: a game of `selfplay --out` becomes a game to look at; others are refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlmodel import select

from core.settings import load as load_settings
from core.store.session import make_engine, read
from core.store.tables import EventRow, Game, SeatRow
from webapp.app import create_app
from webapp.cli import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers
    runner = CliRunner()

    def invoke(*words: str, stdin: str | None = None):
        return runner.invoke(main, list(words), input=stdin)

    assert invoke("release").exit_code == 0
    return invoke


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    words = ["selfplay", "--map", "usa", "--players", "4", "--seed", "s", "--out", str(path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    return path


def stored() -> list[int]:
    """How many games, seats and events there are."""
    engine = make_engine(load_settings().database_url)
    with read(engine) as s:
        counts = [len(s.exec(select(table)).all()) for table in (Game, SeatRow, EventRow)]
    engine.dispose()
    return counts


def test_a_game_of_bots_can_be_looked_at_in_every_position(run, file: Path):
    answer = run("import", str(file))
    assert answer.exit_code == 0, answer.output
    assert answer.output.startswith("Game 1: http://")
    length = len(file.read_text("utf-8").splitlines()) - 1
    assert stored() == [1, 4, length]
    visitor = create_app(load_settings()).test_client()
    for n in (1, 77, length):
        page = visitor.get(f"/games/1/at/{n}")
        assert page.status_code == 200
        assert "engineer 3" in page.text
        assert '<span class="tag">imported</span>' in page.text
    assert "The game is over" in visitor.get("/games/1").text
    lobby = visitor.get("/").text
    assert "USA: engineer 1, engineer 2, engineer 3, engineer 4" in lobby
    assert "· imported" in lobby
    assert visitor.get("/games/1/rules").status_code == 200


def test_the_same_file_twice_is_the_same_game_by_name_or_by_standard_input(run, file: Path):
    first = json.loads(run("import", str(file), "--json").stdout)
    again = json.loads(run("import", "-", "--json", stdin=file.read_text("utf-8")).stdout)
    assert first == again
    assert stored()[0] == 1


def test_what_was_imported_can_be_exported_and_verified(run, file: Path, tmp_path: Path):
    run("import", str(file))
    out = tmp_path / "again.jsonl"
    assert run("export", "1", "--out", str(out)).exit_code == 0
    assert run("verify", str(out)).exit_code == 0


def _running(lines: list[str]) -> list[str]:
    return lines[:120]


def _torn(lines: list[str]) -> list[str]:
    return [*lines[:40], lines[40][:30], *lines[41:]]


def _missing(lines: list[str]) -> list[str]:
    return [*lines[:40], *lines[41:]]


def _nameless(lines: list[str]) -> list[str]:
    return [lines[0].replace("engineer 2", ""), *lines[1:]]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_running, "game.jsonl: Event 119 is the last, and the game is not over"),
        (_torn, "game.jsonl: Line 41: not JSON"),
        (_missing, "game.jsonl: Line 41: event 40 is missing"),
        (_nameless, "game.jsonl: Line 1: names: one is empty"),
        (lambda lines: [], "game.jsonl: Line 1: "),
        (lambda lines: ["{}"], "game.jsonl: Line 1: this is no kraftpost-log"),
    ],
)
def test_a_file_that_is_refused_names_line_and_reason_and_leaves_nothing(
    run, file: Path, tmp_path: Path, spoil, reason: str
):
    spoiled = tmp_path / "game.jsonl"
    spoiled.write_text("\n".join(spoil(file.read_text("utf-8").splitlines())), "utf-8")
    answer = run("import", str(spoiled))
    assert answer.exit_code == 1
    assert answer.output.startswith(reason)
    assert stored() == [0, 0, 0]
