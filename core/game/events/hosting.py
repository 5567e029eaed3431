"""What the host, or a majority where the host is gone, does to a running game (M77)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.types import Seat

Authority = Literal["host", "vote", "service"]
"""Who did it: the host, a majority of the players, or whoever runs the site."""


@dataclass(frozen=True, slots=True)
class GamePaused:
    """All clocks of the game stand still."""

    VERSION: ClassVar[int] = 1
    by: Authority
    reason: str
    type: Literal["GamePaused"] = "GamePaused"


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The clocks run again, each with what was left on it."""

    VERSION: ClassVar[int] = 1
    by: Authority
    reason: str
    type: Literal["GameResumed"] = "GameResumed"


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A seat is not waited for any longer: the default move follows, and is no missed turn."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    by: Authority
    reason: str
    type: Literal["TurnSkipped"] = "TurnSkipped"


@dataclass(frozen=True, slots=True)
class MoveCorrected:
    """The host makes the next move of a seat, in place of one that was taken back."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    by: Authority
    reason: str
    type: Literal["MoveCorrected"] = "MoveCorrected"


Undoing = Literal["player", "consent", "host", "vote"]
"""On whose word moves are taken back: the player's own, all who are affected, the host's, or a
majority's where the host is gone."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """Moves were taken back: the position is that after event `to` once more (M56, M59).

    The log keeps what was taken back, and goes on counting. `to` may itself lie in what an earlier
    Rewound took back: then that one is undone. `seat`: whose move it was about, None for the
    table's. `reason`: the host's; empty where a player needs none. `again`: it brings back what an
    earlier one took back.
    """

    VERSION: ClassVar[int] = 1
    to: int
    seat: Seat | None
    by: Undoing
    reason: str = ""
    again: bool = False
    type: Literal["Rewound"] = "Rewound"
