"""Players who are away, and what the host does about it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.types import Seat


@dataclass(frozen=True, slots=True)
class TurnMissed:
    """A deadline passed; the default move follows."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["TurnMissed"] = "TurnMissed"


@dataclass(frozen=True, slots=True)
class MoveForced:
    """A seat had a single legal move, so the table makes it without asking; it follows (M71)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["MoveForced"] = "MoveForced"


@dataclass(frozen=True, slots=True)
class CaretakerAppointed:
    """A bot plays for this seat until its owner returns."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["CaretakerAppointed"] = "CaretakerAppointed"


@dataclass(frozen=True, slots=True)
class OwnerReturned:
    """The owner of a seat plays again."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["OwnerReturned"] = "OwnerReturned"


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """The host gave more time; hours, and why (M77)."""

    VERSION: ClassVar[int] = 1
    hours: int
    reason: str
    type: Literal["DeadlineExtended"] = "DeadlineExtended"
