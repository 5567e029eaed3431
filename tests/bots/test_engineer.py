"""The engineer ends its games, plays well, and plays from the view alone."""

from statistics import median

import pytest

from core.bots import BOTS, CARETAKER, bot
from core.bots.engineer import Engineer
from core.bots.random_bot import RandomBot
from core.game import engine
from core.game.events import GameEnded
from core.game.evolve import replay
from core.game.moves import ChooseRegion, DiscardPlant, Move, Pass
from core.game.observe import PlayerView, observe
from core.game.offers import BidOffer
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import Seat
from webapp.instruments.selfplay import Match, play_game

MOST_ROUNDS = 14  # the median may not lie above


@pytest.mark.parametrize("board", ["germany", "usa"])
@pytest.mark.parametrize("players", range(2, 7))
def test_engineers_end_their_games_in_time(board: str, players: int) -> None:
    rounds = []
    for n in range(6):
        ruleset = load(board, options={"auction": ["open", "sealed"][n % 2]})
        rounds.append(replay(play_game(ruleset, [Engineer()] * players, f"{n:064x}")).round)
    assert median(rounds) <= MOST_ROUNDS
    assert max(rounds) <= 2 * MOST_ROUNDS


@pytest.mark.parametrize("variant", [v.key for v in catalog.variants()])
@pytest.mark.parametrize("board", ["france", "italy"])
def test_engineers_play_every_variant(board: str, variant: str) -> None:
    ruleset = load(board, variant, {"region_choice": "draft", "discard_choice": "any"})
    events = play_game(ruleset, [Engineer()] * 4, "0c" * 32)
    assert isinstance(events[-1], GameEnded)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["germany", "usa"])
def test_the_engineer_beats_three_random_players(board: str) -> None:
    """At least 95 of 100 games, in every seat alike."""
    won = 0
    for n in range(100):
        seat = n % 4
        bots = [Engineer() if i == seat else RandomBot(str(i)) for i in range(4)]
        end = play_game(load(board), bots, f"{n:064x}")[-1]
        assert isinstance(end, GameEnded)
        won += [s.seat for s in end.standings if s.place == 1] == [seat]
    assert won >= 95, f"won {won} of 100"


class Witness:
    """An engineer that asks itself twice and keeps what it has seen."""

    def __init__(self) -> None:
        self.seen: list[tuple[PlayerView, Move]] = []

    def move(self, view: PlayerView) -> Move:
        move = Engineer().move(view)
        assert Engineer().move(view) == move
        self.seen.append((view, move))
        return move


def test_the_same_view_is_answered_with_the_same_move() -> None:
    witness = Witness()
    play_game(load("germany", options={"region_choice": "draft"}), [witness] * 3, "0a" * 32)
    kinds = {type(move) for _, move in witness.seen}
    assert {ChooseRegion, DiscardPlant, Pass} < kinds


def test_nobody_bids_more_than_a_player_has() -> None:
    witness = Witness()
    play_game(load("usa", options={"auction": "sealed"}), [witness] * 4, "0b" * 32)
    bids = [(view.offer, move) for view, move in witness.seen if isinstance(view.offer, BidOffer)]
    assert bids
    for offer, move in bids:
        assert getattr(move, "amount", 0) <= offer.maximum


def test_bots_have_names_and_refuse_views_without_an_offer() -> None:
    assert CARETAKER in BOTS
    game = Match(load("germany"), 3, "0d" * 32)
    waiting = next(s for s in range(3) if s not in engine.to_act(game.state))
    for view in (observe(game.state, Seat(waiting)), observe(game.state, None)):
        with pytest.raises(ValueError, match="not asked"):
            bot(CARETAKER).move(view)
    with pytest.raises(KeyError):
        bot("genius")
