"""A game in a few numbers, from its log."""

from collections import Counter
from datetime import timedelta

import pytest

from core.game import events as ev
from core.game.errors import LogError
from core.game.events import GameAbandoned, GameEnded, SeatMoved, Standing
from core.game.evolve import replay
from core.game.types import Elektro, Seat
from core.story.tally import closeness, tally
from core.tableview import Logged
from tests.support.over import events, timed
from tests.support.table import NOON

SECONDS = {0: 100, 1: 250, 2: 730}


def standing(place, powered, elektro, cities=17):
    return Standing(Seat(place - 1), place, powered, Elektro(elektro), cities)


def moves(log, seat=None):
    """Moves counted by hand: a sealed auction's opener hands his bid in as a second event."""
    made = [e for e in log if isinstance(e, SeatMoved)]
    made = [e for e in made if not (isinstance(e, ev.AuctionOpened) and e.sealed)]
    return len([e for e in made if seat is None or e.seat == seat])


def before(log, kind, nth=0):
    """The index of the nth move of this kind."""
    return [n for n, event in enumerate(log) if isinstance(event, kind)][nth]


def marked(n, *marks, log=None):
    """The log with events put in before event number n."""
    log = list(log or events())
    return timed([*log[:n], *marks, *log[n:]], SECONDS)


def test_the_whole_game_in_numbers():
    log = events()
    state = replay(log)
    told = tally(timed(log, SECONDS))
    assert (told.map, told.variant, told.auction) == ("germany", "standard", state.ruleset.auction)
    assert (told.rounds, told.step, told.events) == (state.round, state.step, len(log))
    assert told.turns == moves(log)
    assert told.seconds == (told.ended_at - NOON).total_seconds() > 0
    assert not told.abandoned
    first = next(e for e in log if isinstance(e, ev.RoundBegan))
    end = next(e for e in log if isinstance(e, GameEnded))
    for s in end.standings:
        seat = told.seats[s.seat]
        assert (seat.place, seat.powered, seat.elektro, seat.cities) == (
            s.place, s.powered, s.elektro, s.cities,
        )  # fmt: skip
        assert seat.first == first.order.index(s.seat) + 1
        assert seat.turns == seat.own_turns == moves(log, s.seat)
        assert seat.missed == 0


def test_how_long_each_took_is_known_from_the_log():
    """Most questions go to one seat alone, so the middle is what that seat takes."""
    told = tally(timed(events(), SECONDS))
    assert [seat.median_seconds for seat in told.seats] == list(SECONDS.values())


def test_a_log_without_a_clock_has_no_answers():
    told = tally([Logged(n, NOON, event) for n, event in enumerate(events(), 1)])
    assert told.seconds == 0
    assert [seat.median_seconds for seat in told.seats] == [None] * 3


@pytest.mark.parametrize(
    ("mark", "turns", "own"),
    [
        (ev.MoveForced, -1, -1),
        (lambda seat: ev.MoveOrdered(seat, "build"), 0, 0),
        (ev.DraftPlayed, 0, 0),
        (ev.TurnMissed, 0, -1),
        (lambda seat: ev.TurnSkipped(seat, "host", "late"), 0, -1),
        (lambda seat: ev.MoveCorrected(seat, "host", "slip"), 0, -1),
        (lambda seat: ev.MadeBySitter(seat, "Ben"), 0, -1),
    ],
)
def test_who_made_a_move(mark, turns, own):
    log = events()
    n = before(log, ev.BuildingEnded, 3)
    while isinstance(log[n - 1], ev.CityConnected):
        n -= 1
    seat = log[n].seat
    told = tally(marked(n, mark(seat))).seats
    whole = moves(log, seat)
    assert (told[seat].turns - whole, told[seat].own_turns - whole) == (turns, own)
    assert told[seat].missed == (mark is ev.TurnMissed)
    for other in set(range(3)) - {seat}:
        assert told[other].own_turns == moves(log, other)


def test_a_missed_turn_that_was_given_to_others_says_nothing_of_the_next_move():
    log = events()
    n = before(log, ev.AuctionOpened)
    seat = log[n].seat
    told = tally(marked(n, ev.TurnMissed(seat), ev.SeatOpened(seat), ev.OwnerReturned(seat)))
    assert (told.seats[seat].missed, told.seats[seat].own_turns) == (1, moves(log, seat))


def test_a_caretaker_plays_until_the_owner_returns():
    log = list(events())
    a, b = before(log, ev.RoundBegan, 3), before(log, ev.RoundBegan, 5)
    away = moves(log[a:b], 1)
    log = [*log[:a], ev.CaretakerAppointed(Seat(1)), *log[a:b], ev.OwnerReturned(Seat(1)), *log[b:]]
    told = tally(timed(log, SECONDS)).seats[1]
    assert away > 5
    assert told.own_turns == told.turns - away == moves(events(), 1) - away


def test_who_takes_a_seat_over_has_only_the_moves_since():
    log = list(events())
    n = before(log, ev.RoundBegan, 4)
    missed = [ev.TurnMissed(Seat(2)), ev.SeatTaken(Seat(2), "Dora", "Clara")]
    told = tally(timed([*log[:n], *missed, *log[n:]], SECONDS)).seats[2]
    assert (told.turns, told.own_turns) == (moves(log, 2), moves(log[n:], 2))
    assert told.missed == 0  # that was the former player's


def test_what_was_taken_back_does_not_count():
    log = list(events())
    n = before(log, ev.RoundBegan, 5)  # up to here, then back to the round before and again
    m = before(log, ev.RoundBegan, 4)
    again = [*log[:n], ev.Rewound(m, None, "host", "again"), *log[m:]]
    told = tally(timed(again, SECONDS))
    assert (told.turns, told.rounds) == (moves(log), replay(log).round)
    assert told.seats[0].own_turns == moves(log, 0)
    assert told.events == len(again)


def test_a_game_without_an_end_has_no_places():
    told = tally(timed([*events()[:200], GameAbandoned("no time")], SECONDS))
    assert told.abandoned
    assert told.closeness is None
    assert {seat.place for seat in told.seats} == {None}
    assert told.turns == moves(events()[:200])
    assert {seat.median_seconds for seat in told.seats} == {None}


def test_a_game_that_cannot_be_folded_can_be_counted_when_it_was_ended():
    """Its rules may be what stopped it (M48)."""
    log = [*events()[:100], events()[0], GameAbandoned("")]
    with pytest.raises(LogError):
        replay(log)
    assert tally(timed(log, SECONDS)).events == 102


@pytest.mark.parametrize("log", [[], timed(events()[:50], SECONDS), timed(events()[1:], SECONDS)])
def test_a_log_that_is_not_whole_is_refused(log):
    with pytest.raises(LogError):
        tally(log)


@pytest.mark.parametrize(
    ("second", "distance"),
    [((15, 40), 0), ((15, 33), 7), ((13, 90), 2000), ((15, 0), 40), ((14, 41), 1000)],
)
def test_how_close_it_was(second, distance):
    assert closeness([standing(1, 15, 40), standing(2, *second)]) == distance


def test_a_fortune_weighs_less_than_a_city():
    assert closeness([standing(1, 15, 5000), standing(2, 15, 1)]) == 999


def test_the_order_of_close_games_is_the_order_of_closeness():
    pairs = [(15, 40), (15, 0), (14, 40), (10, 40)]
    found = [closeness([standing(1, 15, 40), standing(2, *pair)]) for pair in pairs]
    assert found == sorted(found)
    assert Counter(found).most_common(1)[0][1] == 1


def test_time_without_a_question_is_nobodys():
    """A pause between moves counts for those who were asked, from when they were asked."""
    log = timed(events(), SECONDS)
    late = [
        Logged(e.seq, e.at + (timedelta(days=9) if e.seq > 1 else timedelta()), e.event)
        for e in log
    ]
    assert [s.median_seconds for s in tally(late).seats] == list(SECONDS.values())
