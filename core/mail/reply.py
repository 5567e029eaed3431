"""What a person wrote in an answer, without the mail that is quoted in it.

Read from the top: the person's own lines end where a signature or the quoted mail begins. Only
where nothing stands above the quote, and the quote is marked line by line, do the unmarked lines
among and below it count (people who answer below or between). After the marker, a rule, a head
"From: … Sent: …" or an attribution with no `>` below it nothing is read at all: from there on the
text may be ours, and a quoted mail must never be read as a command.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from email.message import Message
from enum import Enum, auto

from core.mail import quoting
from core.mail.body import body_lines
from core.mail.quoting import fold

MARKER = "--- Kraftpost: answer above this line ---"
"""First line of every mail that can be answered; what stands below it was written by us."""

WRAP, MAX_WRAP = 72, 80
"""Characters among which mail programs break lines."""

_MARKER_WORDS = "kraftpost: answer above this line"
_QUOTED = re.compile(r"\s*\w{0,3}[>|»]")
_UNSEEN = {"\u00ad", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff"}


class _Kind(Enum):
    OWN = auto()
    BLANK = auto()
    QUOTED = auto()  # marked as quoted by itself
    ATTRIBUTION = auto()
    SIGNATURE = auto()
    END = auto()  # the quoted mail follows, unmarked


_GAPS = (_Kind.BLANK, _Kind.ATTRIBUTION)
_LOOK_AHEAD = 8


def own_lines(message: Message, ours: Collection[str] = ()) -> tuple[str, ...]:
    """The person's own lines, blanks single, empty lines kept between them (M21).

    `ours` are addresses, or their `@domain`, that only the head of a mail of ours would hold.
    """
    return strip_quotes(body_lines(message), ours)


def strip_quotes(lines: Iterable[str], ours: Collection[str] = ()) -> tuple[str, ...]:
    """The own ones among the lines of a text; what `own_lines` does once it has the text."""
    raw = ["".join(filter(_is_seen, line)) for line in lines]
    kinds = _kinds(raw, tuple(fold(address) for address in ours))
    return _above(raw, kinds) or _among(raw, kinds)


def _is_seen(char: str) -> bool:
    return char not in _UNSEEN and (char.isspace() or unicodedata.category(char) != "Cc")


def _kinds(raw: list[str], ours: tuple[str, ...]) -> list[_Kind]:
    folded = [fold(line) for line in raw]
    kinds = [_kind(folded, at, ours) for at in range(len(folded))]
    for at, kind in enumerate(kinds):
        if kind is _Kind.ATTRIBUTION:
            start = quoting.attribution_start(folded, at)
            for wrapped in range(at if start is None else start, at):
                kinds[wrapped] = _Kind.ATTRIBUTION
    return kinds


def _kind(folded: list[str], at: int, ours: tuple[str, ...]) -> _Kind:
    line = folded[at]
    if not line:
        return _Kind.BLANK
    if _QUOTED.match(line):
        return _Kind.QUOTED
    if _MARKER_WORDS in line or quoting.is_separator(line) or quoting.is_header_block(folded, at):
        return _Kind.END
    if (
        any(address in line for address in ours)
        or quoting.attribution_start(folded, at) is not None
    ):
        return _Kind.ATTRIBUTION
    return _Kind.SIGNATURE if quoting.is_signature(line) else _Kind.OWN


def _above(raw: list[str], kinds: list[_Kind]) -> tuple[str, ...]:
    """The lines ahead of everything that is not the person's own."""
    first = next((at for at, k in enumerate(kinds) if k not in (_Kind.OWN, _Kind.BLANK)), len(raw))
    return _tidy(raw[:first])


def _among(raw: list[str], kinds: list[_Kind]) -> tuple[str, ...]:
    """The unmarked lines among and below a quote that is marked line by line."""
    own: list[str] = []
    marked = False  # whether quoted lines are known to be marked where we are
    for at, kind in enumerate(kinds):
        if kind is _Kind.QUOTED:
            marked = True
        elif kind is _Kind.END or (kind is _Kind.SIGNATURE and own):
            break
        elif kind is _Kind.SIGNATURE:
            marked = False
        elif kind is _Kind.ATTRIBUTION and not _leads_to_marked(kinds, at):
            break
        elif marked and kind is _Kind.OWN and not _torn(raw, kinds, at):
            own += [""] * _is_apart(kinds, at) + [raw[at]]
    return _tidy(own)


def _is_apart(kinds: list[_Kind], at: int) -> bool:
    """Whether an empty line parts this own line from one before; beside a quote it is layout."""
    before = at - 1
    while before > 0 and kinds[before] is _Kind.BLANK:
        before -= 1
    return before < at - 1 and kinds[before] is _Kind.OWN


def _leads_to_marked(kinds: list[_Kind], at: int) -> bool:
    """Whether the mail that this attribution announces is marked line by line."""
    follows = kinds[at + 1 : at + 1 + _LOOK_AHEAD]
    return next((k for k in follows if k not in _GAPS), _Kind.END) is _Kind.QUOTED


def _torn(raw: list[str], kinds: list[_Kind], at: int) -> bool:
    """Whether this line is the rest of a quoted line that a mail program broke without a mark."""
    if kinds[at - 1] is not _Kind.QUOTED or kinds[at + 1 : at + 2] != [_Kind.QUOTED]:
        return False
    return len(raw[at - 1].rstrip()) + 1 + len(raw[at].split()[0]) > WRAP


def _tidy(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines with single blanks, at most one empty line in a row, none at the ends."""
    tidy: list[str] = []
    for line in (" ".join(line.split()) for line in lines):
        if line or (tidy and tidy[-1]):
            tidy.append(line)
    if tidy and not tidy[-1]:
        tidy.pop()
    return tuple(tidy)
