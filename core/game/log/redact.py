"""What may be shown of the log of a game that is still running (R15.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.game.events import (
    Event,
    GameStarted,
    PlantBought,
    SealedBid,
    SealedBidsOpened,
    StackShuffled,
    StackUsedUp,
    Step3CardBack,
    closing,
)
from core.game.types import UNSEEN, PlantNumber


def redact(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events with all unseen cards face down; the seed comes only with the end.

    So does what the winner of a sealed auction would have paid (B39). A redacted log folds to the
    same position, except for the faces of those cards. The log of a game that is over is returned
    whole.
    """
    log = tuple(events)
    return log if closing(log) is not None else as_running(log)


def as_running(log: Sequence[Event]) -> tuple[Event, ...]:
    """Return a log, from its first event on, as everybody saw it while the game ran."""
    first = log[0] if log else None
    secret = isinstance(first, GameStarted) and first.ruleset.reveal_sealed_bids == "at_end"
    following = (*log[1:], None)[: len(log)]
    return tuple(
        _without_winner(event, sale)
        if secret and isinstance(event, SealedBidsOpened)
        else redact_one(event)
        for event, sale in zip(log, following, strict=True)
    )


def _without_winner(event: SealedBidsOpened, sale: Event | None) -> SealedBidsOpened:
    """Hide the winner's maximum; where the sale is not told yet, the highest."""
    most = max((b.maximum for b in event.bids if b.maximum is not None), default=None)
    bids = (
        SealedBid(bid.seat, None, hidden=True)
        if (bid.seat == sale.seat if isinstance(sale, PlantBought) else bid.maximum == most)
        else bid
        for bid in event.bids
    )
    return replace(event, bids=tuple(bids))


def redact_one(event: Event) -> Event:
    """Return one event of a running game."""
    match event:
        case GameStarted(stack=stack, boxed=boxed):
            return replace(event, stack=_face_down(stack), boxed=_face_down(boxed))
        case StackShuffled(stack=stack) | StackUsedUp(stack=stack) | Step3CardBack(stack=stack):
            return replace(event, stack=_face_down(stack))
        case _:
            return event


def _face_down(cards: tuple[PlantNumber, ...]) -> tuple[PlantNumber, ...]:
    return (UNSEEN,) * len(cards)
