"""A log step by step, with the position before and after each event."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.game.events import Event, Rewound
from core.game.evolve import Fold
from core.game.log.jsonl import Entry
from core.game.rewind import taken_back
from core.game.state import GameState


@dataclass(frozen=True, slots=True)
class Transition:
    """Event number `seq` (from 1) and the positions around it; `before` is None for the first."""

    seq: int
    event: Event
    before: GameState | None
    after: GameState


def transitions(events: Iterable[Event]) -> Iterator[Transition]:
    """Every event that counts, in order; what was taken back is passed over."""
    log = [Entry(seq, None, event) for seq, event in enumerate(events, start=1)]
    gone, fold = taken_back(log), Fold()
    for entry in log:
        before, after = fold.state, fold.add(entry.event)
        if entry.seq not in gone and not isinstance(entry.event, Rewound):
            yield Transition(entry.seq, entry.event, before, after)
