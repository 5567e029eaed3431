"""Which events of a log count, and which were taken back; what nobody can make unseen (M56-M58).

The log is never rewritten: a `Rewound` says to which of its positions the game went back. What
lies between that position and the `Rewound` was taken back. So every position keeps its number,
and its address, for ever (M53).
"""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from core.game import events as ev
from core.game.events import Event


class Numbered(Protocol):
    """An event with its number in the log, from 1."""

    @property
    def seq(self) -> int:
        """Its number."""

    @property
    def event(self) -> Event:
        """What happened."""


N = TypeVar("N", bound=Numbered)

_OF_PEOPLE: Final = (
    ev.TurnMissed, ev.CaretakerAppointed, ev.OwnerReturned, ev.DeadlineExtended, ev.GraceGiven,
    ev.VacationBegan, ev.SeatOpened, ev.SeatTaken, ev.GamePaused, ev.GameResumed, ev.TurnSkipped,
    ev.MoveCorrected, ev.Rewound,
)  # fmt: skip
"""What happens to people and clocks: going back on the board does not make it undone."""

REVEALS: Final = (
    ev.PlantDrawn,  # a card that nobody knew lies open
    ev.SealedBidsOpened,  # what everybody was ready to pay
    ev.StackShuffled,  # the Step 3 card has come, and the rest of the stack is new
    ev.Step3CardBoxed,  # it came from the stack, or went because of a card that did
    ev.GameEnded,  # hidden money, and the seed
    ev.GameAbandoned,
)
"""What nobody can make unseen: no player goes back beyond it, whoever agrees (M58).

A plant boxed straight from the stack was seen, too (`is_reveal`). Everything else follows from
what lies open, or is the player's own: refilled fuel, a market that moves up, a sealed bid that
is still in its envelope.
"""


def is_reveal(event: Event) -> bool:
    """Return True if this event told somebody what nobody could know before (M58)."""
    return isinstance(event, REVEALS) or (isinstance(event, ev.PlantBoxed) and event.from_stack)


def counting(log: Sequence[N]) -> list[N]:
    """Return the entries that led to the last position, in order.

    A log may begin later than at 1.
    """
    if not log:
        return []
    first, found, seq = log[0].seq, [], log[-1].seq
    while seq >= first:
        entry = log[seq - first]
        found.append(entry)
        seq = entry.event.to if isinstance(entry.event, ev.Rewound) else seq - 1
    return found[::-1]


def taken_back(log: Sequence[Numbered]) -> frozenset[int]:
    """Numbers of the events on the board that do not count any more."""
    counts = {entry.seq for entry in counting(log)}
    return frozenset(
        entry.seq
        for entry in log
        if entry.seq not in counts and not isinstance(entry.event, _OF_PEOPLE)
    )


def standing(log: Sequence[N]) -> list[N]:
    """Return what counts of a log, and what happened to people, as if nothing was taken back."""
    gone = taken_back(log)
    return [e for e in log if e.seq not in gone and not isinstance(e.event, ev.Rewound)]
