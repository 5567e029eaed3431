"""The planning call: all are asked at once for the round's orders, and then only where they end."""

import pytest

from core.game.events import TurnMissed
from core.game.types import Phase, Seat
from core.orders.notation import parse
from core.store.tables import Turn
from core.table.drive.due_work import sweep
from core.table.play import play
from core.table.record import gamelog, standing_orders, turns
from core.table.views.table_view import table_view
from core.terms import Terms
from tests.support.post_office import PostOffice, of_kind, offered, text_of
from tests.support.table import House

PLANNED = Terms(planning="round")
ENVELOPE = (
    "order auction 5 to 9, 4 to 9, 6 to 9, 3 to 9", "order fuel all", "order build nothing",
    "order power all",
)  # fmt: skip


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    """SQLite will do: what differs is tested by test_races.py."""
    return sqlite_url


@pytest.fixture
def game(house: House) -> int:
    return house.played("Anna", "Ben", "Clara", auction="open", terms=PLANNED, moves=0)


def plans(house: House, game: int) -> list[int]:
    with house.read() as s:
        return [turn.seat for turn in turns.asked(s, game) if turn.plan]


def leave(house: House, game: int, seat: int, *lines: str) -> None:
    with house.write() as s:
        row, state = gamelog.lock(s, game), gamelog.load(s, game)
        for line in lines:
            standing_orders.give(s, row, state, Seat(seat), parse(line, state.ruleset), house.now)


def ready(house: House, game: int, seat: int) -> None:
    with house.write() as s:
        assert play.ready(s, gamelog.lock(s, game), Seat(seat), house.now)
    house.adjudicate(game)


def test_all_are_asked_at_once_and_nobody_moves_before_all_have_answered(house: House, game: int):
    assert plans(house, game) == [0, 1, 2]
    assert house.asked(game) == []
    seq = house.game(game).seq
    ready(house, game, 0)
    ready(house, game, 2)
    assert (plans(house, game), house.game(game).seq) == ([1], seq)
    ready(house, game, 1)
    assert plans(house, game) == []
    assert len(house.asked(game)) == 1


def test_the_table_waits_for_those_who_plan_and_says_so(house: House, game: int):
    ready(house, game, 1)
    with house.read() as s:
        view = table_view(s, game, 0, now=house.now)
    assert [(a.seat, a.plan) for a in view.asked] == [(0, True), (2, True)]
    assert view.view.offer is None
    assert view.mine is not None
    assert view.mine.plan


def test_a_round_of_envelopes_asks_nobody_again_before_the_next(house: House, game: int):
    for seat in range(3):
        leave(house, game, seat, *ENVELOPE)
        ready(house, game, seat)
    assert house.state(game).round == 2
    assert plans(house, game) == [0, 1, 2]
    asked = [t for t in house.all(Turn, game_id=game) if t.closed_by not in ("forced", "ready")]
    assert [t for t in asked if not t.plan] == []
    house.log_is_whole(game)


def test_who_has_ordered_the_whole_round_is_not_asked_for_plans(house: House, game: int):
    leave(house, game, 0, *(f"{line} every round" for line in ENVELOPE))
    for seat in range(3):
        ready(house, game, seat)
    house.play(game, until=lambda state: state.round == 2)
    assert house.state(game).phase is Phase.AUCTION
    assert plans(house, game) == [1, 2]


def test_to_let_a_planning_call_pass_is_no_missed_turn(house: House, game: int):
    house.pass_time(days=3)
    house.adjudicate(game)
    assert plans(house, game) == []
    assert len(house.asked(game)) == 1
    assert not any(isinstance(event, TurnMissed) for event in house.events(game))
    assert {t.closed_by for t in house.all(Turn, game_id=game) if t.plan} == {"missed"}


def test_no_two_questions_of_a_seat_have_the_same_number(house: House, game: int):
    for seat in range(3):
        ready(house, game, seat)
    house.play(game, moves=3)
    mine = [(t.seat, t.turn) for t in house.all(Turn, game_id=game)]
    assert len(mine) == len(set(mine))


def test_a_planning_call_comes_by_mail_and_is_answered_by_one(
    house: House, game: int, office: PostOffice
):
    calls = of_kind(office.fetch(), "turn")
    assert len(calls) == 3
    assert all("your plan for round 1" in str(call["Subject"]) for call in calls)
    mine = next(call for call in calls if str(call["To"]).find("anna@") >= 0)
    assert "order power all every round" in offered(mine)
    assert office.answer(mine, *ENVELOPE) == "done"
    seat = house.seat(game, "Anna")
    assert seat not in plans(house, game)
    told = text_of(of_kind(office.fetch(), "done")[0])
    assert "Buy fuel for one run of all plants." in told
    for line in offered(mine):  # each example is understood as it stands
        assert line


def test_the_examples_of_a_planning_call_are_understood(
    house: House, game: int, office: PostOffice
):
    call = of_kind(office.fetch(), "turn")[0]
    assert office.answer(call, *offered(call)) == "done"
    assert of_kind(office.fetch(), "refused") == []


def test_the_sweep_finds_a_round_that_all_have_planned_when_nobody_rings(house: House, game: int):
    """A doorbell may be lost: then nothing would ever wake the game again."""
    for seat in plans(house, game):
        with house.read() as s:
            assert sweep(s, house.now) == []
        with house.write() as s:
            assert play.ready(s, gamelog.lock(s, game), Seat(seat), house.now)
        with house.read() as s:
            assert sweep(s, house.now) == [game]
        house.adjudicate(game)
    assert house.asked(game)
