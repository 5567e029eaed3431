"""Changing the address: confirmed from the new one, told to the old one, undone from there."""

from dataclasses import replace

import pytest

from core.mail.addresses import AddressLink
from core.store.tables import Invitation, OutboxMail, User, WebSession
from core.table.acts import invitations, lobby
from core.table.people import accounts
from core.table.record import gamelog
from core.table.record.errors import TableError
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, text_of

OLD, NEW = "anna@example.org", "anna@example.com"


def refused(code):
    return pytest.raises(TableError, check=lambda error: error.code == code)


@pytest.fixture
def anna(house):
    return house.user("Anna")


@pytest.fixture
def office(house):
    return PostOffice(house)


def ask(house, user, email=NEW):
    with house.write() as s:
        accounts.request_change(s, s.get_one(User, user.id), email, house.now)


def link_in(mail):
    (word,) = (word for word in text_of(mail).split() if "/address/" in word)
    link = MAILBOX.links.read(AddressLink, word.rpartition("/")[2])
    assert link is not None
    return link


def follow(house, link):
    with house.write() as s:
        return accounts.change(s, link, house.now).email


def test_nothing_changes_before_the_new_address_confirms(house, office, anna):
    ask(house, anna, " Anna@Example.COM ")
    (mail,) = office.fetch()
    assert [to.addr_spec for to in mail["To"].addresses] == [NEW]
    assert OLD not in text_of(mail)
    assert house.get(User, anna.id).email == OLD
    link = link_in(mail)
    assert follow(house, link) == NEW
    with refused("link-used-up"):
        follow(house, link)
    (told,) = office.fetch()
    assert [to.addr_spec for to in told["To"].addresses] == [OLD]
    assert NEW not in text_of(told)


def test_mails_of_games_go_to_the_new_address_and_are_answered_from_there(house, office, anna):
    game = house.open("Anna", robots=1)
    ask(house, anna)
    follow(house, link_in(office.fetch()[0]))
    office.fetch()
    with house.write() as s:
        lobby.start(s, gamelog.find(s, game), house.now)
    mails = office.fetch()
    assert {mail["To"].addresses[0].addr_spec for mail in mails} == {NEW}
    to = str(mails[0]["Reply-To"])
    assert [office.mail(sender, to, "status") for sender in (OLD, NEW)] == ["ignored", "done"]


def test_the_old_address_takes_it_back_and_signs_everybody_out(house, office, anna):
    ask(house, anna)
    follow(house, link_in(office.fetch()[0]))
    with house.write() as s:
        accounts.open_session(s, s.get_one(User, anna.id), house.now)
    back = link_in(office.fetch()[0])
    house.pass_time(days=2)
    assert follow(house, back) == OLD
    assert house.all(WebSession) == []


def test_links_end(house, office, anna):
    ask(house, anna)
    link = link_in(office.fetch()[0])
    house.pass_time(minutes=15)
    with refused("link-used-up"):
        follow(house, link)
    ask(house, anna)
    follow(house, link_in(office.fetch()[0]))
    back = link_in(office.fetch()[0])
    house.pass_time(days=3)
    with refused("link-used-up"):
        follow(house, back)


def test_a_change_signs_out_and_voids_links_to_the_old_address(house, office, anna):
    with house.write() as s:
        accounts.open_session(s, s.get_one(User, anna.id), house.now)
        accounts.request_sign_in(s, OLD, house.now)
    token = house.mails(kind="signin")[0].context["token"]
    ask(house, anna)
    follow(house, link_in(office.fetch()[-1]))
    assert house.all(WebSession) == []
    with house.write() as s, refused("link-used-up"):
        accounts.redeem(s, token, house.now)


def test_an_address_of_another_user_is_not_taken_nor_told(house, office, anna):
    house.user("Ben")
    ask(house, anna, "ben@example.org")
    link = link_in(office.fetch()[0])
    with refused("address-taken"):
        follow(house, link)
    assert house.get(User, anna.id).email == OLD


def test_a_link_is_for_one_user(house, office, anna):
    ben = house.user("Ben")
    ask(house, anna)
    with refused("link-used-up"):
        follow(house, replace(link_in(office.fetch()[0]), user=ben.id))


def test_the_address_that_one_has_and_what_is_none_are_refused(house, anna):
    with refused("address-same"):
        ask(house, anna, OLD)
    with refused("address-invalid"):
        ask(house, anna, "nonsense")


def test_nobody_is_flooded(house, anna):
    for number in range(accounts.LINKS_AT_ONCE):
        ask(house, anna, f"a{number}@example.com")
        ask(house, house.user(f"P{number}"), "victim@example.com")
    with refused("too-many-links"):
        ask(house, anna)
    with refused("too-many-links"):
        ask(house, house.user("Ben"), "victim@example.com")
    house.pass_time(minutes=15)
    ask(house, anna)
    assert [row.user_id for row in house.all(OutboxMail, address=NEW)] == [anna.id]


def test_pending_invitations_move_and_show_the_host_no_address(house, office, anna):
    games = [house.open(host, players=2, private=True) for host in ("Ben", "Clara")]
    with house.write() as s:
        for game in games:
            invitations.invite(s, gamelog.find(s, game), OLD, "", house.now)
        invitations.invite(s, gamelog.find(s, games[1]), NEW, "", house.now)
    office.fetch()
    ask(house, anna)
    follow(house, link_in(office.fetch()[0]))
    first, second, other = sorted(house.all(Invitation), key=lambda row: row.id)
    assert (first.email, first.name) == (NEW, "Anna")
    assert (second.email, other.email) == (OLD, NEW)
    with house.write() as s:
        lobby.join(s, gamelog.find(s, games[0]), s.get_one(User, anna.id), house.now)
