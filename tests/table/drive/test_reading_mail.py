"""What a turn mail holds for somebody who never opens a page: L4, L5, L21, L26, L27."""

import re

import pytest

from core.game.types import Phase
from core.store.tables import Game
from tests.support.post_office import of_kind, offered, text_of


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


def test_the_first_player_gets_one_mail_with_the_beginning_and_the_question(house, office):
    house.start("Anna", "Ben", "Cho", auction="open")
    mails = office.fetch()
    (turn,) = of_kind(mails, "turn")
    assert [mail["To"] for mail in mails].count(turn["To"]) == 1
    assert "THE GAME BEGINS" in text_of(turn)
    assert len(of_kind(mails, "start")) == 2
    assert offered(turn)


@pytest.mark.parametrize("said", ["hello", "Grüße an alle", "bid 15 would be mad"])
def test_chat_since_ones_last_move_stands_in_the_turn_mail(house, office, said):
    house.start("Anna", "Ben", "Cho", auction="open")
    (turn,) = of_kind(office.fetch(), "turn")
    line = next(line for line in offered(turn) if line.startswith("auction"))
    office.answer(turn, line, f"chat {said}")
    (following,) = of_kind(office.fetch(), "turn")
    assert f"SAID AT THE TABLE {str(turn['To']).split(' ')[0]}: {said}" in text_of(following)


def test_all_cities_within_reach_stand_in_turn_and_status_mails_cheapest_first(house, office):
    house.start("Anna", "Ben", auction="open")
    game = house.all(Game)[0].id
    house.play(game, until=lambda state: state.phase is Phase.BUILDING and state.round == 2)
    turn = of_kind(office.fetch(), "turn")[-1]
    office.answer(turn, "status")
    (status,) = of_kind(office.fetch(), "done")
    for mail in (turn, status):
        told = re.search(r"cheapest first: (.*?)\.", text_of(mail))
        prices = [int(price) for price in re.findall(r" (\d+)(?=,|$)", told[1])]
        assert prices == sorted(prices)
        assert len(prices) > 8


def test_the_commands_stand_right_below_the_deadline(house, office):
    house.start("Anna", "Ben", auction="open")
    (turn,) = of_kind(office.fetch(), "turn")
    lines = turn.get_body(("plain",)).get_content().splitlines()
    due = next(at for at, line in enumerate(lines) if line.startswith("Due "))
    first = next(at for at, line in enumerate(lines) if line.startswith("    "))
    assert first - due < 8
    assert len(lines) > 2 * first
