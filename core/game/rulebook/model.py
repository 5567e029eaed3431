"""What a rulebook is made of: chapters of numbered rules, each some sentences and maybe a table."""

from dataclasses import dataclass
from typing import Final

from core.game.rules.check import PLAYERS
from core.game.rules.knobs import Ruleset
from core.lists import series
from core.text import _

Row = tuple[str, ...]
COUNTS: Final = tuple(PLAYERS)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of numbers; the first cell of a row says what the row is about."""

    head: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule under its number (``R7.5``), which is its anchor, too."""

    number: str
    sentences: tuple[str, ...]
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules that belong together."""

    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The rules that are told: for a number of players, or for any with None."""

    rules: Ruleset
    players: int | None

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players that are told of."""
        return COUNTS if self.players is None else (self.players,)

    def of(self, key: str) -> str:
        """Return a number that hangs on the number of players (R2)."""
        row = [str(self.at(key, players)) for players in self.counts]
        if len(set(row)) == 1:
            return row[0]
        return _("{numbers} (with {first} to {last} players)").format(
            numbers=series(row), first=COUNTS[0], last=COUNTS[-1]
        )

    def at(self, key: str, players: int) -> int:
        """Return the same for one number of players."""
        number: int = getattr(self.rules, key)[players - COUNTS[0]]
        return number


def rule(number: str, *sentences: str, grid: Grid | None = None) -> Rule:
    """Return a rule; empty sentences are left out."""
    return Rule(number, tuple(s for s in sentences if s), grid)
