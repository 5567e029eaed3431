"""Vacations: a budget, an end that nothing has to make, sitters; and a user's own hours."""

from datetime import date, timedelta

import pytest

from core.game.events import MoveOrdered, TurnMissed, VacationBegan
from core.orders.notation import parse
from core.store.tables import Turn, User
from core.table.acts import vacation
from core.table.drive.due_work import sweep
from core.table.notify import moved_deadlines, sitters
from core.table.record import gamelog, standing_orders
from core.table.record.errors import TableError
from core.terms import Terms

HOUR = timedelta(hours=1)


def start(house, **terms):
    return house.played(
        "Anna", "Ben", "Clara", turn_hours=24, terms=Terms(**{"graces": 0, **terms}), moves=0
    )


def take(house, user_id, days, first=None, sitter=""):
    with house.write() as s:
        plan = vacation.Plan(days, first, sitter)
        return vacation.take(s, s.get_one(User, user_id), plan, house.now)


def test_m26_m31_a_vacation_stops_the_clock_and_ends_by_itself(house):
    game = start(house)
    turn = house.asked(game)[0]
    house.pass_time(hours=4)
    take(house, turn.user_id, 5)
    assert VacationBegan(turn.seat, 5) in house.events(game)
    due = turn.deadline + timedelta(days=5)
    assert house.asked(game)[0].deadline == due
    house.pass_time(hours=5 * 24 + 20, seconds=-1)
    house.adjudicate(game)
    assert TurnMissed(turn.seat) not in house.events(game)
    with house.read() as s:  # nothing has run since, and it is over
        assert sitters.present(s, turn.user_id, house.now) is None
    house.pass_time(seconds=1)
    with house.read() as s:
        assert sweep(s, house.now) == [game]


def test_m28_where_the_table_forbids_it_the_clock_runs_on_and_it_is_said_so(house):
    game = start(house, vacation=False)
    turn = house.asked(game)[0]
    take(house, turn.user_id, 5)
    assert house.asked(game)[0].deadline == turn.deadline
    assert "VacationBegan" not in house.kinds(game)
    with house.read() as s:
        assert vacation.deaf_tables(s, s.get_one(User, turn.user_id)) == ["Test"]


def test_m26_the_budget_is_thirty_days_a_calendar_year(house):
    user = house.user("Anna").id
    take(house, user, 10, date(2026, 12, 22))  # Nov 30 now: ends on New Year's day
    for days, first in ((21, date(2026, 12, 1)), (31, None), (0, None), (2, date(2026, 12, 30))):
        with pytest.raises(TableError):
            take(house, user, days, first)
    take(house, user, 20, date(2026, 12, 1))
    take(house, user, 30, date(2027, 2, 1))
    with house.read() as s:
        row = s.get_one(User, user)
        assert [vacation.days_left(s, row, year) for year in (2026, 2027)] == [0, 0]


def test_who_comes_back_early_keeps_the_rest_and_his_clock_runs(house):
    game = start(house)
    turn = house.asked(game)[0]
    take(house, turn.user_id, 10)
    house.pass_time(days=3)
    with house.write() as s:
        user = s.get_one(User, turn.user_id)
        assert vacation.end(s, user, house.now)
        assert vacation.days_left(s, user, 2026) == 27
        assert not vacation.end(s, user, house.now)
    assert house.asked(game)[0].deadline == house.now + 24 * HOUR


def test_who_comes_back_early_still_has_his_later_vacation(house):
    user = house.user("Anna").id
    take(house, user, 10)
    take(house, user, 20, date(2027, 7, 1))
    house.pass_time(days=3)
    for left in (1, 0):
        with house.write() as s:
            row = s.get_one(User, user)
            assert vacation.end(s, row, house.now)
            assert len(vacation.coming(s, row, house.now)) == left
    with house.read() as s:
        row = s.get_one(User, user)
        assert [vacation.days_left(s, row, year) for year in (2026, 2027)] == [27, 30]


def test_a_later_vacation_is_announced_once_when_it_begins(house):
    game = start(house)
    turn = house.asked(game)[0]
    take(house, turn.user_id, 3, date(2026, 12, 2))
    assert "VacationBegan" not in house.kinds(game)
    house.pass_time(days=2)
    for told in (1, 0):
        with house.write() as s:
            assert vacation.announce(s, house.now) == told
    assert house.kinds(game).count("VacationBegan") == 1


def test_orders_left_behind_answer_while_their_owner_is_away(house):
    game = start(house)
    house.play(game, until=lambda state: state.phase == "resources")
    seat = house.state(game).waiting[-1]
    with house.write() as s:
        state = gamelog.load(s, game)
        said = parse("order fuel nothing", state.ruleset)
        standing_orders.give(s, gamelog.lock(s, game), state, seat, said, house.now)
    take(house, house.owner(game, seat).id, 5)
    house.play(game, until=lambda state: state.phase == "building")
    assert MoveOrdered(seat, "fuel") in house.events(game)


def test_m26_a_game_that_begins_meanwhile_is_told_too(house):
    anna, dora = house.user("Anna"), house.user("Dora")
    take(house, anna.id, 5, sitter="dora@example.org")
    house.pass_time(days=2)
    game = house.start("Anna", "Ben", "Clara")
    seat = house.seat(game, "Anna")
    told = [e for e in house.events(game) if isinstance(e, VacationBegan)]
    assert told == [VacationBegan(seat, 3, "Dora")]
    assert [m.user_id for m in house.mails(kind="sitter") if m.turn is None] == [dora.id]
    deaf = house.start("Anna", "Ben", terms=Terms(vacation=False))
    assert "VacationBegan" not in house.kinds(deaf)
    with house.write() as s:
        assert vacation.announce(s, house.now) == 0


def test_a_sitter_has_a_seat_only_while_it_lasts_and_not_where_he_plays(house):
    game = start(house)
    turn = house.asked(game)[0]
    dora, own = house.user("Dora"), house.owner(game, turn.seat)
    with pytest.raises(TableError, match="Nobody else"):
        take(house, own.id, 5, sitter="stranger@example.org")
    take(house, own.id, 5, sitter="Dora@Example.org")
    assert VacationBegan(turn.seat, 5, "Dora") in house.events(game)
    assert [m.user_id for m in house.mails(kind="sitter")] == [dora.id]
    with house.read() as s:
        assert sitters.sits_for(s, house.game(game), dora, house.now).seat == turn.seat
        assert sitters.sits_for(s, house.game(game), own, house.now) is None
        later = house.now + timedelta(days=5)
        assert sitters.sits_for(s, house.game(game), dora, later) is None


def test_nobody_sits_in_where_he_plays_himself(house):
    game = start(house)
    turn = house.asked(game)[0]
    other = house.owner(game, next(seat for seat in range(3) if seat != turn.seat))
    take(house, turn.user_id, 5, sitter=other.email)
    assert VacationBegan(turn.seat, 5) in house.events(game)
    assert house.mails(kind="sitter") == []
    with house.read() as s:
        assert sitters.sits_for(s, house.game(game), other, house.now) is None
        assert sitters.sitter(s, house.game(game), turn.user_id, house.now) is None


def change(house, user_id, zone, window):
    with house.write() as s:
        moved_deadlines.change(s, s.get_one(User, user_id), zone, window, house.now)


def test_m46_a_window_set_now_keeps_what_is_left_of_a_running_turn(house):
    game = start(house)
    turn = house.asked(game)[0]
    house.pass_time(hours=10)  # 22:00 UTC: 14 hours left
    change(house, turn.user_id, "UTC", (8 * 60, 18 * 60))
    assert house.asked(game)[0].deadline.isoformat() == "2026-12-02T12:00:00+00:00"
    change(house, turn.user_id, "UTC", None)  # sooner again: always allowed
    assert house.asked(game)[0].deadline == turn.deadline


def test_m29_nobody_pushes_his_deadline_before_him_by_changing_hours(house):
    game = start(house)
    turn = house.asked(game)[0]
    for _ in range(4 * 10):  # ten days
        for ahead in (2, 4, 6):  # until after he looks again; it takes effect once a day
            local = (house.now + ahead * HOUR).hour * 60
            window = local, (local + 480) % 1440
            try:
                change(house, turn.user_id, "UTC", window)
            except TableError as error:
                assert error.code == "hours-changed-today"
        house.pass_time(hours=6)
        if house.all(Turn, id=turn.id)[0].deadline <= house.now:
            return
    pytest.fail("he could put it off for ten days")


@pytest.mark.parametrize("window", [(480, 900), (-1, 900), (0, 1440)])
def test_m46_a_window_is_eight_hours_of_a_day_at_least(house, window):
    with pytest.raises(TableError):
        change(house, house.user("Anna").id, "UTC", window)
