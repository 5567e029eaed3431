"""The client and the bot of `examples/`, over real HTTP, against a bot of ours."""

import importlib.util
import sys
from pathlib import Path

import pytest

from core.statuses import GameStatus
from core.store.tables import Game, Submission
from core.table.people import tokens
from core.table.people.tokens import Scope
from tests.support.site import serve

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def examples(monkeypatch):
    """The two files as a reader of the folder imports them."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield importlib.import_module("kraftpost_client"), importlib.import_module("thrifty_bot")
    for name in ("kraftpost_client", "thrifty_bot"):
        sys.modules.pop(name, None)


def test_the_example_bot_plays_a_whole_game(site, examples, capsys):
    client, bot = examples
    game = site.house.start(
        "Ann", robots=1, options={"end_cities": [6] * 5, "step2_cities": [5] * 5}
    )
    with site.house.write() as s:
        _, secret = tokens.make(s, site.house.user("Ann"), "bot", tuple(Scope), site.house.now)
    with serve(site) as address:
        program = client.Kraftpost(address, secret)
        program.say(game, "Good luck!")
        for _ in range(300):
            if site.house.get(Game, game).status == GameStatus.FINISHED:
                break
            assert bot.play_once(program), "it is asked, so it moves"
        assert program.position(game)["position"]["standings"]
        assert program.turns() == []
    assert capsys.readouterr().err == "", "no idea of its own was refused"
    channels = {row.channel for row in site.house.all(Submission)}
    assert channels == {"api"}
    site.house.log_is_whole(game)


def test_the_client_says_why_it_is_refused(site, examples):
    client, _bot = examples
    game = site.house.start("Ann", robots=1)
    with site.house.write() as s:
        _, secret = tokens.make(s, site.house.user("Ann"), "bot", tuple(Scope), site.house.now)
    with serve(site) as address:
        program = client.Kraftpost(address, secret)
        turn = program.question(game)["turn"]
        with pytest.raises(client.Refused) as refused:
            program.move(game, turn, "auction 99 for 99")
        assert refused.value.code not in ("", "stale") and str(refused.value)
        with pytest.raises(client.Refused) as stranger:
            client.Kraftpost(address, "kp_nobody").me()
        assert (stranger.value.status, stranger.value.code) == (401, "token")
