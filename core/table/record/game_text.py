"""A game as plain text: heading, rounds and phases, the sums of each round, the end.

The text is for readers and for programs alike: every payment stands in a line of the log, and
under each round its sums, so that they can be added up again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.game.events import closing
from core.game.narrate import report, wording
from core.game.narrate.lines import names_before
from core.game.narrate.report import PhaseReport
from core.game.narrate.wording import victory
from core.mail.words import bullets, clip, columns, fill
from core.statuses import GameStatus
from core.story.accounts import FLOWS, SeatSums, account, by_round, ledger
from core.story.course import course, transitions
from core.tableview import TableView
from core.text import _
from core.when import exact


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
    log = tuple(transitions(events))
    known = {p.seat for p in table.view.players if p.elektro is not None}
    sums = by_round(ledger(log), table.view.round) if known else {}
    ends = {then.round: then.last for then in course(log)}
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


_NAME: Final = 18
"""Places of a name in a table; longer ones are cut."""


def written(table: TableView, url: str, zone: str, locale: str) -> str:
    """Return the report of a game as far as its log goes, for the reader of `table`.

    Times are those of the reader's `zone`. While the game runs it tells what the reader may know:
    no unseen card, and where money is hidden no sums but their own.
    """
    parts = [_heading(table, url, zone, locale)]
    parts += ["\n".join(_round(chapter)) for chapter in chapters(table)]
    parts += _end(table)
    return "\n\n\n".join(parts) + "\n"


def _heading(table: TableView, url: str, zone: str, locale: str) -> str:
    rules, last = table.view.ruleset, table.log[-1]
    seats = "; ".join(f"{s.name} ({s.letter})" for s in table.seats)
    text = _("{map}, {rules}, {n} players: {seats}. Everybody began with {elektro} Elektro.")
    lines = [
        _underlined(table.title, "="),
        fill(text.format(
            map=_(rules.map.name), rules=_(rules.variant_name), n=len(table.seats), seats=seats,
            elektro=rules.starting_elektro,
        )),
        _("Began {time}").format(time=exact(table.log[0].at, zone, locale)),
        fill((
            _("Still running: this is how it stood after event {n}, {time}")
            if table.status == GameStatus.RUNNING else _("Ended {time}")
        ).format(n=last.seq, time=exact(last.at, zone, locale))),
        url,
    ]  # fmt: skip
    if table.status == GameStatus.RUNNING and rules.hidden_money:
        lines.append(fill(_("Money is hidden at this table until the game is over.")))
    return "\n".join(lines)


def _round(chapter: Chapter) -> Iterator[str]:
    yield _underlined(chapter.title, "-")
    for phase in chapter.phases:
        yield from ("", phase.title, bullets(line.text for line in phase.lines))
    if chapter.sums:
        yield ""
        yield _("Elektro in round {n}").format(n=chapter.round)
        yield _accounts(chapter.sums, chapter.names)


def _accounts(sums: Sequence[SeatSums], names: Sequence[str]) -> str:
    """Each seat: what it had, what it got and paid, what it has."""
    head = (_("Player"), _("before"), *(account(one) for one in FLOWS), _("after"))
    rows = [(clip(names[one.seat], _NAME), one.before, *one.flows, one.after) for one in sums]
    return columns([head, *rows], "<" + ">" * (len(FLOWS) + 2))


def _end(table: TableView) -> list[str]:
    """Return the final table, and the seed that proves the shuffles."""
    view, end = table.view, closing([entry.event for entry in table.log])
    parts = []
    if view.standings:
        head = (_("Place"), _("Player"), _("Powered"), _("Elektro"), _("Cities"), _("Plants"))
        rows = [
            (s.place, clip(table.names[s.seat], _NAME), s.powered, s.elektro, s.cities,
             wording.numbers(view.players[s.seat].plants))
            for s in view.standings
        ]  # fmt: skip
        won = victory(view.standings, view.ruleset.tie_breaks, lambda seat: table.names[seat])
        title = _underlined(_("Final table"), "-")
        parts.append("\n".join([title, fill(won), "", columns([head, *rows], "<<>>><")]))
    if end is not None and end.seed:
        parts.append("\n".join([_("Seed of all chance:"), end.seed]))
    return parts


def _underlined(title: str, mark: str) -> str:
    """Return a title with a line below it, as wide as its longest line."""
    text = fill(title)
    return f"{text}\n{mark * max(map(len, text.splitlines()))}"
