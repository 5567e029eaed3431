"""Fair dealing: what a seed gives is computed again, and a log that says otherwise is caught."""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from core.bots import CARETAKER, bot
from core.game.chance import Chance
from core.game.errors import LogError
from core.game.events import (
    Event,
    GameAbandoned,
    GameEnded,
    GameStarted,
    PlantBoxed,
    PlantDrawn,
    RegionChosen,
    StackShuffled,
)
from core.game.evolve import replay
from core.game.log.jsonl import load as read_log
from core.game.log.redact import redact
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import STEP_3_CARD
from core.game.verify import verify
from tests.support.over import until_asked
from webapp.instruments.selfplay import play_game

GOLDEN = Path(__file__).parents[1] / "golden"
Log = tuple[Event, ...]


@cache
def game(variant: str = "standard", players: int = 3, **options: str) -> Log:
    """A whole game between bots; this seed's games draw the Step 3 card."""
    rules = load("germany", variant, options)
    host = tuple(r.id for r in rules.map.regions[:3]) if rules.region_choice == "host" else None
    return tuple(play_game(rules, [bot(CARETAKER)] * players, "5eed", host))


def place(log: Log, kind: type, after: int = 0) -> int:
    return next(i for i, event in enumerate(log) if i >= after and isinstance(event, kind))


def swapped(cards: Sequence[int], i: int = 0, j: int = 1) -> tuple[int, ...]:
    new = list(cards)
    new[i], new[j] = new[j], new[i]
    return tuple(new)


def changed(log: Log, i: int, **fields: object) -> Log:
    return (*log[:i], replace(log[i], **fields), *log[i + 1 :])


@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_game_fits_its_seed(variant: str, players: int) -> None:
    found = verify(game(variant, players))
    assert found.misfit is None
    assert found.fair
    assert found.seed == "5eed"
    assert len(found.fits) >= 9


@pytest.mark.parametrize("choice", ["host", "draft"])
def test_regions_that_people_chose_are_not_held_against_the_seed(choice: str) -> None:
    log = game(region_choice=choice)
    assert any(isinstance(e, RegionChosen) for e in log) is (choice == "draft")
    assert verify(log).fair


def test_every_shuffle_is_among_what_was_checked() -> None:
    log = game()
    told = " ".join(check.what for check in verify(log).fits)
    shuffled = log[place(log, StackShuffled)]
    assert f"{len(shuffled.stack)} cards are shuffled for Step 3" in told
    drawn = [e for e in log if isinstance(e, PlantDrawn)]
    boxed = [e for e in log if getattr(e, "from_stack", False)]
    assert f"{len(drawn) + len(boxed)} cards came" in told


def _started(**fields: Callable[[GameStarted], object]) -> Callable[[Log], tuple[Log, int]]:
    def tamper(log: Log) -> tuple[Log, int]:
        return changed(log, 0, **{key: make(log[0]) for key, make in fields.items()}), 1

    return tamper


def _commitment_of_another_stack(log: Log) -> tuple[Log, int]:
    stack = swapped(log[0].stack)
    return changed(log, 0, stack=stack, commitment=Chance("5eed").commitment(stack)), 1


def _other_shuffle(log: Log) -> tuple[Log, int]:
    i = place(log, StackShuffled)
    return changed(log, i, stack=swapped(log[i].stack)), i + 1


def _no_shuffle(log: Log) -> tuple[Log, int]:
    i = place(log, StackShuffled)
    return (*log[:i], *log[i + 1 :]), place(log, PlantDrawn, i)


def _second_shuffle(log: Log) -> tuple[Log, int]:
    i = place(log, StackShuffled)
    again = StackShuffled(Chance("5eed").shuffled(log[i].stack, "step-3"))
    return (*log[: i + 1], again, *log[i + 1 :]), i + 2


def _from_the_middle(log: Log) -> tuple[Log, int]:
    i = place(log, PlantDrawn)
    lower = replay(log[:i]).stack[1]
    return changed(log, i, plant=lower), i + 1


def _step_3_card_unearthed(log: Log) -> tuple[Log, int]:
    i = place(log, PlantDrawn)
    return changed(log, i, plant=STEP_3_CARD), i + 1


def _boxed_from_the_middle(log: Log) -> tuple[Log, int]:
    i = place(log, PlantDrawn)
    state = replay(log[:i])
    boxed = PlantBoxed(state.stack[1], "too-small", state.market, from_stack=True)
    return (*log[:i], boxed, *log[i + 1 :]), i + 1


def _other_seed(log: Log) -> tuple[Log, int]:
    return changed(log, len(log) - 1, seed="5eee"), 1


def _no_seed(log: Log) -> tuple[Log, int]:
    return changed(log, len(log) - 1, seed=""), len(log)


TAMPERED = [
    _started(stack=lambda e: swapped(e.stack)),
    _started(commitment=lambda e: e.commitment[::-1]),
    _started(boxed=lambda e: swapped(e.boxed)),
    _started(market=lambda e: replace(e.market, actual=(3, 4, 5, 13))),
    _started(order=lambda e: swapped(e.order)),
    _started(regions=lambda e: swapped(e.regions)),
    _started(ruleset=lambda e: replace(e.ruleset, first_plant=14)),
    _started(ruleset=lambda e: replace(e.ruleset, boxed_plants=(40, 40, 40, 40, 40))),
    _commitment_of_another_stack,
    _other_shuffle,
    _no_shuffle,
    _second_shuffle,
    _from_the_middle,
    _step_3_card_unearthed,
    _boxed_from_the_middle,
    _other_seed,
    _no_seed,
]


@pytest.mark.parametrize("tamper", TAMPERED)
def test_the_first_thing_that_does_not_fit_is_named(
    tamper: Callable[[Log], tuple[Log, int]],
) -> None:
    log, seq = tamper(game())
    found = verify(log)
    assert not found.fair
    assert found.misfit is not None
    assert found.misfit.wrong
    assert found.misfit.seq == seq
    assert all(check.seq <= seq or check.seq == len(log) for check in found.fits)


@pytest.mark.parametrize("moment", ["on_step3_start", "none"])
def test_a_shuffle_is_asked_for_when_the_rules_want_one(moment: str) -> None:
    log = game(step3_reshuffle=moment)
    assert verify(log).fair
    shuffles = [e for e in log if isinstance(e, StackShuffled)]
    assert len(shuffles) == (moment == "on_step3_start")
    if shuffles:
        found = verify(_no_shuffle(log)[0])
        assert found.misfit is not None
        assert "shuffled first" in found.misfit.wrong


def test_a_running_game_keeps_its_seed_and_cannot_be_verified_yet() -> None:
    found = verify(redact(game()[:40]))
    assert not found.fair
    assert found.seed == ""
    assert found.joined == ()
    assert found.commitment == game()[0].commitment


def test_an_abandoned_game_shows_its_seed_too() -> None:
    begun = until_asked(game(), 40)
    assert verify((*begun, GameAbandoned("time", "5eed"))).fair
    assert not verify((*begun, GameAbandoned("time", "5eee"))).fair


def test_seats_are_told_in_the_order_of_joining() -> None:
    seats = (0, 1, 2)
    came = Chance("5eed").shuffled(seats, "seats")  # seat i was given to the came[i]-th
    assert [came[seat] for seat in verify(game()).joined] == [0, 1, 2]


@pytest.mark.parametrize("log", [(), (GameEnded(()),)])
def test_what_starts_no_game_is_no_log(log: Log) -> None:
    with pytest.raises(LogError):
        verify(log)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("[rs]*-*.jsonl")), ids=lambda path: path.stem)
def test_games_on_file_still_fit_their_seeds(path: Path) -> None:
    assert verify(read_log(path.read_text("utf-8").splitlines()).events).fair


def _by_the_documentation(seed: str, purpose: str, cards: Sequence[int]) -> list[int]:
    """A shuffle written from docs/fairness.md alone."""
    deck, counter = list(cards), 0
    for i in range(len(deck) - 1, 0, -1):
        while True:
            mac = hmac.digest(seed.encode(), f"{purpose}:{counter}".encode(), hashlib.sha256)
            counter += 1
            word = int.from_bytes(mac[:8], "big")
            if word < 2**64 // (i + 1) * (i + 1):
                break
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def test_the_documentation_is_enough_to_check_a_game() -> None:
    started, end = game()[0], game()[-1]
    cards = [n for n in sorted(started.ruleset.plant) if n > 10 and n != 13]
    shuffled = _by_the_documentation(end.seed, "stack", cards)
    assert tuple(shuffled) == (*started.boxed, *started.stack[1:-1])
    assert hashlib.sha256(end.seed.encode()).hexdigest() == started.commitment
