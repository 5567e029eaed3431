"""Time at the table: banks, graces, pauses, outages; deadlines that follow."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from core.game.events import DeadlineExtended, GamePaused, GameResumed, GraceGiven, TurnMissed
from core.store.tables import Game, Heartbeat, Outage, SeatRow, Turn, User
from core.table.drive.due_work import sweep
from core.table.notify import moved_deadlines
from core.table.play import pauses
from core.table.play.play import Play
from core.table.record import deadlines, turns
from core.table.record.errors import TableError
from core.terms import Terms
from core.when import NEVER
from tests.support import hosting

HOUR = timedelta(hours=1)
BANK = Terms(clock="bank", bank_hours=48, increment_hours=12, cap_hours=72, graces=0)


def start(house, **terms):
    return house.played(
        "Anna", "Ben", "Clara", turn_hours=24, terms=Terms(**{"graces": 0, **terms}), moves=0
    )


def only(house, game):
    """The one turn that is open, or the first of several."""
    return house.asked(game)[0]


def left(house, turn):
    with house.read() as s:
        return deadlines.left(
            s, s.get_one(type(house.game(turn.game_id)), turn.game_id), turn, house.now
        )


def due(house):
    with house.read() as s:
        return sweep(s, house.now)


# --- bank, increment, cap ---


def test_m25_a_bank_drains_while_its_seat_is_asked_and_grows_by_each_turn(house):
    game = house.start("Anna", "Ben", auction="sealed", terms=BANK)
    turn = only(house, game)
    assert turn.deadline == turn.asked_at + 60 * HOUR
    house.pass_time(hours=20)
    house.move(game, turn.seat, house.line(game, turn.seat))
    row = next(r for r in house.all(SeatRow, game_id=game) if r.seat == turn.seat)
    assert row.bank_seconds == 40 * 3600
    house.play(game, until=lambda _: turn.seat in [t.seat for t in house.asked(game)])
    again = next(t for t in house.asked(game) if t.seat == turn.seat)
    assert again.deadline == again.asked_at + 40 * HOUR  # the same phase (H23)
    in_phase = house.state(game).phase
    house.play(
        game,
        until=lambda s: s.phase == "resources",
    )
    house.play(game, until=lambda _: turn.seat in [t.seat for t in house.asked(game)])
    later = next(t for t in house.asked(game) if t.seat == turn.seat)
    assert later.deadline == later.asked_at + 52 * HOUR
    assert in_phase != house.state(game).phase


def test_m25_a_bank_holds_no_more_than_its_cap(house):
    game = house.start("Anna", "Ben", auction="sealed", terms=BANK)
    seat = only(house, game).seat
    for _ in range(3):
        house.play(game, moves=1)
        house.play(game, until=lambda _: seat in [t.seat for t in house.asked(game)])
    turn = next(t for t in house.asked(game) if t.seat == seat)
    assert turn.allowed_seconds == 72 * 3600


def test_a_missed_turn_leaves_the_bank_empty(house):
    game = house.start("Anna", "Ben", "Clara", auction="sealed", terms=BANK)
    turn = only(house, game)
    house.play(game, until=lambda s: s.round == 2)
    turn = only(house, game)
    house.pass_time(hours=72)
    house.adjudicate(game)
    row = next(r for r in house.all(SeatRow, game_id=game) if r.seat == turn.seat)
    assert TurnMissed(turn.seat) in house.events(game)
    assert row.bank_seconds == 0


# --- claims ---


def test_m26_without_claims_no_turn_is_ever_missed(house):
    game = start(house, deadlines_enforced=False)
    turn = only(house, game)
    assert turn.deadline == NEVER
    house.pass_time(days=900)
    assert due(house) == []
    house.adjudicate(game)
    assert only(house, game).id == turn.id


# --- graces ---


def test_m27_m37_graces_are_few_logged_told_and_belong_to_the_seat(house):
    game = start(house, graces=2)
    house.play(game, until=lambda s: s.round == 2)
    turn = only(house, game)
    for hours in (24, 24):
        house.pass_time(hours=hours)
        house.adjudicate(game)
        assert only(house, game).id == turn.id
        house.adjudicate(game)  # twice is once
    assert house.events(game).count(GraceGiven(turn.seat, 24)) == 2
    assert only(house, game).deadline == turn.asked_at + 72 * HOUR
    assert [m.context["what"] for m in house.mails(kind="notice")] == ["grace", "grace"]
    with house.write() as s:  # somebody else takes the seat: it has had its graces
        row = deadlines.seat_row(s, game, turn.seat)
        row.user_id, row.name = None, "Dora"
        s.add(row)
    house.pass_time(hours=24)
    house.adjudicate(game)
    assert TurnMissed(turn.seat) in house.events(game)
    assert house.events(game).count(GraceGiven(turn.seat, 24)) == 2


def test_m37_a_late_sweep_gives_all_the_grace_there_is_before_it_misses(house):
    game = start(house, graces=2)
    house.play(game, until=lambda s: s.round == 2)
    seat = only(house, game).seat
    house.pass_time(hours=200)
    house.adjudicate(game)
    log = house.events(game)
    assert log.count(GraceGiven(seat, 24)) == 2
    assert log.index(TurnMissed(seat)) > log.index(GraceGiven(seat, 24))


@pytest.mark.parametrize(("hours", "grace"), [(4, 4), (24, 24), (168, 24)])
def test_m38_one_extension_is_at_most_the_turn_and_a_day(house, hours, grace):
    game = house.start("Anna", "Ben", "Clara", turn_hours=hours, terms=Terms(graces=1))
    seat = only(house, game).seat
    house.pass_time(hours=hours)
    house.adjudicate(game)
    assert GraceGiven(seat, grace) in house.events(game)


# --- the host gives time ---


def test_hours_that_the_host_gives_are_hours_of_the_clock(house):
    house.pass_time(days=4)  # Friday noon
    game = start(house, weekends_off=True)
    turn = only(house, game)
    assert turn.deadline == datetime(2026, 12, 7, 12, tzinfo=UTC)
    with house.write() as s:
        host = s.exec(select(User).where(User.name == "Anna")).one()
        hosting.extend(s, game, host, 120, "travel", house.now)
    given = [e for e in house.events(game) if isinstance(e, DeadlineExtended)]
    assert [(e.hours, e.reason) for e in given] == [(120, "travel")]
    assert only(house, game).deadline == datetime(2026, 12, 14, 12, tzinfo=UTC)


# --- pauses ---


def test_a_pause_stops_the_clock_and_moves_are_still_accepted(house):
    game = start(house)
    turn = only(house, game)
    house.pass_time(hours=10)
    with house.write() as s:
        pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "a fair")
    assert only(house, game).deadline == NEVER
    assert left(house, only(house, game)) == 14 * 3600
    house.pass_time(days=30)
    assert due(house) == []
    house.adjudicate(game)
    assert left(house, only(house, game)) == 14 * 3600
    house.move(game, turn.seat, house.line(game, turn.seat))
    later = only(house, game)
    assert later.id != turn.id and later.deadline == NEVER
    house.pass_time(days=1)
    with house.write() as s:
        pauses.resume(Play.running(s, game, house.now, even_stopped=True), "host", "over")
    assert only(house, game).deadline == house.now + 24 * HOUR
    kinds = [e for e in house.events(game) if isinstance(e, GamePaused | GameResumed)]
    assert kinds == [GamePaused("host", "a fair"), GameResumed("host", "over")]


def test_a_pause_ends_once_and_begins_once(house):
    game = start(house)
    with house.write() as s:
        with pytest.raises(TableError, match="not paused"):
            pauses.resume(Play.running(s, game, house.now, even_stopped=True), "host", "x")
        pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "x")
        with pytest.raises(TableError, match="already"):
            pauses.pause(Play.running(s, game, house.now, even_stopped=True), "vote", "x")


def test_m28_where_clocks_run_on_a_pause_is_refused_by_name(house):
    game = start(house, vacation=False)
    with house.write() as s:
        for by in ("host", "vote"):
            with pytest.raises(TableError, match="without pauses"):
                pauses.pause(Play.running(s, game, house.now, even_stopped=True), by, "x")
        pauses.pause(Play.running(s, game, house.now, even_stopped=True), "service", "x")


# --- outages ---


def beat(house):
    with house.write() as s:
        return moved_deadlines.beat(s, house.now)


def test_m33_an_outage_is_given_back_before_anything_is_missed(house):
    game = start(house)
    turn = only(house, game)
    beat(house)
    house.pass_time(hours=26)
    house.adjudicate(game)  # somebody's doorbell rings before the sweep has run
    assert only(house, game).id == turn.id
    assert beat(house)
    assert only(house, game).deadline == turn.deadline + 26 * HOUR
    house.adjudicate(game)
    assert TurnMissed(turn.seat) not in house.events(game)
    house.pass_time(minutes=1)
    assert not beat(house)
    for _ in range(24 * 12 + 1):
        house.pass_time(minutes=5)
        beat(house)
    house.adjudicate(game)
    assert TurnMissed(turn.seat) in house.events(game)


def test_m33_ten_minutes_are_no_outage(house):
    game = start(house)
    before = only(house, game).deadline
    beat(house)
    house.pass_time(minutes=10)
    assert not beat(house)
    assert house.all(Outage) == []
    house.pass_time(minutes=10, seconds=1)
    assert beat(house)
    assert only(house, game).deadline == before + timedelta(minutes=10, seconds=1)


def test_m33_two_beats_find_one_outage(house):
    start(house)
    beat(house)
    house.pass_time(hours=3)
    assert [beat(house), beat(house)] == [True, False]
    assert len(house.all(Outage)) == 1


def test_m33_a_turn_asked_while_the_sweep_was_down_gets_only_its_own_part(house):
    beat(house)
    house.pass_time(hours=2)
    game = start(house)
    house.pass_time(hours=1)
    beat(house)
    assert only(house, game).deadline == house.now + 24 * HOUR


def test_m33_a_beat_never_goes_back(house):
    beat(house)
    house.pass_time(hours=3)
    beat(house)
    house.pass_time(hours=-1)
    assert not beat(house)
    assert house.get(Heartbeat, moved_deadlines.BEAT).at == house.now + HOUR


# --- whatever stops the clock, its time is conserved ---

acts = st.lists(
    st.tuples(st.sampled_from(("pause", "resume", "outage", "wait")), st.integers(1, 100)),
    max_size=8,
)


@given(acts)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_m29_an_absent_player_times_out_after_exactly_his_time(house, sequence):
    game = start(house)
    turn, ran, paused = only(house, game), timedelta(), False
    with house.write() as s:  # of the example before
        s.merge(Heartbeat(name=moved_deadlines.BEAT, at=house.now))
    for act, minutes in sequence:
        step = timedelta(minutes=minutes)
        with house.write() as s:
            if act == "pause" and not paused:
                pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "x")
                paused = True
            elif act == "resume" and paused:
                pauses.resume(Play.running(s, game, house.now, even_stopped=True), "host", "x")
                paused = False
        down = act == "outage" and step > moved_deadlines.GAP
        if not down:
            ran += timedelta() if paused else step
        house.pass_time(minutes=minutes)
        with house.write() as s:
            if down:
                assert moved_deadlines.beat(s, house.now)
            else:
                s.merge(Heartbeat(name=moved_deadlines.BEAT, at=house.now))
    if paused:
        with house.write() as s:
            pauses.resume(Play.running(s, game, house.now, even_stopped=True), "host", "x")
    assert only(house, game).deadline == house.now + 24 * HOUR - ran
    with house.read() as s:
        assert deadlines.left(s, house.game(game), s.get_one(Turn, turn.id), house.now) == (
            (24 * HOUR - ran) // timedelta(seconds=1)
        )
    house.pass_time(seconds=(24 * HOUR - ran).total_seconds())
    assert game in due(house)


def test_m60_a_turn_that_is_asked_again_has_what_was_left(house):
    game = start(house)
    turn = only(house, game)
    house.pass_time(hours=9)
    with house.write() as s:
        row, at_table = s.get_one(Turn, turn.id), s.get_one(Game, game)
        turns.close(s, row, "move", 1, house.now)
        s.flush()
        house.pass_time(hours=3)
        rest = deadlines.left(s, at_table, row, row.closed_at)
        at_table.seq += 1
        place = deadlines.seat_row(s, game, turn.seat)
        hours = deadlines.calendar(s, at_table, place.user_id, house.now)
        again = turns.ask(s, at_table, place, hours, house.now, rest)
        assert again.deadline == house.now + 15 * HOUR
        s.rollback()
