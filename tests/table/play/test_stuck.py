"""What fails again and again is put aside."""

from datetime import timedelta

import pytest

from core.mail.message import Mailbox
from core.settings import load
from core.store.tables import InboundMail, OutboxMail, SeatRow, Submission, User
from core.table.acts import lobby
from core.table.drive.due_work import PATIENCE, sweep
from core.table.notify import moved_deadlines
from core.table.play import pauses
from core.table.play.play import Play
from core.table.play.stuck import ATTEMPTS, MAIL_WAITS, begin_game, begin_mail, release, stop_game
from core.table.record import deadlines, seats, turns
from core.table.views.render import renderer
from core.terms import Terms
from core.when import NEVER
from tests.support import hosting


def test_m78_a_game_that_fails_too_often_is_stopped_and_can_be_released(house):
    game, allowed = house.start("Anna", "Ben", auction="open"), []
    for _ in range(ATTEMPTS + 1):
        with house.write() as s:
            allowed.append(begin_game(s, game, house.now))
    assert allowed == [True] * ATTEMPTS + [False]
    assert "failed" in house.game(game).stopped_reason
    with house.write() as s:
        assert release(s, game, house.now)
        assert not release(s, game, house.now)
    moved = house.move(game, house.asked(game)[0].seat, "auction 4 for 4")
    assert moved.status == "accepted"
    assert house.game(game).attempts == 0


@pytest.mark.parametrize("channel", ["web", "mail"])
def test_m78_a_move_in_a_stopped_game_is_refused_at_once_with_words(house, channel):
    game = house.start("Anna", "Ben", auction="open")
    stop(house, game)
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4", channel=channel)
    row = house.get(Submission, number)
    assert (row.status, row.code) == ("rejected", "game-stopped")
    assert "stopped" in row.reason
    assert len(house.mails(kind="refused")) == (channel == "mail")


def test_m78_moves_that_wait_when_a_game_is_stopped_are_refused(house):
    """One of them may be the trouble: it must not come back with the game."""
    game = house.start("Anna", "Ben", auction="open")
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4", channel="mail")
    stop(house, game)
    assert house.get(Submission, number).code == "game-stopped"
    assert [m.context for m in house.mails(kind="refused")] == [{"submission": number}]


def test_m78_a_move_that_came_just_as_the_game_was_stopped_is_found_and_refused(house):
    game = house.start("Anna", "Ben", auction="open")
    number = house.submit(game, house.asked(game)[0].seat, "auction 4 for 4")
    with house.write() as s:
        house_game = s.get_one(type(house.game(game)), game)
        house_game.stopped_reason = "slow"
    house.pass_time(seconds=PATIENCE.seconds)
    with house.write() as s:
        assert sweep(s, house.now) == [game]
        assert begin_game(s, game, house.now)
    house.adjudicate(game)
    assert house.get(Submission, number).code == "game-stopped"
    with house.read() as s:
        assert sweep(s, house.now) == []


def test_m78_nobody_misses_a_turn_by_a_stop(house):
    game = house.start("Anna", "Ben", auction="open", turn_hours=24)
    stop(house, game)
    house.pass_time(days=9)
    house.adjudicate(game)
    with house.write() as s:
        release(s, game, house.now)
    house.adjudicate(game)
    assert "TurnMissed" not in house.kinds(game)
    assert {t.deadline for t in house.asked(game)} == {house.now + timedelta(hours=24)}


@pytest.mark.parametrize("seated", [True, False])
def test_m78_the_host_is_told_of_a_stop_and_of_its_end(house, seated):
    game = house.open("Anna", robots=2)
    if not seated:  # as a host of version 0.1 may be, who kept the table and gave the place up
        anna = house.user("Anna")
        with house.write() as s:
            s.delete(seats.seat_of(s, game, anna.id))
            s.flush()
            lobby.add_bot(s, house.game(game), "engineer", house.now)
    with house.write() as s:
        lobby.start(s, house.game(game), house.now)
    stop(house, game)
    with house.write() as s:
        release(s, game, house.now)
    mails = [m for m in house.mails(kind="notice") if m.address == "anna@example.org"]
    assert [m.context["what"] for m in mails] == ["stopped", "released"]
    write = renderer(Mailbox.of(load({"KRAFTPOST_ENV": "test"})))
    with house.read() as s:
        row = seats.seat_of(s, game, house.user("Anna").id)
        assert [m.seat for m in mails] == [row.seat if row else None] * 2
        told = [str(write(s, s.get_one(OutboxMail, m.id), house.now)["Subject"]) for m in mails]
    assert "Your game has been stopped" in told[0]
    assert "Your game goes on" in told[1]


def test_m78_a_flag_keeps_its_first_reason(house):
    game = house.start("Anna", "Ben")
    for reason in ("slow", "slower"):
        with house.write() as s:
            stop_game(s, game, reason, house.now)
    assert house.game(game).stopped_reason == "slow"


def test_a_mail_that_fails_too_often_is_put_aside(house):
    with house.write() as s:
        mail = InboundMail(key="k", message_id="<m@x>", envelope_from="a@x", raw=b"")
        s.add(mail)
    allowed = []
    for _ in range(len(MAIL_WAITS) + 2):
        with house.write() as s:
            allowed.append(begin_mail(s, mail.id, house.now))
    assert allowed == [True] * len(MAIL_WAITS) + [False, False]
    assert house.get(InboundMail, mail.id).status == "failed"


def test_an_adjudication_that_ends_well_sets_the_count_back(house):
    game = house.start("Anna", "Ben")
    with house.write() as s:
        begin_game(s, game, house.now)
    assert house.game(game).attempts == 1
    house.adjudicate(game)
    assert house.game(game).attempts == 0


def test_a_game_that_is_over_or_not_begun_is_never_stopped(house):
    """A mail that answers an old question may come for ever."""
    over, waiting = house.start("Anna", "Ben", auction="open"), house.open("Anna", "Ben")
    with house.write() as s:
        hosting.end(s, over, house.user("Anna"), "enough", house.now)
    for game in (over, waiting):
        for _ in range(ATTEMPTS + 1):
            with house.write() as s:
                assert begin_game(s, game, house.now)
            house.adjudicate(game)
        assert house.game(game).stopped_reason == ""


def stop(house, game):
    with house.write() as s:
        stop_game(s, game, "slow", house.now)


class TestWhatWasLeft:
    """A game that was stopped gives back what was left on each clock, and a fair time at least."""

    def released(self, house, game, days):
        stop(house, game)
        assert {t.deadline for t in open_(house, game)} == {NEVER}, "clocks stand meanwhile"
        house.pass_time(days=days)
        with house.write() as s:
            release(s, game, house.now)

    def test_m78_a_turn_has_what_was_left(self, house):
        game = house.start("Anna", "Ben", auction="open", turn_hours=72)
        house.pass_time(hours=20)
        self.released(house, game, days=9)
        (turn,) = open_(house, game)
        assert turn.deadline == house.now + timedelta(hours=52)
        assert turn.allowed_seconds == 72 * 3600

    def test_m78_who_had_little_left_has_a_day_to_answer_again(self, house):
        game = house.start("Anna", "Ben", auction="open", turn_hours=72)
        house.pass_time(hours=71)
        self.released(house, game, days=9)
        (turn,) = open_(house, game)
        assert turn.deadline == house.now + timedelta(hours=24)

    def test_m78_a_bank_is_not_filled(self, house):
        terms = Terms(clock="bank", bank_hours=50, increment_hours=10, cap_hours=500, graces=0)
        game = house.start("Anna", "Ben", auction="open", terms=terms)
        house.pass_time(hours=4)
        self.released(house, game, days=9)
        (turn,) = open_(house, game)
        assert turn.deadline == house.now + timedelta(hours=56)
        house.move(game, turn.seat, "auction 4 for 4")
        (row,) = house.all(SeatRow, game_id=game, seat=turn.seat)
        assert row.bank_seconds == 56 * 3600

    def test_m78_only_the_hours_of_the_player_count(self, house):
        game = house.start("Anna", "Ben", auction="open", turn_hours=72, terms=Terms(graces=0))
        asked = house.asked(game)[0]
        with house.write() as s:
            owner = s.get_one(User, asked.user_id)
            moved_deadlines.change(s, owner, "Europe/Berlin", (8 * 60, 16 * 60), house.now)
        house.pass_time(hours=2)  # to three in Berlin: an hour is left that day, then eight a day
        self.released(house, game, days=4)
        (turn,) = open_(house, game)
        with house.read() as s:
            assert deadlines.left(s, house.game(game), turn, house.now) == 70 * 3600
        assert turn.deadline == house.now + timedelta(days=9, hours=-2)

    def test_m78_planning_calls_have_it_too(self, house):
        terms = Terms(planning="round", graces=0)
        game = house.start("Anna", "Ben", auction="open", turn_hours=48, terms=terms)
        house.pass_time(hours=10)
        self.released(house, game, days=9)
        plans = open_(house, game)
        assert [turn.plan for turn in plans] == [True, True]
        assert {t.deadline for t in plans} == {house.now + timedelta(hours=38)}

    def test_a_pause_of_the_host_lasts(self, house):
        game = house.start("Anna", "Ben", auction="open")
        with house.write() as s:
            pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "a trip")
        since = house.now
        house.pass_time(days=1)
        self.released(house, game, days=1)
        with house.read() as s:
            assert pauses.paused_since(s, game) == since
        assert {t.deadline for t in open_(house, game)} == {NEVER}


def open_(house, game):
    with house.read() as s:
        return turns.asked(s, game)
