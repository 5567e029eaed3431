"""Chat by mail (M16): opt-in, gathered for a quarter of an hour, left with one click."""

from pathlib import Path

import pytest
from sqlmodel import select

from core.mail.links import Links, UnsubscribeLink
from core.store.tables import User
from core.table import chat, gamelog
from tests.support.letters import SECRET, SITE
from tests.support.post_office import PostOffice, of_kind, text_of


@pytest.fixture
def engine_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/test.sqlite3"


@pytest.fixture
def game(house):
    return house.start("Anna", "Ben", "Clara")


@pytest.fixture
def office(house, game):
    office = PostOffice(house)
    with house.write() as s:
        for user in s.exec(select(User)).all():
            user.mail_chat, user.mail_turns, user.mail_games = user.name != "Clara", False, False
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


def test_who_leaves_before_it_is_sent_gets_none(house, office, game):
    say(house, game, "Clara", "one")
    with house.write() as s:
        for user in s.exec(select(User)).all():
            user.mail_chat = False
    house.pass_time(minutes=15)
    assert office.fetch() == []
