"""Deadlines as a calendar (RFC 5545): instants in UTC, so that no change of clocks moves them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import icalendar

from core.text import _

REFRESH: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A turn of the reader: at which table, since when, until when, and where to answer it.

    `plan`: he is asked for orders for the round, not for a move.
    """

    table: int
    title: str
    seat: int
    turn: int
    plan: bool
    asked_at: datetime
    at: datetime
    url: str


def calendar(deadlines: Sequence[Deadline], domain: str) -> bytes:
    """A calendar with one entry a deadline and no alarms; the same turns make the same bytes."""
    made = icalendar.Calendar()
    made.add("prodid", f"-//Kraftpost//{domain}//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", _("Kraftpost: your turns"))
    made.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    made.add("x-published-ttl", "PT15M")
    for deadline in deadlines:
        made.add_component(_entry(deadline, domain))
    found: bytes = made.to_ical()
    return found


def _entry(deadline: Deadline, domain: str) -> icalendar.Event:
    words = _("Orders due: {title}") if deadline.plan else _("Your turn ends: {title}")
    entry = icalendar.Event()
    entry.add("uid", f"turn-{deadline.table}-{deadline.seat}-{deadline.turn}@{domain}")
    entry.add("dtstamp", deadline.asked_at.astimezone(UTC))
    entry.add("dtstart", deadline.at.astimezone(UTC))  # no end: an instant
    entry.add("summary", words.format(title=" ".join(deadline.title.split())))
    entry.add("description", deadline.url)
    entry.add("url", deadline.url)
    entry.add("transp", "TRANSPARENT")
    return entry
