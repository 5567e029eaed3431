"""Mail as its reader wants it: modes, tables of their own, who is present, digests (M2 to M9)."""

import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import insert
from sqlmodel import select

from core.mail import outbox
from core.mail.transport import Unreachable
from core.store.session import make_engine
from core.store.tables import (
    Digest,
    EventRow,
    Game,
    Presence,
    SeatRow,
    TablePreference,
    Turn,
    User,
    Vacation,
)
from core.table.notify import digests, modes, quiet
from core.terms import Terms
from tests.support.post_office import PostOffice, of_kind, text_of
from tests.support.table import House
from tests.support.waiting import (
    act,
    answer,
    ask,
    asked,
    at_table,
    kinds,
    set_up,
    sweep,
    wants,
)


class TestPresence:
    def test_m2_a_page_that_has_lain_open_for_five_minutes_holds_nothing_back(self, house, office):
        user, (game,) = asked(house)
        with house.write() as s:
            s.add(Presence(game_id=game, user_id=user.id, at=house.now - timedelta(minutes=5)))
        assert kinds(office.fetch()) == ["turn"]

    def test_m3_a_mail_waits_while_its_reader_acts_and_then_comes_once(self, house, office):
        user, (game,) = asked(house)
        act(house, user, game)
        assert office.fetch() == []
        house.pass_time(minutes=4, seconds=59)
        assert office.fetch() == []
        house.pass_time(seconds=1)
        assert kinds(office.fetch()) == ["turn"]
        house.pass_time(days=1)
        assert office.fetch() == []

    def test_w1_who_acted_before_the_question_waits_for_moments_unless_its_form_is_opened(
        self, house, office
    ):
        user, (game,) = asked(house)
        with house.write() as s:
            quiet.acted(s, game, user.id, house.now - timedelta(seconds=1))
        assert office.fetch() == []
        house.pass_time(seconds=19)
        assert kinds(office.fetch()) == ["turn"]

    def test_w1_always_means_even_with_the_form_open(self, house, office):
        user, (game,) = asked(house, mail_mode="always")
        act(house, user, game)
        assert kinds(office.fetch()) == ["turn"]

    def test_m3_m13_who_moves_meanwhile_gets_none(self, house, office):
        user, (game,) = asked(house)
        act(house, user, game)
        assert office.fetch() == []
        answer(house, game)
        house.pass_time(hours=1)
        assert office.fetch() == []

    def test_m3_who_goes_on_looking_gets_it_after_a_quarter_of_an_hour(self, house, office):
        user, (game,) = asked(house)
        for _ in range(5):
            act(house, user, game)
            assert office.fetch() == []
            house.pass_time(minutes=3)
        act(house, user, game)
        assert kinds(office.fetch()) == ["turn"]

    def test_m3_another_table_is_not_held_back(self, house, office):
        user, games = asked(house, others=1)
        act(house, user, games[0])
        (mail,) = office.fetch()
        assert mail["X-Kraftpost-Game"] == str(games[1])


class TestModes:
    def test_m5_at_once(self, house, office):
        asked(house, others=1)
        assert kinds(office.fetch()) == ["turn", "turn"]

    def test_m5_gathered_into_one_mail(self, house, office):
        _user, games = asked(house, mail_mode="batched", batch_minutes=30)
        assert office.fetch() == []
        house.pass_time(minutes=20)
        games.append(ask(house))
        house.pass_time(minutes=9, seconds=59)
        assert office.fetch() == []
        house.pass_time(seconds=1)
        (mail,) = office.fetch()
        assert mail["Subject"].startswith("[Kraftpost] 2 tables wait for you")
        assert mail["Reply-To"].startswith("place+"), "about no table alone"
        assert text_of(mail).count("/turn/") == 2
        house.pass_time(days=1)
        assert office.fetch() == []

    def test_m5_a_single_gathered_turn_is_its_own_mail(self, house, office):
        asked(house, mail_mode="batched", batch_minutes=30)
        office.fetch()
        house.pass_time(minutes=30)
        (mail,) = office.fetch()
        assert (mail["X-Kraftpost-Kind"], bool(mail["Reply-To"])) == ("turn", True)

    def test_m5_of_two_gathered_one_is_answered(self, house, office):
        _user, games = asked(house, others=1, mail_mode="batched", batch_minutes=30)
        office.fetch()
        house.pass_time(minutes=29)
        with house.write() as s:
            modes.look_again(s, s.get_one(User, house.user("Anna").id), house.now)
        assert office.fetch() == [], "looking again gathers on"
        answer(house, games[0])
        house.pass_time(minutes=1)
        (mail,) = office.fetch()
        assert (mail["X-Kraftpost-Kind"], mail["X-Kraftpost-Game"]) == ("turn", str(games[1]))

    def test_m5_nothing_is_gathered_up_to_its_deadline(self, house, office):
        asked(house)
        office.fetch()
        wants(house, house.user("Anna"), mail_mode="batched", batch_minutes=480)
        ask(house, turn_hours=4)
        assert office.fetch() == []
        house.pass_time(hours=1)
        assert len(office.fetch()) == 1

    def test_m5_off(self, house, office):
        user, _games = asked(house, mail_mode="off")
        assert office.fetch() == []
        assert {m.error for m in house.mails(user_id=user.id)} == {"no turn mails any more"}

    def test_m5_one_digest_a_local_day_whatever_comes(self, house, office):
        asked(house, mail_mode="digest", digest_hour=7, zone="Australia/Lord_Howe")
        days = []
        for hour in range(4 * 24):
            if hour % 14 == 0:
                ask(house, turn_hours=240)
            for mail in sweep(house, office):
                assert mail["X-Kraftpost-Kind"] == "digest"
                days.append(mail["Date"].datetime)
            house.pass_time(minutes=61)
        assert len(days) == 4
        assert all(b - a > timedelta(hours=22) for a, b in pairwise(days))

    def test_a_change_of_mode_holds_for_what_waits(self, house, office):
        user, _games = asked(house, others=1, mail_mode="digest")
        assert sweep(house, office) == []
        wants(house, user, mail_mode="instant")
        (mail,) = office.fetch()
        assert text_of(mail).count("/turn/") == 2


class TestTables:
    def test_m6_a_table_at_once_while_the_others_wait_for_the_digest(self, house, office):
        user, games = asked(house, others=1, mail_mode="digest")
        at_table(house, user, games[1], "instant")
        (mail,) = sweep(house, office)
        assert mail["X-Kraftpost-Game"] == str(games[1])

    def test_m6_a_table_gathered_while_the_others_come_at_once(self, house, office):
        user, games = asked(house, others=2, batch_minutes=30)
        for game in games[:2]:
            at_table(house, user, game, "batched")
        (mail,) = office.fetch()
        assert mail["X-Kraftpost-Game"] == str(games[2])
        house.pass_time(minutes=30)
        (mail,) = office.fetch()
        assert mail["Subject"].startswith("[Kraftpost] 3 tables wait for you"), "all that wait"
        assert text_of(mail).count("(new)") == 2

    def test_m6_a_muted_table_mutes_no_other(self, house, office):
        user, games = asked(house, others=1)
        at_table(house, user, games[0], "mute")
        (mail,) = office.fetch()
        assert mail["X-Kraftpost-Game"] == str(games[1])

    def test_m6_a_muted_table_is_in_no_digest(self, house, office):
        user, games = asked(house, others=2, mail_mode="digest")
        at_table(house, user, games[0], "mute")
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert mail["Subject"].startswith("[Kraftpost] 2 tables wait")

    def test_m6_a_table_of_its_own_beats_off(self, house, office):
        user, games = asked(house, others=1, mail_mode="off")
        at_table(house, user, games[0], "instant")
        (mail,) = office.fetch()
        assert mail["X-Kraftpost-Game"] == str(games[0])

    def test_m6_a_slow_table_in_the_digest_of_somebody_who_wants_the_rest_at_once(
        self, house, office
    ):
        user, games = asked(house, others=1)
        at_table(house, user, games[0], "digest")
        (mail,) = sweep(house, office)
        assert mail["X-Kraftpost-Game"] == str(games[1])
        house.pass_time(days=1)
        assert kinds(sweep(house, office)) == ["digest"]

    def test_unsubscribing_ends_those_of_all_tables(self, house, office):
        user, games = asked(house, others=1)
        at_table(house, user, games[0], "instant")
        with house.write() as s:
            modes.no_turns(s, s.get_one(User, user.id), house.now)
        assert kinds(office.fetch()) == ["notice"], "what goes on without them, told once"
        assert office.fetch() == []
        assert house.all(TablePreference)[0].mode == "inherit"


class TestOutage:
    """A gathered mail waits for the mail server, and its reader changes his mind meanwhile."""

    @pytest.fixture
    def user(self, house, office, monkeypatch):
        user, _games = asked(house, others=1, mail_mode="batched", batch_minutes=30)
        office.fetch()
        with monkeypatch.context() as patch:
            patch.setattr(office, "send", unreachable)
            yield user, lambda: house.pass_time(minutes=31) or office.fetch(), patch.undo

    @pytest.mark.parametrize("way", ["instant", "batched"])
    def test_m14_to_the_digest_and_back_loses_no_turn(self, house, office, user, way):
        user, tried, end_of_outage = user
        assert tried() == []
        wants(house, user, mail_mode="digest", digest_hour=7)
        assert tried() == []
        wants(house, user, mail_mode=way)
        end_of_outage()
        (mail,) = tried()
        assert text_of(mail).count("/turn/") == 2
        assert sweep(house, office) == []

    def test_m14_a_table_to_the_digest_and_back_loses_no_turn(self, house, office, user):
        user, tried, end_of_outage = user
        assert tried() == []
        at_table(house, user, 1, "digest")
        assert tried() == []
        end_of_outage()
        (mail,) = tried()
        assert mail["X-Kraftpost-Game"] == "2"
        at_table(house, user, 1, "inherit")
        (mail,) = tried()
        assert mail["X-Kraftpost-Game"] == "1"

    def test_m14_to_the_digest_is_told_there_once(self, house, office, user):
        user, tried, end_of_outage = user
        assert tried() == []
        wants(house, user, mail_mode="digest", digest_hour=7)
        end_of_outage()
        assert tried() == []
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert (mail["X-Kraftpost-Kind"], text_of(mail).count("/turn/")) == ("digest", 2)
        assert tried() == []

    def test_m14_the_pauses_between_attempts_grow(self, house, office, user):
        user, tried, _end = user
        assert [tried() for _ in range(3)] == [[]] * 3
        assert [(m.kind, m.attempts) for m in house.mails(status="pending")] == [("turn", 3)] * 2

    def test_m17_a_near_deadline_breaks_quiet_hours_also_then(self, house, office, user):
        user, tried, end_of_outage = user
        assert tried() == []
        house.pass_time(hours=84)  # 96 hours a turn
        wants(house, user, mail_mode="batched", quiet_from=0, quiet_to=23 * 60,
              quiet_except_hours=12)  # fmt: skip
        end_of_outage()
        (mail,) = tried()
        assert text_of(mail).count("/turn/") == 2


def unreachable(_message):
    raise Unreachable("no mail server")


class TestDigest:
    @pytest.mark.parametrize("stops", [True, False])
    def test_none_on_vacation_unless_a_clock_runs_on(self, house, office, stops):
        user, games = asked(house, mail_mode="digest")
        with house.write() as s:
            s.get_one(Game, games[0]).terms = Terms(vacation=stops).to_json()
            away = {"starts_at": house.now, "ends_at": house.now + timedelta(days=3)}
            s.add(Vacation(user_id=user.id, created_at=house.now, **away))
        house.pass_time(days=2)
        assert len(sweep(house, office)) == (0 if stops else 1)
        house.pass_time(days=1)
        assert len(sweep(house, office)) == 1

    def test_m7_twice_is_once(self, house, office):
        user, _games = asked(house, others=1, mail_mode="digest")
        house.pass_time(days=1)
        assert kinds(sweep(house, office)) == ["digest"]
        with house.write() as s:
            assert not digests.owe(s, user.id, house.now)
        assert office.fetch() == []
        house.pass_time(hours=3)
        assert sweep(house, office) == []
        assert len(house.all(Digest)) == 1

    def test_m7_two_workers_at_once_make_one(self, postgres_url):
        house = House(make_engine(postgres_url))
        set_up(house, 2)
        user, _games = asked(house, others=1, mail_mode="digest")
        house.pass_time(days=1)
        made, start = [], threading.Barrier(4)

        def make() -> None:
            start.wait()
            with house.write() as s:
                made.append(digests.owe(s, user.id, house.now))

        workers = [threading.Thread(target=make) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert sorted(made) == [False, False, False, True]
        assert (len(house.mails(kind="digest")), len(house.all(Digest))) == (1, 1)
        house.engine.dispose()

    @pytest.mark.parametrize(
        ("zone", "when"),
        [
            ("Europe/Berlin", datetime(2027, 3, 28, 2, tzinfo=UTC)),
            ("America/New_York", datetime(2027, 3, 14, 6, tzinfo=UTC)),
            ("Australia/Lord_Howe", datetime(2027, 4, 3, 14, tzinfo=UTC)),
        ],
    )
    @pytest.mark.parametrize("hour", [0, 1, 2, 3, 7, 21])
    def test_m7_each_day_has_one_over_a_change_of_the_clock(self, zone, when, hour):
        user = User(email="a@example.org", name="A", zone=zone, digest_hour=hour)
        found = []
        for n in range(4 * 24 * 6):
            at = when - timedelta(days=2) + n * timedelta(minutes=10)
            day = digests.day_of(user, at)
            if digests.moment(user, day) <= at and day not in found:
                found.append(day)
        assert len(found) >= 4
        assert found == [found[0] + timedelta(days=n) for n in range(len(found))]

    @pytest.mark.parametrize("late", [0, 11, 12 * 60, 16 * 60])
    def test_m7_a_late_sweep_finds_it_the_whole_day(self, house, office, late):
        asked(house, mail_mode="digest", digest_hour=7)
        house.pass_time(hours=19, minutes=late)
        assert kinds(sweep(house, office)) == ["digest"]

    def test_m5_a_digest_that_could_not_be_sent_on_its_day_does_not_double_the_next(
        self, house, office
    ):
        user, _games = asked(house, others=1, mail_mode="digest", digest_hour=7)
        house.pass_time(hours=19)
        with house.write() as s:
            digests.owe(s, user.id, house.now)
        house.pass_time(hours=23)  # no mail server until the next morning
        assert sweep(house, office) == []
        house.pass_time(hours=1)
        assert kinds(sweep(house, office)) == ["digest"]

    def test_m9_all_250_tables_are_counted(self, house, office):
        _user, (game,) = asked(house, mail_mode="digest")
        copies(house, game, 249)
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert mail["Subject"].startswith("[Kraftpost] 250 tables wait for you")
        text = text_of(mail)
        assert text.count("/turn/") == 50
        assert "And 200 more tables with later deadlines wait." in text
        assert len(mail.as_bytes()) < 220_000  # fifty tables, each with its own address to answer

    def test_m9_a_few_are_named_all_with_their_deadlines(self, house, office):
        _user, games = asked(house, others=4, mail_mode="digest", zone="Europe/Berlin")
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert text_of(mail).count("Due Fri 4 Dec 2026, 13:00 CET") == len(games)

    def test_of_a_single_table_it_can_be_answered(self, house, office):
        _user, (game,) = asked(house, mail_mode="digest")
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert mail["X-Kraftpost-Kind"] == "digest"
        assert office.answer(mail, house.line(game, house.seat(game, "Anna"))) == "done"

    def test_nobody_is_told_of_what_he_has_answered(self, house, office):
        user, (game,) = asked(house, mail_mode="digest")
        house.pass_time(days=1)
        with house.write() as s:
            digests.owe(s, user.id, house.now)
        answer(house, game)
        assert office.fetch() == []

    def test_inside_quiet_hours_it_comes_when_they_end(self):
        user = User(
            email="a@example.org", name="A", zone="Europe/Berlin", digest_hour=6,
            quiet_from=22 * 60, quiet_to=8 * 60 + 30,
        )  # fmt: skip
        found = digests.moment(user, datetime(2026, 12, 1).date())  # noqa: DTZ001
        assert found == datetime(2026, 12, 1, 7, 30, tzinfo=UTC)

    def test_what_came_after_its_hour_waits_for_the_next_day(self, house, office):
        asked(house, mail_mode="digest", digest_hour=7)  # asked at noon
        for _ in range(11):
            assert sweep(house, office) == []
            house.pass_time(hours=1)


def copies(house: House, game: int, count: int) -> None:
    """The same table again and again, as it stands."""
    with house.write() as s:
        for number in range(count):
            row = s.get_one(Game, game).model_dump()
            copy = {**row, "id": 1000 + number, "title": f"Table {number}"}
            s.execute(insert(Game).values(**copy))
            for kind in (EventRow, SeatRow, Turn):
                for one in s.exec(select(kind).where(kind.game_id == game)).all():
                    values = {**one.model_dump(), "game_id": copy["id"]}
                    if kind is not EventRow:
                        del values["id"]
                    s.execute(insert(kind).values(**values))


@pytest.mark.parametrize("late", range(3))
def test_two_senders_make_one_mail_of_what_was_held(postgres_url, late):
    """They look for mails in nearly the same moment; one takes all that go together."""
    house = House(make_engine(postgres_url))
    set_up(house, 4)
    office = PostOffice(house)
    asked(house, others=3, mail_mode="batched", batch_minutes=30)
    office.fetch()
    house.pass_time(minutes=30)
    with house.write() as deciding:
        deciding.exec(select(User).with_for_update(key_share=True)).all()
        with house.write() as s:
            assert outbox.claim(s, house.now) == [], "her mails are another sender's to share out"
    start, taken = threading.Barrier(4), []

    def claim(number: int) -> None:
        start.wait()
        time.sleep(number * late / 500)
        with house.write() as s:
            taken.append(len(outbox.claim(s, house.now)))
            time.sleep(0.02)

    senders = [threading.Thread(target=claim, args=(number,)) for number in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(taken) == [0, 0, 0, 4]
    house.pass_time(minutes=2)  # all have died, and the next one takes over
    (mail,) = of_kind(office.fetch(), "digest")
    assert mail["Subject"].startswith("[Kraftpost] 4 tables wait for you")
    house.engine.dispose()
