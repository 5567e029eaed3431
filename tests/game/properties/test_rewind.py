"""Taking moves back: the log grows, the position is an old one, and nothing is made (M56)."""

import random
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from core.game import events as ev
from core.game.chance import Chance
from core.game.engine import default_move, options, play, start, to_act
from core.game.errors import LogError
from core.game.evolve import Fold, evolve, replay
from core.game.log.jsonl import dump, load, log_of
from core.game.narrate import report
from core.game.rewind import counting, is_reveal, standing, taken_back
from core.game.rules.load import load as rules
from core.game.state import GameState
from core.game.verify import verify
from tests.game.properties.random_play import Setting, any_move, envelopes, games, turns
from tests.game.properties.test_conservation import (
    check_places,
    check_plants,
    check_tokens,
    payments,
)


@dataclass(frozen=True)
class At:
    """An entry of a log."""

    seq: int
    event: ev.Event


def numbered(events: list[ev.Event]) -> list[At]:
    return [At(n, event) for n, event in enumerate(events, 1)]


def board(state: GameState) -> GameState:
    """What lies on the table, whoever is away and however long the log is."""
    players = tuple(replace(p, missed=0, caretaker=False) for p in state.players)
    return replace(state, players=players, seq=0, unasked=None)


def with_rewinds(setting: Setting, moves: int = 160) -> list[ev.Event]:
    """A game of random moves in which moves are taken back, and that sometimes again taken back."""
    chance, rng = Chance(f"{setting.seed:064x}"), random.Random(setting.seed)
    events = list(start(setting.ruleset, setting.players, chance))
    fold, made = Fold(), []  # moves that may be taken back: after which event, and whose they are
    for event in events:
        state = fold.add(event)
    envelope: dict[int, dict[int, int | None]] = {}
    sealed: dict[int, int | None] = {}
    for _ in range(moves):
        if not to_act(state):
            break
        if made and rng.random() < 0.15:
            n = rng.randrange(max(0, len(made) - 12), len(made))
            to, seat = made[n]
            del made[n:]
            new: tuple[ev.Event, ...] = (ev.Rewound(to, seat, "consent"),)
            sealed = envelope[to]
        else:
            seat, missed = rng.choice(to_act(state)), rng.random() < 0.2
            made.append((state.seq, seat))
            envelope[state.seq] = sealed
            move = default_move(state, seat) if missed else any_move(options(state, seat), rng)
            new = play(state, seat, move, chance, sealed)
            if missed:
                new = (ev.TurnMissed(seat), *new)
            sealed = envelopes(sealed, seat, move)
        for event in new:
            state = fold.add(event)
        if any(map(is_reveal, new)):
            made.clear()
        events += new
    return events


@games(16)
def test_m56_what_was_taken_back_leaves_no_trace_but_in_the_log(setting: Setting) -> None:
    events = with_rewinds(setting)
    whole = replay(events)
    kept = [entry.event for entry in standing(numbered(events))]
    assert len(kept) < len(events), "nothing was taken back: this setting shows nothing"
    assert whole.seq == len(events)
    assert board(replay(kept)) == board(whole)
    away = [(p.missed, p.caretaker) for p in whole.players]
    assert sum(missed for missed, _ in away) <= sum(isinstance(e, ev.TurnMissed) for e in events)


@games(10)
def test_m53_every_prefix_folds_to_the_position_that_was_seen_then(setting: Setting) -> None:
    """So the address of a position never changes, however the game goes on."""
    events = with_rewinds(setting, 60)
    fold = Fold()
    live = [fold.add(event) for event in events]
    for n in range(1, len(events) + 1):
        assert replay(events[:n]) == live[n - 1] == fold.at(n)
        assert live[n - 1].seq == n


@games(10)
def test_m56_nothing_is_made_or_lost_at_any_event(setting: Setting) -> None:
    fold, purses = Fold(), []
    for event in with_rewinds(setting):
        state = fold.add(event)
        money = [p.elektro for p in state.players]
        if isinstance(event, ev.Rewound):
            assert money == purses[event.to - 1]
        elif purses:
            paid = payments(event)
            assert money == [m - paid.get(seat, 0) for seat, m in enumerate(purses[-1])]
        purses.append(money)
        assert min(money) >= 0
        check_tokens(state)
        check_plants(state)
        check_places(state)


@games(6)
def test_a_log_with_moves_taken_back_is_sound_and_fair(setting: Setting) -> None:
    """Cards come again as they came: chance hangs on the position, and `verify` finds it so."""
    seed = f"{setting.seed:064x}"
    events = [*with_rewinds(setting), ev.GameAbandoned("enough", seed=seed)]
    lines = list(dump(log_of(events, [f"P{n}" for n in range(setting.players)])))
    assert list(load(lines).events) == events
    found = verify(events)
    assert found.fair, found.misfit
    drawn = {}
    fold = Fold()
    for event in events:
        before = fold.state
        fold.add(event)
        if isinstance(event, ev.PlantDrawn):
            assert drawn.setdefault(before.stack, event.plant) == event.plant


@games(6)
def test_m57_the_report_tells_once_what_counts_and_marks_the_rest(setting: Setting) -> None:
    """Lines that count are those of a game in which nothing was taken back."""
    log = numbered(with_rewinds(setting))
    names = [f"P{n}" for n in range(setting.players)]
    told = [line for r in report(log, names) for p in r.phases for line in p.lines]
    gone = {line.first for line in told if line.undone}
    assert gone <= taken_back(log)
    assert all(line.text.startswith("Taken back: ") == line.undone for line in told)
    people = (ev.Rewound, ev.TurnMissed)
    kept = [entry for entry in standing(log) if not isinstance(entry.event, people)]
    again = [At(n, entry.event) for n, entry in enumerate(kept, 1)]
    plain = [line for r in report(again, names) for p in r.phases for line in p.lines]
    table = {e.seq for e in log if isinstance(e.event, people)}
    counts = [line.text for line in told if not line.undone and line.first not in table]
    assert sorted(counts) == sorted(line.text for line in plain)


def two_moves() -> tuple[list[ev.Event], int, int]:
    """A game after two passes, with the positions before them."""
    events = list(start(rules("germany", options={"opener_must_open": "never"}), 3, Chance("1")))
    marks = []
    for _ in range(2):
        state = replay(events)
        marks.append(state.seq)
        events += play(state, to_act(state)[0], default_move(state, to_act(state)[0]), Chance("1"))
    return events, marks[0], marks[1]


def test_m59_taking_back_can_itself_be_taken_back() -> None:
    events, _first, second = two_moves()
    moved = len(events)
    undone = [*events, ev.Rewound(second, 0, "player")]
    assert board(replay(undone)) == board(replay(events[:second]))
    redone = [*undone, ev.Rewound(moved, 0, "player", again=True)]
    assert board(replay(redone)) == board(replay(events))
    assert taken_back(numbered(undone)) == set(range(second + 1, moved + 1))
    assert not taken_back(numbered(redone))


def test_those_who_are_away_stay_away() -> None:
    events, first, _second = two_moves()
    away = [*events, ev.TurnMissed(1), ev.CaretakerAppointed(1), ev.Rewound(first, 0, "host", "x")]
    player = replay(away).players[1]
    assert (player.missed, player.caretaker) == (1, True)


def test_a_position_that_the_fold_does_not_know_is_an_error() -> None:
    events, first, _second = two_moves()
    rewound = ev.Rewound(first, 0, "player")
    with pytest.raises(LogError, match="no position"):
        replay([rewound], replay(events))
    with pytest.raises(LogError, match="positions before are known"):
        evolve(replay(events), rewound)
    for to in (0, len(events) + 1, len(events) + 5):
        with pytest.raises(LogError, match="no position"):
            replay([*events, ev.Rewound(to, 0, "player")])
    with pytest.raises(LogError, match="starts with GameStarted"):
        replay([rewound])


def test_a_log_is_followed_back_from_its_end() -> None:
    events, first, _second = two_moves()
    log = numbered([*events, ev.Rewound(first, 0, "player")])
    assert [e.seq for e in counting(log)] == [*range(1, first + 1), len(log)]
    assert counting([]) == []
    assert [e.seq for e in counting(log[-2:])] == [len(log)]


def test_m58_what_cannot_be_made_unseen() -> None:
    market = ev.PlantMarket((), ())
    shown = [
        ev.PlantDrawn(20, market), ev.PlantBoxed(20, "too-small", market, from_stack=True),
        ev.SealedBidsOpened(()), ev.StackShuffled(()), ev.Step3CardBoxed(market), ev.GameEnded(()),
    ]  # fmt: skip
    plain = [
        ev.PlantBoxed(20, "obsolete", market), ev.PlantPutUnder(20, market), ev.SealedBidGiven(1),
        ev.BidPlaced(1, 5),
    ]  # fmt: skip
    assert all(map(is_reveal, shown))
    assert not any(map(is_reveal, plain))


@games(4)
def test_every_card_that_turns_up_is_a_reveal(setting: Setting) -> None:
    """The set of known cards grows at reveals alone (M58)."""
    for turn in turns(setting, 200):
        state = turn.state
        for before, after in pairwise([*_folded(state, turn.events)]):
            if len(after.stack) < len(before.stack):
                assert is_reveal(turn.events[after.seq - state.seq - 1])


def _folded(state: GameState, events: tuple[ev.Event, ...]) -> list[GameState]:
    fold = Fold(state)
    return [state, *(fold.add(event) for event in events)]
