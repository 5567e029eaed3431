"""The event that closed a game; standing orders are revealed behind it."""

from collections.abc import Sequence

from core.game.events import Event, GameAbandoned, GameEnded, OrdersRevealed


def closing(events: Sequence[Event]) -> GameEnded | GameAbandoned | None:
    """How the game ended; None while it runs."""
    for event in reversed(events[-2:]):
        if isinstance(event, GameEnded | GameAbandoned):
            return event
        if not isinstance(event, OrdersRevealed):
            break
    return None
