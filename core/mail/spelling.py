"""How near two words are, and what of a text has ink: what reading and hints go by."""

import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"
"""Signs of no width that make one sign of two: part of a word, or of a picture."""
_INKLESS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc")
"""Letters and signs that show as nothing."""


def fold(text: str) -> str:
    """`text` without case, diacritics and width, its blanks single: what comparing goes by."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if _counts(c)).split())


def _counts(char: str) -> bool:
    marks = unicodedata.combining(char) or "\ufe00" <= char <= "\ufe0f"
    return not marks and unicodedata.category(char) != "Cf"


def is_seen(char: str) -> bool:
    """Return whether a character shows, parts what does, or joins it (a picture of several)."""
    if char.isspace() or char in _JOINERS or "\U000e0020" <= char <= "\U000e007f":
        return True
    return unicodedata.category(char) not in ("Cc", "Cf") and char not in _INKLESS


def bare(text: str) -> str:
    """Return a text without what has no width, joiners too."""
    return "".join(c for c in text if unicodedata.category(c) != "Cf")


def trimmed(text: str) -> str:
    """Return a text without punctuation and signs at its end; a bracket that closes one stays."""
    while text and not text[-1].isalnum() and not unicodedata.combining(text[-1]):
        if text[-1] == ")" and "(" in text:
            break
        text = text[:-1]
    return text


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters to put in, leave out, change or swap; more than `most` is `most` + 1.

    >>> distance("biuld", "build", 1), distance("sorry", "order", 1)
    (1, 2)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = last, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)
