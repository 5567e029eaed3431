"""M8: what would fail silently is found, told once a day, and the telling brings no more mails."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from core.mail import outbox
from core.mail.outbox import NotWanted
from core.mail.transport import Refused
from core.store.session import put
from core.store.tables import (
    Game,
    Heartbeat,
    InboundMail,
    OutboxMail,
    TablePreference,
    Turn,
    User,
    Vacation,
    Webhook,
)
from core.table.notify import digests
from core.table.views import health, reminders
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice
from tests.support.table import House

ADMIN = "admin@example.org"


@pytest.fixture
def well(house: House) -> House:
    """A house whose sweep runs."""
    beat(house)
    return house


def beat(house: House) -> None:
    with house.write() as s:
        reminders.owe(s, house.now)
        put(s, Heartbeat(name="sweep", at=house.now))


def ill(house: House) -> set[str]:
    with house.read() as s:
        return {finding.name for finding in health.troubles(s, house.now)}


def add(house: House, *rows) -> None:
    with house.write() as s:
        for row in rows:
            s.merge(row)


def watch(house: House) -> bool:
    with house.write() as s:
        return health.watch(s, ADMIN, house.now)


def mail(house: House, **values) -> OutboxMail:
    given = {
        "kind": "turn", "address": "a@example.org", "message_id": "m", "key": "k",
        "created_at": house.now, "next_attempt_at": house.now, **values,
    }  # fmt: skip
    return OutboxMail(**given)


class TestTroubles:
    def test_all_is_well(self, well: House):
        assert ill(well) == set()

    def test_a_sweep_that_does_not_run(self, house: House):
        assert ill(house) == {"sweep"}
        beat(house)
        house.pass_time(minutes=10)
        assert ill(house) == set()
        house.pass_time(seconds=1)
        assert ill(house) == {"sweep"}

    def test_m1_bad_addresses_are_counted_and_many_at_once_are_trouble(self, well: House):
        for number, name in enumerate(("Ann", "Ben", "Cem"), 1):
            user = well.user(name)
            with well.write() as s:
                s.get_one(User, user.id).undeliverable_at = well.now
            assert ill(well) == ({"addresses"} if number == health.MANY else set())
        with well.read() as s:
            (found,) = (one for one in health.examine(s, well.now) if one.name == "addresses")
        assert found.told == "mail to 3 of 3 users comes back, to 3 since yesterday"
        well.pass_time(days=1, seconds=1)
        beat(well)
        assert ill(well) == set()

    def test_mail_that_is_due_and_stays(self, well: House):
        add(well, mail(well))
        well.pass_time(minutes=15, seconds=1)
        beat(well)
        assert ill(well) == {"outbox"}

    def test_mail_that_waits_for_its_time_is_no_trouble(self, well: House):
        """Quiet hours and digests put mails off."""
        add(well, mail(well, next_attempt_at=well.now + timedelta(hours=9)))
        well.pass_time(hours=8)
        beat(well)
        assert ill(well) == set()

    def test_mail_that_is_refused_again_and_again(self, well: House):
        later = well.now + timedelta(hours=2)
        add(well, mail(well, error="451 later", next_attempt_at=later))
        well.pass_time(minutes=16)
        beat(well)
        assert ill(well) == {"outbox"}

    def test_mail_that_failed_for_good(self, well: House):
        add(well, mail(well, status="failed"))
        assert ill(well) == {"outbox"}
        well.pass_time(days=1, minutes=1)
        beat(well)
        assert ill(well) == set()

    def test_answers_that_nobody_reads(self, well: House):
        row = InboundMail(
            key="k", message_id="m", envelope_from="a@x", raw=b"", received_at=well.now
        )
        add(well, row)
        well.pass_time(minutes=16)
        beat(well)
        assert ill(well) == {"answers"}

    def test_a_game_that_was_stopped(self, well: House):
        game = well.start("Ann", "Ben")
        with well.write() as s:
            s.get_one(Game, game).stopped_reason = "failed 5 times"
        assert "games" in ill(well)

    def test_a_webhook_that_was_switched_off(self, well: House):
        user = well.user("Ann")
        row = Webhook(user_id=user.id, kind="slack", url="", secret="", disabled_at=well.now)
        add(well, row)
        assert ill(well) == {"hooks"}


class TestDigests:
    """M8: somebody wants a digest, and none was sent for 26 hours."""

    @pytest.fixture
    def waiting(self, well: House) -> Turn:
        """Somebody with a daily digest has been asked for long."""
        game = well.start("Ann", "Ben", auction="open", turn_hours=240)
        turn = well.asked(game)[0]
        with well.write() as s:
            s.get_one(User, turn.user_id).mail_mode = "digest"
            s.exec(update(OutboxMail).values(status="dropped"))
        well.pass_time(hours=26, seconds=1)
        beat(well)
        return turn

    def test_m8_no_digest_for_26_hours(self, well: House, waiting: Turn):
        assert ill(well) == {"digests"}

    def test_m8_not_before(self, well: House, waiting: Turn):
        well.pass_time(seconds=-2)
        assert ill(well) == set()

    def test_m8_one_was_sent(self, well: House, waiting: Turn):
        sent = well.now - timedelta(hours=25)
        add(well, mail(well, kind="digest", user_id=waiting.user_id, status="sent", sent_at=sent))
        assert ill(well) == set()
        well.pass_time(hours=1, minutes=1)
        beat(well)
        assert ill(well) == {"digests"}

    def test_m8_the_digest_that_the_sweep_makes_is_enough(self, well: House, waiting: Turn):
        with well.write() as s:
            assert digests.due(s, well.now) == [waiting.user_id]
            digests.owe(s, waiting.user_id or 0, well.now)
        assert ill(well) == {"digests"}, "until it is sent"
        assert PostOffice(well).fetch()
        assert ill(well) == set()

    def test_a_reminder_that_nobody_looks_for(self, well: House, waiting: Turn):
        with well.write() as s:
            s.exec(update(Turn).values(remind_at=well.now))
        well.pass_time(minutes=16)
        assert "reminders" in ill(well)

    def test_m8_anothers_digest_is_not_his(self, well: House, waiting: Turn):
        other = next(u for u in well.all(User) if u.id != waiting.user_id)
        add(well, mail(well, kind="digest", user_id=other.id, status="sent", sent_at=well.now))
        assert ill(well) == {"digests"}

    @pytest.mark.parametrize(("mode", "found"), [("mute", False), ("inherit", True)])
    def test_the_tables_own_mode_counts(self, well: House, waiting: Turn, mode: str, found: bool):
        add(well, TablePreference(game_id=waiting.game_id, user_id=waiting.user_id or 0, mode=mode))
        assert (ill(well) == {"digests"}) == found

    def test_a_table_in_the_digest_of_somebody_instant(self, well: House, waiting: Turn):
        with well.write() as s:
            s.get_one(User, waiting.user_id).mail_mode = "instant"
        assert ill(well) == set()
        add(
            well,
            TablePreference(game_id=waiting.game_id, user_id=waiting.user_id or 0, mode="digest"),
        )
        assert ill(well) == {"digests"}

    def test_whoever_is_away_or_cannot_be_reached_wants_none(self, well: House, waiting: Turn):
        away = Vacation(
            user_id=waiting.user_id or 0,
            starts_at=well.now - timedelta(hours=1),
            ends_at=well.now + timedelta(days=3),
        )
        add(well, away)
        assert ill(well) == set()


class TestTelling:
    def test_once_a_day_while_it_lasts(self, house: House):
        told = []
        for _ in range(3 * 24 * 4):
            told.append(watch(house))
            house.pass_time(minutes=15)
        assert sum(told) == 3
        assert {mail.address for mail in house.mails(kind="health")} == {ADMIN}

    def test_nobody_to_tell(self, house: House):
        with house.write() as s:
            assert not health.watch(s, "", house.now)

    def test_all_is_well(self, well: House):
        assert not watch(well)

    def test_it_says_what_and_how_to_mend_it(self, house: House):
        watch(house)
        message = render(house)
        text = message.get_body(("plain",)).get_content()
        assert message["To"] == ADMIN
        assert message["Auto-Submitted"] == "auto-generated"
        assert "sweep: never ran" in text
        assert "Start the worker" in text

    def test_what_is_mended_before_it_is_sent_is_not_told(self, house: House):
        watch(house)
        beat(house)
        with pytest.raises(NotWanted):
            render(house)

    def test_what_comes_up_after_that_is(self, house: House):
        watch(house)
        beat(house)
        deliver(house)
        assert [m.status for m in house.mails(kind="health")] == ["dropped"]
        house.pass_time(hours=1)
        assert watch(house)

    def test_a_mail_that_cannot_be_sent_brings_no_other(self, house: House):
        """It is no trouble to tell of, and told again only the next day."""
        watch(house)
        deliver(house, Refusing())
        (row,) = house.mails(kind="health")
        assert row.status == "failed"
        assert "outbox" not in ill(house)
        house.pass_time(hours=23)
        assert not watch(house)

    def test_it_goes_out_before_all_others(self, house: House):
        house.start("Ann", "Ben")
        house.pass_time(minutes=1)
        watch(house)
        with house.write() as s:
            (first,) = outbox.claim(s, house.now)
        assert first.kind == "health"


class Refusing:
    """A mail server that wants none of it."""

    def send(self, _message) -> None:
        raise Refused("550 no such user", permanent=True)


class Taking:
    """A mail server that takes everything."""

    def send(self, _message) -> None:
        return


def deliver(house: House, sender=None) -> None:
    def clock():
        house.pass_time(milliseconds=10)
        return house.now

    outbox.deliver(house.engine, renderer(MAILBOX), sender or Taking(), clock)


def render(house: House):
    with house.read() as s:
        row = s.get_one(OutboxMail, house.mails(kind="health")[0].id)
        return renderer(MAILBOX)(s, row, house.now)
