"""M1 on the pages: who is not reached by mail is told on each, and can mend it there."""

from datetime import timedelta

import pytest

from core.mail.addresses import Links, ReachedLink
from core.mail.bounces import COMPLAINT
from core.store.tables import OutboxMail, User
from core.table.people import accounts
from core.table.views import render
from tests.support.site import Site, Visitor

WHY = "550 5.1.1 <ann@example.org>: User unknown & <b>gone</b>"


def mark(site: Site, why: str = WHY) -> User:
    user = site.house.user("Ann")
    with site.house.write() as s:
        row = s.get_one(User, user.id)
        row.undeliverable_at, row.undeliverable_why = site.house.now, why
        row.mail_mode = "off" if why == COMPLAINT else "instant"
    return user


def link(site: Site) -> str:
    """The path in the last test mail that is owed."""
    mail = site.house.mails(kind="test")[-1]
    test = render.test_mail(mail, site.house.user("Ann"), site.house.now)
    url = Links(site.settings.secret_key, site.settings.public_url).url(test.link)
    return url.removeprefix(site.settings.public_url)


@pytest.fixture
def ann(site: Site) -> Visitor:
    mark(site)
    return site.visitor("Ann")


def test_m1_every_page_tells_it_with_the_reason(site: Site, ann: Visitor):
    game_id = site.house.start("Ann", "Ben")
    for path in ("/", "/profile", "/profile/channels", f"/games/{game_id}", "/help/rules"):
        page = ann.page(path)
        assert "Mail to you has been coming back since" in page
        assert "550 5.1.1 &lt;ann@example.org&gt;: User unknown &amp; &lt;b&gt;gone" in page
        assert 'action="/profile/test-mail"' in page
        assert 'href="/profile#address"' in page
    assert "Mail to you has been coming back since" in ann.get("/games/999").text


def test_m1_nobody_else_is_told_why(site: Site, ann: Visitor):
    game_id = site.house.start("Ann", "Ben")
    for other in (site.visitor("Ben"), site.visitor()):
        for path in ("/", f"/games/{game_id}"):
            assert "coming back" not in other.page(path)
            assert "ann@example.org" not in other.page(path)


def test_m1_the_test_mail_ends_it_once_it_is_confirmed(site: Site, ann: Visitor):
    assert ann.post("/profile/test-mail").location == "/profile"
    assert "on its way to ann@example.org" in ann.page("/profile")
    path = link(site)
    browser = site.visitor()  # of the phone on which she reads her mail
    for _ in range(3):  # M19: scanners open it, too
        assert browser.client.head(path).status_code == 200
        assert "ann@example.org" in browser.page(path)
    assert "coming back" in ann.page("/")
    assert "Mail reaches you" in browser.post(path).text
    assert "coming back" not in ann.page("/")
    assert "Mail reaches you" in browser.post(path).text, "said twice it is the same"


def test_m1_links_that_are_old_or_not_ours_do_nothing(site: Site, ann: Visitor):
    ann.post("/profile/test-mail")
    user, mail = site.house.user("Ann"), site.house.mails(kind="test")[0]
    over = int((site.house.now - timedelta(seconds=1)).timestamp())
    links = Links(site.settings.secret_key, site.settings.public_url)
    url = links.url(ReachedLink(mail.id, user.id, user.email, over))
    answer = site.visitor().post(url.removeprefix(site.settings.public_url))
    assert (answer.status_code, "too old" in answer.text) == (422, True)
    assert site.visitor().get("/reached/nonsense").status_code == 404
    assert site.visitor().post("/reached/nonsense").status_code == 404
    assert "coming back" in ann.page("/")


def test_m1_a_test_is_sent_by_a_signed_in_post_with_its_token_only(site: Site, ann: Visitor):
    assert ann.get("/profile/test-mail").status_code == 405
    assert ann.client.post("/profile/test-mail").status_code == 400
    assert site.visitor().post("/profile/test-mail").location.startswith("/sign-in")
    assert site.house.all(OutboxMail) == []
    for _ in range(accounts.AT_ONCE):
        assert ann.post("/profile/test-mail").status_code == 303
    late = ann.post("/profile/test-mail")
    assert (late.status_code, "wait an hour" in late.text) == (422, True)


def test_m1_after_a_complaint_turn_mails_stay_off(site: Site):
    mark(site, COMPLAINT)
    ann = site.visitor("Ann")
    page = ann.page("/")
    assert "reported as unwanted" in page
    assert "coming back" not in page
    ann.post("/profile/test-mail")
    assert "Turn mails are off" in site.visitor().post(link(site)).text
    assert site.house.user("Ann").mail_mode == "off"
    assert "reported as unwanted" not in ann.page("/")


def test_who_is_reached_can_ask_for_a_test_too(site: Site):
    ann = site.visitor("Ann")
    page = ann.page("/profile")
    assert "Does mail reach you?" in page
    assert "coming back" not in page
    ann.post("/profile/test-mail")
    assert "Mail reaches you" in site.visitor().post(link(site)).text
