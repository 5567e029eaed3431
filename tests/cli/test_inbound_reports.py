"""M1: reports come in by the real listener, where our mails are from; nothing else does."""

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.mail import outbox
from core.mail.listener import Listener
from core.mail.message import Mailbox
from core.settings import load
from core.store.migrations import migrate
from core.store.session import make_engine
from core.store.tables import InboundMail, OutboxMail, User
from core.table.drive import inbox
from tests.support.table import House
from webapp.cli.inbound import storing

REPORTS = Path(__file__).parents[1] / "mail" / "reports"
MAILBOX = Mailbox.of(load({"SECRET_KEY": "s" * 40, "MAIL_DOMAIN": "play.example.org"}))
FROM = "kraftpost@play.example.org"


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Anna was sent a mail."""
    url = f"sqlite:///{tmp_path}/test.sqlite3"
    migrate(url)
    house = House(make_engine(url))
    user = house.user("Anna")
    with house.write() as s:
        outbox.owe(s, "turn", key="k", now=house.now, user=user)
        outbox.claim(s, house.now)
    return house


@pytest.fixture
def line(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[smtplib.SMTP]:
    monkeypatch.setattr("tasks.enqueue.process_mail", lambda _row: None)
    receive = storing(house.engine.url.render_as_string(hide_password=False), MAILBOX)
    with (
        Listener(receive, MAILBOX.takes) as listener,
        smtplib.SMTP("127.0.0.1", listener.port, timeout=30) as line,
    ):
        yield line


def report(house: House, kind: str) -> bytes:
    name = house.all(OutboxMail)[0].message_id
    return (REPORTS / f"{kind}.eml").read_bytes().replace(b"NAME", name.encode())


@pytest.mark.parametrize(
    ("kind", "sender"), [("postfix-unknown-user", ""), ("arf-abuse", "feedback@arf.example.com")]
)
def test_m1_a_report_comes_in_by_the_listener(
    house: House, line: smtplib.SMTP, kind: str, sender: str
):
    assert line.sendmail(sender, [FROM], report(house, kind)) == {}
    (row,) = house.all(InboundMail)
    assert (row.recipients, row.envelope_from) == ([FROM], sender)
    with house.write() as s:
        inbox.process(s, row.id, house.now, MAILBOX)
    assert house.all(InboundMail)[0].status == "done"
    assert house.all(User)[0].undeliverable_at == house.now
    assert len(house.all(OutboxMail)) == 1, "never answered"


@pytest.mark.parametrize("sender", ["", "anna@example.org"])
def test_m1_what_is_no_report_on_a_mail_of_ours_is_refused(
    house: House, line: smtplib.SMTP, sender: str
):
    forged = (REPORTS / "gmail.eml").read_bytes().replace(b"NAME", b"f" * 32)
    for raw in (forged, b"Subject: Re: your turn\r\n\r\npass\r\n"):
        with pytest.raises(smtplib.SMTPDataError) as refused:
            line.sendmail(sender, [FROM], raw)
        assert refused.value.smtp_code == 550
        assert b"answer a mail of ours" in refused.value.smtp_error
    assert house.all(InboundMail) == []
