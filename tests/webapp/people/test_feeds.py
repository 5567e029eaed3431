"""Calendar, feeds and API: what they say, to whom, and that it is the same instant everywhere."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree.ElementTree import fromstring
from zoneinfo import ZoneInfo

import icalendar
import pytest
from sqlmodel import select

from core.channels.feeds import ATOM
from core.mail.addresses import Links
from core.mail.message import Mailbox
from core.store.tables import Game, OutboxMail, Turn, User
from core.table.record import seats
from core.table.views import feeds
from core.table.views.render import renderer
from core.when import exact
from tests.support import hosting
from tests.support.site import Site


@pytest.fixture
def game(site: Site) -> int:
    return site.house.played("Ann", "Ben", auction="open", title="Friday & <league>", moves=0)


def secret(site: Site, name: str) -> str:
    """The secret of somebody's addresses."""
    links = Links(site.settings.secret_key, site.settings.public_url)
    return feeds.token(links, site.house.user(name))


def asked(site: Site, game: int) -> tuple[Turn, User]:
    turn = site.house.asked(game)[0]
    return turn, site.house.owner(game, turn.seat)


def calendar(site: Site, name: str) -> list[icalendar.Event]:
    answer = site.visitor().get(f"/feeds/{secret(site, name)}/turns.ics")
    assert answer.content_type == "text/calendar; charset=utf-8"
    found = icalendar.Calendar.from_ical(answer.data)
    return list(found.walk("VEVENT"))


class TestCalendar:
    def test_holds_what_one_is_asked(self, site: Site, game: int):
        turn, user = asked(site, game)
        (event,) = calendar(site, user.name)
        assert event["UID"] == f"turn-{game}-{turn.seat}-{turn.turn}@kraftpost.localhost"
        assert event["SUMMARY"] == "Your turn ends: Friday & <league>"
        assert event["URL"].endswith(f"/games/{game}")
        assert event.decoded("DTSTART") == turn.deadline.replace(microsecond=0)
        assert event.decoded("DTSTAMP") == turn.asked_at.replace(microsecond=0)
        assert not event.walk("VALARM")

    def test_holds_nothing_of_others_and_nothing_answered(self, site: Site, game: int):
        turn, user = asked(site, game)
        other = next(n for n in ("Ann", "Ben") if n != user.name)
        assert calendar(site, other) == []
        site.house.move(game, turn.seat, site.house.line(game, turn.seat))
        assert calendar(site, user.name) == []

    def test_keeps_an_entry_whose_deadline_moves(self, site: Site, game: int):
        _turn, user = asked(site, game)
        (before,) = calendar(site, user.name)
        with site.house.write() as s:
            host = s.exec(select(User).where(User.name == "Ann")).one()
            hosting.extend(s, game, host, 24, "Ben travels", site.house.now)
        (after,) = calendar(site, user.name)
        assert after["UID"] == before["UID"]
        assert after.decoded("DTSTART") - before.decoded("DTSTART") == timedelta(hours=24)

    def test_is_not_sent_twice(self, site: Site, game: int):
        _turn, user = asked(site, game)
        path = f"/feeds/{secret(site, user.name)}/turns.ics"
        first = site.visitor().get(path)
        again = site.visitor().get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
        assert "no-cache" in first.headers["Cache-Control"]

    @pytest.mark.parametrize("token", ["x", "WzEsMF0.forged", "a" * 300])
    def test_is_nobodys_without_the_secret(self, site: Site, game: int, token: str):
        assert site.visitor("Ann").get(f"/feeds/{token}/turns.ics").status_code == 404


class TestTableFeed:
    def test_tells_what_a_spectator_sees(self, site: Site, game: int):
        site.house.play(game, 8)
        answer = site.visitor().get(f"/games/{game}/feed.atom")
        assert answer.content_type == "application/atom+xml; charset=utf-8"
        root = fromstring(answer.text)
        titles = [e.findtext(f"{{{ATOM}}}title") for e in root.iter(f"{{{ATOM}}}entry")]
        assert any("plant" in str(title) for title in titles)
        ids = [e.findtext(f"{{{ATOM}}}id") for e in root.iter(f"{{{ATOM}}}entry")]
        assert len(ids) == len(set(ids)) > 0
        assert root.findtext(f"{{{ATOM}}}title") == "Kraftpost · Friday & <league>"

    def test_keeps_ids_as_the_game_goes_on(self, site: Site, game: int):
        def ids() -> set[str | None]:
            root = fromstring(site.visitor().get(f"/games/{game}/feed.atom").text)
            return {e.findtext(f"{{{ATOM}}}id") for e in root.iter(f"{{{ATOM}}}entry")}

        before = ids()
        site.house.play(game, 2)
        assert before < ids()

    def test_knows_no_more_than_its_reader_could(self, site: Site):
        sealed = site.house.start("Ann", "Ben", auction="sealed")
        seat = site.house.asked(sealed)[0].seat
        site.house.move(sealed, seat, "auction 4 for 49")
        body = site.visitor().get(f"/games/{sealed}/feed.atom").text
        entries = re.sub(r"<updated>[^<]*</updated>", "", body.split("<entry>", 1)[1])
        assert "handed in a sealed bid" in entries
        assert "49" not in entries
        assert site.house.game(sealed).seed not in body

    def test_of_a_private_table_is_for_its_members(self, site: Site):
        private = hidden(site)
        path = f"/feeds/{{}}/tables/{private}.atom"
        assert site.visitor().get(f"/games/{private}/feed.atom").status_code == 404
        assert site.visitor().get(path.format(secret(site, "Ann"))).status_code == 200
        assert site.visitor().get(path.format(secret(site, "Clara"))).status_code == 404
        assert site.visitor().get(path.format("x")).status_code == 404

    def test_is_not_sent_twice(self, site: Site, game: int):
        path = f"/games/{game}/feed.atom"
        tag = site.visitor().get(path).headers["ETag"]
        assert site.visitor().get(path, headers={"If-None-Match": tag}).status_code == 304
        site.house.play(game, 1)
        assert site.visitor().get(path, headers={"If-None-Match": tag}).status_code == 200


class TestApi:
    def test_tells_how_a_table_stands(self, site: Site, game: int):
        turn, user = asked(site, game)
        told = site.visitor().get(f"/api/tables/{game}").json
        assert told["status"] == "running"
        assert (told["round"], told["phase"], told["step"]) == (1, "auction", 1)
        assert told["seq"] == site.house.game(game).seq
        assert told["players"] == [row.name for row in _seats(site, game)]
        assert told["terms"]["turn_hours"] == site.house.game(game).turn_hours
        (one,) = told["asked"]
        assert (one["seat"], one["name"], one["turn"]) == (turn.seat, user.name, turn.turn)
        assert one["deadline"] == turn.deadline.strftime("%Y-%m-%dT%H:%M:%SZ")

    def test_tells_of_a_table_that_has_not_begun(self, site: Site):
        told = site.visitor().get(f"/api/tables/{site.house.open('Ann', 'Ben')}").json
        assert (told["status"], told["round"], told["asked"]) == ("open", None, [])

    def test_a_private_table_is_hidden(self, site: Site):
        private = hidden(site)
        path = f"/api/tables/{private}"
        assert site.visitor().get(path).status_code == 404
        assert site.visitor().get(path).json["error"] == "Not Found"
        assert site.visitor("Clara").get(path).status_code == 404
        assert site.visitor("Ann").get(path).status_code == 200
        assert site.visitor().get(f"{path}?feed={secret(site, 'Ben')}").status_code == 200
        assert site.visitor().get(f"{path}?feed={secret(site, 'Clara')}").status_code == 404

    def test_tells_what_one_is_asked(self, site: Site, game: int):
        turn, user = asked(site, game)
        for visitor, query in (
            (site.visitor(user.name), ""),
            (site.visitor(), f"?feed={secret(site, user.name)}"),
        ):
            (one,) = visitor.get(f"/api/me/turns{query}").json["turns"]
            assert (one["table"], one["turn"], one["plan"]) == (game, turn.turn, False)
            assert one["title"] == "Friday & <league>"

    @pytest.mark.parametrize("query", ["", "?feed=x", "?feed="])
    def test_asks_who_you_are(self, site: Site, query: str):
        answer = site.visitor().get(f"/api/me/turns{query}")
        assert answer.status_code == 401
        assert "channels" in answer.json["description"] or "feed" in answer.json["description"]

    def test_an_address_that_is_none(self, site: Site):
        assert site.visitor().get("/api/tables/999").json["error"] == "Not Found"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize(
    "deadline",
    [
        datetime(2027, 3, 14, 6, 59, tzinfo=UTC),  # a minute before New York's clocks go on
        datetime(2027, 3, 14, 7, 0, tzinfo=UTC),
        datetime(2027, 3, 28, 0, 59, tzinfo=UTC),  # Berlin
        datetime(2027, 3, 28, 1, 0, tzinfo=UTC),
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),  # half past two comes twice in Berlin
        datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
        datetime(2027, 4, 3, 15, 0, tzinfo=UTC),  # Lord Howe: half an hour
    ],
)
def test_m32_page_mail_calendar_and_api_show_the_same_instant(
    site: Site, game: int, zone: str, deadline: datetime
):
    with site.house.write() as s:
        turn = s.get_one(Turn, site.house.asked(game)[0].id)
        user = s.get_one(User, site.house.owner(game, turn.seat).id)
        turn.deadline, user.zone = deadline, zone
        s.add_all((turn, user))
    words = exact(deadline, zone, "en")
    local = deadline.astimezone(ZoneInfo(zone))
    assert f"{local.day} {local:%b %Y}, {local:%H:%M}" in words

    assert words in site.visitor(user.name).page(f"/games/{game}")
    (mail,) = site.house.mails(kind="turn", user_id=user.id)
    with site.house.read() as s:
        render = renderer(Mailbox.of(site.settings))
        message = render(s, s.get_one(OutboxMail, mail.id), site.house.now)
    for kind in ("plain", "html"):
        assert words in message.get_body((kind,)).get_content()
    (event,) = calendar(site, user.name)
    assert event.decoded("DTSTART") == deadline
    (one,) = site.visitor(user.name).get("/api/me/turns").json["turns"]
    assert datetime.fromisoformat(one["deadline"]) == deadline
    (one,) = site.visitor().get(f"/api/tables/{game}").json["asked"]
    assert datetime.fromisoformat(one["deadline"]) == deadline


def hidden(site: Site) -> int:
    """A private table of Ann and Ben."""
    number = site.house.start("Ann", "Ben")
    with site.house.write() as s:
        s.get_one(Game, number).private = True
    return number


def _seats(site: Site, game: int):
    with site.house.read() as s:
        return seats.seats(s, game)


def test_a_public_tables_page_names_its_feed_and_a_private_ones_does_not(site: Site):
    game_id = site.house.start("Ann", "Ben")
    link = f'type="application/atom+xml" title="What happens at this table" href="/games/{game_id}'
    assert link in site.visitor().page(f"/games/{game_id}")
    with site.house.write() as s:
        s.get_one(Game, game_id).private = True
    assert "application/atom+xml" not in site.visitor("Ann").page(f"/games/{game_id}")
