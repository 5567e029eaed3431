"""When a seat's clock runs: the one pure function that decides all deadlines, and its inverse.

A clock runs inside its player's play window, not at a weekend where the table has them off, and
not while it is stopped by a vacation, a pause or an outage of the service. Local days are built
by `zoneinfo`, so that a day of 23 or 25 hours is one.

>>> from datetime import UTC, datetime, timedelta
>>> office = Calendar("Europe/Berlin", window=(9 * 60, 17 * 60), weekends_off=True)
>>> friday = datetime(2026, 12, 4, 15, 0, tzinfo=UTC)
>>> due = deadline(friday, timedelta(hours=2), office)  # 16 to 17 o'clock, then Monday from 9
>>> due.isoformat(), charged(friday, due, office)
('2026-12-07T09:00:00+00:00', datetime.timedelta(seconds=7200))
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from core.when import NEVER, zone

Span = tuple[datetime, datetime]
"""From the first instant on, up to the second."""

_DAY: Final = 24 * 60
_SATURDAY: Final = 5


@dataclass(frozen=True, slots=True)
class Calendar:
    """What stops a clock.

    `window`: minutes of the local day; the end may lie on the next day. `stops`: spans in which
    the clock stands still, in any order, also overlapping; one that has no end yet ends NEVER.
    """

    zone: str = "UTC"
    window: tuple[int, int] | None = None
    weekends_off: bool = False
    stops: tuple[Span, ...] = ()


def deadline(asked_at: datetime, allowed: timedelta, calendar: Calendar) -> datetime:
    """Return the first instant at which so much time has run.

    NEVER if the clock stands for good.
    """
    left = allowed
    if left <= timedelta():
        return asked_at
    for start, end in running(asked_at, calendar):
        if end - start >= left:
            return min(start + left, NEVER)
        left -= end - start
    return NEVER


def charged(asked_at: datetime, until: datetime, calendar: Calendar) -> timedelta:
    """Return the time that runs from `asked_at` to `until`; never negative."""
    total = timedelta()
    for start, end in running(asked_at, calendar):
        if start >= until:
            break
        total += min(end, until) - start
    return total


def running(since: datetime, calendar: Calendar) -> Iterator[Span]:
    """Yield the spans in which the clock runs, from `since` on, in order."""
    stops = _joined(calendar.stops, since)
    for start, end in _open(since, calendar):
        at = start
        for stop, resumed in stops:
            if stop >= end:
                break
            if resumed > at:
                if stop > at:
                    yield at, stop
                at = resumed
            if at >= NEVER:
                return
        if at < end:
            yield at, end
        stops = [stop for stop in stops if stop[1] > end]


def _joined(stops: tuple[Span, ...], since: datetime) -> list[Span]:
    """Return those stops that are not over, in order, with overlapping ones joined."""
    joined: list[Span] = []
    # As instants: a sum with a local time would be one on the clock on the wall.
    for start, end in sorted((a.astimezone(UTC), b.astimezone(UTC)) for a, b in stops):
        if end <= max(start, since):
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _open(since: datetime, calendar: Calendar) -> Iterator[Span]:
    """Yield the spans that window and weekends leave, from `since` on; without either it is one."""
    if calendar.window is None and not calendar.weekends_off:
        yield since, NEVER
        return
    local = zone(calendar.zone)
    day = since.astimezone(local).date() - timedelta(days=1)
    while day.year < NEVER.year:
        if not (calendar.weekends_off and day.weekday() >= _SATURDAY):
            for first, last in _hours(calendar.window):
                start, end = max(_instant(day, first, local), since), _instant(day, last, local)
                if start < end:
                    yield start, end
        day += timedelta(days=1)


def _hours(window: tuple[int, int] | None) -> tuple[tuple[int, int], ...]:
    """Return the minutes of one local day that lie in the window."""
    if window is None or window[0] == window[1]:
        return ((0, _DAY),)
    first, last = window
    return ((first, last),) if first < last else ((0, last), (first, _DAY))


def _instant(day: date, minute: int, local: tzinfo) -> datetime:
    """Return a local time of a day as an instant; a skipped one is the same time before the shift.

    Of one that comes twice it is the first.
    """
    if minute == _DAY:
        day, minute = day + timedelta(days=1), 0
    at = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=local)
    return at.astimezone(UTC)
