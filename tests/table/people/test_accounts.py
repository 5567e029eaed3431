"""Signing in by mailed link, and what a user can choose."""

import threading
from email import message_from_bytes
from email.policy import default

import pytest

from core.mail.compose import compose
from core.mail.message import Message, Reader, SignIn
from core.store.tables import SeatRow, SignInToken, User, WebSession
from core.table.acts import lobby
from core.table.people import accounts
from core.table.people.accounts import Profile
from core.table.record import gamelog
from core.table.record.errors import TableError
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice
from tests.support.table import NOON


def ask(house, address="anna@example.org"):
    with house.write() as s:
        accounts.request_sign_in(s, address, house.now)


def token(house):
    return house.mails(kind="signin")[-1].context["token"]


def redeem(house, secret):
    with house.write() as s:
        return accounts.redeem(s, secret, house.now)


def test_a_link_makes_the_user_and_works_once(house):
    ask(house, "Anna@Example.org ")
    assert house.all(User) == []
    user = redeem(house, token(house))
    assert (user.email, user.name) == ("anna@example.org", f"Player {user.id}")
    with pytest.raises(TableError, match="used"):
        redeem(house, token(house))


def test_a_link_lives_a_quarter_of_an_hour(house):
    ask(house)
    house.pass_time(minutes=15)
    with pytest.raises(TableError):
        redeem(house, token(house))


def test_a_link_that_is_dead_is_not_mailed(house):
    office = PostOffice(house)
    ask(house, "late@example.org")
    house.pass_time(minutes=15)
    ask(house, "used@example.org")
    redeem(house, token(house))
    ask(house, "void@example.org")
    with house.write() as s:
        accounts.sign_out_everywhere(s, accounts.user_for(s, "void@example.org", house.now))
    ask(house)
    assert [mail["To"] for mail in office.fetch()] == ["anna@example.org"]
    assert [row.status for row in house.mails()] == ["dropped"] * 3 + ["sent"]


def test_the_database_does_not_hold_the_secrets(house):
    ask(house)
    user = redeem(house, token(house))
    with house.write() as s:
        secret = accounts.open_session(s, user, house.now)
    assert token(house) not in [row.digest for row in house.all(SignInToken)]
    assert secret not in [row.digest for row in house.all(WebSession)]


def test_known_and_unknown_addresses_are_treated_alike(house):
    house.user("Anna")
    ask(house, "anna@example.org")
    ask(house, "nobody@example.org")
    mails = house.mails(kind="signin")
    assert [m.address for m in mails] == ["anna@example.org", "nobody@example.org"]
    assert set(mails[0].context) - {"locale"} == set(mails[1].context) - {"locale"}


def test_impatience_is_not_answered_by_a_flood(house):
    for _ in range(20):
        ask(house)
    assert len(house.mails(kind="signin")) == accounts.LINKS_AT_ONCE
    house.pass_time(minutes=16)
    ask(house)
    assert len(house.mails(kind="signin")) == accounts.LINKS_AT_ONCE + 1


def test_one_link_used_in_two_places_at_once_signs_in_once(house):
    ask(house)
    secret, outcomes = token(house), []

    def use():
        try:
            redeem(house, secret)
            outcomes.append("in")
        except TableError:
            outcomes.append("refused")

    threads = [threading.Thread(target=use) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["in"] + ["refused"] * 5
    assert len(house.all(User)) == 1


def test_a_session_ends_by_itself_by_signing_out_and_everywhere(house):
    user = house.user("Anna")
    with house.write() as s:
        first, second, third = (accounts.open_session(s, user, house.now) for _ in range(3))

    def signed_in(secret):
        with house.read() as s:
            return accounts.session_user(s, secret, house.now) is not None

    assert signed_in(first)
    assert not signed_in("guess")
    with house.write() as s:
        accounts.close_session(s, first)
    assert not signed_in(first)
    assert signed_in(second)
    ask(house)
    with house.write() as s:
        accounts.sign_out_everywhere(s, user)
    assert not signed_in(second)
    with pytest.raises(TableError):
        redeem(house, token(house))
    house.pass_time(days=90)
    assert not signed_in(third)


LONGEST = f"{'x' * 64}@{'.'.join(['y' * 60] * 3)}.org"


@pytest.mark.parametrize(("text", "clean"), [
    (" Anna@X.org ", "anna@x.org"),
    ("anna+games@x.org", "anna+games@x.org"),
    ("o'neil@x.org", "o'neil@x.org"),
    ("!#$%&'*+/=^_`{|}~-@x.org", "!#$%&'*+/=^_`{|}~-@x.org"),
    ("ａｎｎａ@x.org", "anna@x.org"),
    ("a@exämple.org", "a@xn--exmple-cua.org"),
    ("a@例え.jp", "a@xn--r8jz45g.jp"),
    (LONGEST, LONGEST),
])  # fmt: skip
@pytest.mark.parametrize("name", ["", "Anna", 'Jürgen "Jo" (x), <y> ' * 2])
def test_an_address_that_is_accepted_can_be_written_to(text, clean, name):
    address = accounts.clean_address(text)
    assert address == clean
    reader = Reader(None, name, address)
    raw = compose(Message(SignIn("token", 15), reader, "name", NOON), MAILBOX).as_bytes()
    read = message_from_bytes(raw, policy=default)
    assert [to.addr_spec for to in read["To"].addresses] == [clean]
    assert not read["To"].defects


@pytest.mark.parametrize("text", [
    *("", "ben", "@x.org", "a@", "a@b@c", "a b@c.d", "a@b\r\nBcc: x@y.z", '"a"@x.org'),
    *("a..b@x.org", ".a@x.org", "a.@x.org", "jürgen@x.org", "=?utf-8?q?x?=@x.org"),
    *("a@x.org.", "a@.x.org", "a@x..org", "a@-x.org", "a@x-.org", "a@x_y.org", "a@[10.0.0.1]"),
    *("a@straße.de", f"{'x' * 65}@x.org", f"a@{'y' * 64}.org", f"a@{'y.' * 126}org"),
])  # fmt: skip
def test_what_no_server_would_take_is_no_address(text):
    with pytest.raises(TableError, match="not an e-mail address"):
        accounts.clean_address(text)


@pytest.mark.parametrize(("text", "clean"), [
    ("Anna", "Anna"),
    ("  Anna \n B. ", "Anna B."),
    ("Anna\r\nBcc: x@y.z", "Anna Bcc: x@y.z"),
    ("A" * 200, "A" * 40),
    ("安娜", "安娜"),
])  # fmt: skip
def test_names_are_one_line_of_printable_characters(text, clean):
    assert accounts.clean_name(text) == clean


@pytest.mark.parametrize("name", ["", "  ", "\u200b\n"])
def test_a_name_is_needed(name):
    with pytest.raises(TableError):
        accounts.clean_name(name)


def test_a_profile_is_kept_and_an_unknown_zone_refused(house):
    user = house.user("Anna")
    chosen = Profile("Ann", "Asia/Kathmandu", "de")
    with house.write() as s:
        accounts.change_profile(s, s.merge(user), chosen)
    kept = house.get(User, user.id)
    assert (kept.name, kept.zone, kept.locale) == ("Ann", "Asia/Kathmandu", "de")
    bad = Profile("Ann", "Mars/Olympus", "de")
    with pytest.raises(TableError, match="zone"), house.write() as s:
        accounts.change_profile(s, s.merge(user), bad)


def test_no_part_of_an_address_is_seen_before_a_name_is_chosen(house):
    game = house.open("Anna", players=3)
    for email in ("ben.secret@example.org", "clara@example.org"):
        with house.write() as s:
            accounts.user_for(s, email, house.now)
    ben, clara = (u for u in house.all(User) if u.name != "Anna")
    for user in (ben, clara):
        assert user.name == f"Player {user.id}"
        assert accounts.is_nameless(user)
        with house.write() as s:
            lobby.join(s, gamelog.find(s, game), s.merge(user), house.now)
    with house.write() as s:
        lobby.start(s, gamelog.find(s, game), house.now)
        accounts.change_profile(s, s.merge(ben), Profile("Ben", "UTC", "en"))
    assert not accounts.is_nameless(house.get(User, ben.id))
    seated = sorted(row.name for row in house.all(SeatRow))
    assert seated == sorted(["Anna", "Ben", clara.name])
    with house.write() as s:
        accounts.change_profile(s, s.merge(ben), Profile("Bob", "UTC", "en"))
    assert sorted(row.name for row in house.all(SeatRow)) == seated, "a table keeps its names"


def test_two_first_mails_at_once_make_one_user(house):
    threads = [threading.Thread(target=house.user, args=("Anna",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(house.all(User)) == 1
