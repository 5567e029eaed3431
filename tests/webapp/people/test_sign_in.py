"""Signing in by a mailed link: once, soon, from anywhere, and nobody learns who has an account."""

from datetime import timedelta

import pytest
from sqlmodel import select

from core.store.tables import OutboxMail, SignInToken, WebSession
from core.table.people import accounts
from tests.support.site import Site
from webapp.identity import limiter


def _link(site: Site, email: str = "ann@example.org") -> str:
    site.visitor().post("/sign-in", {"email": email})
    newest = max(site.house.all(OutboxMail, kind="signin"), key=lambda mail: mail.id)
    return f"/sign-in/{newest.context['token']}"


def test_a_link_signs_in_and_makes_the_account(site: Site):
    browser = site.visitor()
    answer = browser.post(_link(site), follow_redirects=True)
    assert answer.request.path == "/profile"
    assert "choose the name" in answer.text
    assert 'value="Player ' in answer.text


def test_who_has_a_name_comes_to_the_lobby(site: Site):
    site.house.user("Ann")
    answer = site.visitor().post(_link(site), follow_redirects=True)
    assert answer.request.path == "/"
    assert "choose the name" not in answer.text


def test_m19_opening_the_link_uses_nothing_up(site: Site):
    """M19: scanners open it three times, by GET and HEAD."""
    path = _link(site)
    for _ in range(3):
        assert site.visitor().client.head(path).status_code == 200
        assert site.visitor().get(path).status_code == 200
    assert site.house.all(WebSession) == []
    assert site.visitor().post(path).status_code == 303


def test_a_link_works_once(site: Site):
    path = _link(site)
    assert site.visitor().post(path).status_code == 303
    again = site.visitor().post(path)
    assert again.status_code == 422
    assert "used or is too old" in again.text


def test_a_link_is_good_for_fifteen_minutes(site: Site):
    path = _link(site)
    with site.house.write() as s:
        row = s.get_one(SignInToken, 1)
        assert row.expires_at - row.created_at == timedelta(minutes=15)
        row.expires_at = site.house.now
    assert site.visitor().post(path).status_code == 422


def test_known_and_unknown_addresses_look_the_same(site: Site):
    site.house.user("Ann")
    visitor = site.visitor()
    known = visitor.post("/sign-in", {"email": "ann@example.org"}, follow_redirects=True)
    unknown = visitor.post("/sign-in", {"email": "who@example.org"}, follow_redirects=True)
    assert known.text == unknown.text
    assert known.status_code == unknown.status_code == 200


def test_an_impatient_address_gets_few_links_and_is_told_nothing(site: Site):
    answers = {
        site.visitor().post("/sign-in", {"email": "ann@example.org"}).status_code
        for _ in range(accounts.LINKS_AT_ONCE + 3)
    }
    assert answers == {303}
    assert len(site.house.all(SignInToken)) == accounts.LINKS_AT_ONCE


@pytest.mark.parametrize("email", ["", "nobody", "a@b@c", "<x@example.org>", "x@ex ample.org"])
def test_what_is_no_address_is_said(site: Site, email: str):
    answer = site.visitor().post("/sign-in", {"email": email})
    assert answer.status_code == 422
    assert "not an e-mail address" in answer.text


@pytest.mark.parametrize(
    ("wanted", "goes_to"),
    [
        ("/games/7?sent=3", "/games/7?sent=3"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("/a\\b", "/"),
        ("/\t/evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
    ],
)
def test_signing_in_leads_on_within_the_site_only(site: Site, wanted: str, goes_to: str):
    site.house.user("Ann")
    answer = site.visitor().post(_link(site), {"next": wanted})
    assert answer.location == goes_to


def test_the_session_is_out_of_reach_of_scripts_and_kept_as_a_digest(site: Site):
    answer = site.visitor().post(_link(site))
    cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith("kraftpost="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    secret = cookie.split(";")[0].partition("=")[2]
    assert site.house.all(WebSession)[0].digest != secret


def test_signing_out_here_and_everywhere(site: Site):
    here, there, third = (site.visitor("Ann") for _ in range(3))
    here.post("/sign-out")
    assert here.get("/profile").status_code == 303
    assert there.get("/profile").status_code == 200
    path = _link(site)
    there.post("/profile/sign-out-everywhere")
    assert third.get("/profile").status_code == 303
    assert site.visitor().post(path).status_code == 422, "a link in the post is void, too"


def test_asking_for_links_is_limited_for_each_caller(site: Site, monkeypatch: pytest.MonkeyPatch):
    """Without Redis the count is kept in this process."""
    monkeypatch.setattr(limiter, "enabled", True)
    visitor = site.visitor()
    codes = [visitor.post("/sign-in", {"email": "x"}).status_code for _ in range(12)]
    assert codes.count(422) == 10
    assert codes[-1] == 429
    page = visitor.post("/sign-in", {"email": "x"})
    assert "Too many letters" in page.text


FIELDS = {"name": "Ann B", "zone": "Asia/Bangkok", "locale": "en"}


class TestProfile:
    def test_is_kept(self, site: Site):
        ann = site.visitor("Ann")
        assert ann.post("/profile", FIELDS).status_code == 303
        user = site.house.user("Ann")
        assert (user.name, user.zone) == ("Ann B", "Asia/Bangkok")

    @pytest.mark.parametrize("field", ["name", "zone"])
    def test_is_refused_whole_where_a_part_is_wrong(self, site: Site, field: str):
        ann = site.visitor("Ann")
        answer = ann.post("/profile", {**FIELDS, field: " "})
        assert answer.status_code == 422
        assert site.house.user("Ann").zone == "UTC"

    def test_times_are_shown_in_the_readers_zone(self, site: Site):
        """M32: the same instant for everybody, each in his own zone."""
        game_id = site.house.start("Ann", "Ben")
        seat = site.house.asked(game_id)[0].seat
        reader = site.at(game_id, seat)
        reader.post("/profile", {**FIELDS, "zone": "Asia/Kathmandu"})
        page = reader.page(f"/games/{game_id}")
        deadline = site.house.asked(game_id)[0].deadline
        assert f'datetime="{deadline.isoformat(timespec="seconds")}"' in page
        assert "UTC+0545" in page


def test_every_request_is_a_sign_of_life_written_once_an_hour(site: Site):
    """A host who only reads is not gone (core.table.acts.host_acts)."""
    browser = site.visitor("Ann")

    def seen(ago: timedelta) -> timedelta:
        with site.house.write() as s:
            (row,) = s.exec(select(WebSession))
            row.seen_at = site.house.now - ago
        browser.page("/")
        return site.house.now - site.house.all(WebSession)[0].seen_at

    assert seen(timedelta(days=8)) < timedelta(minutes=1)
    assert seen(timedelta(minutes=61)) < timedelta(minutes=1)
    assert seen(timedelta(minutes=59)) > timedelta(minutes=58)
