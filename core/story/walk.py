"""A log step by step, with the position before and after each event."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.game.events import Event
from core.game.evolve import evolve
from core.game.state import GameState


@dataclass(frozen=True, slots=True)
class Stride:
    """Event number `seq` (from 1) and the positions around it; `before` is None for the first."""

    seq: int
    event: Event
    before: GameState | None
    after: GameState


def walk(events: Iterable[Event]) -> Iterator[Stride]:
    """Every event that counts, in order."""
    state: GameState | None = None
    for seq, event in enumerate(events, start=1):
        after = evolve(state, event)
        yield Stride(seq, event, state, after)
        state = after
