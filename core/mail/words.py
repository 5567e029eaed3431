"""Phases, turns and lists of numbers in a few words, in the reader's language."""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from core.game.types import Phase
from core.questions.question import Command
from core.statuses import OrderStatus
from core.tableview import OrderSeen, TableView
from core.text import _, ngettext


def with_bot(name: str, bot: object) -> str:
    """Return ``Watt (bot)`` for a bot, for readers who do not know the table yet."""
    return _("{name} (bot)").format(name=name) if bot else name


def hours(count: int) -> str:
    """Return a length of time: ``36 hours``, or whole days from two on."""
    if count >= 48 and count % 24 == 0:
        return ngettext("{n} day", "{n} days", count // 24).format(n=count // 24)
    return ngettext("{n} hour", "{n} hours", count).format(n=count)


def phase(which: Phase) -> str:
    """Return the name of a phase."""
    return {
        Phase.REGIONS: _("choosing regions"),
        Phase.AUCTION: _("auction"),
        Phase.RESOURCES: _("buying fuel"),
        Phase.BUILDING: _("building"),
        Phase.BUREAUCRACY: _("powering cities"),
        Phase.FINISHED: _("finished"),
    }[which]


def activity(table: TableView) -> str:
    """Return what the table waits for: ``bidding on plant 30``."""
    view = table.view
    if any(asked.plan for asked in table.asked):
        return _("planning round {n}").format(n=view.round)
    if view.discarding is not None:
        return _("giving up a plant")
    if view.auction is not None:
        return _("bidding on plant {number}").format(number=view.auction.plant)
    return phase(view.phase)


def round_of(table: TableView) -> str:
    """Return ``round 5``."""
    if table.view.phase is Phase.REGIONS:
        return _("before round 1")
    return _("round {n}").format(n=table.view.round)


def round_and_step(table: TableView) -> str:
    """Return ``round 5, Step 1``."""
    if table.view.phase is Phase.REGIONS:
        return round_of(table)
    return _("{round}, Step {step}").format(round=round_of(table), step=table.view.step)


def outcome(order: OrderSeen) -> str:
    """Return what became of a standing order: ``Your order 3 (Bid up to 26 …): bid 24``."""
    text = {
        OrderStatus.FAILED: _(
            "Your order {number} stopped, and nothing was done: {reason} ({words})"
        ),
        OrderStatus.LAPSED: _("Your order {number} is over: {reason} ({words})"),
    }.get(order.status, _("Your order {number}: {reason} ({words})"))
    return text.format(number=order.number, reason=order.reason, words=order.words)


def standing(order: OrderSeen) -> str:
    """Return ``3: Bid up to 26 …``."""
    return _("{number}: {words}").format(number=order.number, words=order.words)


def order_status(status: OrderStatus) -> str:
    """Return how a standing order ended, in a word or two."""
    match status:
        case OrderStatus.DONE:
            return _("done")
        case OrderStatus.FAILED:
            return _("condition failed")
        case OrderStatus.CANCELLED:
            return _("cancelled")
        case OrderStatus.LAPSED:
            return _("its time passed")
        case OrderStatus.ACTIVE | OrderStatus.ENDED:
            return _("in force to the end")
        case _:
            assert_never(status)


WIDTH: Final = 70
_ALIGNED: Final = 28  # longer commands stand alone; their prices are not lined up


def width(text: str) -> int:
    """Return the places that a text fills in a fixed-width font."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def clip(text: str, places: int) -> str:
    """Cut a text to so many places, with an ellipsis where something is missing."""
    if width(text) <= places:
        return text
    while text and width(text) > places - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def columns(rows: Iterable[Sequence[object]], align: str) -> str:
    """Return rows under each other; `align` has ``<`` or ``>`` for each column.

    >>> print(columns([("coal", 18, "3 3 4"), ("oil", 4, "7")], "<><"))
    coal  18  3 3 4
    oil    4  7
    """
    table = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    apart = "  " if sum(widths) + 2 * len(widths) - 2 <= WIDTH else " "
    lines = [
        apart.join(_padded(*cell) for cell in zip(row, widths, align, strict=True)).rstrip()
        for row in table
    ]
    return "\n".join(lines)


def explained(rows: Iterable[Sequence[str]]) -> str:
    """Return lines and, behind each, what it does; below it where there is no room."""
    told = [(line, meaning) for line, meaning in rows]
    most = max((width(line) for line, _ in told if width(line) <= _ALIGNED), default=0)
    written = []
    for line, meaning in told:
        together = f"{_padded(line, most, '<')}  {meaning}"
        fits = width(together) <= WIDTH
        written.append(together if fits else f"{line}\n{fill(meaning, '  ', '  ')}")
    return "\n".join(written)


def fill(text: str, first: str = "", rest: str = "") -> str:
    """Break a paragraph at spaces; addresses are never broken."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullets(lines: Iterable[str]) -> str:
    """Return a paragraph for each line, behind a dash."""
    return "\n".join(fill(line, "- ", "  ") for line in lines)


def paragraphs(text: str) -> str:
    """Return each line of a longer text as a paragraph of its own."""
    return "\n".join(fill(line) for line in text.splitlines())


def answers(commands: Iterable[Command]) -> str:
    """Return commands, each on its line behind four spaces, its price behind `` # ``.

    A price for which its line has no room stands below it.
    """
    lines = [(command.text, command.note) for command in commands]
    longest = max((width(text) for text, _note in lines if width(text) <= _ALIGNED), default=0)
    return "\n".join(_answer(text, note, longest) for text, note in lines)


def _answer(text: str, note: str, longest: int) -> str:
    line = f"    {_padded(text, longest, '<')} # {note}" if note else f"    {text}"
    if width(line) <= WIDTH or width(f"    {text}") > WIDTH:
        return line
    room = WIDTH - width(f"    {text} # ")
    first, _blank, rest = note, "", ""
    while first and width(first) > room:
        first, _blank, word = first.rpartition(" ")
        rest = f"{word} {rest}".rstrip()
    head = f"    {text} # {first}" if first else f"    {text}"
    return f"{head}\n{fill(rest or note, '  # ', '  # ')}"


def _padded(text: str, places: int, align: str) -> str:
    blank = " " * (places - width(text))
    return blank + text if align == ">" else text + blank
