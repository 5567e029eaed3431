"""Instants as a reader tells them: in their own zone, exact and relative (M32, M55).

>>> from datetime import UTC, datetime
>>> at = datetime(2026, 12, 1, 17, 0, tzinfo=UTC)
>>> exact(at, "Europe/Berlin", "en"), exact(at, "Asia/Bangkok", "en")
('Tue 1 Dec 2026, 18:00 CET', 'Wed 2 Dec 2026, 00:00 UTC+07')
>>> relative(at, datetime(2026, 11, 30, 20, 0, tzinfo=UTC), "en")
'in 21 hours'
"""

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import (
    format_date,
    format_datetime,
    format_skeleton,
    format_time,
    format_timedelta,
)
from babel.numbers import format_decimal

from core.text import SOURCE, _

_SOURCE: Final = "EEE d MMM y, HH:mm"
"""English, which nobody reads in two ways."""
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""The deadline of a clock that stands still, or of a table that waits for ever."""


def zone(name: str) -> tzinfo:
    """Return the zone of an IANA name; UTC for a name that nobody knows."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, malformed, the name of a directory
        return UTC


def exact(at: datetime, zone_name: str, locale: str) -> str:
    """Day, time and zone; in words where a clock stands still."""
    if at >= NEVER:
        return _("no deadline")
    return _exact(at, zone_name, locale)


@lru_cache(4096)  # a log tells the same times on every page of it
def _exact(at: datetime, zone_name: str, locale: str) -> str:
    local, known = at.astimezone(zone(zone_name)), babel_of(locale)
    if known.language == SOURCE:
        day = format_datetime(local, _SOURCE, tzinfo=local.tzinfo, locale=known)
    else:
        parts = (
            format_skeleton(how, local, local.tzinfo, locale=known) for how in ("Hm", "yMMMEd")
        )
        day = str(known.datetime_formats["medium"]).format(*parts)
    name = local.tzname() or "UTC"
    return f"{day} {name if name.isalpha() else 'UTC' + name}"


def relative(at: datetime, now: datetime, locale: str) -> str:
    """Return how long from `now`: "in 21 hours", "3 hours ago"; days only from two days on."""
    return format_timedelta(at - now, threshold=2, add_direction=True, locale=babel_of(locale))


def until(at: datetime, now: datetime, locale: str) -> str:
    """Return how long until a deadline.

    One that is over by a moment has nothing negative (M35, M40).
    """
    return relative(at, now, locale) if at > now else _("now")


def span(length: timedelta, locale: str) -> str:
    """Return a length of time: "3 hours", "2 days"."""
    return format_timedelta(length, threshold=2, locale=babel_of(locale))


def day(on: date, locale: str) -> str:
    """Return a day in words: ``Tuesday, December 1, 2026``."""
    return format_date(on, "full", locale=babel_of(locale))


def clock(at: datetime, zone_name: str, locale: str) -> str:
    """Return hours and minutes, in figures as on every clock: ``18:05``."""
    return format_time(at, "HH:mm", tzinfo=zone(zone_name), locale=babel_of(locale))


def brief(length: timedelta, locale: str) -> str:
    """Return a length of time as short as can be, for a column: ``59m``, ``1h``."""
    return format_timedelta(length, threshold=1, format="narrow", locale=babel_of(locale))


def decimal(number: float, places: int, locale: str) -> str:
    """Return a number with so many places after its point or comma.

    >>> decimal(2.345, 1, "en"), decimal(2.345, 1, "de"), decimal(66.7, 0, "th")
    ('2.3', '2,3', '67')
    """
    pattern = "0." + "0" * places if places else "0"
    return format_decimal(number, pattern, locale=babel_of(locale))


@cache
def babel_of(locale: str) -> Locale:
    """Return how a language tells times and numbers; as English for one that nobody knows."""
    try:
        return Locale.parse(locale)
    except (UnknownLocaleError, ValueError):
        return Locale("en")
