"""M32: one deadline, the same instant on page, mail, calendar and API, also across a DST change."""

import re
from datetime import UTC, datetime, timedelta

import icalendar
import pytest

from core.mail.addresses import Links
from core.store.tables import Turn, User
from core.table.acts import host_acts, vacation
from core.table.notify import moved_deadlines
from core.table.record.telling import by_the_hour
from core.table.views import feeds
from core.table.views.render import renderer
from core.when import NEVER
from tests.support.mails import MAILBOX

SHOWN = re.compile(r'<time datetime="([^"]+)">([^<(]+)')


@pytest.mark.parametrize(
    ("zone", "at", "told"),
    [
        ("Europe/Berlin", "2027-03-28T01:30", "Sun 28 Mar 2027, 03:30 CEST"),
        ("America/New_York", "2027-11-07T06:30", "Sun 7 Nov 2027, 01:30 EST"),
        ("Australia/Lord_Howe", "2027-04-03T15:15", "Sun 4 Apr 2027, 01:45 UTC+10:30"),
    ],
)
def test_m32_the_deadline_is_one_instant_everywhere(site, zone, at, told):
    game = site.house.start("Anna", robots=1)
    turn = site.house.asked(game)[0]
    due = datetime.fromisoformat(at).replace(tzinfo=UTC)
    with site.house.write() as s:
        s.get_one(Turn, turn.id).deadline = due
        user = s.get_one(User, turn.user_id)
        user.zone = zone
        token = feeds.token(Links(site.settings.secret_key, site.settings.public_url), user)
    anna = site.visitor("Anna")
    stamp, words = SHOWN.search(anna.page(f"/games/{game}")).groups()
    assert datetime.fromisoformat(stamp) == due
    assert words.strip().startswith(told.rsplit(" ", 1)[0])
    row = next(m for m in site.house.mails(kind="turn"))
    with site.house.read() as s:
        mail = renderer(MAILBOX)(s, row, due - timedelta(hours=20))
    assert words.strip() in " ".join(mail.get_body(("plain",)).get_content().split())
    assert anna.get("/api/me/turns").json["turns"][0]["deadline"] == f"{at}:00Z"
    spectated = anna.get(f"/api/tables/{game}").json["asked"][0]["deadline"]
    assert datetime.fromisoformat(spectated) in {due, by_the_hour(due)}  # in an auction (K3)
    feed = icalendar.Calendar.from_ical(anna.get(f"/feeds/{token}/turns.ics").data)
    (event,) = feed.walk("VEVENT")
    assert (event.get("DTEND") or event.get("DTSTART")).dt == due


def told(site, game, anna, token):
    """The deadline of her turn as each place tells it; None where it tells none."""
    page = anna.page(f"/games/{game}")
    stamp = SHOWN.search(page[page.index("deadline small") :])
    feed = icalendar.Calendar.from_ical(anna.get(f"/feeds/{token}/turns.ics").data)
    events = [(e.get("DTEND") or e.get("DTSTART")).dt for e in feed.walk("VEVENT")]
    row = site.house.mails(kind="turn")[0]
    with site.house.read() as s:
        mail = renderer(MAILBOX)(s, row, site.house.now)
    due = re.search(r"Due (.*?) \(", " ".join(mail.get_body(("plain",)).get_content().split()))
    return {
        "page": datetime.fromisoformat(stamp[1]) if stamp else None,
        "calendar": events[0] if events else None,
        "own": _instant(anna.get("/api/me/turns").json["turns"][0]["deadline"]),
        "table": _instant(anna.get(f"/api/tables/{game}").json["asked"][0]["deadline"]),
    }, (stamp[2].strip() if stamp else None, due[1] if due else None)


def _instant(text):
    return datetime.fromisoformat(text) if text else None


def test_m32_whatever_moves_a_deadline_moves_it_everywhere(site):
    game = site.house.start("Anna", robots=1, turn_hours=96)
    turn = site.house.asked(game)[0]
    with site.house.write() as s:
        user = s.get_one(User, turn.user_id)
        user.zone = "America/New_York"
        token = feeds.token(Links(site.settings.secret_key, site.settings.public_url), user)
    anna, seen = site.visitor("Anna"), []

    def host(kind, **body):
        with site.house.write() as s:
            user = s.get_one(User, turn.user_id)
            host_acts.act(s, game, user, kind, {"reason": "x", **body}, site.house.now)

    def away():
        with site.house.write() as s:
            user = s.get_one(User, turn.user_id)
            vacation.take(s, user, vacation.Plan(20), site.house.now)

    def window():
        with site.house.write() as s:
            user = s.get_one(User, turn.user_id)
            moved_deadlines.change(s, user, "Europe/Berlin", (22 * 60, 7 * 60), site.house.now)

    for act in (
        lambda: None, lambda: host("extend", hours=7), away, window,
        lambda: host("pause"), lambda: host("resume"),
    ):  # fmt: skip
        act()
        due = site.house.get(Turn, turn.id).deadline
        instants, words = told(site, game, anna, token)
        spectated = instants.pop("table")
        whole = due.replace(microsecond=0)
        assert spectated in ({whole, by_the_hour(due)} if due < NEVER else {None})  # K3
        told_as = {at and at.replace(microsecond=0) for at in instants.values()}
        assert told_as == {due.replace(microsecond=0) if due < NEVER else None}
        assert words[0] == words[1]
        seen.append(due)
    assert len(set(seen[:5])) == 5  # in a vacation a pause takes nothing more
    assert seen[4] == NEVER
