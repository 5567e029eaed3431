"""The log for pages: the merged report with its times, and single events."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from core.game.narrate import report
from core.game.narrate.lines import Narrator
from core.game.narrate.report import Line, RoundReport
from core.game.state import GameState
from core.game.types import Seat
from core.tableview import TableView

NEWS: Final = 3
"""Lines of news that stand before a form."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event in a sentence."""

    seq: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """The merged log, the newest round first; `since`: the first line that is news.

    `by`: the only player whose lines are shown, None for all.
    """

    rounds: tuple[RoundReport, ...]
    times: dict[int, datetime]
    since: Line | None
    by: Seat | None = None
    lines: tuple[Line, ...] = ()
    """All lines of all players, oldest first."""

    def latest(self, after: int, seat: Seat | None) -> "News":
        """Return the most important of what came after event `after`: what touched `seat` first."""
        found = [line for line in self.lines if line.last > after]
        own = [line for line in found if seat is not None and seat in line.seats]
        ranked = [*own[:1], *own[:0:-1], *(line for line in reversed(found) if line not in own)]
        chosen = ranked[:NEWS]
        return News(tuple(line for line in found if line in chosen), len(found) - len(chosen))


@dataclass(frozen=True, slots=True)
class News:
    """A few lines of the log, and how many `more` there are."""

    lines: tuple[Line, ...] = ()
    more: int = 0


def merged(table: TableView, by: Seat | None = None, start: GameState | None = None) -> Report:
    """Return the report as the reader may read it, of all players or of one.

    With `start` the table's log is only what followed that position.
    """
    rounds = report(table.log, table.names, table.view.seat, table.new_from, start)
    whole = tuple(line for part in rounds for phase in part.phases for line in phase.lines)
    if by is not None:
        rounds = tuple(part for whole in rounds if (part := _only(whole, by)).phases)
    lines = [line for part in rounds for phase in part.phases for line in phase.lines]
    news = next((line for line in lines if line.new), None)
    times = {entry.seq: entry.at for entry in table.log}
    seen_before = any(not line.new for line in lines)
    return Report(rounds[::-1], times, news if seen_before else None, by, whole)


def _only(whole: RoundReport, seat: Seat) -> RoundReport:
    """Return the lines of a round in which a seat took part."""
    parts = (
        replace(phase, lines=tuple(line for line in phase.lines if seat in line.seats))
        for phase in whole.phases
    )
    return replace(whole, phases=tuple(part for part in parts if part.lines))


def events(table: TableView, after: int = 0) -> list[Told]:
    """Return every event after number `after` that has something to tell, in order."""
    tell = Narrator(table.view.ruleset, table.names, [e.event for e in table.log])
    told = [(entry, tell.line(entry.event)) for entry in table.log]
    return [Told(entry.seq, entry.at, text) for entry, text in told if text and entry.seq > after]
