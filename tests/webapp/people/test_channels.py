"""The page of channels: webhooks with a test button, secret addresses (M24)."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest

from core.store.tables import User, Webhook, WebhookCall
from tests.support.hook_server import HookServer, near
from tests.support.site import Site

PAGE = "/profile/channels"
PUBLIC = "https://hooks.example.com/services/T0/B1"


@pytest.fixture
def server(site: Site) -> Iterator[HookServer]:
    """A service that the site may call."""
    site.app.extensions["kraftpost"].caller = near()
    running = HookServer()
    yield running
    running.close()


def add(site: Site, url: str = PUBLIC, kind: str = "slack", who: str = "Ann") -> int:
    """Add a webhook by the form; its number."""
    answer = site.visitor(who).post(PAGE, {"kind": kind, "url": url})
    assert answer.status_code == 303, answer.text
    return max(hook.id for hook in site.house.all(Webhook))


def told(site: Site, hook: int, who: str = "Ann") -> str:
    answer = site.visitor(who).post(f"{PAGE}/{hook}/test", follow_redirects=True)
    return unescape(answer.text)


class TestWebhooks:
    def test_m24_are_added_shown_and_removed(self, site: Site):
        hook = add(site)
        assert PUBLIC in site.visitor("Ann").page(PAGE)
        assert PUBLIC not in site.visitor("Ben").page(PAGE)
        site.visitor("Ann").post(f"{PAGE}/{hook}/remove")
        assert not site.house.all(Webhook)

    def test_go_with_the_calls_that_they_are_owed(self, site: Site):
        add(site)
        add(site, who="Ben")
        site.house.start("Ann", "Ben", auction="open")
        (owed,) = site.house.all(WebhookCall)
        owner = site.house.get(Webhook, owed.webhook_id).user_id
        name = site.house.get(User, owner).name
        site.visitor(name).post(f"{PAGE}/{owed.webhook_id}/remove")
        assert not site.house.all(WebhookCall)

    @pytest.mark.parametrize(
        ("url", "kind", "said"),
        [
            ("http://hooks.example.com/x", "slack", "begin with https://"),
            ("https://127.0.0.1/x", "slack", "open internet"),
            ("https://localhost/x", "generic", "open internet"),
            ("https://169.254.169.254/latest", "generic", "open internet"),
            ("", "slack", "begin with https://"),
            (PUBLIC, "telegraph", "what kind of service"),
        ],
    )
    def test_m24_are_refused_with_a_reason(self, site: Site, url: str, kind: str, said: str):
        answer = site.visitor("Ann").post(PAGE, {"kind": kind, "url": url})
        assert answer.status_code == 422
        assert said in unescape(answer.text)
        assert not site.house.all(Webhook)

    def test_are_not_without_number(self, site: Site):
        for _ in range(5):
            add(site)
        answer = site.visitor("Ann").post(PAGE, {"kind": "slack", "url": PUBLIC})
        assert "remove one first" in answer.text
        assert "Add webhook" not in site.visitor("Ann").page(PAGE)

    @pytest.mark.parametrize("way", ["test", "remove"])
    def test_belong_to_their_owner(self, site: Site, server: HookServer, way: str):
        hook = add(site, server.url)
        answer = site.visitor("Ben").post(f"{PAGE}/{hook}/{way}")
        assert answer.status_code == 422
        assert not server.received
        assert site.house.all(Webhook)

    def test_m24_a_test_shows_what_came_of_it(self, site: Site, server: HookServer):
        hook = add(site, server.url)
        assert "The test has arrived." in told(site, hook)
        assert "This is a test" in server.received[0].json["text"]
        server.status = 404
        assert "It answered with status 404." in told(site, hook)
        assert "fails" in site.visitor("Ann").page(PAGE)

    def test_m24_a_test_of_what_is_private_is_refused(self, site: Site):
        """What the form could not see: the name leads into a private network."""
        private = near(addresses=lambda _host, _port: ("10.0.0.7",))
        site.app.extensions["kraftpost"].caller = private
        assert "open internet" in told(site, add(site))

    def test_a_test_that_arrives_switches_it_on_again(self, site: Site, server: HookServer):
        number = add(site, server.url)
        with site.house.write() as s:
            hook = s.get_one(Webhook, number)
            hook.disabled_at = hook.failing_since = site.house.now - timedelta(days=2)
            s.add(hook)
        assert "switched off" in site.visitor("Ann").page(PAGE)
        told(site, number)
        assert "switched off" not in site.visitor("Ann").page(PAGE)

    def test_a_stranger_is_asked_to_sign_in(self, site: Site):
        assert "/sign-in" in site.visitor().get(PAGE).headers["Location"]


def test_each_table_has_the_address_of_its_feed(site: Site):
    one, two = site.house.start("Ann", "Ben", title="Friday"), site.house.open("Ann", players=3)
    page = site.visitor("Ann").page("/profile/channels")
    field = r'id="atom-(\d+)" class="address" readonly value="http://[^/]+(/[^"]+)"'
    found = re.findall(field, page)
    assert [int(number) for number, _path in found] == [one, two]
    for _number, path in found:
        answer = site.visitor().get(path)
        assert answer.content_type == "application/atom+xml; charset=utf-8"
    assert "Kraftpost · Friday" in site.visitor().get(found[0][1]).text


def test_new_addresses_make_the_old_ones_void(site: Site):
    ann = site.visitor("Ann")
    old = address(ann.page(PAGE))
    assert ann.get(old).status_code == 200
    ann.post(f"{PAGE}/addresses")
    new = address(ann.page(PAGE))
    assert new != old
    assert site.visitor().get(old).status_code == 404
    assert site.visitor().get(new).status_code == 200


def address(page: str) -> str:
    """The path of the calendar on a page of channels."""
    found = re.search(r'value="https?://[^/"]+(/feeds/[^"]+\.ics)"', page)
    assert found is not None
    return found[1]
