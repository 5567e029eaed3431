"""Turns that a digest, or a mail of several, tells of have no mail of their own; none is lost.

Between the making of such a mail and its sending the mail server may be away for days, the address
may come back, wishes may change, and new turns may be asked.
"""

import threading

import pytest
from sqlmodel import update

from core.mail import bounces, outbox
from core.mail.kinds import MailKind
from core.mail.transport import Refused, Unreachable
from core.store.migrations import migrate
from core.store.session import make_engine
from core.store.tables import OutboxMail, User
from core.table.notify import digests, mails, sending
from core.table.record import gamelog
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, text_of
from tests.support.table import House
from tests.support.waiting import ask, asked, kinds, set_up, sweep, wants

NIGHT = {"quiet_from": 22 * 60, "quiet_to": 7 * 60}


class Away:
    """A mail server that takes nothing."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def send(self, _message: object) -> None:
        raise self.error


def in_vain(house: House, error: Exception) -> None:
    """Try to send what is due."""
    outbox.deliver(house.engine, renderer(MAILBOX), Away(error), lambda: house.now, sending.may)


def digest_made(house: House, user: User) -> None:
    """It is 7 o'clock, and the digest has been made; nobody has sent it yet."""
    in_vain(house, Unreachable("away"))  # all turns wait for the digest now
    house.pass_time(hours=19)
    with house.write() as s:
        assert digests.owe(s, user.id, house.now)


def titles(mail) -> set[str]:
    return {f"Table {n}" for n in range(8) if f"Table {n}" in text_of(mail)}


class TestADigestThatIsNotSent:
    @pytest.fixture
    def user(self, house) -> User:
        user, _games = asked(house, others=1, mail_mode="digest", digest_hour=7)
        digest_made(house, user)
        in_vain(house, Unreachable("away"))
        return user

    def test_comes_later_in_the_day(self, house, office, user):
        house.pass_time(hours=5)
        (mail,) = sweep(house, office)
        assert (mail["X-Kraftpost-Kind"], titles(mail)) == ("digest", {"Table 0", "Table 1"})
        assert sweep(house, office) == []

    def test_is_followed_by_that_of_the_next_day(self, house, office, user):
        house.pass_time(hours=17)
        assert sweep(house, office) == [], "its day is over"
        house.pass_time(hours=7)
        (mail,) = sweep(house, office)
        assert titles(mail) == {"Table 0", "Table 1"}
        house.pass_time(hours=10)
        assert sweep(house, office) == []

    def test_loses_no_turn_of_a_reader_who_wants_each_at_once_by_then(self, house, office, user):
        house.pass_time(hours=10)
        wants(house, user, mail_mode="instant")
        in_vain(house, Unreachable("still away"))
        house.pass_time(hours=7)
        (mail,) = sweep(house, office)
        assert titles(mail) == {"Table 0", "Table 1"}
        assert mail["X-Kraftpost-Kind"] == "digest", "they have come due in one moment"
        assert [m.error for m in house.mails(kind="turn")] == ["", outbox.TOGETHER]
        house.pass_time(days=1)
        assert sweep(house, office) == []

    def test_tells_a_reader_who_wants_each_at_once_by_then(self, house, office, user):
        wants(house, user, mail_mode="instant")
        house.pass_time(minutes=1)
        (mail,) = sweep(house, office)
        assert titles(mail) == {"Table 0", "Table 1"}

    def test_brings_nothing_that_was_answered_meanwhile(self, house, office, user):
        wants(house, user, mail_mode="instant")
        game = house.mails(kind="turn")[0].game_id
        seat = house.seat(game, "Anna")
        while [turn for turn in house.asked(game) if turn.seat == seat]:
            house.move(game, seat, house.line(game, seat))
        house.pass_time(hours=17)
        came = sweep(house, office)
        assert [titles(mail) for mail in came if mail["X-Kraftpost-Kind"] == "turn"] == [
            {"Table 1"}
        ]

    def test_comes_once_its_reader_is_reached_again(self, house, office, user):
        house.pass_time(minutes=1)
        in_vain(house, Refused("550 no such user", permanent=True))
        with house.write() as s:
            bounces.lift(s, s.get_one(User, user.id), house.now)
        wants(house, user, mail_mode="instant")
        assert kinds(sweep(house, office)) == ["turn", "turn"]


class TestATurnThatIsAskedBetweenMakingAndSending:
    @pytest.fixture
    def user(self, house) -> User:
        user, _games = asked(house, others=1, mail_mode="digest", digest_hour=7)
        digest_made(house, user)
        house.pass_time(minutes=1)
        ask(house)
        return user

    def test_is_told_in_it_and_in_the_next_as_long_as_it_waits(self, house, office, user):
        for _day in range(2):
            (mail,) = sweep(house, office)
            assert titles(mail) == {"Table 0", "Table 1", "Table 2"}
            house.pass_time(days=1)

    def test_keeps_its_own_mail(self, house, office, user):
        """Nobody has put it among those that the digest answers for."""
        sweep(house, office)
        (row,) = [m for m in house.mails(kind="turn") if m.status == "pending"]
        assert row.held
        wants(house, user, mail_mode="instant")
        (mail,) = office.fetch()
        assert (mail["X-Kraftpost-Kind"], titles(mail)) == ("turn", {"Table 2"})


class TestWhatWasGathered:
    def test_and_came_back_is_gathered_again_with_what_is_new(self, house, office):
        user, _games = asked(house, others=1, mail_mode="batched", batch_minutes=30)
        office.fetch()
        house.pass_time(minutes=30)
        assert kinds(office.fetch()) == ["digest"]
        with house.write() as s:
            row = s.get_one(OutboxMail, house.mails(kind="turn", status="sent")[0].id)
            assert bounces.came_back(s, row, "550 no such user", house.now)
        ask(house)
        assert office.fetch() == []
        with house.write() as s:
            bounces.lift(s, s.get_one(User, user.id), house.now)
        came = office.fetch()
        house.pass_time(minutes=30)
        came += office.fetch()
        assert set.union(*map(titles, came)) == {"Table 0", "Table 1", "Table 2"}
        house.pass_time(days=1)
        assert office.fetch() == []

    @pytest.mark.parametrize("marked", [False, True], ids=["refused", "marked meanwhile"])
    def test_and_was_refused_comes_once_its_reader_is_reached_again(self, house, office, marked):
        user, games = asked(house, others=1, **NIGHT)
        house.pass_time(hours=11)
        with house.write() as s:
            game = gamelog.find(s, games[0])
            mails.notify_seat(
                s, game, house.seat(games[0], "Anna"), mails.SeatNotice.RETURNED, house.now
            )
        office.fetch()
        house.pass_time(hours=8)
        if marked:
            in_vain(house, Unreachable("away"))
            house.pass_time(minutes=1)
            with house.write() as s:
                bounces.mark(s, s.get_one(User, user.id), "550 another mail", house.now)
            assert office.fetch() == []
        else:
            in_vain(house, Refused("550 no such user", permanent=True))
        assert house.get(User, user.id).undeliverable_at
        house.pass_time(hours=1)
        with house.write() as s:
            bounces.lift(s, s.get_one(User, user.id), house.now)
        (mail,) = office.fetch()
        assert titles(mail) == {"Table 0", "Table 1"}
        assert "You play again" in text_of(mail)
        house.pass_time(days=1)
        assert office.fetch() == []


class TestWhatVersion01HadGathered:
    """Its rows held the ids of mails that they told, and those were dropped."""

    @pytest.fixture
    def stored(self, house):
        """Anna's two turns, and what makes a row that stands for them wait in the outbox."""

        def store(kind: MailKind, key: str, **context: object) -> User:
            mode = "digest" if kind == MailKind.DIGEST else "instant"
            user, _games = asked(house, others=1, mail_mode=mode)
            house.pass_time(hours=19)
            rows = [m.id for m in house.mails(kind="turn")]
            why = outbox.IN_DIGEST if kind == MailKind.DIGEST else outbox.TOGETHER
            with house.write() as s:
                s.exec(update(OutboxMail).values(status="dropped", error=why, held=True))
                context = {**context, "rows": rows}
                outbox.owe(s, kind, key=key, now=house.now, user=user, context=context)
            return user

        return store

    def test_comes_as_one_mail(self, house, office, stored):
        stored(MailKind.GATHERED, "together:1:then")
        (mail,) = office.fetch()
        assert (mail["X-Kraftpost-Kind"], titles(mail)) == ("digest", {"Table 0", "Table 1"})
        house.pass_time(days=1)
        assert office.fetch() == []

    def test_is_one_mail_also_when_the_server_comes_back_after_the_update(
        self, house, office, stored
    ):
        stored(MailKind.GATHERED, "together:1:then")
        in_vain(house, Unreachable("away"))
        house.pass_time(minutes=1)
        (mail,) = office.fetch()
        assert titles(mail) == {"Table 0", "Table 1"}

    def test_is_decided_anew(self, house, office, stored):
        user = stored(MailKind.GATHERED, "together:1:then")
        wants(house, user, mail_mode="digest", digest_hour=7)
        assert office.fetch() == []
        house.pass_time(days=1)
        (mail,) = sweep(house, office)
        assert mail["X-Kraftpost-Kind"] == "digest"

    @pytest.mark.parametrize("mode", ["digest", "instant"])
    def test_a_digest_tells_it_once(self, house, office, stored, mode):
        user = stored(MailKind.DIGEST, "digest:1:2026-12-01", day="2026-12-01")
        wants(house, user, mail_mode=mode)
        (mail,) = office.fetch()
        assert (mail["X-Kraftpost-Kind"], titles(mail)) == ("digest", {"Table 0", "Table 1"})
        assert {m.error for m in house.mails(kind="turn")} == {outbox.IN_DIGEST}

    def test_a_digest_whose_day_is_over_loses_nothing(self, house, office, stored):
        user = stored(MailKind.DIGEST, "digest:1:2026-12-01", day="2026-12-01")
        wants(house, user, mail_mode="instant")
        house.pass_time(days=1)
        (mail,) = office.fetch()
        assert titles(mail) == {"Table 0", "Table 1"}

    def test_came_back_and_waits_for_its_reader(self, house, office, stored):
        user = stored(MailKind.GATHERED, "together:1:then")
        with house.write() as s:
            s.exec(
                update(OutboxMail).where(OutboxMail.kind == "together").values(status="unreached")
            )
            bounces.mark(s, s.get_one(User, user.id), "550 no such user", house.now)
        assert office.fetch() == []
        with house.write() as s:
            bounces.lift(s, s.get_one(User, user.id), house.now)
        assert set.union(*map(titles, office.fetch())) == {"Table 0", "Table 1"}
        house.pass_time(days=1)
        assert office.fetch() == []


class TestOneMessageOfMany:
    """What was claimed together stays together: its message may have arrived."""

    @pytest.fixture
    def sent(self, house, office) -> list[str]:
        """The Message-ID under which a sender told two turns; it died before it said so."""
        asked(house, others=1, mail_mode="batched", batch_minutes=30)
        office.fetch()
        house.pass_time(minutes=30)
        taken: list[str] = []

        class Dies:
            def send(self, message) -> None:
                taken.append(message["Message-ID"])
                raise SystemExit

        with pytest.raises(SystemExit):
            outbox.deliver(house.engine, renderer(MAILBOX), Dies(), lambda: house.now, sending.may)
        return taken

    def test_is_the_same_message_when_another_sender_takes_over(self, house, office, sent):
        house.pass_time(minutes=2)
        (mail,) = office.fetch()
        assert sent == [mail["Message-ID"]]

    def test_has_no_room_for_what_came_later(self, house, office, sent):
        wants(house, house.user("Anna"), mail_mode="instant", quiet_from=0, quiet_to=1439)
        ask(house)
        assert office.fetch() == []
        wants(house, house.user("Anna"), quiet_from=None, quiet_to=None)
        house.pass_time(minutes=2)
        mails = office.fetch()
        assert len(mails) == 2
        assert sent[0] in [mail["Message-ID"] for mail in mails]

    def test_says_so_when_it_is_sent(self, house, office, sent):
        house.pass_time(minutes=2)
        office.fetch()
        first, second = house.mails(kind="turn")
        assert sent == [f"<{first.message_id}@{MAILBOX.domain}>"]
        assert (first.status, second.status) == ("sent", "dropped")
        assert second.error == outbox.TOGETHER


def test_a_turn_that_waited_for_long_is_not_given_up_at_the_first_failure(house, office):
    asked(house, mail_mode="digest")
    office.fetch()
    house.pass_time(days=3)
    with house.write() as s:
        s.exec(update(OutboxMail).values(created_at=house.now - outbox.GIVE_UP))
    wants(house, house.user("Anna"), mail_mode="instant")
    in_vain(house, Unreachable("away"))
    house.pass_time(minutes=1)
    assert kinds(office.fetch()) == ["turn"]


def test_sweeps_and_senders_at_once_neither_double_nor_lose_a_turn(postgres_url):
    """Two make the digest, two send, while tables ask: each turn is told once, or waits yet."""
    migrate(postgres_url)
    house = House(make_engine(postgres_url))
    set_up(house, 8)
    user, _games = asked(house, others=3, mail_mode="digest", digest_hour=7)
    offices = [PostOffice(house) for _ in range(2)]
    offices[0].fetch()
    house.pass_time(hours=19)
    start, wrong = threading.Barrier(5), []

    def work(step) -> None:
        start.wait()
        try:
            for _ in range(4):
                step()
        except Exception as error:  # told by the test, not by a thread
            wrong.append(error)

    def make() -> None:
        with house.write() as s:
            digests.owe(s, user.id, house.now)

    steps = [make, make, offices[0].fetch, offices[1].fetch, lambda: ask(house)]
    workers = [threading.Thread(target=work, args=(step,)) for step in steps]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
    offices[0].fetch()
    (mail,) = [mail for office in offices for mail in office.sent]
    assert mail["X-Kraftpost-Kind"] == "digest"
    waits = [m.game_id for m in house.mails(kind="turn") if m.status == "pending"]
    told = [m.game_id for m in house.mails(kind="turn") if m.error == outbox.IN_DIGEST]
    assert sorted(waits + told) == [m.game_id for m in house.mails(kind="turn")], "none is lost"
    assert len(told) >= 4
    house.engine.dispose()
