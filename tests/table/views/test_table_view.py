"""What a reader sees of a table, and what not (M66)."""

import pytest

from core.game.events import GameStarted
from core.game.types import UNSEEN
from core.table.views.table_view import table_view


@pytest.fixture
def game(house):
    return house.played("Anna", "Ben", robots=1, auction="open", moves=9)


def view(house, game, seat, upto=None):
    with house.read() as s:
        return table_view(s, game, seat, now=house.now, upto=upto)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_m66_no_reader_gets_seed_stack_or_address(house, game, seat):
    for upto in (None, 3, house.game(game).seq - 1):
        seen = view(house, game, seat, upto)
        told = repr(seen)
        assert house.game(game).seed not in told
        assert "example.org" not in told
        assert set(seen.log[0].event.stack) == {UNSEEN}
        stack = house.state(game).stack
        assert ", ".join(map(str, stack[:4])) not in told


def test_money_of_others_is_hidden_where_the_rules_hide_it(house):
    game = house.start("Anna", "Ben", options={"hidden_money": True})
    seen = view(house, game, 0)
    assert [p.elektro is None for p in seen.view.players] == [False, True]


def test_after_the_end_everything_is_shown(house):
    game = house.played("Anna", "Ben")
    started = view(house, game, None).log[0].event
    assert isinstance(started, GameStarted)
    assert UNSEEN not in started.stack
    assert view(house, game, None).status == "finished"
    assert None not in [p.elektro for p in view(house, game, None, upto=20).view.players]


def test_who_is_waited_for_since_when_and_until_when(house, game):
    house.pass_time(hours=1)
    asked = house.asked(game)
    seen = view(house, game, asked[0].seat)
    assert [(a.seat, a.turn, a.since, a.deadline) for a in seen.asked] == [
        (t.seat, t.turn, t.asked_at, t.deadline) for t in asked
    ]
    assert seen.mine.turn == asked[0].turn
    assert view(house, game, None).mine is None


def test_a_past_position_asks_nobody_and_knows_the_length(house, game):
    seen = view(house, game, 0, upto=4)
    assert (seen.view.seq, len(seen.log), seen.asked) == (4, 4, ())
    assert seen.length == house.game(game).seq


def test_news_begin_with_ones_own_last_move(house, game):
    seat = house.asked(game)[0].seat
    before = house.game(game).seq
    house.move(game, seat, house.line(game, seat))
    house.play(game, until=lambda _: seat in [t.seat for t in house.asked(game)])
    seen = view(house, game, seat)
    assert seen.news[0].seq == before + 1
    assert seen.news[-1].seq == seen.length


def test_before_ones_first_move_everything_is_new(house):
    game = house.start("Anna", "Ben")
    assert len(view(house, game, 0).news) == house.game(game).seq
