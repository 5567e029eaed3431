"""`kraftpost results rebuild`, and what a release fills in."""

import json

import pytest
from click.testing import CliRunner

from core.settings import load
from core.store.session import make_engine, write
from core.store.tables import EventRow, Rating, Result
from core.table.record import gamelog, results
from tests.support.table import House
from tests.table.record.test_results import finish
from webapp.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers
    runner = CliRunner()
    assert runner.invoke(main, ["release"]).exit_code == 0
    return lambda *words: runner.invoke(main, list(words))


@pytest.fixture
def house(run):
    engine = make_engine(load().database_url)
    yield House(engine)
    engine.dispose()


def test_a_release_fills_in_what_is_missing_and_a_rebuild_makes_all_again(run, house):
    game = finish(house, "Anna", "Ben", "")
    results.clear(house.engine)
    assert run("release").exit_code == 0
    rows = house.all(Result), house.all(Rating)
    assert [len(found) for found in rows] == [1, 2]
    answer = run("results", "rebuild", "--json")
    assert (answer.exit_code, json.loads(answer.stdout)) == (
        0, {"games": 1, "rated": 1, "broken": {}},
    )  # fmt: skip
    assert (house.all(Result), house.all(Rating)) == rows
    with write(house.engine) as s:
        s.get_one(EventRow, (game, 3)).body = {"type": "NoSuchEvent", "version": 1}
    gamelog.forget()  # the command is a process of its own
    answer = run("results", "rebuild")
    assert answer.exit_code == 1
    assert "Results of 0 games, 0 of them rated." in answer.stdout
    assert answer.stderr.startswith(f"Game {game}: ")
    assert run("release").exit_code == 0  # one broken log stops no release
