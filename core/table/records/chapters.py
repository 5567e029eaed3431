"""A game to be taken away: its report with the sums of every round, for text files and paper."""

from dataclasses import dataclass

from core.game.narrate import PhaseReport, report
from core.game.narrate.handover import names_before
from core.story.course import course
from core.story.ledger import ledger
from core.story.rounds import SeatSums, by_round
from core.story.walk import walk
from core.tableview import TableView


@dataclass(frozen=True, slots=True)
class Chapter:
    """A round, in the order of the log; number 0 is what happened before the first.

    `last`: the event with which it ended, or the last one so far; None where all of it was taken
    back. `names`: by seat, as they were then. `sums`: only of seats whose money the reader may
    know; none before round 1.
    """

    round: int
    title: str
    phases: tuple[PhaseReport, ...]
    last: int | None
    names: tuple[str, ...]
    sums: tuple[SeatSums, ...]


def chapters(table: TableView) -> tuple[Chapter, ...]:
    """All rounds of a table as its reader may see them."""
    events = [entry.event for entry in table.log]
    strides = tuple(walk(events))
    known = {p.seat for p in table.view.players if p.elektro is not None}
    sums = by_round(ledger(strides), table.view.round) if known else {}
    ends = {then.round: then.last for then in course(strides)}
    told = report(table.log, table.names, table.view.seat)
    final = {chapter.number: n for n, chapter in enumerate(told)}
    made = []
    for n, chapter in enumerate(told):
        last = ends.get(chapter.number) if n == final[chapter.number] else None
        paid = sums.get(chapter.number, ()) if last else ()
        made.append(
            Chapter(
                round=chapter.number,
                title=chapter.title,
                phases=chapter.phases,
                last=last,
                names=names_before(table.names, events[last:] if last else ()),
                sums=tuple(one for one in paid if one.seat in known),
            )
        )
    return tuple(made)
