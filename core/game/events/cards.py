"""Cards: the plant market, the stack, the Step 3 card (R6, R10.5, R11, R13)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.types import PlantNumber

BoxedBecause = Literal[
    "obsolete",  # R11: a network has outgrown it
    "too-small",  # R6.2c: drawn, but already outgrown
    "no-sale",  # R7.10
    "step-2",  # R12.1
    "step-3",  # R13: the lowest goes with the Step 3 card
    "rotation",  # R10.5 in Step 3
    "below-token",  # R17.3: drawn lower than the plant with the discount token
    "unsold-token",  # R17.3
]


@dataclass(frozen=True, slots=True)
class PlantMarket:
    """The market as it lies: plants that can be auctioned, and those to come (R6.1)."""

    actual: tuple[PlantNumber, ...]
    future: tuple[PlantNumber, ...]

    @property
    def cards(self) -> tuple[PlantNumber, ...]:
        """Both rows."""
        return self.actual + self.future


@dataclass(frozen=True, slots=True)
class PlantDrawn:
    """The top card of the stack came to the market (R6.2); 99 is the Step 3 card (R13.2)."""

    VERSION: ClassVar[int] = 1
    plant: PlantNumber
    market: PlantMarket
    type: Literal["PlantDrawn"] = "PlantDrawn"


@dataclass(frozen=True, slots=True)
class PlantBoxed:
    """A plant left the game. `from_stack`: it was drawn and never reached the market."""

    VERSION: ClassVar[int] = 1
    plant: PlantNumber
    because: BoxedBecause
    market: PlantMarket
    from_stack: bool = False
    type: Literal["PlantBoxed"] = "PlantBoxed"


@dataclass(frozen=True, slots=True)
class PlantPutUnder:
    """The highest plant went face down under the stack (R10.5)."""

    VERSION: ClassVar[int] = 1
    plant: PlantNumber
    market: PlantMarket
    type: Literal["PlantPutUnder"] = "PlantPutUnder"


@dataclass(frozen=True, slots=True)
class Step3CardBoxed:
    """The Step 3 card left the game; from now on the market is one row (R13).

    `from_stack`: it was drawn in phase 4 or 5 and never lay in the market.
    """

    VERSION: ClassVar[int] = 1
    market: PlantMarket
    from_stack: bool = False
    type: Literal["Step3CardBoxed"] = "Step3CardBoxed"


@dataclass(frozen=True, slots=True)
class StackShuffled:
    """The stack lies in this new order, next card first (R13). Secret until the end."""

    VERSION: ClassVar[int] = 1
    stack: tuple[PlantNumber, ...]
    type: Literal["StackShuffled"] = "StackShuffled"
