"""`kraftpost corpus check`: exit code, words, JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from core.settings import load as load_settings
from core.store.session import make_engine
from webapp.cli import main

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers

    def invoke(*words: str):
        return CliRunner().invoke(main, list(words))

    assert invoke("release").exit_code == 0
    return invoke


def execute(statement: str) -> None:
    engine = make_engine(load_settings().database_url)
    with engine.execution_options(kraftpost_writes=True).begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_all_is_well_with_no_game_and_with_some(run):
    assert run("corpus", "check").output.startswith("0 games, 0 events: 0 differ")
    for name in ("standard-open", "recharged-sealed", "first-versions"):
        assert run("import", str(GOLDEN / f"{name}.jsonl")).exit_code == 0
    answer = run("corpus", "check")
    assert answer.exit_code == 0, answer.output
    assert "3 games" in answer.output
    assert "0 differ, 3 compared, 0 noted" in answer.output


def test_a_difference_stops_a_release_and_is_told(run):
    run("import", str(GOLDEN / "standard-open.jsonl"))
    execute("update positions set digest = 'other', facts = json_set(facts, '$.round', 77)")
    answer = run("corpus", "check")
    assert answer.exit_code == 1
    assert "Game 1: after event" in answer.output
    assert "round: 77, now" in answer.output
    told = json.loads(run("corpus", "check", "--json").stdout)
    assert (told["games"], told["compared"], len(told["wrong"])) == (1, 1, 1)
    assert told["wrong"][0]["problems"][0].endswith("round: 77, now 18")


def test_games_of_an_older_build_are_noted_for_the_next(run):
    run("import", str(GOLDEN / "standard-open.jsonl"))
    execute("delete from positions")
    assert "0 compared, 1 noted" in run("corpus", "check").output
    assert "1 compared, 0 noted" in run("corpus", "check").output
