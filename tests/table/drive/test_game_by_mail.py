"""A whole game of three by mail alone, each answering with a line offered in his last mail."""

from random import Random

import pytest

from core.store.tables import InboundMail, Submission
from tests.support.post_office import PostOffice, of_kind, offered
from tests.support.table import House


@pytest.mark.slow
def test_a_game_by_mail_ends_and_no_answer_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By open auctions on PostgreSQL, by sealed ones on SQLite; random, but rather doing things."""
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)  # pictures take their time
    office, chance = PostOffice(house), Random(2026)
    auction = "open" if house.engine.dialect.name == "postgresql" else "sealed"
    game = house.start("Anna", "Ben", "Clara", auction=auction)
    mails = office.fetch()
    assert len(of_kind(mails, "start")) == 2  # who is asked reads it in the first question
    questions, answered = of_kind(mails, "turn"), 0
    while questions:
        question = questions.pop(chance.randrange(len(questions)))
        assert office.answer(question, chance.choice(offered(question)[-3:])) == "done"
        answered += 1
        mails = office.fetch()
        assert not of_kind(mails, "refused")
        assert len(of_kind(mails, "done")) == 1
        questions += of_kind(mails, "turn")
    assert house.game(game).status == "finished"
    assert {str(mail["To"]) for mail in of_kind(mails, "end")} == {
        "Anna <anna@example.org>",
        "Ben <ben@example.org>",
        "Clara <clara@example.org>",
    }
    assert {s.status for s in house.all(Submission)} == {"accepted"}
    assert len(house.all(InboundMail, status="done")) == answered
    house.log_is_whole(game)
