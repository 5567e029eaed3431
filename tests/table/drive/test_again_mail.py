"""Moves by mail that were made already, or are made anew: one answer for one mail."""

import pytest

from core.store.tables import ChatLine
from tests.support.post_office import of_kind, offered, text_of


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def turn(house, office):
    house.start("Anna", "Ben", "Cho", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    return mail


@pytest.mark.parametrize("again", [
    ("{line}",), ("Hello,", "", "{line}"), ("{line} Elektro", "Anna"),
    ("Sorry, I meant:", "{line}"),
])  # fmt: skip
def test_the_same_move_again_was_done_already(office, turn, again):
    line = next(line for line in offered(turn) if line.startswith("auction"))
    office.answer(turn, line)
    office.fetch()
    office.answer(turn, *(part.format(line=line) for part in again))
    (answer,) = office.fetch()
    assert answer["X-Kraftpost-Kind"] == "done"
    assert "That was done already" in text_of(answer)


@pytest.mark.parametrize("other", [("pass",), ("Sorry, I meant:", "auction 4 for 5"), ("bid 9",)])
def test_another_move_is_told_that_the_first_one_stands(house, office, turn, other):
    line = next(line for line in offered(turn) if line.startswith("auction"))
    office.answer(turn, line)
    office.fetch()
    office.answer(turn, *other)
    (answer,) = office.fetch()
    assert answer["X-Kraftpost-Kind"] == "refused"
    assert f"Your move “{line}” stands. To change it send “undo” first." in text_of(answer)


@pytest.mark.parametrize("words", [(), ("Oh no,",), ("Sorry!", "")])
def test_undo_and_another_move_are_one_mail_with_one_answer(house, office, turn, words):
    first, second = [line for line in offered(turn) if line.startswith("auction")][:2]
    office.answer(turn, first)
    (done, *_others) = of_kind(office.fetch(), "done")
    office.answer(done, *words, "undo", second)
    mails = [mail for mail in office.fetch() if mail["To"] == turn["To"]]
    assert [mail["X-Kraftpost-Kind"] for mail in mails] == ["done"]
    assert f"DONE: {second}" in text_of(mails[0])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_move_and_chat_are_answered_together(house, office, turn, order):
    lines = (offered(turn)[0], "chat that one is mine")
    office.answer(turn, *(lines[at] for at in order))
    mails = [mail for mail in office.fetch() if mail["To"] == turn["To"]]
    assert [mail["X-Kraftpost-Kind"] for mail in mails] == ["done"]
    assert "Posted to the table's chat." in text_of(mails[0])
    assert len(house.all(ChatLine)) == 1


def test_two_lines_of_chat_have_one_answer(office, turn):
    office.answer(turn, "chat one", "chat two")
    (answer,) = of_kind(office.fetch(), "done")
    assert "chat one; chat two" in text_of(answer)


def test_a_city_on_its_own_line_is_never_lost(house, office, turn):
    office.answer(turn, "build Erfurt", "Halle")
    (answer,) = office.fetch()
    assert "NOT DONE: Halle" in text_of(answer)
