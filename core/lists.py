"""Words and sentences in a row, as the reader's language puts them.

>>> both(["Ann", "Ben", "Cem"]), either(["coal", "oil"]), series([4, 13, 21])
('Ann, Ben and Cem', 'coal or oil', '4, 13, 21')
"""

import re
from collections.abc import Iterable
from functools import cache, reduce
from typing import Final

from babel import Locale

from core.text import SOURCE, _, language

_SOURCE: Final = Locale(SOURCE, "GB")
"""English without a comma before its "and"."""
_TOUCHING: Final = re.compile(r"(?<=\w)\x01(?=[!-ʯ])|(?<=[!-ʯ])\x02(?=\w)")
"""Where a word of the pattern stands beside Latin letters or digits with no blank between."""


def both(items: Iterable[str]) -> str:
    """Join words: ``a``, ``a and b``, ``a, b and c``."""
    return _joined(tuple(items), "standard")


def either(items: Iterable[str]) -> str:
    """Join words: ``a``, ``a or b``, ``a, b or c``."""
    return _joined(tuple(items), "or")


def series(items: Iterable[object]) -> str:
    """Join what is only counted off: ``a, b, c``."""
    return _pattern(language(), "standard", "middle").format("", "").join(map(str, items))


def chain(items: Iterable[str]) -> str:
    """Join what comes one after the other: ``a, then b, then c``."""
    return _paired(_("{some}, then {last}"), "some", "last", items)


def clauses(items: Iterable[str]) -> str:
    """Join the parts of one sentence: ``a; b; c``."""
    return _paired(_("{clause}; {next}"), "clause", "next", items)


def sentences(items: Iterable[str]) -> str:
    """Join whole sentences, with the blank that the language puts between them, if any."""
    return _paired(_("{sentence} {next}"), "sentence", "next", items)


def _joined(items: tuple[str, ...], style: str) -> str:
    if len(items) < 2:
        return "".join(items)
    which = language()
    marked = [f"\x01{item}\x02" for item in items]
    if len(items) == 2:
        text = _pattern(which, style, "2").format(*marked)
    else:
        text = _pattern(which, style, "start").format(marked[0], marked[1])
        for item in marked[2:-1]:
            text = _pattern(which, style, "middle").format(text, item)
        text = _pattern(which, style, "end").format(text, marked[-1])
    return _TOUCHING.sub(" ", text).replace("\x01", "").replace("\x02", "")


@cache
def _pattern(which: str, style: str, part: str) -> str:
    known = _SOURCE if which == SOURCE else Locale.parse(which)
    return str(known.list_patterns[style][part])


def _paired(pattern: str, one: str, other: str, items: Iterable[str]) -> str:
    parts = [part for part in items if part]
    return reduce(lambda a, b: pattern.format(**{one: a, other: b}), parts) if parts else ""
