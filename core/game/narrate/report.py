"""The log as a report: round, phase, player; what belongs together in one line.

The report is plain data. Pages, mails and text files render the same one.
"""

from collections.abc import Iterable, Sequence

from core.game import events as ev
from core.game.events import Event
from core.game.log.closing import closing
from core.game.narrate.lines import Narrator
from core.game.narrate.pages import Pages, RoundReport
from core.game.narrate.telling import tell, tell_undone
from core.game.rewind import Numbered, taken_back
from core.game.rules.model import Ruleset
from core.game.state import GameState
from core.game.types import Seat


def report(
    log: Iterable[Numbered],
    names: Sequence[str],
    viewer: Seat | None = None,
    new_from: int = 1,
    start: GameState | None = None,
) -> tuple[RoundReport, ...]:
    """Tell a log from its first event on, or go on from the position `start`.

    `names` are those at the end of the log; what happened before a seat changed hands is told with
    the former one. Money in hand is told where the reader may know it: `viewer`'s own, everybody's
    when the game is over or plays with open money. Events before `new_from` were seen before.
    Events that were taken back stay where they happened, each in a line that says so.
    """
    entries = list(log)
    if not entries:
        return ()
    rules = _rules(entries[0].event, start)
    over = closing([entry.event for entry in entries]) is not None
    narrator = Narrator(rules, names, [entry.event for entry in entries])
    pages = Pages(narrator, viewer, over or not rules.hidden_money, start)
    undone = taken_back(entries)
    for entry in entries:
        if not pages.turn(entry.seq, entry.event):
            (tell_undone if entry.seq in undone else tell)(pages, entry.event)
    return pages.finished(new_from)


def _rules(first: Event, start: GameState | None) -> Ruleset:
    if isinstance(first, ev.GameStarted):
        return first.ruleset
    if start is None:
        raise ValueError("a log that does not begin with GameStarted needs its position")
    return start.ruleset
