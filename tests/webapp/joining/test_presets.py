"""Every preset, opened on the page and by the command, played to its end, exported and verified."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.game.rules import catalog
from core.settings import load as load_settings
from core.store.session import make_engine
from tests.support.site import Site
from tests.support.table import House
from webapp.cli import main

pytestmark = pytest.mark.slow
PRESETS = [info.key for info in catalog.variants()]


def kraftpost(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def play_out(house: House, game_id: int, variant: str) -> None:
    """Bots move when the table is adjudicated, as a worker does it; the host plays like one."""
    house.adjudicate(game_id)
    house.play(game_id)
    assert house.game(game_id).status == "finished"
    assert house.game(game_id).stopped_reason == ""
    state = house.state(game_id)
    assert state.ruleset.variant == variant
    assert state.standings[0].place == 1
    house.log_is_whole(game_id)


@pytest.mark.parametrize("variant", PRESETS)
def test_a_table_opened_on_the_page(site: Site, tmp_path: Path, variant: str) -> None:
    host = site.visitor("Host")
    form = {"title": "T", "map": "germany", "variant": variant, "players": 3, "bots": 2,
            "auction": "sealed", "regions": "random", "turn_hours": 48, "private": "no",
            "start": "yes"}  # fmt: skip
    game_id = int(host.post("/tables/new", form).location.rsplit("/", 1)[1])
    play_out(site.house, game_id, variant)
    assert "The game is over" in host.page(f"/games/{game_id}")
    file = tmp_path / "game.jsonl"
    file.write_text(host.get(f"/games/{game_id}/log.jsonl").text, "utf-8")
    verified = kraftpost("verify", str(file))
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize("variant", PRESETS)
def test_a_table_opened_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    monkeypatch.setenv("KRAFTPOST_DATA", str(tmp_path))
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")  # nobody answers: rings are lost
    assert kraftpost("release").exit_code == 0
    words = ["--map", "usa", "--variant", variant, "--players", "a@x.org,bot", "--auction", "open"]
    opened = kraftpost("table", "new", *words, "--option", "hidden_money=false", "--start")
    assert opened.exit_code == 0, opened.output
    house = House(make_engine(load_settings().database_url), real_time=True)
    play_out(house, 1, variant)
    assert house.state(1).ruleset.hidden_money is False
    house.engine.dispose()
    file = tmp_path / "game.jsonl"
    assert kraftpost("export", "1", "--out", str(file)).exit_code == 0
    verified = kraftpost("verify", str(file))
    assert verified.exit_code == 0, verified.output
