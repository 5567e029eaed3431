"""``kraftpost pace``: a table of medians, or every game as JSON."""

import json

from click.testing import CliRunner

from webapp.cli import main
from webapp.instruments.pace import command
from webapp.instruments.pace.match import Pace
from webapp.instruments.pace.regimes import REGIMES


def _played(board: str, variant: str, players: int, seeds: list[str], *, quiet: bool):
    for regime in REGIMES:
        for n, seed in enumerate(seeds):
            yield Pace(regime.name, seed, 10 + n, 100 + n, 90 + n, 110 + n, n)


def test_it_prints_the_medians_of_each_regime(monkeypatch):
    monkeypatch.setattr(command, "_play", _played)
    out = CliRunner().invoke(main, ["pace", "--games", "3"]).output.splitlines()
    assert out[1].split() == ["regime", "rounds", "asked", "hand-offs", "mails", "waits"]
    assert out[2].split() == ["open", "11", "101", "91", "111", "1"]
    assert len(out) == 2 + len(REGIMES)


def test_it_gives_every_game_as_json(monkeypatch):
    monkeypatch.setattr(command, "_play", _played)
    games = json.loads(CliRunner().invoke(main, ["pace", "--games", "2", "--json"]).output)
    assert len(games) == 2 * len(REGIMES)
    assert {game["regime"] for game in games} == {regime.name for regime in REGIMES}


def test_two_processes_play_and_the_same_seed_gives_the_same_games():
    how = ["pace", "--games", "1", "--players", "2", "--json", "--seed", "again"]
    first, second = (json.loads(CliRunner().invoke(main, how).stdout) for _ in range(2))
    assert first == second
