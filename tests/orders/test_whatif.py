"""The what-if board: anybody's moves, and nothing of what its viewer cannot see."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from core.game.chance import Chance
from core.game.engine import default_move, play, start, to_act
from core.game.events import PlantBought, PlantDrawn, SealedBidsOpened
from core.game.evolve import replay
from core.game.log.validate import problem
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import STEP_3_CARD
from core.orders.whatif import possible, try_moves
from tests.game.properties.random_play import Setting, games, turns
from tests.game.rules.kit import RESOURCES, A, B, C, bid, lay, opens, owner, rules

FANCY = Chance("fa" * 32)


def stirred(state: GameState, rng: random.Random) -> GameState:
    """The same position for everybody's eyes, with other cards where nobody has looked."""
    if STEP_3_CARD not in state.stack:
        if state.ruleset.step3_reshuffle == "none":
            return state  # all know how these lie
        return replace(state, stack=tuple(rng.sample(state.stack, len(state.stack))))
    at = state.stack.index(STEP_3_CARD)
    top, away = 0, state.numbers.boxed
    if state.ruleset.deck_setup == "shuffled_3_15":
        away += state.numbers.boxed_low
    elif state.stack[0] == state.ruleset.first_plant:
        top = 1
    cards = [*state.stack[top:at], *state.boxed[:away]]
    rng.shuffle(cards)
    stack = (*state.stack[:top], *cards[: at - top], *state.stack[at:])
    return replace(state, stack=stack, boxed=(*cards[at - top :], *state.boxed[away:]))


@games(25)
def test_m66_the_board_hangs_on_nothing_hidden(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in turns(setting, 150):
        seat, state = rng.choice(turn.state.seats), turn.state
        board = possible(state, seat, FANCY)
        other = stirred(state, rng)
        if state.ruleset.hidden_money:
            poor = tuple(
                p if s == seat else replace(p, elektro=1) for s, p in enumerate(other.players)
            )
            other = replace(other, players=poor)
        assert possible(other, seat, FANCY) == board
        assert cards(board) == cards(state)


@games(10)
def test_its_viewer_cannot_tell_it_from_the_true_position(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in turns(setting, 80):
        seat = rng.choice(turn.state.seats)
        true = observe(turn.state, seat)
        seen = observe(possible(turn.state, seat, FANCY), seat)
        if turn.state.auction and turn.state.auction.sealed:
            continue  # envelopes are handed in again
        money = [p.elektro for p in true.players]
        assert [p.elektro for p in seen.players] == money
        assert seen == true


def cards(state: GameState) -> Counter[int]:
    return Counter((*state.stack, *state.boxed))


def test_another_chance_gives_other_cards() -> None:
    state = replay(start(rules(), 4, Chance("1")))
    boards = {possible(state, A, Chance(seed)).stack for seed in ("2", "3", "4")}
    assert len(boards) == 3
    assert state.stack not in boards
    assert all(stack[0] == 13 and stack[-1] == STEP_3_CARD for stack in boards)


def test_cards_put_under_the_step_3_card_stay_where_all_saw_them_go() -> None:
    at = lay(stack="32 33 34 35 S3 40 38")
    assert possible(at.state, A, FANCY).stack[-3:] == (STEP_3_CARD, 40, 38)


@pytest.mark.parametrize("hidden", [True, False])
def test_hidden_money_is_plenty_and_shown_money_stays(hidden: bool) -> None:
    at = lay(owner(elektro=11), owner(elektro=22), ruleset=rules(hidden_money=hidden))
    board = possible(at.state, A, FANCY)
    assert [p.elektro for p in board.players[:2]] == ([11, 999] if hidden else [11, 22])


def test_envelopes_start_again() -> None:
    at = lay(ruleset=rules(auction="sealed")).plays(A, opens(20, 77)).plays(C, bid(66))
    board = possible(at.state, B, FANCY)
    tried = try_moves(board, [(A, "pass"), (B, "bid 30"), (C, "bid 25")], FANCY)
    assert tried.error == ""
    (opened,) = [e for e in tried.events[-1] if isinstance(e, SealedBidsOpened)]
    assert [sealed.maximum for sealed in opened.bids] == [None, 30, 25]
    (bought,) = [e for e in tried.events[-1] if isinstance(e, PlantBought)]
    assert (bought.seat, bought.price) == (B, 25)


def test_a_second_sealed_auction_has_envelopes_of_its_own() -> None:
    at = lay(ruleset=rules(auction="sealed"))
    first = [(A, "auction 20 for 30"), (B, "bid 25"), (C, "pass")]
    tried = try_moves(possible(at.state, A, FANCY), [*first, (B, "auction 21 for 40"),
                                                     (C, "bid 30")], FANCY)  # fmt: skip
    assert tried.error == ""
    bought = [e for events in tried.events for e in events if isinstance(e, PlantBought)]
    assert [(b.seat, b.price) for b in bought] == [(A, 26), (B, 31)]


def test_moves_are_tried_up_to_the_first_that_does_not_go() -> None:
    at = lay(owner(plants=4), owner(plants=7), phase=RESOURCES)
    board = possible(at.state, A, FANCY)
    tried = try_moves(board, [(C, "buy nothing"), (B, "buy 3 oil"), (A, "buy 9 coal")], FANCY)
    assert len(tried.states) == len(tried.events) == 2
    assert tried.states[-1].players[B].fuel.oil == 3
    assert "Your plants can store 4 more coal, not 9." in tried.error
    assert at.state.players[B].fuel.oil == 0  # no trace
    wrong = try_moves(board, [(A, "buy nothing")], FANCY)
    assert (wrong.states, wrong.error) == ((), "It is not your turn.")
    assert "try: buy" in try_moves(board, [(C, "buy coal")], FANCY).error


def test_what_is_drawn_on_the_board_is_not_what_comes() -> None:
    at = lay(stack="32 33 34 35 36 37 38 39 40 42 S3", boxed=(44, 46, 50))
    lines = [(A, "auction 20 for 20"), (B, "pass"), (C, "pass")]
    drawn = set()
    for seed in ("a", "b", "c", "d", "e"):
        tried = try_moves(possible(at.state, A, Chance(seed)), lines, Chance(seed))
        drawn |= {e.plant for events in tried.events for e in events if isinstance(e, PlantDrawn)}
    assert len(drawn) > 1


@games(6)
def test_a_game_can_be_played_on_from_any_board(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in list(turns(setting, 60))[::12]:
        state, sealed = possible(turn.state, rng.choice(turn.state.seats), FANCY), {}
        for _ in range(12):
            if not (acting := to_act(state)):
                break
            move = default_move(state, acting[0])
            sealed[acting[0]] = getattr(move, "bid", None)
            for event in play(state, acting[0], move, FANCY, sealed):
                before, state = state, replay([event], state)
                assert problem(before, event, state) is None
            sealed = sealed if state.auction else {}
