"""Chat, notes and drafts."""

import pytest

from core.table.play import chat
from core.table.record import gamelog
from core.table.record.errors import TableError


@pytest.fixture
def game(house):
    return house.open("Anna", "Ben")


def say(house, game, name, text, key="k"):
    with house.write() as s:
        return chat.say(s, gamelog.find(s, game), house_user(s, name), text, key, house.now)


def house_user(session, name):
    from sqlmodel import select

    from core.store.tables import User

    return session.exec(select(User).where(User.name == name)).one()


def test_a_line_is_said_once(house, game):
    assert say(house, game, "Anna", " hello ")
    assert not say(house, game, "Anna", "hello")
    assert say(house, game, "Ben", "hello")
    with house.read() as s:
        assert [(name, line.text) for line, name in chat.lines(s, game)] == [
            ("Anna", "hello"), ("Ben", "hello")
        ]  # fmt: skip


def test_another_line_under_a_known_key_is_not_lost(house, game):
    """A page that the browser kept sends its old nonce with a new line."""
    assert say(house, game, "Anna", "hello")
    assert say(house, game, "Anna", "is anybody there?")
    assert not say(house, game, "Anna", "hello")
    with house.read() as s:
        texts = [line.text for line, _ in chat.lines(s, game)]
    assert texts == ["hello", "is anybody there?"]


def test_only_the_last_lines_are_shown_oldest_first(house, game):
    for n in range(5):
        say(house, game, "Anna", f"line {n}", key=str(n))
    with house.read() as s:
        assert [line.text for line, _ in chat.lines(s, game, last=2)] == ["line 3", "line 4"]


@pytest.mark.parametrize(("name", "text", "code"), [
    ("Anna", "  ", "chat-empty"),
    ("Zoe", "hello", "not-at-table"),
])  # fmt: skip
def test_what_cannot_be_said(house, game, name, text, code):
    house.user("Zoe")
    with pytest.raises(TableError) as refusal:
        say(house, game, name, text)
    assert refusal.value.code == code


def test_a_table_without_chat_is_silent(house):
    game = house.open("Anna", "Ben", chat=False)
    with pytest.raises(TableError, match="no chat"):
        say(house, game, "Anna", "hello")


def test_notes_are_ones_own(house, game):
    for name, text in (("Anna", "buy coal"), ("Ben", "buy oil"), ("Anna", "buy more coal")):
        with house.write() as s:
            chat.save_note(s, game, house_user(s, name), text, house.now)
    with house.read() as s:
        assert chat.note(s, game, house_user(s, "Anna")) == "buy more coal"
        assert chat.note(s, game, house_user(s, "Ben")) == "buy oil"
