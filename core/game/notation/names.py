"""Names as people type them: without diacritics, without capitals, shortened."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, Generic, TypeVar

Id = TypeVar("Id", bound=str)

_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_SPLIT: Final = re.compile(r"\d+|[^\W\d_]+|,")
_MAX_WORDS: Final = 6  # of one name


def words(text: str) -> tuple[str, ...]:
    """Words, numbers and commas of a text; case, diacritics and other signs do not matter.

    >>> words("Build  Frankfurt (Oder), MÜNCHEN.")
    ('build', 'frankfurt', 'oder', ',', 'munchen')
    """
    flat = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in flat if not unicodedata.combining(c)).casefold()
    return tuple(_SPLIT.findall(plain.translate(_PLAIN)))


@lru_cache(maxsize=1024)
def _spellings(name: str) -> frozenset[str]:
    """A name in one word, as "munchen" and as "muenchen"."""
    composed = unicodedata.normalize("NFC", name.casefold())
    return frozenset("".join(words(n)) for n in (name, composed.translate(_GERMAN)))


class Names(Generic[Id]):
    """Things to be found by name or by a unique beginning of it."""

    def __init__(self, names: Mapping[Id, str]) -> None:
        """Take the `names` by id; the order is kept where several are told."""
        self.names = names

    def find(self, typed: Sequence[str]) -> tuple[Id, ...]:
        """All that these `words` may mean: those of exactly this name, else of this beginning."""
        key = "".join(typed)
        exact = tuple(i for i, name in self.names.items() if key in _spellings(name))
        return exact or tuple(
            i for i, name in self.names.items() if any(s.startswith(key) for s in _spellings(name))
        )

    def longest(self, typed: Sequence[str]) -> tuple[int, tuple[Id, ...]]:
        """How many words from the first on name something, as many as possible, and what."""
        for n in range(min(len(typed), _MAX_WORDS), 0, -1):
            if found := self.find(typed[:n]):
                return n, found
        return 1, ()

    def near(self, typed: Sequence[str]) -> tuple[str, ...]:
        """Names that look like the `words`, for a hint."""
        by_spelling = {s: name for name in self.names.values() for s in _spellings(name)}
        close = get_close_matches("".join(typed), sorted(by_spelling), n=2, cutoff=0.6)
        return tuple(dict.fromkeys(by_spelling[s] for s in close))
