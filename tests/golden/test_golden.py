"""Games on file replay for ever, and one seed gives one deck for ever (M47, M49)."""

import hashlib
import json
from dataclasses import replace
from itertools import pairwise

import pytest

from core.game.chance import Chance
from core.game.events import Event, GameEnded, GameStarted, StackShuffled
from core.game.evolve import evolve, replay
from core.game.log.codec import decode, encode
from core.game.log.jsonl import GameLog, load
from core.game.types import Phase
from tests.golden.golden import DECK_SEED, DECKS, FOLDER, GAMES, deck, digest, events_of, seed

DIGESTS = json.loads((FOLDER / "digests.json").read_text("utf-8"))
DECKS_ON_FILE = json.loads((FOLDER / "decks.json").read_text("utf-8"))
LOGS: dict[str, GameLog] = {
    name: load((FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()) for name in GAMES
}
SEED_OF = {Chance(seed(s)).commitment(): seed(s) for s in GAMES.values()}
each_game = pytest.mark.parametrize("name", GAMES)


@each_game
def test_m47_the_moves_lead_to_the_same_events_again(name: str) -> None:
    """The rules that the file carries, the seed, the moves: event by event the same game."""
    log = LOGS[name]
    started = log.events[0]
    assert isinstance(started, GameStarted)
    lines = (FOLDER / f"{name}.moves.txt").read_text("utf-8").splitlines()
    again = events_of(GAMES[name], started.ruleset, lines)
    again[0] = by_edition_0(again[0])
    for n, (old, new) in enumerate(zip(log.events, again, strict=True), start=1):
        assert new == old, f"{name}: event {n}"


def by_edition_0(event: Event) -> Event:
    """The table as version 0.1 laid it: its commitment was made over seed and stack."""
    assert isinstance(event, GameStarted)
    return replace(
        event, edition=0, commitment=Chance(SEED_OF[event.commitment]).commitment(event.stack)
    )


@each_game
def test_the_events_have_not_changed(name: str) -> None:
    events = list(LOGS[name].events)
    assert {"events": len(events), "sha256": digest(events)} == DIGESTS[name]
    assert [decode(encode(e)) for e in events] == events


@each_game
def test_the_log_ends_with_the_game(name: str) -> None:
    events = LOGS[name].events
    final = replay(events)
    assert (final.phase, final.seq) == (Phase.FINISHED, len(events))
    assert isinstance(events[-1], GameEnded)
    assert final.standings == events[-1].standings
    state = None
    for event in events:
        state = evolve(state, event)
    assert state == final


@each_game
def test_the_seed_fits_its_commitment(name: str) -> None:
    """Recomputed by hand: SHA-256 over the revealed seed and the stack at the start."""
    events = LOGS[name].events
    started, ended = events[0], events[-1]
    assert isinstance(started, GameStarted)
    assert isinstance(ended, GameEnded)
    text = f"{ended.seed}:{','.join(map(str, started.stack))}"
    assert hashlib.sha256(text.encode()).hexdigest() == started.commitment


def test_the_games_are_worth_keeping() -> None:
    """They differ, and they show what is rare: the card in phase 2, a shuffle, three Steps."""
    logs = list(LOGS.values())
    assert all(a.events[0] != b.events[0] for a, b in pairwise(logs))
    assert any(isinstance(e, StackShuffled) for log in logs for e in log.events)
    kinds = {e.type for log in logs for e in log.events}
    assert {"TokenPlaced", "SealedBidsOpened", "PlantDiscarded", "Step3CardBoxed"} <= kinds
    for log in GAMES:
        assert (FOLDER / f"{log}.jsonl").stat().st_size < 200_000


@pytest.mark.parametrize("row", DECKS, ids=[" ".join(map(str, r)) for r in DECKS])
def test_m49_one_seed_one_deck(row: tuple[str, str, int]) -> None:
    assert deck(*row) == DECKS_ON_FILE[" ".join(map(str, row))]


def test_other_seeds_give_other_decks() -> None:
    stacks = {tuple(body["stack"]) for body in DECKS_ON_FILE.values()}
    assert len(stacks) == len(DECKS)
    assert len(DECK_SEED) == 64
