"""Games between bots: repeatable, and with sealed bids kept where they belong."""

from collections.abc import Callable

import pytest

from core import questions
from core.bots.random_bot import RandomBot
from core.game import engine
from core.game.events import GameStarted, SealedBid, SealedBidsOpened
from core.game.moves import Bid, Move, OpenAuction, Pass
from core.game.observe import PlayerView, observe
from core.game.rules.load import load
from core.game.types import RegionId
from webapp.instruments import selfplay
from webapp.instruments.selfplay import EndlessGame, Match, play_game


class Puppet:
    """Plays what it is told."""

    def __init__(self, answer: Callable[[PlayerView], Move]) -> None:
        self.move = answer


def test_the_same_seed_and_bots_play_the_same_game() -> None:
    ruleset = load("germany")
    one, again, other = (
        play_game(ruleset, [RandomBot("a"), RandomBot("b")], seed) for seed in ("x", "x", "y")
    )
    assert one == again
    assert one != other


def test_a_random_player_hangs_on_seed_seat_and_position() -> None:
    game = Match(load("germany", options={"auction": "sealed"}), 6, "x")
    opener = engine.to_act(game.state)[0]
    game.play(opener, OpenAuction(5, 5))
    views = [observe(game.state, seat) for seat in engine.to_act(game.state)]
    assert len({line.text for line in questions.of(views[0]).commands()}) > 2
    assert len({RandomBot().move(view) for view in views}) > 1
    assert len({RandomBot(str(seed)).move(views[0]) for seed in range(9)}) > 1
    assert RandomBot("s").move(views[0]) == RandomBot("s").move(views[0])


def test_sealed_bids_are_kept_until_all_are_in() -> None:
    game = Match(load("germany", options={"auction": "sealed"}), 3, "x")
    first = engine.to_act(game.state)[0]
    assert not any(
        isinstance(event, SealedBidsOpened) for event in game.play(first, OpenAuction(5, 9))
    )
    second, third = engine.to_act(game.state)
    game.play(third, Pass())
    events = game.play(second, Bid(7))
    opened = next(event for event in events if isinstance(event, SealedBidsOpened))
    assert set(opened.bids) == {
        SealedBid(first, 9),
        SealedBid(second, 7),
        SealedBid(third, None),
    }


def test_regions_may_be_chosen_for_a_game() -> None:
    ruleset = load("germany", options={"region_choice": "host"})
    regions = tuple(RegionId(region) for region in ("green", "brown", "red"))
    started = play_game(ruleset, [RandomBot()] * 2, "x", regions)[0]
    assert isinstance(started, GameStarted)
    assert set(started.regions) == set(regions)


def test_a_game_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "MOST_MOVES", 5)
    with pytest.raises(EndlessGame, match="not over after 5 moves, in round 1"):
        play_game(load("germany"), [RandomBot()] * 3, "x")
