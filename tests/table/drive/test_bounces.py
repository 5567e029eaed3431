"""M1: mail that comes back marks its user, who is not written to until mail reaches him again."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from core.mail.addresses import AddressLink, ReachedLink, TableToken
from core.mail.bounces import COMPLAINT
from core.mail.transport import Refused
from core.store.tables import InboundMail, OutboxMail, User
from core.table.drive import inbox
from core.table.people import accounts
from core.table.record.errors import TableError
from tests.support.mails import MAILBOX
from tests.support.post_office import text_of

REPORTS = Path(__file__).parents[2] / "mail" / "reports"
FROM = "kraftpost@play.example.org"
ANNA = "anna@example.org"


def refused(code):
    return pytest.raises(TableError, check=lambda error: error.code == code)


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """What differs between databases is asked below, once."""
    return sqlite_url


@pytest.fixture
def anna(house, office):
    """Anna has got her first turn mail; the game waits for her."""
    game = house.start("Anna", robots=1)
    office.fetch()
    assert house.asked(game)
    return house.owner(game, house.seat(game, "Anna"))


def report(house, kind="postfix-unknown-user", mail="turn", name=""):
    """A report about a mail that was sent."""
    name = name or house.mails(kind=mail)[-1].message_id
    raw = (REPORTS / f"{kind}.eml").read_bytes().replace(b"NAME", name.encode())
    own = f"Message-Id: <{kind}.{name}.".encode()  # none is taken for another one
    return raw.replace(b"Message-Id: <", own)


def marked(house, user):
    found = house.get(User, user.id)
    return found.undeliverable_why if found.undeliverable_at else None


def test_m1_a_bounce_marks_its_user_and_is_not_answered(house, office, anna):
    assert office.deliver(report(house), "", FROM) == "done"
    assert marked(house, anna).startswith("550 5.1.1 <anna@example.org>: Recipient address rej")
    assert house.get(User, anna.id).undeliverable_at == house.now
    assert office.fetch() == []
    assert [row.status for row in house.all(InboundMail)] == ["done"]


@pytest.mark.parametrize("kind", ["postfix-unknown-user", "qmail", "gmail", "arf-abuse"])
def test_m1_also_where_the_provider_gives_our_mails_another_message_id(house, office, anna, kind):
    """What comes back is the head of the very mail that was sent, but for its Message-ID."""
    theirs, unknown = b"Message-ID: <0107018f@email.provider.example>", "0" * 32
    raw = report(house, kind, name=unknown).replace(unknown.encode() + b"@play", b"x@mail")
    assert office.deliver(raw, "", FROM) == "ignored"
    del office.sent[-1]["Message-ID"]
    head = office.sent[-1].as_bytes().replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    raw = (theirs + b"\n" + head).join(raw.rsplit(b"Message-ID: <x@mail.example.org>", 1))
    assert office.deliver(raw, "", MAILBOX.reply.make(TableToken(1, 0))) == "done"
    assert marked(house, anna)


@pytest.mark.parametrize("kind", ["exim-plain", "exchange-online", "gmail", "qmail", "sendmail"])
def test_m1_also_at_an_address_for_answers(house, office, anna, kind):
    to = MAILBOX.reply.make(TableToken(1, 0))
    assert office.deliver(report(house, kind), "", to) == "done"
    assert marked(house, anna)


@pytest.mark.parametrize(
    "kind", ["postfix-delayed", "postfix-expired", "exim-plain-delayed", "out-of-office"]
)
def test_m1_what_is_late_marks_nobody(house, office, anna, kind):
    assert office.deliver(report(house, kind), "", FROM) == "ignored"
    assert marked(house, anna) is None


def test_m1_a_forged_report_marks_nobody(house, office, anna):
    for name in ("0" * 32, "game-1", "turn.0123456789abcdef"):
        assert office.deliver(report(house, name=name), "", FROM) == "ignored"
    with house.write() as s:  # the name of a mail that was never sent is known to nobody
        mail = s.exec(select(OutboxMail).where(OutboxMail.kind == "turn")).one()
        mail.attempts, mail.status = 0, "pending"
    assert office.deliver(report(house), "", FROM) == "ignored"
    assert marked(house, anna) is None


@pytest.mark.parametrize("kind", ["postfix-unknown-user", "arf-abuse"])
def test_m1_a_report_about_a_former_address_marks_nobody(house, office, anna, kind):
    raw = report(house, kind)
    with house.write() as s:
        s.get_one(User, anna.id).email = "anna@example.com"
    assert office.deliver(raw, "", FROM) == "ignored"
    assert marked(house, anna) is None
    assert house.get(User, anna.id).mail_mode != "off"


def test_m1_the_mail_counts_that_went_to_the_address(house, office, anna):
    """A mail that was owed before a change of address went to the new one."""
    with house.write() as s:
        user = s.get_one(User, anna.id)
        accounts.owe(s, user, house.now)
        user.email = "anna@example.com"
    office.fetch()
    assert office.deliver(report(house, mail="test"), "", FROM) == "done"
    assert marked(house, anna)


def test_m1_a_complaint_ends_turn_mails_too(house, office, anna):
    assert office.deliver(report(house, "arf-abuse"), "fbl@example.com", FROM) == "done"
    assert marked(house, anna) == COMPLAINT
    assert house.get(User, anna.id).mail_mode == "off"
    assert office.deliver(report(house, "arf-not-spam"), "fbl@example.com", FROM) == "ignored"


def test_m1_at_the_senders_address_only_reports_on_mails_of_ours_are_taken(house, office, anna):
    ours, forged, human = report(house), report(house, name="f" * 32), b"Subject: hi\n\nhi"
    box = MAILBOX.reply.make(TableToken(1, 0))
    with house.read() as s:
        for raw, sender, taken in [
            (ours, "", [FROM, box]), (forged, "", [box]), (human, "a@b.org", [box]),
            (report(house, "arf-abuse"), "fbl@example.com", [FROM, box]),
            (b"In-Reply-To: <" + house.mails(kind="turn")[0].message_id.encode()
             + b"@play.example.org>\n\npass", "anna@example.org", [box]),
        ]:  # fmt: skip
            assert inbox.taken(s, raw, sender, [FROM, box], MAILBOX) == taken
    assert MAILBOX.takes(FROM.upper())
    assert not MAILBOX.takes("postmaster@play.example.org")


class Server:
    """A mail server that knows nobody."""

    def __init__(self, error):
        self.error = error

    def send(self, _message):
        raise self.error


@pytest.mark.parametrize("permanent", [True, False])
def test_m1_a_recipient_refused_for_good_is_marked(house, office, permanent):
    game = house.start("Anna", robots=1)
    anna = house.owner(game, house.seat(game, "Anna"))
    office.send = Server(Refused("550 5.1.1 no such user", permanent=permanent)).send
    office.fetch()
    assert marked(house, anna) == ("550 5.1.1 no such user" if permanent else None)
    told = [mail for mail in house.mails(user_id=anna.id) if mail.status != "dropped"]
    statuses = {mail.status for mail in told}  # the beginning is told in the first question
    assert statuses == ({"unreached"} if permanent else {"pending"})


class TestWhileMarked:
    @pytest.fixture
    def game(self, house, office, anna):
        assert office.deliver(report(house), "", FROM) == "done"
        return 1

    def test_m1_nothing_is_sent_but_sign_in_and_test_mails(self, house, office, anna, game):
        seat = house.seat(game, "Anna")
        house.move(game, seat, house.line(game, seat))  # a new turn, or other players' moves
        with house.write() as s:
            user = s.get_one(User, anna.id)
            accounts.request_sign_in(s, ANNA, house.now)
            accounts.owe(s, user, house.now)
            accounts.request_change(s, user, "anna@example.com", house.now)
        office.mail(ANNA, MAILBOX.reply.make(TableToken(1, seat)), "status")
        before = len(house.mails(status="sent"))
        assert len(office.fetch()) == 3
        sent = [m.kind for m in house.mails(status="sent")]
        assert sorted(sent[before:]) == ["address", "signin", "test"]
        assert [m.status for m in house.mails(kind="status")] == ["dropped"]
        assert {m.status for m in house.mails(kind="turn")} == {"unreached"}

    def test_m1_the_clock_goes_on(self, house, office, anna, game):
        (turn,) = house.asked(game)
        house.pass_time(days=8)
        house.adjudicate(game)
        assert turn.turn not in [one.turn for one in house.asked(game)]

    def test_m1_a_turn_that_was_answered_does_not_come(self, house, office, anna, game):
        seat = house.seat(game, "Anna")
        first = house.asked(game)[0].turn
        house.move(game, seat, house.line(game, seat))
        (mail,) = tried(house, office, anna)
        follow(house, link_in(mail, ReachedLink, "/reached/"))
        told = [str(m["Reply-To"]) for m in office.fetch()]
        assert not any(f"turn+1.{seat}.{first}." in to for to in told)
        assert [m.status for m in house.mails(kind="turn")].count("dropped") == 1

    def test_m1_a_new_address_is_written_to_at_once(self, house, office, anna, game):
        with house.write() as s:
            accounts.request_change(s, s.get_one(User, anna.id), "anna@example.com", house.now)
        (mail,) = office.fetch()
        with house.write() as s:
            accounts.change(s, link_in(mail, AddressLink, "/address/"), house.now)
        assert marked(house, anna) is None
        told = {m["X-Kraftpost-Kind"]: m["To"].addresses[0].addr_spec for m in office.fetch()}
        assert told == {"turn": "anna@example.com", "notice": ANNA}

    def test_m1_late_reports_about_mails_before_the_test_are_history(
        self, house, office, anna, game
    ):
        old = report(house, mail="start")
        house.pass_time(minutes=1)
        (mail,) = tried(house, office, anna)
        follow(house, link_in(mail, ReachedLink, "/reached/"))
        house.pass_time(minutes=1)
        office.fetch()
        assert office.deliver(old, "", FROM) == "ignored"
        assert marked(house, anna) is None
        assert office.deliver(report(house, "gmail"), "", FROM) == "done"
        assert marked(house, anna)

    def test_m1_old_mails_of_the_moment_are_not_sent_in_the_end(self, house, office, anna, game):
        with house.write() as s:
            for mail in s.exec(select(OutboxMail).where(OutboxMail.kind == "start")):
                mail.status = "unreached"
        house.pass_time(days=6)
        (mail,) = tried(house, office, anna)
        follow(house, link_in(mail, ReachedLink, "/reached/"))
        assert {m["X-Kraftpost-Kind"] for m in office.fetch()} == {"turn"}
        assert [m.status for m in house.mails(kind="start")] == ["dropped"]


class TestOnBoth:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def engine_url(self, request):
        name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
        return request.getfixturevalue(name)

    def test_m1_a_confirmed_test_mail_brings_the_turn_that_still_waits(self, house, office, anna):
        assert office.deliver(report(house), "", FROM) == "done"
        (mail,) = tried(house, office, anna)
        assert marked(house, anna), "a test that was sent proves nothing yet"
        follow(house, link_in(mail, ReachedLink, "/reached/"))
        assert marked(house, anna) is None
        (again,) = office.fetch()
        assert again["X-Kraftpost-Kind"] == "turn"
        assert office.fetch() == []


def tried(house, office, user):
    """Ask for a test mail and fetch it."""
    with house.write() as s:
        accounts.owe(s, s.get_one(User, user.id), house.now)
    return office.fetch()


def link_in(mail, kind, path):
    (word,) = (word for word in text_of(mail).split() if path in word)
    found = MAILBOX.links.read(kind, word.rpartition("/")[2])
    assert found is not None
    return found


def follow(house, link):
    with house.write() as s:
        accounts.arrived(s, link, house.now)


class TestTheTestMail:
    @pytest.fixture
    def link(self, house, office, anna):
        (mail,) = tried(house, office, anna)
        assert mail["To"].addresses[0].addr_spec == ANNA
        return link_in(mail, ReachedLink, "/reached/")

    def test_its_link_ends(self, house, office, anna, link):
        house.pass_time(days=3)
        with refused("link-used-up"):
            follow(house, link)

    def test_its_link_is_for_one_address(self, house, office, anna, link):
        with refused("link-used-up"):
            follow(house, replace(link, user=house.user("Ben").id))
        with house.write() as s:
            s.get_one(User, anna.id).email = "anna@example.com"
        with refused("link-used-up"):
            follow(house, link)

    def test_it_says_nothing_of_what_came_back_later(self, house, office, anna, link):
        house.pass_time(minutes=1)
        office.deliver(report(house), "", FROM)
        with refused("test-too-old"):
            follow(house, link)
        assert marked(house, anna)

    def test_nobody_is_flooded(self, house, anna):
        with house.write() as s:
            for _ in range(accounts.AT_ONCE):
                house.pass_time(seconds=1)
                accounts.owe(s, s.get_one(User, anna.id), house.now)
            with refused("too-many-tests"):
                accounts.owe(s, s.get_one(User, anna.id), house.now)
            house.pass_time(hours=1)
            accounts.owe(s, s.get_one(User, anna.id), house.now)
