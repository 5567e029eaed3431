"""The course of the game: rounds, phases, Steps, the end."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.events.cards import PlantMarket
from core.game.rules.model import Ruleset
from core.game.types import Elektro, Phase, PlantNumber, RegionId, Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's result (R14.2); `place` 1 is the winner, ties share a place."""

    seat: Seat
    place: int
    powered: int
    elektro: Elektro
    cities: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table is set (R3). Carries its whole ruleset, so the log needs no other file.

    `commitment`: SHA-256 over seed and stack, hexadecimal. `boxed`: cards put away unseen.
    """

    VERSION: ClassVar[int] = 1
    ruleset: Ruleset
    seats: int
    regions: tuple[RegionId, ...]
    order: tuple[Seat, ...]
    market: PlantMarket
    stack: tuple[PlantNumber, ...]
    boxed: tuple[PlantNumber, ...]
    commitment: str
    type: Literal["GameStarted"] = "GameStarted"


@dataclass(frozen=True, slots=True)
class RegionChosen:
    """A player added a region to the board (R3.1)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    region: RegionId
    type: Literal["RegionChosen"] = "RegionChosen"


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round began; phase 1 gave this order, leader first (R7.2)."""

    VERSION: ClassVar[int] = 1
    round: int
    order: tuple[Seat, ...]
    type: Literal["RoundBegan"] = "RoundBegan"


@dataclass(frozen=True, slots=True)
class OrderChanged:
    """Turn order was sorted again after the first auctions (R7.9)."""

    VERSION: ClassVar[int] = 1
    order: tuple[Seat, ...]
    type: Literal["OrderChanged"] = "OrderChanged"


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase began; `seats` will act, in this order (all at once in bureaucracy)."""

    VERSION: ClassVar[int] = 1
    phase: Phase
    seats: tuple[Seat, ...]
    type: Literal["PhaseBegan"] = "PhaseBegan"


@dataclass(frozen=True, slots=True)
class StepReached:
    """Step 2 or Step 3 began (R12, R13)."""

    VERSION: ClassVar[int] = 1
    step: int
    type: Literal["StepReached"] = "StepReached"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over (R14); best first. `seed` lets anybody recompute every shuffle."""

    VERSION: ClassVar[int] = 1
    standings: tuple[Standing, ...]
    seed: str = ""
    type: Literal["GameEnded"] = "GameEnded"


EndedBecause = Literal[
    "host",  # of the table (M77)
    "vote",  # of the players (M48)
    "service",  # whoever runs the site
    "last-player",  # all others had left (M43)
    "nobody-left",  # nobody came back for a long time
]


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """The game was ended before its end; there is no winner and no loser (M43, M48, M77).

    `reason`: what whoever ended it says; may be empty where `because` says it all.
    """

    VERSION: ClassVar[int] = 2
    reason: str
    seed: str = ""
    because: EndedBecause = "host"
    type: Literal["GameAbandoned"] = "GameAbandoned"
