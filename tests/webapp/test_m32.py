"""M32: one deadline, the same instant on page, mail, calendar and API, also across a DST change."""

import re
from datetime import UTC, datetime, timedelta

import icalendar
import pytest

from core.mail.links import Links
from core.store.tables import Turn, User
from core.table.outgoing import feeds
from core.table.outgoing.letters import renderer
from tests.support.letters import MAILBOX

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
    assert anna.get(f"/api/tables/{game}").json["asked"][0]["deadline"] == f"{at}:00Z"
    feed = icalendar.Calendar.from_ical(anna.get(f"/feeds/{token}/turns.ics").data)
    (event,) = feed.walk("VEVENT")
    assert (event.get("DTEND") or event.get("DTSTART")).dt == due
