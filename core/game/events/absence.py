"""Players who are away, and what the host does about it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.events.hosting import Authority
from core.game.types import Seat


@dataclass(frozen=True, slots=True)
class TurnMissed:
    """A deadline passed; the default move follows.

    None follows where the seat has never moved in round 1: it is opened to others first (M39).
    """

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
class DraftPlayed:
    """A deadline passed and the seat had saved a move, which the table agreed to play (M36)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["DraftPlayed"] = "DraftPlayed"


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
class DeadlineMoved:
    """The deadline of a seat's open turn, before and after: UTC instants as in ISO 8601."""

    seat: Seat
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """Everybody who is asked was given more time; hours, by whom, and why (M77).

    `turns`: the deadlines that moved; none at a table without deadlines, or in an old log.
    """

    VERSION: ClassVar[int] = 3
    hours: int
    reason: str
    by: Authority = "host"
    turns: tuple[DeadlineMoved, ...] = ()
    type: Literal["DeadlineExtended"] = "DeadlineExtended"


@dataclass(frozen=True, slots=True)
class GraceGiven:
    """A seat was late and got more time by itself; hours (M37, M38)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    hours: int
    type: Literal["GraceGiven"] = "GraceGiven"


@dataclass(frozen=True, slots=True)
class VacationBegan:
    """A player is away for so many days; `sitter` may move meanwhile, empty for nobody (M26)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    days: int
    sitter: str = ""
    type: Literal["VacationBegan"] = "VacationBegan"


@dataclass(frozen=True, slots=True)
class MadeBySitter:
    """Somebody whom the absent player named makes the next move of the seat; his name."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    sitter: str
    type: Literal["MadeBySitter"] = "MadeBySitter"


@dataclass(frozen=True, slots=True)
class SeatOpened:
    """The owner of a seat is away for good: somebody else may take it over (M39).

    `by`: who offers it; the service does after missed turns, and `player` is the owner himself, who
    leaves. `reason`: what he, the host, or who asked for the vote, said.
    """

    VERSION: ClassVar[int] = 3
    seat: Seat
    by: Literal["player"] | Authority = "service"
    reason: str = ""
    type: Literal["SeatOpened"] = "SeatOpened"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody else plays a seat from now on: its new and its former name (M40, M41).

    `bot`: the new player is a bot. `by`: who gave him the seat; `player` where he took it himself.
    `reason`: what the host, or who asked for the vote, said; may be empty.
    """

    VERSION: ClassVar[int] = 1
    seat: Seat
    name: str
    former: str
    bot: bool = False
    reason: str = ""
    by: Literal["player", "host", "vote", "service"] = "player"
    type: Literal["SeatTaken"] = "SeatTaken"
