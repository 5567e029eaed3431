"""What a mail about several tables at once holds."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table that waits for the reader, in a list of such.

    `what` is asked there, until when, and what was told first where that has `moved`. `fresh`: no
    mail has told of it before, but of others.
    """

    game: int
    title: str
    seat: int
    turn: int
    what: str
    deadline: datetime | None
    moved: datetime | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Also:
    """What a mail of another kind would have said, in short, and the page to look at."""

    title: str
    heading: str
    lines: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class Digest:
    """All tables that wait for the reader, and how many `more` than are named (M9).

    `daily`, or what was held for a while; then `also` tells the rest.
    """

    waiting: tuple[Waiting, ...]
    more: int = 0
    daily: bool = False
    also: tuple[Also, ...] = ()

    @property
    def count(self) -> int:
        """How many tables wait."""
        return len(self.waiting) + self.more
