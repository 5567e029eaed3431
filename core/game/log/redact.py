"""What may be shown of the log of a game that is still running (R15.1)."""

from collections.abc import Iterable
from dataclasses import replace

from core.game.events import Event, GameStarted, StackShuffled, closing
from core.game.types import UNSEEN, PlantNumber


def redact(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events with all unseen cards face down; the seed comes only with the end.

    A redacted log folds to the same position, except for the faces of those cards. The log of a
    game that is over is returned whole.
    """
    log = tuple(events)
    if closing(log) is not None:
        return log
    return tuple(redact_one(event) for event in log)


def redact_one(event: Event) -> Event:
    """Return one event of a running game."""
    match event:
        case GameStarted(stack=stack, boxed=boxed):
            return replace(event, stack=_face_down(stack), boxed=_face_down(boxed))
        case StackShuffled(stack=stack):
            return replace(event, stack=_face_down(stack))
        case _:
            return event


def _face_down(cards: tuple[PlantNumber, ...]) -> tuple[PlantNumber, ...]:
    return (UNSEEN,) * len(cards)
