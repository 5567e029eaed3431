"""Reminders: each step once a turn, by the turn's own clock, and true when they are sent."""

import threading
from datetime import timedelta

import pytest

from core.store.session import make_engine
from core.store.tables import User, Vacation
from core.table.play import pauses
from core.table.play.play import Play
from core.table.record import gamelog
from core.table.views import reminders
from core.terms import Terms
from tests.support import hosting
from tests.support.post_office import PostOffice, text_of
from tests.support.table import House
from tests.support.waiting import (
    answer,
    ask,
    asked,
    at_table,
    kinds,
    set_up,
    sweep,
    wants,
)  # fmt: skip

ALL = ["half", "most", "last"]


def live(house: House, office: PostOffice, hours: int, every: int = 30) -> list[tuple[float, str]]:
    """Sweep for so long, twice each time; after how many hours mails of which kind came."""
    start = house.now
    came: list[tuple[float, str]] = []
    while house.now < start + timedelta(hours=hours):
        house.pass_time(minutes=every)
        at = (house.now - start) / timedelta(hours=1)
        came += [(at, kind) for kind in kinds(sweep(house, office) + sweep(house, office))]
    return came


def told(house: House, office: PostOffice, hours: int) -> list[float]:
    return [at for at, kind in live(house, office, hours) if kind == "reminder"]


def extend(house: House, game: int, hours: int) -> None:
    with house.write() as s:
        host = s.get_one(User, house.game(game).host_id)
        hosting.extend(s, game, host, hours, "a cold", house.now)


def move_on(house: House) -> None:
    """Look at all reminders, so that a turn knows when the next one comes."""
    with house.write() as s:
        reminders.owe(s, house.now)


class TestLadder:
    def test_m18_half_most_and_two_hours_before_the_end_each_once(self, house, office):
        asked(house, reminders=ALL)
        assert told(house, office, 95) == [48, 77, 94]

    @pytest.mark.parametrize("step", ALL)
    def test_m18_only_those_that_are_wanted(self, house, office, step):
        asked(house, reminders=[step])
        assert told(house, office, 95) == [{"half": 48, "most": 77, "last": 94}[step]]

    def test_m18_a_new_user_has_two(self):
        assert User(email="a@example.org", name="A").reminders == ["most", "last"]

    def test_m18_the_wish_of_the_moment_counts(self, house, office):
        user, _games = asked(house, reminders=[])
        assert told(house, office, 60) == []
        wants(house, user, reminders=["most"])
        assert told(house, office, 35) == [17]

    def test_m18_a_sweep_that_comes_late_sends_one_for_all_that_has_passed(self, house, office):
        asked(house, reminders=ALL)
        office.fetch()
        house.pass_time(hours=80)
        assert kinds(sweep(house, office)) == ["reminder"]
        assert told(house, office, 15) == [14]

    def test_m18_two_sweeps_at_once_owe_one(self, postgres_url):
        house = House(make_engine(postgres_url))
        set_up(house, 1)
        asked(house, reminders=ALL)
        house.pass_time(hours=48)
        found, start = [], threading.Barrier(3)

        def look() -> None:
            start.wait()
            with house.write() as s:
                found.append(reminders.owe(s, house.now))

        sweeps = [threading.Thread(target=look) for _ in range(3)]
        for one in sweeps:
            one.start()
        for one in sweeps:
            one.join()
        assert sum(found) == len(house.mails(kind="reminder")) == 1
        house.engine.dispose()

    def test_a_turn_of_two_hours_has_no_reminder_at_once(self, house, office):
        asked(house, reminders=ALL)
        ask(house, turn_hours=2)
        came = live(house, office, 2, every=12)
        assert [at for at, kind in came if kind == "reminder"] == [1, 1.6]

    def test_it_is_the_whole_turn_and_can_be_answered(self, house, office):
        _user, (game,) = asked(house, reminders=["half"])
        office.fetch()
        house.pass_time(hours=48)
        (mail,) = sweep(house, office)
        assert "reminder, your turn" in mail["Subject"]
        assert "IT IS STILL YOUR TURN" in text_of(mail)
        assert "in 2 days" in text_of(mail)
        assert office.answer(mail, house.line(game, house.seat(game, "Anna"))) == "done"


class TestTruth:
    def test_m11_it_looks_again_when_it_is_sent(self, house, office):
        _user, (game,) = asked(house, reminders=["half"])
        office.fetch()
        house.pass_time(hours=48)
        with house.write() as s:
            assert reminders.owe(s, house.now) == 1
        answer(house, game)
        assert office.fetch() == []
        assert house.mails(kind="reminder")[0].error == "answered meanwhile"

    def test_m11_after_an_extension_it_tells_the_old_and_the_new_deadline(self, house, office):
        _user, (game,) = asked(house, reminders=["most"], zone="Europe/Berlin")
        office.fetch()
        extend(house, game, 48)
        office.fetch()
        assert told(house, office, 115) == []
        house.pass_time(minutes=12)
        (mail,) = sweep(house, office)
        text = text_of(mail)
        assert "Due Sun 6 Dec 2026, 13:00 CET" in text
        assert "The deadline has moved: it was Fri 4 Dec 2026, 13:00 CET." in text

    def test_m11_without_an_extension_nothing_has_moved(self, house, office):
        asked(house, reminders=["most"])
        office.fetch()
        house.pass_time(hours=77)
        (mail,) = sweep(house, office)
        assert "has moved" not in text_of(mail)

    def test_m11_m18_an_extension_repeats_no_step(self, house, office):
        _user, (game,) = asked(house, reminders=ALL)
        assert told(house, office, 80) == [48, 77]
        extend(house, game, 240)
        assert told(house, office, 240) == []  # half and most have been told

    def test_m11_its_thread_is_that_of_the_game(self, house, office):
        _user, (game,) = asked(house, reminders=["half"])
        (first,) = office.fetch()
        house.pass_time(hours=48)
        (mail,) = sweep(house, office)
        assert mail["In-Reply-To"] == first["In-Reply-To"] == f"<game-{game}@play.example.org>"
        assert mail["Message-ID"] != first["Message-ID"]

    def test_a_digest_tells_a_moved_deadline_too(self, house, office):
        _user, games = asked(house, others=1, mail_mode="digest", zone="Europe/Berlin")
        extend(house, games[0], 24)
        house.pass_time(days=1)
        mail = sweep(house, office)[-1]
        assert text_of(mail).count("it was Fri 4 Dec 2026, 13:00 CET") == 1


class TestSilence:
    def test_m35_none_while_the_game_is_paused(self, house, office):
        _user, (game,) = asked(house, reminders=ALL)
        assert told(house, office, 47) == []
        with house.write() as s:
            pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "a trip")
        assert told(house, office, 40) == []
        with house.write() as s:
            pauses.resume(Play.running(s, game, house.now, even_stopped=True), "host", "back")
        assert told(house, office, 3) == [1]

    def test_m35_none_when_it_was_paused_before_it_could_be_sent(self, house, office):
        _user, (game,) = asked(house, reminders=["half"])
        office.fetch()
        house.pass_time(hours=48)
        with house.write() as s:
            reminders.owe(s, house.now)
        with house.write() as s:
            pauses.pause(Play.running(s, game, house.now, even_stopped=True), "host", "a trip")
        assert [k for k in kinds(office.fetch()) if k == "reminder"] == []

    def test_m35_none_on_vacation(self, house, office):
        user, _games = asked(house, reminders=ALL)
        office.fetch()
        move_on(house)
        with house.write() as s:
            leave = Vacation(
                user_id=user.id, starts_at=house.now, ends_at=house.now + timedelta(days=9)
            )
            s.add(leave)
        assert told(house, office, 100) == []

    def test_m35_none_after_the_end(self, house, office):
        _user, (game,) = asked(house, reminders=ALL)
        office.fetch()
        with house.write() as s:
            host = s.get_one(User, house.game(game).host_id)
            hosting.end(s, game, host, "enough", house.now)
        assert told(house, office, 100) == []

    def test_none_where_no_turn_is_missed(self, house, office):
        with house.write() as s:
            for number in range(1, 9):
                gamelog.find(s, number).terms = Terms(deadlines_enforced=False).to_json()
        asked(house, reminders=ALL)
        assert told(house, office, 100) == []

    def test_none_without_turn_mails(self, house, office):
        asked(house, mail_mode="off", reminders=ALL)
        assert live(house, office, 95) == []

    def test_none_of_a_muted_table(self, house, office):
        user, games = asked(house, others=1, reminders=["half"])
        at_table(house, user, games[0], "mute")
        assert [at for at, _kind in live(house, office, 95)] == [0.5, 48]

    def test_with_a_digest_only_the_last_one_comes(self, house, office):
        asked(house, mail_mode="digest", digest_hour=7, reminders=ALL)
        came = live(house, office, 95)
        assert [at for at, kind in came if kind == "reminder"] == [94]
        assert [at for at, kind in came if kind == "digest"] == [19, 43, 67, 91]
