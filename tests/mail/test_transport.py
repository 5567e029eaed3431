"""Handing mails to a server, or to a directory for local play."""

import asyncio
import email
import email.policy
import smtplib
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from core.mail import transport
from core.mail.transport import Directory, Refused, Smtp, Unreachable
from core.settings import MailServer
from tests.support.smtp_sink import SmtpSink


def message(name: str = "one", to: str = "anna@example.com") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "kraftpost@play.example.org", to, "Straße"
    made["Message-ID"] = f"<{name}@play.example.org>"
    made["X-Kraftpost-Kind"] = "turn"
    made.set_content("München\n")
    return made


def server(url: str) -> Smtp:
    return Smtp(MailServer.from_url(url))


def test_one_connection_takes_many_messages(smtp_sink: SmtpSink) -> None:
    with server(smtp_sink.url) as smtp:
        smtp.send(message("one"))
        smtp.send(message("two"))
    received = [one.message for one in smtp_sink.messages]
    assert [one["Message-ID"] for one in received] == [
        "<one@play.example.org>", "<two@play.example.org>",
    ]  # fmt: skip
    assert received[0].get_content() == "München\r\n"


def test_nobody_there_is_unreachable() -> None:
    with server("smtp://127.0.0.1:1") as smtp, pytest.raises(Unreachable, match=r"127\.0\.0\.1"):
        smtp.send(message())


def test_421_means_the_server_and_not_the_message(smtp_sink: SmtpSink) -> None:
    smtp_sink.refuse(60)
    with server(smtp_sink.url) as smtp, pytest.raises(Unreachable, match="421"):
        smtp.send(message())


def test_after_a_421_the_next_message_gets_a_new_connection(smtp_sink: SmtpSink) -> None:
    with server(smtp_sink.url) as smtp:
        smtp_sink.refuse(60)
        with pytest.raises(Unreachable):
            smtp.send(message("one"))
        smtp_sink.refuse(0)
        smtp.send(message("two"))
    assert len(smtp_sink.messages) == 1


_ANSWERS = {
    "nobody@example.com": "550 5.1.1 No such user",
    "moved@example.com": "551 User not local",
    "odd@example.com": "553 5.1.3 Bad address syntax",
    "later@example.com": "450 4.2.1 Mailbox busy",
    "relay@example.com": "550 5.7.1 Relaying denied",
    "access@example.com": "554 5.7.1 Access denied",
    "full@example.com": "552 5.2.2 Over quota",
    "plain@example.com": "554 Transaction failed",
}


class Picky:
    """Knows Anna alone, and takes no message for Ben."""

    async def handle_RCPT(self, server, session, envelope, address, options):  # type: ignore[no-untyped-def] # noqa: N802
        if address in _ANSWERS:
            return _ANSWERS[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # type: ignore[no-untyped-def] # noqa: N802
        return "554 5.7.1 Looks like spam"


@pytest.mark.parametrize(
    ("to", "permanent", "code"),
    [
        ("nobody@example.com", True, "550"),
        ("moved@example.com", True, "551"),
        ("odd@example.com", True, "553"),
        ("later@example.com", False, "450"),
        ("relay@example.com", False, "550"),
        ("access@example.com", False, "554"),
        ("full@example.com", False, "552"),
        ("plain@example.com", False, "554"),
        ("anna@example.com", False, "554"),
    ],
)
def test_a_refusal_says_whether_the_address_is_bad(to: str, permanent: bool, code: str) -> None:
    controller = _at_any_port(Controller(Picky(), hostname="127.0.0.1", port=0))
    try:
        with (
            server(f"smtp://127.0.0.1:{controller.port}") as smtp,
            pytest.raises(Refused, match=code) as refused,
        ):
            smtp.send(message(to=to))
    finally:
        controller.stop()
    assert refused.value.permanent is permanent


class Taking:
    """Takes every message, but knows ASCII only."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    async def handle_DATA(self, server, session, envelope):  # type: ignore[no-untyped-def] # noqa: N802
        self.taken += envelope.rcpt_tos
        return "250 OK"


def test_an_address_that_the_server_cannot_be_told_holds_up_no_other() -> None:
    handler = Taking()
    controller = _at_any_port(
        Controller(handler, hostname="127.0.0.1", port=0, enable_SMTPUTF8=False)
    )
    try:
        with server(f"smtp://127.0.0.1:{controller.port}") as smtp:
            for odd in ("a@exämple.org", "jürgen@example.com"):
                with pytest.raises(Refused) as refused:
                    smtp.send(message(to=odd))
                assert refused.value.permanent
                smtp.send(message())
    finally:
        controller.stop()
    assert handler.taken == ["anna@example.com"] * 2


def test_a_login_that_is_refused_is_unreachable_and_no_lost_mail() -> None:
    def authenticate(*_about: object) -> AuthResult:
        return AuthResult(success=False, handled=False)

    controller = _at_any_port(
        Controller(
            Picky(),
            hostname="127.0.0.1",
            port=0,
            authenticator=authenticate,
            auth_require_tls=False,
        )
    )
    try:
        with (
            server(f"smtp://user:wrong@127.0.0.1:{controller.port}") as smtp,
            pytest.raises(Unreachable, match="535"),
        ):
            smtp.send(message())
    finally:
        controller.stop()


def test_starttls_that_is_not_offered_sends_nothing_in_the_clear(smtp_sink: SmtpSink) -> None:
    with (
        server(f"{smtp_sink.url}/?starttls=1") as smtp,
        pytest.raises(Unreachable, match="STARTTLS"),
    ):
        smtp.send(message())
    assert smtp_sink.messages == []


def test_files_hold_one_mail_each_and_sort_by_time(tmp_path: Path) -> None:
    with Directory(tmp_path / "mail") as directory:
        for name in ("zz", "aa", "mm"):
            directory.send(message(name))
    files = sorted((tmp_path / "mail").iterdir())
    read = [email.message_from_bytes(f.read_bytes(), policy=email.policy.default) for f in files]
    assert [one["Message-ID"].partition("@")[0] for one in read] == ["<zz", "<aa", "<mm"]
    assert all(f.suffix == ".eml" and ".turn." in f.name for f in files)


def test_the_same_mail_again_is_the_same_file(tmp_path: Path) -> None:
    with Directory(tmp_path) as directory:
        directory.send(message())
        directory.send(message())
    assert len(list(tmp_path.iterdir())) == 1


def test_a_directory_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    directory = Directory(tmp_path / "mail")
    (tmp_path / "mail").rmdir()
    with pytest.raises(Unreachable):
        directory.send(message())


def _at_any_port(controller: Controller) -> Controller:
    """Start a controller and tell it the port that the system has chosen."""
    plain = controller._trigger_server

    def trigger() -> None:
        controller.port = controller.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        plain()

    controller._trigger_server = trigger  # type: ignore[method-assign]
    controller.start()
    return controller


def test_a_server_may_take_longer_for_an_answer_than_for_its_greeting(monkeypatch) -> None:
    """Who hangs up while it looks at a mail that it then takes sends that mail twice."""
    monkeypatch.setattr(transport, "_GREETING", 0.3)

    class Thorough(SmtpSink):
        async def handle_DATA(self, *given) -> str:  # noqa: N802 (the name is aiosmtpd's)
            await asyncio.sleep(0.6)
            return await super().handle_DATA(*given)

    sink = Thorough()
    with server(sink.url) as smtp:
        smtp.send(message())
    sink.close()
    assert len(sink.messages) == 1


def test_after_a_conversation_that_was_stopped_midway_a_new_one_begins(
    smtp_sink: SmtpSink, monkeypatch
) -> None:
    """The answers to the first would be taken for those to the second."""

    class TimeIsOver(Exception):
        """As Celery raises it, wherever the work just is."""

    def stop(*_: object) -> None:
        raise TimeIsOver

    with server(smtp_sink.url) as smtp:
        smtp.send(message("one"))
        with monkeypatch.context() as patch, pytest.raises(TimeIsOver):
            patch.setattr(smtplib.SMTP, "getreply", stop)  # said MAIL, and heard no answer yet
            smtp.send(message("two"))
        smtp.send(message("three"))
    told = [one.message["Message-ID"] for one in smtp_sink.messages]
    assert told == ["<one@play.example.org>", "<three@play.example.org>"]
