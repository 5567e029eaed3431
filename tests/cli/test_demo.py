"""``kraftpost demo``: a table that waits for you, and a link that signs you in."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlmodel import select

from core.settings import load
from core.store.session import make_engine, read
from core.store.tables import Game, SeatRow, SignInToken
from webapp.cli import main

SAFE = {
    "KRAFTPOST_ENV": "production",
    "SECRET_KEY": "0123456789abcdef" * 2,
    "PUBLIC_URL": "https://post.example.org",
    "REDIS_URL": "redis://127.0.0.1:1",
    "MAIL_URL": "smtp://127.0.0.1",
    "MAIL_DOMAIN": "post.example.org",
}


class Place:
    """A data directory with its tables, and the commands run on it."""

    def __init__(self, data: Path, redis_url: str) -> None:
        self.environ = {"KRAFTPOST_DATA": str(data), "REDIS_URL": redis_url}
        assert self.run("release").exit_code == 0
        self.engine = make_engine(load(self.environ).database_url)

    def run(self, *words: str, **environ: str) -> Any:
        return CliRunner(env={**self.environ, **environ}).invoke(main, words)

    def demo(self, *words: str) -> dict[str, str]:
        result = self.run("demo", "--json", *words)
        assert result.exit_code == 0, result.output
        return dict(json.loads(result.stdout))


@pytest.fixture
def place(tmp_path: Path, redis_url: str) -> Place:
    return Place(tmp_path, redis_url)


def test_it_begins_a_private_game_of_you_and_three_bots(place: Place) -> None:
    facts = place.demo("--map", "usa")
    with read(place.engine) as session:
        game = session.exec(select(Game)).one()
        seats = session.exec(select(SeatRow)).all()
        tokens = session.exec(select(SignInToken)).all()
    assert (game.map, game.status, game.private) == ("usa", "running", True)
    assert game.options["auction"] == "sealed"
    assert sorted(bool(seat.bot) for seat in seats) == [False, True, True, True]
    assert [token.email for token in tokens] == [facts["address"]]
    assert facts["game"] == f"http://127.0.0.1:8000/games/{game.id}"
    assert facts["sign_in"].startswith("http://127.0.0.1:8000/sign-in/")
    assert facts["sign_in"].endswith(f"?next=/games/{game.id}")


def test_asked_again_it_finds_the_game_and_makes_a_new_link(place: Place) -> None:
    first, second = place.demo(), place.demo()
    assert first["game"] == second["game"]
    assert first["sign_in"] != second["sign_in"]


def test_without_json_it_prints_two_addresses(place: Place) -> None:
    game, link = place.run("demo").stdout.splitlines()
    assert game.endswith("/games/1")
    assert "/sign-in/" in link


def test_an_unknown_map_is_told(place: Place) -> None:
    result = place.run("demo", "--map", "atlantis")
    assert result.exit_code == 1
    assert "atlantis" in result.stderr


def test_production_has_none(place: Place) -> None:
    result = place.run("demo", **SAFE)
    assert result.exit_code == 1
    assert "production" in result.stderr
