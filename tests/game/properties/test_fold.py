"""The fold: one position for one log, however it is cut; positions never change (R15 aside)."""

import random
from dataclasses import FrozenInstanceError, replace
from itertools import islice

import pytest

from core.bots import CARETAKER, bot
from core.game.chance import Chance
from core.game.engine import default_move, play, start, to_act
from core.game.errors import LogError
from core.game.events import (
    EVENTS,
    BidPlaced,
    CaretakerAppointed,
    DeadlineExtended,
    GameAbandoned,
    GameStarted,
    MoveForced,
    OwnerReturned,
    Rewound,
    TurnMissed,
)
from core.game.evolve import CASES, evolve, replay
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Phase
from tests.game.properties.random_play import PRESETS, Setting, games, turns
from tests.game.properties.test_conservation import log_of
from webapp.instruments.selfplay import play_game

TABLE_ONLY = {
    "TurnMissed", "DraftPlayed", "MoveForced", "CaretakerAppointed", "OwnerReturned",
    "DeadlineExtended", "GameAbandoned", "GraceGiven", "VacationBegan", "MadeBySitter",
    "SeatOpened", "SeatTaken", "GamePaused", "GameResumed", "TurnSkipped", "MoveCorrected",
    "MoveOrdered", "OrdersRevealed", "Rewound",
}  # fmt: skip
"""Events that people and clocks cause, not moves."""


@games(12)
def test_a_log_may_be_cut_anywhere(setting: Setting) -> None:
    events = log_of(setting)
    whole = replay(events)
    assert whole.seq == len(events)
    rng = random.Random(setting.seed)
    for at in rng.sample(range(1, len(events)), 5):
        assert replay(events[at:], replay(events[:at])) == whole


@games(8)
def test_playing_leaves_the_position_as_it_was(setting: Setting) -> None:
    """A position holds nothing that could change: it can be hashed, and the hash stays."""
    for turn in islice(turns(setting), 0, 400, 7):
        before = hash(turn.state)
        chance = Chance(f"{setting.seed:064x}")
        again = play(turn.state, turn.seat, turn.move, chance, turn.sealed)
        assert again == turn.events
        assert hash(turn.state) == before


def test_positions_are_frozen() -> None:
    state = replay(start(load("germany"), 3, Chance("1")))
    for part, name in ((state, "step"), (state.players[0], "elektro"), (state.market, "actual")):
        with pytest.raises(FrozenInstanceError):
            setattr(part, name, 1)


def test_every_kind_of_event_happens_in_some_game() -> None:
    seen: set[str] = set()
    for n, variant in enumerate(PRESETS):
        setting = Setting("germany", variant, ("open", "sealed")[n % 2], 3 + n % 3, n, "draft")
        seen |= {event.type for event in log_of(setting)}
    for board in catalog.maps():
        events = play_game(load(board.key), [bot(CARETAKER)] * 3, "5eed")
        seen |= {event.type for event in events}
    assert seen == EVENTS.keys() - TABLE_ONLY


def test_every_kind_of_event_has_a_case_in_the_fold() -> None:
    of_other_positions = {GameStarted, Rewound}
    assert CASES.keys() == set(EVENTS.values()) - of_other_positions


def opening() -> GameState:
    return replay(start(load("germany"), 3, Chance("1")))


def default_turn(state: GameState) -> GameState:
    """All who bid by default pass, but for who opened."""
    seat, auction = to_act(state)[0], state.auction
    given = dict.fromkeys(state.seats) | ({auction.opener: auction.bid} if auction else {})
    return replay(play(state, seat, default_move(state, seat), Chance("1"), given), state)


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_missed_turns_are_counted_until_the_owner_moves(auction: str) -> None:
    state = replay(start(load("germany", options={"auction": auction}), 3, Chance("1")))
    seat = to_act(state)[0]
    for missed in (1, 2):
        state = default_turn(evolve(state, TurnMissed(seat)))
        assert state.players[seat].missed == missed
        while seat not in to_act(state):
            state = default_turn(state)
    assert default_turn(state).players[seat].missed == 0
    assert [p.missed for p in state.players if p is not state.players[seat]] == [0, 0]


def test_m71_a_forced_move_is_neither_missed_nor_answered() -> None:
    """It leaves the row of missed turns as it was, and says so in the log."""
    state = opening()
    seat = to_act(state)[0]
    state = default_turn(evolve(state, TurnMissed(seat)))
    while seat not in to_act(state):
        state = default_turn(state)
    state = default_turn(evolve(state, MoveForced(seat)))
    assert state.players[seat].missed == 1


def test_a_caretaker_plays_until_the_owner_returns() -> None:
    missed = evolve(evolve(opening(), TurnMissed(1)), CaretakerAppointed(1))
    assert [p.caretaker for p in missed.players] == [False, True, False]
    back = evolve(missed, OwnerReturned(1))
    assert (back.players[1].caretaker, back.players[1].missed) == (False, 0)


def test_host_acts_change_no_position() -> None:
    state = opening()
    later = evolve(state, DeadlineExtended(24, "holiday"))
    assert replace(later, seq=state.seq) == state
    over = evolve(state, GameAbandoned("nobody plays"))
    assert (over.phase, over.abandoned, to_act(over)) == (Phase.FINISHED, True, ())


def test_logs_that_cannot_be() -> None:
    started = start(load("germany"), 3, Chance("1"))
    with pytest.raises(LogError, match="no position"):
        replay([])
    with pytest.raises(LogError, match="only one GameStarted"):
        replay([started[0], started[0]])
    with pytest.raises(LogError, match="starts with GameStarted"):
        replay(started[1:])
    with pytest.raises(LogError, match="no auction is open"):
        evolve(replay(started), BidPlaced(0, 5))
