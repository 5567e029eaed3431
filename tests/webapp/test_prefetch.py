"""M19: programs open every link of a mail before its reader does, and nothing comes of it."""

import re
from collections import Counter
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest

from core.table.people import accounts
from tests.support.mails import SECRET, SITE
from tests.support.post_office import PostOffice, readable
from tests.support.site import Site, open_site
from tests.webapp.play.test_order_secrets import Spied
from tests.webapp.test_canaries import Wrong

LINK = re.compile(rf"{SITE}(/[^\s\"<>]*)")
KINDS = {
    "turn", "back", "unsubscribe", "invitation", "no-thanks", "games", "profile", "sign-in",
    "address", "reached",
}  # fmt: skip
"""First words of the addresses that mails hold."""


class Scanner(PostOffice):
    """Opens the links of all mails as they come: of each kind of mail two of each kind of link."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.house)
        self.site = site
        self.opened: Counter[tuple[str, str]] = Counter()

    def fetch(self) -> list[EmailMessage]:
        mails = super().fetch()
        links = {
            (mail["X-Kraftpost-Kind"], unescape(path))
            for mail in mails
            for path in LINK.findall(readable(mail))
        }
        before = self.house.rows()
        for kind, path in sorted(links):
            what = kind, path.split("/")[1].partition("?")[0]
            self.opened[what] += 1
            if self.opened[what] <= 2:
                self.open_thrice(path)
        assert self.house.rows() == before
        return mails

    def open_thrice(self, path: str) -> None:
        for _ in range(3):
            stranger = self.site.app.test_client()
            for answer in (stranger.head(path), stranger.get(path, follow_redirects=True)):
                assert answer.status_code in (200, 302, 303), path


def test_m19_opening_any_link_of_any_mail_three_times_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    with open_site(tmp_path, monkeypatch, SECRET_KEY=SECRET, PUBLIC_URL=SITE) as site:
        wrong = Wrong(Spied(site))
        wrong.office = scanner = Scanner(site)
        user, now = wrong.people[0], site.house.now
        with site.house.write() as s:
            accounts.request_sign_in(s, user.email, now)
            accounts.request_change(s, s.merge(user), "new@example.org", now)
            accounts.owe(s, s.merge(user), now)
        scanner.fetch()
        wrong.go()
        away = site.house.start("Fay", robots=2, auction="open", turn_hours=1)
        while not any(player.caretaker for player in site.house.state(away).players):
            site.house.pass_time(hours=2)
            site.house.adjudicate(away)
        scanner.fetch()  # a link that takes the seat back
        assert {link for _kind, link in scanner.opened} >= KINDS
