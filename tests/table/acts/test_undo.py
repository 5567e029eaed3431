"""Moves are taken back: freely, by consent, never past a reveal, and no clock gains (M56-M60)."""

from datetime import timedelta

import pytest

from core.game.events import Rewound, SealedBidGiven
from core.store.tables import Proposal, SealedBidRow, Turn
from core.table.acts import proposals, undo
from core.table.record import deadlines, gamelog
from core.table.record.errors import TableError
from core.terms import Terms

HOUR = 3600


@pytest.fixture
def game(house):
    return house.played("Anna", "Ben", "Clara", turn_hours=24, moves=0)


def look(house, game, seat):
    with house.read() as s:
        return undo.look(s, game, seat)


def ask(house, game, seat, last=None):
    with house.write() as s:
        row = proposals.ask_to_undo(s, game, seat, last, house.now)
        return None if row is None else row.number


def answer(house, game, number, seat, agrees=True):
    with house.write() as s:
        return proposals.answer(s, game, number, seat, agrees=agrees, now=house.now).status


def redo(house, game, seat):
    with house.write() as s:
        undo.redo(s, game, seat, house.now)


def board(state):
    """The position, whatever its number."""
    return (
        state.players, state.market, state.stack, state.fuel_market, state.waiting, state.auction,
        state.order, state.round, state.phase,
    )  # fmt: skip


def to_fuel(house, game):
    """Play to the fuel phase; the seats that buy, in their order."""
    house.play(game, until=lambda state: state.phase == "resources")
    return [turn.seat for turn in house.asked(game)]


def left(house, game, seat):
    """Seconds on the clock of a seat that is asked."""
    with house.read() as s:
        turn = next(t for t in house.asked(game) if t.seat == seat)
        return deadlines.left(s, s.get(type(house.game(game)), game), turn, house.now)


def code_of(call, *args):
    with pytest.raises(TableError) as refused:
        call(*args)
    return refused.value.code


def test_m57_the_own_last_move_is_taken_back_freely(house, game):
    (seat,) = to_fuel(house, game)
    before = house.state(game)
    house.move(game, seat, house.line(game, seat))
    (other,) = [t.seat for t in house.asked(game)]
    assert look(house, game, seat).free
    assert ask(house, game, seat) is None
    assert board(house.state(game)) == board(before)
    assert [t.seat for t in house.asked(game)] == [seat] != [other]
    assert house.events(game)[-1] == Rewound(before.seq, seat, "player")
    house.log_is_whole(game)
    again = house.move(game, seat, "buy nothing")
    assert again.status == "accepted"
    house.play(game, 6)
    house.log_is_whole(game)


def test_the_answer_to_a_question_that_was_taken_back_is_stale(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    (asked,) = house.asked(game)
    ask(house, game, seat)
    assert house.move(game, asked.seat, "buy nothing", turn=asked.turn).status == "stale"


def test_m57_others_must_agree_once_they_have_moved(house, game):
    (first,) = to_fuel(house, game)
    before = house.state(game)
    house.move(game, first, "buy nothing")
    (second,) = [t.seat for t in house.asked(game)]
    house.move(game, second, "buy nothing")
    (third,) = [t.seat for t in house.asked(game)]
    found = look(house, game, first)
    assert found.must_agree == tuple(sorted((second, third)))
    assert found.whose == {first: 1, second: 1}
    number = ask(house, game, first)
    assert house.state(game).seq == found.last, "nothing happens before all have agreed"
    assert code_of(ask, house, game, first) == "asked-once"
    assert code_of(answer, house, game, number, first) == "not-asked"
    assert answer(house, game, number, second) == "open"
    assert answer(house, game, number, third) == "accepted"
    assert board(house.state(game)) == board(before)
    assert house.events(game)[-1] == Rewound(before.seq, first, "consent")
    assert [t.seat for t in house.asked(game)] == [first]
    told = [m.seat for m in house.mails(kind="notice") if m.context["what"] == "act"]
    assert sorted(told) == [0, 1, 2]


def test_m57_one_no_is_enough_and_there_is_one_request_a_turn(house, game):
    (first,) = to_fuel(house, game)
    for _ in range(2):
        (seat,) = [t.seat for t in house.asked(game)]
        house.move(game, seat, "buy nothing")
    others = [s for s in (0, 1, 2) if s != first]
    number = ask(house, game, first)
    seq = house.state(game).seq
    assert answer(house, game, number, others[0], agrees=False) == "refused"
    assert house.state(game).seq == seq
    assert code_of(answer, house, game, number, others[1]) == "proposal-over"
    assert code_of(ask, house, game, first) == "asked-once"


@pytest.mark.parametrize("how", ["moved", "late"])
def test_a_request_lapses_when_the_game_moves_on_or_after_the_time_for_a_turn(house, game, how):
    (first,) = to_fuel(house, game)
    for _ in range(2):
        (seat,) = [t.seat for t in house.asked(game)]
        house.move(game, seat, "buy nothing")
    number = ask(house, game, first)
    (third,) = [t.seat for t in house.asked(game)]
    if how == "moved":
        house.move(game, third, "buy nothing")
    else:
        house.pass_time(hours=24)
    with house.read() as s:
        assert proposals.open_ones(s, gamelog.find(s, game), third, house.now) == ()
    assert code_of(answer, house, game, number, third) == "proposal-over"


def test_bots_agree_and_only_people_are_asked(house):
    """A person, then a bot, then the other person: the bot's move vanishes unasked."""
    game = house.start("Anna", "Ben", robots=2)
    people = {house.seat(game, name) for name in ("Anna", "Ben")}

    def between(state):
        waiting = state.waiting
        ordered = state.phase in ("resources", "building") and len(waiting) > 2
        return ordered and waiting[0] in people and waiting[1] not in people and (
            people & set(waiting[2:])
        )  # fmt: skip

    house.play(game, until=between)
    before = house.state(game)
    assert between(before), "no such order came up"
    (first,) = [t.seat for t in house.asked(game)]
    house.move(game, first, house.line(game, first))
    found = look(house, game, first)
    assert len(found.whose) > 1
    assert found.must_agree == tuple(people - {first})
    number = ask(house, game, first)
    assert answer(house, game, number, found.must_agree[0]) == "accepted"
    assert board(house.state(game)) == board(before)


def test_m58_nothing_is_taken_back_beyond_a_reveal_even_with_consent(house, game):
    house.play(game, until=lambda state: any(p.plants for p in state.players))
    assert "PlantDrawn" in house.kinds(game)
    moved = {t.seat for t in house.all(Turn, game_id=game) if t.closed_by == "move"}
    assert moved
    assert {code_of(ask, house, game, who) for who in moved} == {"revealed"}
    assert house.all(Proposal) == []


def test_m59_taking_back_can_be_taken_back_until_somebody_moves(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, house.line(game, seat))
    moved = house.state(game)
    ask(house, game, seat)
    redo(house, game, seat)
    assert board(house.state(game)) == board(moved)
    assert house.events(game)[-1] == Rewound(moved.seq, seat, "player", again=True)
    (asked,) = house.asked(game)
    assert asked.seat != seat
    assert code_of(redo, house, game, seat) == "nothing-to-redo"
    house.move(game, asked.seat, "buy nothing")
    ask_again = look(house, game, seat)
    assert not ask_again.free
    house.log_is_whole(game)


def test_m59_a_move_ends_it(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    ask(house, game, seat)
    house.move(game, seat, "buy nothing")
    assert code_of(redo, house, game, seat) == "nothing-to-redo"


def test_m59_what_vanishes_is_what_was_looked_at(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    seen = look(house, game, seat).last
    (other,) = [t.seat for t in house.asked(game)]
    house.move(game, other, "buy nothing")
    assert code_of(ask, house, game, seat, seen) == "moved-on"


def test_m57_there_is_no_endless_answering_and_taking_back(house, game):
    (seat,) = to_fuel(house, game)
    for _ in range(3):
        house.move(game, seat, "buy nothing")
        ask(house, game, seat)
    house.move(game, seat, "buy nothing")
    assert code_of(ask, house, game, seat) == "undo-often"


def test_nothing_to_take_back(house, game):
    waiting = next(s for s in (0, 1, 2) if s not in [t.seat for t in house.asked(game)])
    assert code_of(ask, house, game, waiting) == "nothing-to-undo"


def test_m60_taking_back_gains_nobody_time(house, game):
    """Each clock shows its time less what has passed while its own seat was waited for."""
    (seat,) = to_fuel(house, game)
    house.pass_time(hours=5)
    house.move(game, seat, "buy nothing")
    (other,) = [t.seat for t in house.asked(game)]
    hour = 3600
    house.pass_time(hours=7)
    ask(house, game, seat)
    assert left(house, game, seat) == 19 * hour
    house.pass_time(hours=1)
    house.move(game, seat, "buy nothing")
    assert left(house, game, other) == 17 * hour
    house.pass_time(hours=2)
    ask(house, game, seat)
    house.pass_time(hours=3)
    assert left(house, game, seat) == 15 * hour
    redo(house, game, seat)
    assert left(house, game, other) == 15 * hour
    house.move(game, other, "buy nothing")
    (third,) = [t.seat for t in house.asked(game)]
    assert left(house, game, third) == 24 * hour


def test_m60_a_bank_gets_no_second_increment(house):
    terms = {"clock": "bank", "bank_hours": 50, "increment_hours": 10, "cap_hours": 500}
    game = house.start("Anna", "Ben", "Clara")
    with house.write() as s:
        row = gamelog.lock(s, game)
        row.terms = terms
        s.add(row)
    (seat,) = to_fuel(house, game)
    for _ in range(2):
        before = left(house, game, seat)
        house.pass_time(hours=4)
        house.move(game, seat, "buy nothing")
        house.pass_time(hours=9)
        ask(house, game, seat)
        assert left(house, game, seat) == before - 4 * 3600


def test_a_sealed_bid_can_be_taken_back_while_it_lies_unopened(house):
    game = house.start("Anna", "Ben", "Clara", auction="sealed")
    first = house.asked(game)[0].seat
    house.move(game, first, house.line(game, first))
    one, two = house.asked(game)
    house.move(game, one.seat, "bid 40")
    assert isinstance(house.events(game)[-1], SealedBidGiven)
    assert look(house, game, one.seat).free
    ask(house, game, one.seat)
    assert {r.seat for r in house.all(SealedBidRow)} == {first}
    assert {t.seat: t.turn for t in house.asked(game)}[two.seat] == two.turn, "his stands"
    assert code_of(redo, house, game, one.seat) == "nothing-to-redo"
    house.move(game, one.seat, "pass")
    house.move(game, two.seat, "pass")
    assert "SealedBidsOpened" in house.kinds(game)
    assert code_of(ask, house, game, one.seat) == "revealed"


def test_a_missed_turn_is_not_taken_back_by_players(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    house.pass_time(hours=24 * 20)
    house.adjudicate(game)
    assert "TurnMissed" in house.kinds(game)
    assert code_of(ask, house, game, seat) in ("undo-final", "revealed")


def test_two_requests_to_take_back_at_once_take_back_once(house, game):
    (seat,) = to_fuel(house, game)
    house.move(game, seat, "buy nothing")
    seen = look(house, game, seat).last
    ask(house, game, seat, seen)
    assert code_of(ask, house, game, seat, seen) in ("nothing-to-undo", "moved-on", "revealed")
    assert house.kinds(game).count("Rewound") == 1
    assert house.now.utcoffset() == timedelta(0)


def twice_around(house, game):
    """An open auction of three: the second seat passes, the others bid twice each.

    Returns the seats in their order; the third has had two questions, the first one and its next.
    """
    first = house.asked(game)[0].seat
    house.move(game, first, "auction 5 for 5")
    second = house.asked(game)[0].seat
    house.pass_time(hours=1)
    house.move(game, second, "pass")
    third = house.asked(game)[0].seat
    for hours, seat, line in ((2, third, "bid 6"), (3, first, "bid 7"), (4, third, "bid 8")):
        house.pass_time(hours=hours)
        house.move(game, seat, line)
    house.pass_time(hours=5)
    return first, second, third


def by_consent(house, game, seat, others):
    number = ask(house, game, seat)
    return [answer(house, game, number, other) for other in others]


def test_m60_two_moves_of_a_seat_that_are_taken_back_keep_a_clock_each(house):
    """Each question that comes again has what was left of it."""
    game = house.start("Anna", "Ben", "Clara", turn_hours=24, auction="open")
    first, second, third = twice_around(house, game)
    assert by_consent(house, game, second, (first, third)) == ["open", "accepted"]
    assert left(house, game, second) == 23 * HOUR
    house.move(game, second, "pass")
    again = (
        (third, 22, "bid 6"), (first, 21, "bid 7"), (third, 20, "bid 8"), (first, 19, "bid 9"),
        (third, 24, "pass"),
    )  # fmt: skip
    for seat, hours, line in again:
        assert left(house, game, seat) == hours * HOUR, (seat, line)
        house.move(game, seat, line)


def test_m60_two_moves_of_a_seat_that_are_taken_back_leave_its_bank_as_it_was(house):
    """Elapsed time is gone, and a phase brings its increment once."""
    terms = Terms(clock="bank", bank_hours=50, increment_hours=10, cap_hours=500, graces=0)
    game = house.start("Anna", "Ben", "Clara", auction="open", terms=terms)
    first, second, third = twice_around(house, game)
    before = left(house, game, first)
    assert by_consent(house, game, second, (first, third)) == ["open", "accepted"]
    assert left(house, game, second) == (60 - 1) * HOUR
    house.move(game, second, "pass")
    assert left(house, game, third) == (60 - 2 - 4) * HOUR
    house.move(game, third, "bid 6")
    assert left(house, game, first) == before
    house.move(game, first, "bid 7")
    assert left(house, game, third) == (60 - 2 - 4) * HOUR
    house.move(game, third, "bid 8")
    assert left(house, game, first) == before
