"""Instants as a reader tells them: in their own zone, exact and relative (M32, M55).

>>> from datetime import UTC, datetime
>>> at = datetime(2026, 12, 1, 17, 0, tzinfo=UTC)
>>> exact(at, "Europe/Berlin", "en"), exact(at, "Asia/Bangkok", "en")
('Tue 1 Dec 2026, 18:00 CET', 'Wed 2 Dec 2026, 00:00 UTC+07')
>>> relative(at, datetime(2026, 11, 30, 20, 0, tzinfo=UTC), "en")
'in 21 hours'
"""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_timedelta

from core.text import _

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
    local = at.astimezone(zone(zone_name))
    day = format_datetime(local, "EEE d MMM y, HH:mm", tzinfo=local.tzinfo, locale=_known(locale))
    name = local.tzname() or "UTC"
    return f"{day} {name if name.isalpha() else 'UTC' + name}"


def relative(at: datetime, now: datetime, locale: str) -> str:
    """Return how long from `now`: "in 21 hours", "3 hours ago"; days only from two days on."""
    return format_timedelta(at - now, threshold=2, add_direction=True, locale=_known(locale))


def until(at: datetime, now: datetime, locale: str) -> str:
    """Return how long until a deadline.

    One that is over by a moment has nothing negative (M35, M40).
    """
    return relative(at, now, locale) if at > now else _("now")


def span(length: timedelta, locale: str) -> str:
    """Return a length of time: "3 hours", "2 days"."""
    return format_timedelta(length, threshold=2, locale=_known(locale))


def _known(locale: str) -> Locale:
    try:
        return Locale.parse(locale)
    except (UnknownLocaleError, ValueError):
        return Locale("en")
