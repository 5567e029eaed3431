"""`kraftpost game`, on a database of its own."""

from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from core.settings import load
from core.store.session import make_engine
from core.table.play.stuck import stop_game
from tests.support.table import House
from webapp.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers: rings are lost
    runner = CliRunner()
    assert runner.invoke(main, ["release"]).exit_code == 0
    return lambda *words: runner.invoke(main, list(words))


@pytest.fixture
def house(run):
    engine = make_engine(load().database_url)
    yield House(engine)
    engine.dispose()


def test_m78_a_stopped_game_is_let_go(run, house):
    game = house.start("Anna", "Ben")
    with house.write() as s:
        stop_game(s, game, "too slow", datetime.now(UTC))
    answer = run("game", "unflag", str(game))
    assert (answer.exit_code, answer.stdout) == (0, f"Game {game} goes on.\n")
    assert house.game(game).stopped_reason == ""


def test_a_game_that_was_not_stopped_is_left_alone(run, house):
    game = house.start("Anna", "Ben")
    answer = run("game", "unflag", str(game))
    assert (answer.exit_code, answer.stderr) == (1, f"Game {game} was not stopped.\n")


def test_a_game_that_is_not_there(run):
    assert run("game", "unflag", "99").exit_code == 1
    assert run("game", "unflag", "9" * 30).exit_code == 2
