"""Lengths and days as people write them: "1 week", "24 December to 2 January", "24.12. – 2.1."."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import product
from typing import Final, Literal

from babel import Locale
from babel.dates import get_day_names, get_month_names
from babel.localedata import locale_identifiers

from core.mail.spelling import fold

_COUNTS: Final = {
    word: number
    for number, words in enumerate(
        ("a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
    for word in words.split()
}
_UNITS: Final = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "d": 1, "w": 7, "wk": 7}
_LENGTH: Final = re.compile(r"(?:for |the |next )*(\d{1,3}|[a-z]+) ?([a-z]+)")
_FROM: Final = re.compile(r"(?:from|between|starting|since|on) ")
_UNTIL: Final = re.compile(r"(?:until|till|til|through|to|up to|ending) ")
_BETWEEN: Final = re.compile(
    r" (?:to|until|till|til|through|and|-+) | ?(?:\.\.+|[–—]) ?|(?<=[.\d]) ?- ?(?=\d)"
)
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMBERS: Final = re.compile(
    r"(\d{1,2})\. ?(\d{1,2})\.?(?: ?(\d{4}|\d\d))?|(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?"
)
_WIDTHS: Final[tuple[Literal["wide", "abbreviated"], ...]] = ("wide", "abbreviated")
_CONTEXTS: Final[tuple[Literal["format", "stand-alone"], ...]] = ("format", "stand-alone")
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Day:
    """A day as it was named: day and month, maybe the year; or the next one of a weekday."""

    day: int = 0
    month: int = 0
    year: int | None = None
    weekday: int | None = None
    """0 is Monday."""
    ahead: int | None = None
    """Days from today: 0 today, 1 tomorrow."""

    def on(self, earliest: date) -> date | None:
        """Return the first such day from `earliest` on; None where the calendar has none."""
        if self.ahead is not None:
            return earliest + timedelta(self.ahead)
        if self.weekday is not None:
            return earliest + timedelta((self.weekday - earliest.weekday()) % 7)
        for year in [self.year] if self.year else range(earliest.year, earliest.year + 9):
            try:
                found = date(year, self.month, self.day)
            except ValueError:
                continue
            if self.year or found >= earliest:
                return found
        return None


def length(text: str) -> int | None:
    """Return the days of "5", "5 days", "1 week", "a fortnight"; None for anything else."""
    plain = fold(text).rstrip(" .")
    if plain.isdecimal():
        return int(plain) if len(plain) <= 3 else None
    match = _LENGTH.fullmatch(plain)
    if not match:
        return None
    count = int(match[1]) if match[1].isdecimal() else _COUNTS.get(match[1])
    unit = _UNITS.get(match[2]) or _UNITS.get(match[2].removesuffix("s"))
    return count * unit if count is not None and unit else None


def span(text: str) -> tuple[Day | None, Day] | None:
    """Return first and last day of "24 December to 2 January"; no first one for "until Friday"."""
    plain = fold(text).translate(str.maketrans("−‒", "--"))
    if match := _UNTIL.match(plain):
        end = one_day(plain[match.end() :])
        return (None, end) if end else None
    if match := _FROM.match(plain):
        plain = plain[match.end() :]
    for cut in _BETWEEN.finditer(plain):
        first, last = plain[: cut.start()], plain[cut.end() :]
        if first and last and (last_day := one_day(last)):
            first_day = one_day(first) or _shared(first, last_day)
            if first_day:
                return first_day, last_day
    if only := one_day(plain):
        return only, only
    return _by_shape(plain.split())


def _by_shape(words: list[str]) -> tuple[Day | None, Day] | None:
    """Return two days with one word of any language between them, or one behind such a word."""
    for at in range(1, len(words) - 1):
        if words[at].isalpha():
            first, last = one_day(" ".join(words[:at])), one_day(" ".join(words[at + 1 :]))
            if first and last:
                return first, last
    if len(words) > 1 and words[0].isalpha() and (last := one_day(" ".join(words[1:]))):
        return None, last
    return None


def _shared(first: str, last: Day) -> Day | None:
    """Return the first day of "24 to 30 December", which names its month once."""
    match = re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?", first.strip())
    return Day(int(match[1]), last.month, last.year) if match and last.month else None


def one_day(text: str) -> Day | None:
    """Return the day that a text names, by numbers, by its month in any language, or by weekday."""
    plain = fold(text).strip(" ,.")
    if plain in ("today", "now", "tomorrow"):
        return Day(ahead=int(plain == "tomorrow"))
    if match := _ISO.fullmatch(plain):
        return _dated(int(match[3]), int(match[2]), match[1])
    if match := _NUMBERS.fullmatch(plain):
        if match[1]:
            return _dated(int(match[1]), int(match[2]), match[3])
        day, month = int(match[4]), int(match[5])
        return _dated(*((month, day) if month > 12 else (day, month)), match[6])
    return _worded(plain)


def _dated(day: int, month: int, year: str | None) -> Day | None:
    whole = int(year) + (2000 if len(year) == 2 else 0) if year else None
    return Day(day, month, whole) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _worded(plain: str) -> Day | None:
    numbers = re.findall(r"\d+", plain)
    words = [word for word in _WORD.findall(plain) if word not in ("of", "the", "next", "de")]
    months, weekdays = _names()
    found = [months[word] for word in words if word in months]
    if len(found) == 1 and 1 <= len(numbers) <= 2 and len(numbers[0]) <= 2:
        return _dated(int(numbers[0]), found[0], numbers[1] if len(numbers) > 1 else None)
    if not numbers and len(words) == 1 and words[0] in weekdays:
        return Day(weekday=weekdays[words[0]])
    return None


@cache
def _names() -> tuple[dict[str, int], dict[str, int]]:
    """Return months and weekdays by their names in all languages; two meanings are none."""
    months: dict[str, set[int]] = {}
    weekdays: dict[str, set[int]] = {}
    for identifier in (i for i in locale_identifiers() if "_" not in i):
        locale = Locale.parse(identifier)
        for width, context in product(_WIDTHS, _CONTEXTS):
            for number, name in get_month_names(width, context, locale).items():
                months.setdefault(fold(name).strip("."), set()).add(number)
            for number, name in get_day_names(width, context, locale).items():
                weekdays.setdefault(fold(name).strip("."), set()).add(number)
    english = Locale("en")
    for width in _WIDTHS:
        for number, name in get_month_names(width, "format", english).items():
            months[fold(name)] = {number}
        for number, name in get_day_names(width, "format", english).items():
            weekdays[fold(name)] = {number}
    months["sept"] = {9}

    def plain(names: dict[str, set[int]]) -> dict[str, int]:
        return {name: min(all_) for name, all_ in names.items() if len(all_) == 1}

    return plain(months), plain(weekdays)
