"""The outbox keeps every mail until the server has it: M10, M12, M13, M14."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session, SQLModel, select

from core.mail import outbox, transport
from core.mail.transport import Refused, Smtp, Unreachable
from core.settings import MailServer
from core.store.leases import Queue
from core.store.session import make_engine, read, write
from core.store.tables import OutboxMail, User
from tests.support.smtp_sink import SmtpSink

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)


@pytest.fixture
def engine(engine_url: str) -> Iterator[Engine]:
    engine = make_engine(engine_url)
    SQLModel.metadata.create_all(engine)
    yield engine
    engine.dispose()


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Server:
    """A mail server that does as it is told, one answer after the other; then it takes all."""

    def __init__(self, *answers: Exception) -> None:
        self.answers = list(answers)
        self.tried: list[str] = []
        self.taken: list[str] = []

    def send(self, message: EmailMessage) -> None:
        self.tried.append(message["Message-ID"])
        if self.answers:
            raise self.answers.pop(0)
        self.taken.append(message["Message-ID"])


def render(_session: Session, row: OutboxMail, _now: datetime) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "kraftpost@play.example.org", row.address
    message["Message-ID"] = f"<{row.message_id}@play.example.org>"
    message.set_content(row.key)
    return message


def owe(engine: Engine, *keys: str, **about: Any) -> None:
    with write(engine) as session:
        for key in keys:
            outbox.owe(session, "help", key=key, now=NOW, address="anna@example.com", **about)


def rows(engine: Engine) -> list[OutboxMail]:
    with read(engine) as session:
        return list(session.exec(select(OutboxMail).order_by(OutboxMail.id)))


def test_a_mail_is_owed_once_and_sent_once(engine: Engine) -> None:
    server, clock = Server(), Clock()
    owe(engine, "turn:1:0:7")
    owe(engine, "turn:1:0:7")
    assert len(rows(engine)) == 1
    assert outbox.deliver(engine, render, server, clock) == 1
    assert outbox.deliver(engine, render, server, clock) == 0
    owe(engine, "turn:1:0:7")  # also after it was sent
    assert outbox.deliver(engine, render, server, clock) == 0
    assert len(server.taken) == 1


def test_enqueue_says_whether_it_was_new(engine: Engine) -> None:
    with write(engine) as session:
        user = User(email="anna@example.com", name="Anna")
        session.add(user)
        session.flush()
        assert outbox.owe(session, "help", key="a", now=NOW, user=user)
        assert not outbox.owe(session, "help", key="a", now=NOW, user=user)
    assert [(row.address, row.user_id) for row in rows(engine)] == [("anna@example.com", 1)]


def test_m14_421_then_success_is_exactly_one_mail(engine: Engine, smtp_sink: SmtpSink) -> None:
    clock = Clock()
    owe(engine, "a")
    smtp_sink.refuse(60)
    with Smtp(MailServer.from_url(smtp_sink.url)) as server:
        assert outbox.deliver(engine, render, server, clock) == 0
    (row,) = rows(engine)
    assert row.status == "pending"
    assert "421" in row.error
    smtp_sink.refuse(0)
    with Smtp(MailServer.from_url(smtp_sink.url)) as server:
        assert outbox.deliver(engine, render, server, clock) == 0  # not before its time
        clock.now = row.next_attempt_at
        assert outbox.deliver(engine, render, server, clock) == 1
    assert [one.message["Message-ID"] for one in smtp_sink.messages] == [
        f"<{row.message_id}@play.example.org>"
    ]
    assert rows(engine)[0].error == ""


def test_m14_an_unreachable_server_costs_the_other_mails_no_attempt(engine: Engine) -> None:
    server = Server(Unreachable("nobody there"))
    owe(engine, "a", "b", "c")
    outbox.deliver(engine, render, server, Clock())
    assert [row.attempts for row in rows(engine)] == [1, 0, 0]
    assert len(server.tried) == 1


def test_m14_pauses_grow_for_days_and_then_the_failure_stays_visible(engine: Engine) -> None:
    clock = Clock()
    owe(engine, "a")
    pauses = []
    while (row := rows(engine)[0]).status == "pending":
        clock.now = max(clock.now, row.next_attempt_at)
        outbox.deliver(engine, render, Server(Unreachable("down")), clock)
        pauses.append(rows(engine)[0].next_attempt_at - clock.now)
    assert pauses[:4] == [timedelta(seconds=s) for s in (15, 30, 60, 120)]
    assert max(pauses) == timedelta(hours=2)
    assert timedelta(days=5) <= clock.now - NOW < timedelta(days=5, hours=3)
    with read(engine) as session:
        backlog = outbox.backlog(session, clock.now)
    assert (backlog.due, backlog.failed, backlog.last_error) == (0, 1, "down")


def test_the_backlog_counts_what_is_due(engine: Engine) -> None:
    owe(engine, "a", "b")
    owe(engine, "later", due=NOW + timedelta(hours=1))
    with read(engine) as session:
        assert outbox.backlog(session, NOW) == outbox.Backlog(2, 0, NOW, "")


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (Refused("550 no such user", permanent=True), "failed"),
        (Refused("554 looks like spam"), "pending"),
    ],
)
def test_only_a_bad_address_is_given_up_at_once(
    engine: Engine, refusal: Refused, status: str
) -> None:
    owe(engine, "a", "b")
    server, clock = Server(refusal), Clock()
    clock.now = NOW + timedelta(minutes=5)
    outbox.deliver(engine, render, server, clock)
    assert [row.status for row in rows(engine)] == [status, "sent"]
    assert rows(engine)[0].next_attempt_at >= clock.now, "since when, or until when"


def test_m12_m13_a_mail_that_nobody_wants_is_dropped(engine: Engine) -> None:
    def unwanted(session: Session, row: OutboxMail, now: datetime) -> EmailMessage:
        if row.key == "a":
            raise outbox.NotWanted("answered meanwhile")
        return render(session, row, now)

    server = Server()
    owe(engine, "a", "b")
    assert outbox.deliver(engine, unwanted, server, Clock()) == 1
    assert [(row.status, row.error) for row in rows(engine)] == [
        ("dropped", "answered meanwhile"),
        ("sent", ""),
    ]


def test_a_mail_that_cannot_be_made_does_not_hold_up_the_others(engine: Engine) -> None:
    def broken(session: Session, row: OutboxMail, now: datetime) -> EmailMessage:
        if row.key == "a":
            raise ZeroDivisionError("a template's mistake")
        return render(session, row, now)

    owe(engine, "a", "b")
    assert outbox.deliver(engine, broken, Server(), Clock()) == 1
    assert rows(engine)[0].error == "ZeroDivisionError: a template's mistake"
    assert rows(engine)[0].attempts == 1


def test_a_dead_senders_mail_is_taken_over_when_its_lease_is_over(engine: Engine) -> None:
    owe(engine, "a")
    with write(engine) as session:
        assert outbox.claim(session, NOW)
    with write(engine) as session:
        assert not outbox.claim(session, NOW + outbox.QUEUE.lease / 2)
    with write(engine) as session:
        (again,) = outbox.claim(session, NOW + outbox.QUEUE.lease)
        assert again.attempts == 2


def test_m10_many_senders_send_each_mail_once(engine: Engine) -> None:
    owe(engine, *(f"mail {n}" for n in range(40)))
    server = Server()
    senders = [
        threading.Thread(target=outbox.deliver, args=(engine, render, server, Clock()))
        for _ in range(4)
    ]
    for thread in senders:
        thread.start()
    for thread in senders:
        thread.join()
    assert sorted(server.taken) == sorted(set(server.taken))
    assert len(server.taken) == 40


def test_a_sign_in_link_waits_for_no_other_mail(engine: Engine) -> None:
    owe(engine, "a", "b")
    with write(engine) as session:
        outbox.owe(session, "signin", key="in", now=NOW, address="anna@example.com")
    later = NOW + timedelta(minutes=1)
    taken = []
    for _ in range(3):
        with write(engine) as session:
            (row,) = outbox.claim(session, later)
            taken.append(row.key)
    assert taken == ["in", "a", "b"]


def test_a_sign_in_link_is_not_kept_after_it_was_sent(engine: Engine) -> None:
    owe(engine, "a", context={"token": "secret"})
    outbox.deliver(engine, render, Server(), Clock())
    assert rows(engine)[0].context == {}


def test_transport_is_chosen_by_the_address(tmp_path: Any) -> None:
    choose: Callable[[str], object] = lambda url: transport.sender(MailServer.from_url(url))  # noqa: E731
    assert isinstance(choose(f"file://{tmp_path}/mail"), transport.Directory)
    assert isinstance(choose("smtp://localhost:25"), Smtp)


class TestWhoLosesHisLease:
    """Suspended, or held up for longer than a lease: another sender has the mail by then."""

    def test_begins_no_conversation(self, engine: Engine) -> None:
        clock, server = Clock(), Server()

        def slowly(session: Session, row: OutboxMail, now: datetime) -> EmailMessage:
            clock.now += outbox.QUEUE.lease if row.attempts == 1 else timedelta()
            return render(session, row, now)

        owe(engine, "a")
        with write(engine) as session:
            rows = outbox.claim(session, clock.now)
        assert outbox._attempt(engine, rows, (outbox.always, slowly), server, clock) == "waits"
        assert server.tried == []
        assert outbox.deliver(engine, slowly, server, clock) == 1

    @pytest.mark.parametrize(
        "error", [Unreachable("silent"), Refused("554 no"), Refused("550 no", permanent=True)]
    )
    @pytest.mark.parametrize("done", [False, True])
    def test_changes_nothing_of_it(self, engine: Engine, error: Exception, done: bool) -> None:
        clock, other = Clock(), Server()

        class Slow:
            def send(self, _message: EmailMessage) -> None:
                clock.now += outbox.QUEUE.lease
                if done:
                    outbox.deliver(engine, render, other, clock)
                else:
                    with write(engine) as session:
                        assert outbox.claim(session, clock.now)
                raise error

        owe(engine, "a")
        outbox.deliver(engine, render, Slow(), clock)
        (row,) = rows(engine)
        assert (row.status, row.attempts, row.error) == ("sent" if done else "pending", 2, "")
        clock.now += outbox.QUEUE.lease - timedelta(seconds=1)
        assert outbox.deliver(engine, render, other, clock) == 0, "the other one works on it"
        assert len(other.taken) == done

    def test_still_says_that_it_went_out(self, engine: Engine) -> None:
        clock, other = Clock(), Server()

        class Slow:
            def send(self, _message: EmailMessage) -> None:
                clock.now += outbox.QUEUE.lease
                with write(engine) as session:  # and then this one dies
                    assert outbox.claim(session, clock.now)

        owe(engine, "a")
        assert outbox.deliver(engine, render, Slow(), clock) == 1
        clock.now += timedelta(days=1)
        assert outbox.deliver(engine, render, other, clock) == 0


def test_death_between_the_servers_yes_and_the_mark_doubles_one_and_the_same_mail(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, server = Clock(), Server()
    owe(engine, "a", "b")

    def die(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Queue, "mark", die)
        outbox.deliver(engine, render, server, clock)
    assert outbox.deliver(engine, render, server, clock) == 1, "the other mail does not wait"
    for _ in range(3):
        clock.now += outbox.QUEUE.lease
        outbox.deliver(engine, render, server, clock)
    first, second = (f"<{row.message_id}@play.example.org>" for row in rows(engine))
    assert server.taken == [first, second, first]


@pytest.mark.parametrize("jump", [timedelta(hours=1), -timedelta(hours=1)])
def test_a_jump_of_the_clock_loses_no_mail_and_doubles_none(
    engine: Engine, jump: timedelta
) -> None:
    """While one sender has died on the first mail, and another talks to the server."""
    clock, server = Clock(), Server()
    owe(engine, "a", "b")
    with write(engine) as session:
        assert outbox.claim(session, clock.now)

    class Jumps:
        def send(self, message: EmailMessage) -> None:
            clock.now += jump
            server.send(message)

    assert outbox.deliver(engine, render, Jumps(), clock) >= 1
    clock.now = NOW + abs(jump) + outbox.QUEUE.lease
    outbox.deliver(engine, render, server, clock)
    assert sorted(server.taken) == sorted(
        f"<{r.message_id}@play.example.org>" for r in rows(engine)
    )


def test_a_refusal_of_an_address_that_was_just_changed_gives_nothing_up(engine: Engine) -> None:
    with write(engine) as session:
        user = User(email="old@example.com", name="Anna")
        session.add(user)
        session.flush()
        outbox.owe(session, "word", key="a", now=NOW, user=user)

    class Changes:
        def send(self, _message: EmailMessage) -> None:
            with write(engine) as session:
                session.exec(select(User)).one().email = "new@example.com"
            raise Refused("550 no such user", permanent=True)

    outbox.deliver(engine, render, Changes(), Clock())
    with read(engine) as session:
        assert session.exec(select(User)).one().undeliverable_at is None
    assert rows(engine)[0].status == "pending"
