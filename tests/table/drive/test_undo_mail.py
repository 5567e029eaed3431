"""`undo`, `ok 7` and `no 7` by mail: equal to the forms, and answered each (M57)."""

import pytest

from core.game.events import Rewound
from tests.support.post_office import of_kind, text_of


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


def fuel(office, *names):
    """A game in the fuel phase, and the turn mail of who buys first."""
    house = office.house
    game = house.played(*names, until=lambda state: state.phase == "resources")
    return game, newest(office)


def newest(office):
    """The newest turn mail."""
    return of_kind(office.fetch(), "turn")[-1]


def test_m57_undo_by_mail_takes_the_move_back_and_asks_again(office):
    house = office.house
    game, mail = fuel(office, "Anna", "Ben", "Clara")
    (asked,) = house.asked(game)
    assert office.answer(mail, "buy nothing") == "done"
    office.fetch()
    assert office.answer(mail, "undo") == "done"
    assert house.events(game)[-1] == Rewound(asked.turn, asked.seat, "player")
    mails = office.fetch()
    (done,) = of_kind(mails, "done")
    assert "you are asked again" in text_of(done)
    (again,) = of_kind(mails, "turn")
    assert again["To"] == mail["To"]
    assert office.answer(again, "buy nothing") == "done"


def test_m57_others_are_asked_and_answer_by_mail(office):
    house = office.house
    game, first = fuel(office, "Anna", "Ben", "Clara")
    seat = house.asked(game)[0].seat
    office.answer(first, "buy nothing")
    second = newest(office)
    office.answer(second, "buy nothing")
    office.fetch()
    seq = house.state(game).seq
    assert office.answer(first, "undo") == "done"
    mails = office.fetch()
    asked = of_kind(mails, "notice")
    assert len(asked) == 2
    (done,) = of_kind(mails, "done")
    assert "are asked to agree, and you hear of it." in text_of(done)
    assert "These would not count any more: 1 move of" in text_of(done)
    assert "would like" not in text_of(done)  # he knows
    for notice in asked:
        assert "ok 1" in text_of(notice)
        assert "1 move of" in text_of(notice)
        assert house.state(game).seq == seq
        assert office.answer(notice, "ok 1") == "done"
    event = house.events(game)[-1]
    assert (event.seat, event.by) == (seat, "consent")
    told = of_kind(office.fetch(), "notice")
    assert len(told) == 3
    assert all("all who are affected agreed" in text_of(mail) for mail in told)


def test_m57_a_no_by_mail_refuses(office):
    house = office.house
    game, first = fuel(office, "Anna", "Ben", "Clara")
    office.answer(first, "buy nothing")
    office.answer(newest(office), "buy nothing")
    office.fetch()
    office.answer(first, "undo")
    notice = of_kind(office.fetch(), "notice")[0]
    seq = house.state(game).seq
    assert office.answer(notice, "no 1") == "done"
    assert house.state(game).seq == seq
    assert "You said no, so it is not done." in text_of(of_kind(office.fetch(), "done")[0])
    assert office.answer(notice, "ok 1") == "done"
    (refused,) = of_kind(office.fetch(), "refused")
    assert "is over" in text_of(refused)


def test_m63_an_old_mail_does_not_take_back_a_later_move(office):
    house = office.house
    game, mail = fuel(office, "Anna", "Ben", "Clara")
    seat = house.asked(game)[0].seat
    office.answer(mail, "buy nothing")
    house.play(game, until=lambda state: state.phase == "building")
    while house.asked(game)[0].seat != seat:
        house.move(game, house.asked(game)[0].seat, "build nothing")
    house.move(game, seat, "build nothing")
    office.fetch()
    seq = house.state(game).seq
    office.answer(mail, "undo")
    (refused,) = of_kind(office.fetch(), "refused")
    assert "moved on" in text_of(refused)
    assert house.state(game).seq == seq
