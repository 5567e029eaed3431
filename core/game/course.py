"""The course of play: a position that grows event by event while the rules are applied."""

from collections.abc import Mapping

from core.game.chance import Chance
from core.game.errors import IllegalMove
from core.game.events import Event
from core.game.evolve import evolve
from core.game.state import GameState
from core.game.types import Elektro, Seat

SealedBids = Mapping[Seat, Elektro | None]
"""Secret maxima handed in for the open sealed auction, None for a pass."""


class Course:
    """What happens from a position on; `events` is what the log will get."""

    def __init__(self, state: GameState, chance: Chance, sealed: SealedBids | None = None) -> None:
        """Go on from `state`; `sealed` holds the envelopes handed in so far."""
        self.state = state
        self.chance = chance
        self.sealed = dict(sealed or {})
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        """Let the events happen, in this order."""
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)


def demand(condition: bool, code: str, message: str) -> None:
    """Refuse the move with IllegalMove unless the condition holds."""
    if not condition:
        raise IllegalMove(code, message)
