"""Quiet hours: nothing is sent in them, and what came meanwhile is one mail at their end (M17)."""

from datetime import datetime, timedelta

import pytest

from core.mail import outbox
from core.store.tables import User
from core.table.notify import mails, modes
from core.table.play import chat
from core.table.record import gamelog
from core.when import zone
from tests.support.post_office import text_of
from tests.support.table import House
from tests.support.waiting import answer, ask, asked, kinds, sweep, wants

NIGHT = {"quiet_from": 22 * 60, "quiet_to": 7 * 60, "zone": "Europe/Berlin"}


@pytest.fixture
def house(house: House) -> House:
    house.pass_time(hours=9, minutes=30)  # 22:30 in Berlin
    return house


def test_m17_nothing_inside_and_one_mail_at_the_end(house, office):
    _user, games = asked(house, **NIGHT)
    assert office.fetch() == []
    house.pass_time(hours=3)
    games.append(ask(house))
    assert office.fetch() == []
    house.pass_time(hours=5, minutes=29)
    assert office.fetch() == []
    house.pass_time(minutes=1)
    (mail,) = office.fetch()
    assert mail["Subject"].startswith("[Kraftpost] 2 tables wait for you")
    house.pass_time(days=1)
    assert office.fetch() == []


def test_m17_turns_reminders_chat_and_notices_are_one_mail(house, office):
    user, games = asked(house, others=1, **NIGHT, mail_chat=True, reminders=["half"])
    seat, ben = house.seat(games[0], "Anna"), house.user("Ben")
    with house.write() as s:
        game = gamelog.find(s, games[0])
        mails.notify_seat(s, game, seat, mails.SeatNotice.RETURNED, house.now)
        chat.say(s, game, s.merge(ben), "Good night!", "n", house.now)
    quick = ask(house, turn_hours=12)
    came = []
    for _ in range(17):
        assert came == []
        came = sweep(house, office)
        house.pass_time(minutes=30)
    came = sweep(house, office)
    assert kinds(came) == ["digest"]
    text = text_of(came[0])
    assert text.count("/turn/") == 3
    assert "Ben: Good night!" in text
    assert "MEANWHILE" in text
    assert house.mails(kind="reminder", game_id=quick)[0].status == "dropped"
    assert user.email in str(came[0]["To"])


def test_m17_a_single_turn_is_its_own_mail_in_the_morning(house, office):
    asked(house, **NIGHT)
    office.fetch()
    house.pass_time(hours=8, minutes=30)
    (mail,) = office.fetch()
    assert (mail["X-Kraftpost-Kind"], bool(mail["Reply-To"])) == ("turn", True)


def test_m17_what_was_answered_in_the_night_is_not_told(house, office):
    _user, games = asked(house, others=1, **NIGHT)
    office.fetch()
    for game in games:
        answer(house, game)
    house.pass_time(hours=9)
    assert office.fetch() == []


def test_m17_a_near_deadline_wakes_whoever_wants_that(house, office):
    asked(house, **NIGHT, quiet_except_hours=3)
    urgent = ask(house, turn_hours=7)  # until 5:30
    assert office.fetch() == []
    house.pass_time(hours=3, minutes=59)
    assert office.fetch() == []
    house.pass_time(minutes=1)
    (mail,) = office.fetch()
    assert mail["X-Kraftpost-Game"] == str(urgent)
    house.pass_time(hours=4, minutes=30)
    (mail,) = office.fetch()
    assert mail["X-Kraftpost-Game"] != str(urgent)


def test_m17_nothing_wakes_whoever_does_not(house, office):
    asked(house, **NIGHT, reminders=["last"])
    ask(house, turn_hours=7)
    for _ in range(16):
        assert sweep(house, office) == []
        house.pass_time(minutes=30)


def test_m17_a_mail_that_the_server_refused_wakes_nobody_either(house, office):
    house.pass_time(minutes=-60)
    asked(house, **NIGHT)
    house.pass_time(minutes=60)  # the server comes back at night
    assert office.fetch() == []


def test_m17_a_mail_that_somebody_waits_for_comes_at_once(house, office):
    user, _games = asked(house, **NIGHT)
    with house.write() as s:
        outbox.owe(
            s, "help", key="h", now=house.now, user=s.get_one(User, user.id), game_id=1, seat=None
        )
    assert kinds(office.fetch()) == ["done"]


def test_m17_a_batch_that_ends_at_night_comes_in_the_morning(house, office):
    house.pass_time(minutes=-60)  # 21:30
    user, games = asked(house, mail_mode="batched", batch_minutes=60, **NIGHT)
    office.fetch()
    house.pass_time(minutes=70)
    games.append(ask(house))
    assert office.fetch() == []
    house.pass_time(hours=8, minutes=20)
    (mail,) = office.fetch()
    assert mail["Subject"].startswith("[Kraftpost] 2 tables wait for you")
    assert user.email in str(mail["To"])


def test_ending_the_quiet_hours_lets_the_mails_go(house, office):
    user, _games = asked(house, others=1, **NIGHT)
    assert office.fetch() == []
    wants(house, user, quiet_from=None, quiet_to=None)
    assert kinds(office.fetch()) == ["digest"]


def test_who_unsubscribes_at_night_hears_no_more(house, office):
    user, _games = asked(house, others=1, **NIGHT)
    office.fetch()
    with house.write() as s:
        modes.no_turns(s, s.get_one(User, user.id), house.now)
    house.pass_time(hours=9)
    assert kinds(office.fetch()) == ["notice"], "what goes on without them, told in the morning"
    assert office.fetch() == []


@pytest.mark.parametrize("night", [datetime(2027, 3, 27), datetime(2026, 10, 24)])  # noqa: DTZ001
def test_m17_the_night_of_a_change_of_the_clock(house, office, night):
    local = night.replace(hour=23, tzinfo=zone("Europe/Berlin"))
    house.pass_time(seconds=(local - house.now).total_seconds())
    asked(house, **NIGHT)
    end = night.replace(hour=7, tzinfo=zone("Europe/Berlin")) + timedelta(days=1)
    while house.now < end.astimezone(house.now.tzinfo):
        assert office.fetch() == []
        house.pass_time(minutes=30)
    assert kinds(office.fetch()) == ["turn"]
