"""Chat by mail (M16): opt-in, gathered for a quarter of an hour, left with one click."""

import pytest
from sqlmodel import select

from core.mail import outbox
from core.mail.addresses import Links, UnsubscribeLink
from core.store.session import make_engine
from core.store.tables import User
from core.table.play import chat
from core.table.record import gamelog
from core.table.views.render import renderer
from tests.support.mails import MAILBOX, SECRET, SITE
from tests.support.post_office import PostOffice, of_kind, text_of
from tests.support.table import House


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def game(house):
    return house.played("Anna", "Ben", "Clara", moves=0)


@pytest.fixture
def office(house, game):
    office = PostOffice(house)
    with house.write() as s:
        for user in s.exec(select(User)).all():
            user.mail_chat, user.mail_games = user.name != "Clara", False
            user.mail_mode = "off"
    office.fetch()
    return office


def say(house, game, name, text):
    with house.write() as s:
        user = s.exec(select(User).where(User.name == name)).one()
        chat.say(s, gamelog.find(s, game), user, text, text, house.now)


def test_m16_lines_are_gathered_and_only_those_who_want_get_them(house, office, game):
    say(house, game, "Clara", "Hello?")
    house.pass_time(minutes=10)
    say(house, game, "Anna", "Here I am.")
    assert office.fetch() == []
    house.pass_time(minutes=5)
    anna, ben = sorted(office.fetch(), key=lambda mail: str(mail["To"]))
    assert "anna@example.org" in str(anna["To"])
    assert "Hello?" in text_of(anna)
    assert "Here I am." not in text_of(anna)  # her own
    assert "Hello?" in text_of(ben)
    assert "Here I am." in text_of(ben)


def test_m16_the_next_line_begins_another_mail(house, office, game):
    say(house, game, "Clara", "one")
    house.pass_time(minutes=15)
    assert len(office.fetch()) == 2
    say(house, game, "Clara", "two")
    assert office.fetch() == []
    house.pass_time(minutes=15)
    assert ["two" in text_of(mail) and "one" not in text_of(mail) for mail in office.fetch()] == [
        True, True,
    ]  # fmt: skip


def test_m16_unsubscribing_ends_chat_mails_alone(house, office, game):
    say(house, game, "Clara", "one")
    house.pass_time(minutes=15)
    (mail, _) = of_kind(office.fetch(), "chat")
    token = str(mail["List-Unsubscribe"]).strip("<>").rpartition("/")[2]
    link = Links(SECRET, SITE).read(UnsubscribeLink, token)
    assert link is not None
    assert link.scope == "chat"
    assert house.get(User, link.user).email in str(mail["To"])


def test_a_line_said_while_a_mail_is_being_written_is_told_once(house, office, game):
    say(house, game, "Clara", "early bird")
    house.pass_time(minutes=15)
    usual, late = renderer(MAILBOX), iter(["latecomer"])

    def interrupted(session, row, now):
        for text in late:
            say(house, game, "Clara", text)
        return usual(session, row, now)

    outbox.deliver(house.engine, interrupted, office, lambda: house.now)
    house.pass_time(minutes=15)
    office.fetch()
    assert len(office.sent) == 3  # one reader's mail was taken up, the other's was gathering still
    told = [word for mail in office.sent for word in ("bird", "latecomer") if word in text_of(mail)]
    assert sorted(told) == ["bird", "bird", "latecomer", "latecomer"]


def test_nobody_takes_up_a_mail_while_a_line_joins_it(postgres_url):
    engine = make_engine(postgres_url)
    house = House(engine)
    game = house.open("Anna", "Ben", players=3)
    with house.write() as s:
        s.merge(house.user("Ben")).mail_chat = True
    say(house, game, "Anna", "one")
    house.pass_time(minutes=15)
    with house.write() as s:
        anna = s.exec(select(User).where(User.name == "Anna")).one()
        chat.say(s, gamelog.find(s, game), anna, "two", "two", house.now)
        with house.write() as other:
            assert not outbox.claim(other, house.now)
    with house.write() as s:
        assert outbox.claim(s, house.now)
    engine.dispose()


def test_who_leaves_before_it_is_sent_gets_none(house, office, game):
    say(house, game, "Clara", "one")
    with house.write() as s:
        for user in s.exec(select(User)).all():
            user.mail_chat = False
    house.pass_time(minutes=15)
    assert office.fetch() == []
