"""M66: the same canaries, in what leaves the site by other ways than its pages.

Feeds by secret address, the API, webhooks, what the doctor says, and the mails of a game that goes
wrong: caretaker, digest, reminder, end.
"""

import re

import pytest
from sqlmodel import select

from core.mail import outbox
from core.mail.addresses import Links
from core.mail.kinds import MailKind
from core.store.tables import OutboxMail, User
from core.table.acts import absence, invitations, proposals, vacation
from core.table.notify import digests, mails, webhooks
from core.table.play import chat
from core.table.record import gamelog
from core.table.views import feeds, health, reminders, webhook_calls
from tests.support import hosting
from tests.support.hook_server import HookServer, near
from tests.support.post_office import PostOffice, readable
from tests.support.site import Site
from tests.webapp.play.test_order_secrets import BID, CANARIES, UNLIKELY_CITIES, Spied


@pytest.fixture
def spied(site: Site) -> Spied:
    return Spied(site)


def others(spied: Spied) -> list[User]:
    house = spied.site.house
    return [house.owner(spied.game_id, seat) for seat in range(3) if seat != spied.owner]


DRAWN = re.compile(r"\b[0-9a-f]{32}\b|===============\d+==")
"""Names of mails and the lines between their parts: a canary turns up in them by chance."""


def sung(text: str, *, but: int | None = None) -> list[str]:
    """The canaries in a text; two cities side by side are one, too."""
    text, pair = DRAWN.sub("", text), ", ".join(UNLIKELY_CITIES)
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
                    webhooks.add(s, user, kind, server.url, house.now)
        for turn in house.asked(spied.game_id):
            house.move(spied.game_id, turn.seat, "pass")
        house.play(spied.game_id, 6)
        links = Links(spied.site.settings.secret_key, "https://play.example.org")
        while webhook_calls.deliver(house.engine, near(), links, lambda: house.now):
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


ABOUT_NO_GAME = {"signin", "address", "moved", "test", "health", "hook"}
"""Kinds of mails that know no game; that is asserted, too."""
TO_WHO_ASKED = {MailKind.ANSWER, MailKind.STOPPED}
"""What one's own mail or setting is answered with; it tells settings, and no game's secrets."""
OF_A_STOP = (mails.SeatNotice.STOPPED, mails.SeatNotice.RELEASED)
OF_AN_ACT = (mails.SeatNotice.ACT, mails.SeatNotice.PROPOSAL, mails.SeatNotice.OVER)
OF_A_SEAT = [what for what in mails.SeatNotice if what not in OF_A_STOP + OF_AN_ACT]


def every_kind() -> set[str]:
    """All mails that the code knows and that know a game, notices and words by what they tell."""
    return (
        set(MailKind)
        - TO_WHO_ASKED
        - {MailKind.PLAN, MailKind.GATHERED}
        - ABOUT_NO_GAME
        - {"notice", "word"}
        | {f"notice {what}" for what in mails.SeatNotice}
        | {f"word {what}" for what in mails.UserNotice}
    )


def kind_of(row: OutboxMail) -> str:
    what = row.key.split(":")[:2]
    if row.kind not in ("notice", "word"):
        return row.kind
    return f"{row.kind} {what[1] if what[0] == row.kind else what[0]}"


class Wrong:
    """The spied game and all that can go wrong in it, as far as it brings somebody a mail."""

    def __init__(self, spied: Spied) -> None:
        self.house, self.game, self.owner = spied.site.house, spied.game_id, spied.owner
        self.office = PostOffice(self.house)
        self.people = others(spied)

    def want(self, **values: object) -> None:
        """Set what the others want to be mailed."""
        with self.house.write() as s:
            for user in self.people:
                for name, value in values.items():
                    setattr(s.get_one(User, user.id), name, value)

    def go(self) -> None:
        """Everything, the end last."""
        self.want(reminders=["half", "most", "last"], digest_hour=0, mail_chat=True)
        self.talk()
        for turn in self.house.asked(self.game):  # who has never moved loses his seat at once
            self.house.move(self.game, turn.seat, "pass")
        self.wait()
        self.sitter()
        self.digest()
        self.notices()
        self.together()
        with self.house.write() as s:
            host = s.get_one(User, self.house.game(self.game).host_id)
            hosting.end(s, self.game, host, "canary", self.house.now)
        self.house.adjudicate(self.game)
        self.office.fetch()

    def talk(self) -> None:
        """Answers to mails: help, status, orders, a line for the table, one that is refused."""
        with self.house.write() as s:
            game = gamelog.find(s, self.game)
            chat.say(s, game, s.get_one(User, self.people[0].id), "Hello!", "n", self.house.now)
        for mail in self.office.fetch():
            if any(user.email in str(mail["To"]) for user in self.people):
                for line in ("help", "status", "orders", "bid 1", "chat Hello to all!"):
                    self.office.answer(mail, line)
        self.house.pass_time(minutes=20)
        self.office.fetch()

    def wait(self) -> None:
        """Nobody moves: reminders, missed turns, caretakers."""
        for _ in range(9):
            self.house.pass_time(hours=13)
            with self.house.write() as s:
                reminders.owe(s, self.house.now)
            self.office.fetch()
            self.house.adjudicate(self.game)

    def sitter(self) -> None:
        """Whose secrets they are goes away, and somebody sits in for him."""
        sitter = self.house.user("Dora")
        with self.house.write() as s:
            plan = vacation.Plan(1, None, sitter.email)
            owner = s.get_one(User, self.house.owner(self.game, self.owner).id)
            vacation.take(s, owner, plan, self.house.now)
        self.office.fetch()

    def digest(self) -> None:
        """Everybody is back, and asked again; who waits for a digest gets one."""
        self.want(mail_mode="digest")
        for seat in range(3):
            with self.house.write() as s:
                absence.return_owner(s, self.game, seat, self.house.now)
            self.house.adjudicate(self.game)
        self.office.fetch()
        self.house.pass_time(days=1)
        with self.house.write() as s:
            for user_id in digests.due(s, self.house.now):
                digests.owe(s, user_id, self.house.now)
        self.office.fetch()
        self.want(mail_mode="instant")

    def notices(self) -> None:
        """What the service says by itself; what a host does, a proposal, an invitation."""
        waits = self.house.open("Ann", "Ben")
        with self.house.write() as s:
            game, now = gamelog.lock(s, self.game), self.house.now
            for user in self.people:
                seat = self.house.seat(self.game, user.name)
                for what in OF_A_SEAT:
                    mails.notify_seat(s, game, seat, what, now, line="pass", days=14)
                for what in mails.UserNotice:
                    table = gamelog.find(s, waits) if what in ("idle", "full") else game
                    mails.notify_user(s, s.get_one(User, user.id), table, what, now, name="Dora")
            for what in OF_A_STOP:
                game.host_id = self.people[0].id
                mails.notify_host_of_stop(s, game, what, now)
            invitations.invite(s, gamelog.find(s, waits), "eve@example.org", "", now)
            host = s.get_one(User, self.people[0].id)
            hosting.extend(s, self.game, host, 1, "a reason", now)
        self.office.fetch()
        with self.house.write() as s:
            game = gamelog.lock(s, self.game)
            game.host_id = None
            asker = self.house.seat(self.game, self.people[0].name)
            body = {"reason": "canary"}
            row = proposals.propose(s, self.game, asker, "end", body, self.house.now)
            number = row.number
        self.office.fetch()
        with self.house.write() as s:
            proposals.withdraw(s, self.game, number, asker, self.house.now)
            gamelog.find(s, self.game).host_id = self.people[0].id
        self.office.fetch()

    def together(self) -> None:
        """A night, and what came in it."""
        minute = self.house.now.hour * 60 + self.house.now.minute
        self.want(quiet_from=(minute - 60) % 1440, quiet_to=(minute + 60) % 1440)
        with self.house.write() as s:
            game = gamelog.find(s, self.game)
            for user in self.people:
                for what in (mails.SeatNotice.GRACE, mails.SeatNotice.RETURNED):
                    seat = self.house.seat(self.game, user.name)
                    mails.notify_seat(s, game, seat, what, self.house.now)
        self.office.fetch()
        self.house.pass_time(hours=2)
        self.office.fetch()


def test_m66_no_mail_of_any_kind_tells_orders_or_bids_to_anybody_else(
    spied: Spied, monkeypatch: pytest.MonkeyPatch
):
    """A new kind of mail fails until it occurs here."""
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    wrong = Wrong(spied)
    mine = wrong.house.owner(spied.game_id, spied.owner)
    wrong.go()
    sent = [m for m in wrong.house.mails(status="sent") if m.user_id != mine.id]
    assert every_kind() - {kind_of(row) for row in sent} == set()
    assert [m for m in wrong.house.mails() if m.error == outbox.TOGETHER and m.user_id != mine.id]
    assert all(row.game_id is None for row in wrong.house.mails() if row.kind in ABOUT_NO_GAME)
    told = [mail for mail in wrong.office.sent if mine.email not in str(mail["To"])]
    assert len(told) >= len(sent)
    for mail in told:
        assert sung(readable(mail), but=BID) == [], mail["Subject"]
