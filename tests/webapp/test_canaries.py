"""M66: the same canaries, in what leaves the site by other ways than its pages.

Feeds by secret address, the API, webhooks, what the doctor says, and the mails of a game that goes
wrong: caretaker, digest, reminder, end.
"""

import pytest
from sqlmodel import select

from core.mail.links import Links
from core.store.tables import User
from core.table import calls, digests, feeds, health, hooks, hosting, reminders
from tests.support.hook_server import HookServer, near
from tests.support.post_office import PostOffice
from tests.support.site import Site
from tests.webapp.test_order_secrets import BID, CANARIES, UNLIKELY_CITIES, Spied


@pytest.fixture
def spied(site: Site) -> Spied:
    return Spied(site)


def others(spied: Spied) -> list[User]:
    house = spied.site.house
    return [house.owner(spied.game_id, seat) for seat in range(3) if seat != spied.owner]


def sung(text: str, *, but: int | None = None) -> list[str]:
    """The canaries in a text; two cities side by side are one, too."""
    pair = ", ".join(UNLIKELY_CITIES)
    return [canary for canary in (*CANARIES, pair) if canary in text and canary != str(but)]


def test_m66_no_feed_nor_api_tells_orders_or_bids_to_anybody_else(spied: Spied):
    site, game_id = spied.site, spied.game_id
    links = Links(site.settings.secret_key, site.settings.public_url)
    for user in others(spied):
        secret = feeds.token(links, user)
        for path in (
            f"/feeds/{secret}/turns.ics", f"/feeds/{secret}/tables/{game_id}.atom",
            f"/api/tables/{game_id}?feed={secret}", f"/api/me/turns?feed={secret}",
        ):  # fmt: skip
            answer = site.visitor().get(path)
            assert answer.status_code == 200, path
            assert sung(f"{answer.headers}{answer.text}") == [], path


def test_m66_no_webhook_tells_orders_or_bids_even_to_their_owner(spied: Spied):
    """A channel has many readers."""
    house, server = spied.site.house, HookServer()
    try:
        with house.write() as s:
            for user in s.exec(select(User)).all():
                for kind in ("slack", "discord", "generic"):
                    hooks.add(s, user, kind, server.url, house.now)
        for turn in house.asked(spied.game_id):
            house.move(spied.game_id, turn.seat, "pass")
        house.play(spied.game_id, 6)
        links = Links(spied.site.settings.secret_key, "https://play.example.org")
        while calls.deliver(house.engine, near(), links, lambda: house.now):
            pass
        told = [f"{call.headers}{call.body.decode()}" for call in server.received]
    finally:
        server.close()
    assert told
    assert [sung(text, but=BID) for text in told] == [[]] * len(told)


def test_m66_neither_doctor_nor_metrics_tell_orders_or_bids(spied: Spied):
    with spied.site.house.read() as s:
        found = "\n".join(map(str, health.examine(s, spied.site.house.now)))
    metrics = spied.site.visitor().get("/metrics")
    assert metrics.status_code == 200
    assert sung(found + metrics.text) == []


def test_m66_no_mail_of_a_game_that_goes_wrong_tells_orders_or_bids(
    spied: Spied, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    house, game_id = spied.site.house, spied.game_id
    office, mine = PostOffice(house), house.owner(game_id, spied.owner).email
    people = others(spied)
    for turn in house.asked(game_id):  # who has never moved loses his seat at once
        house.move(game_id, turn.seat, "pass")
    with house.write() as s:
        for user in people:
            row = s.get_one(User, user.id)
            row.reminders, row.digest_hour = ["half", "most", "last"], 0
    for _ in range(9):
        house.pass_time(hours=13)
        with house.write() as s:
            reminders.owe(s, house.now)
        office.fetch()
        house.adjudicate(game_id)
    with house.write() as s:
        for user in people:
            s.get_one(User, user.id).mail_mode = "digest"
        for user_id in digests.due(s, house.now):
            digests.owe(s, user_id, house.now)
    with house.write() as s:
        host = s.get_one(User, house.game(game_id).host_id)
        hosting.end(s, game_id, host, "canary", house.now)
    house.adjudicate(game_id)
    office.fetch()
    told = [mail for mail in office.sent if mine not in str(mail["To"])]
    kinds = {str(mail["X-Kraftpost-Kind"]) for mail in told}
    assert {"turn", "reminder", "end"} <= kinds, kinds
    for mail in told:
        assert sung(str(mail), but=BID) == [], mail["Subject"]
