"""What happened at a table as a feed (RFC 4287)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

import icalendar

from core.channels.webhook_text import instant
from core.text import _

ATOM: Final = "http://www.w3.org/2005/Atom"
register_namespace("", ATOM)


@dataclass(frozen=True, slots=True)
class Entry:
    """An event in words; `seq`: its number in the log."""

    seq: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Feed:
    """The last events of a table, latest first. `url`: its page, `own`: the feed's own address."""

    title: str
    url: str
    own: str
    since: datetime
    entries: Sequence[Entry]

    @property
    def updated(self) -> datetime:
        """When something last happened."""
        return self.entries[0].at if self.entries else self.since


def atom(feed: Feed) -> bytes:
    """Return the feed as XML; the same events make the same bytes, and an entry keeps its id."""
    root = Element(f"{{{ATOM}}}feed")
    _say(root, "id", feed.url)
    _say(root, "title", feed.title)
    _say(root, "updated", instant(feed.updated))
    SubElement(root, f"{{{ATOM}}}link", {"href": feed.url})
    SubElement(root, f"{{{ATOM}}}link", {"rel": "self", "href": feed.own})
    _say(SubElement(root, f"{{{ATOM}}}author"), "name", "Kraftpost")
    for entry in feed.entries:
        element = SubElement(root, f"{{{ATOM}}}entry")
        _say(element, "id", f"{feed.url}/events/{entry.seq}")
        _say(element, "title", entry.text)
        _say(element, "updated", instant(entry.at))
        SubElement(element, f"{{{ATOM}}}link", {"href": f"{feed.url}/at/{entry.seq}"})
        _say(element, "content", entry.text)
    found: bytes = tostring(root, "utf-8", xml_declaration=True)
    return found


def _say(parent: Element, name: str, text: str) -> None:
    """Append an element with text, without characters that XML cannot hold."""
    child = SubElement(parent, f"{{{ATOM}}}{name}")
    child.text = "".join(c for c in text if c.isprintable() or c == "\n")


REFRESH: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A turn of the reader: at which table, since when, until when, and where to answer it.

    `plan`: the question is for orders for the round, not for a move.
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
    """Return a calendar with one entry a deadline and no alarms.

    The same turns make the same bytes.
    """
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
