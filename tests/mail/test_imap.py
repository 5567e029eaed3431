"""A mailbox at a real IMAP server: ours is read once, other people's mail is left alone (D3)."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.mail import imap
from core.mail.imap import Fetcher, envelope_of
from core.settings import ImapServer as Where
from tests.support.imap_server import ImapServer
from tests.support.service import eventually


@pytest.fixture(scope="module")
def running() -> Iterator[ImapServer]:
    server = ImapServer()
    if server.program is None:
        server.close()
        pytest.skip("no Dovecot here: install Debian's dovecot-imapd")
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(running) -> ImapServer:
    for folder in ("new", "cur"):
        for path in (running.folder / "mail" / folder).iterdir():
            path.unlink()
    return running


def mail(to: str, text: str = "bid 16") -> bytes:
    return f"Return-Path: <ann@x.org>\r\nTo: {to}\r\nSubject: Re\r\n\r\n{text}\r\n".encode()


class Desk:
    """What was taken; `failing`: so many times the store is out of order."""

    def __init__(self, failing: int = 0) -> None:
        self.taken: list[bytes] = []
        self.looks = 0
        self.failing = failing

    def fetcher(self, server: ImapServer) -> Fetcher:
        return Fetcher(Where.from_url(server.url), self.take, self.ours, self.looked)

    def take(self, raw: bytes) -> bool:
        if self.failing:
            self.failing -= 1
            raise OSError("the database is away")
        self.taken.append(raw)
        return True

    def ours(self, headers: bytes) -> bool:
        return b"club+turn" in headers

    def looked(self) -> None:
        self.looks += 1


def test_ours_is_taken_and_marked_and_other_mail_stays(server):
    desk = Desk()
    server.deliver(mail("club+turn.1@example.org"))
    server.deliver(mail("club@example.org", "private"))
    with desk.fetcher(server):
        eventually(lambda: desk.looks, within=10)
        assert [b"bid 16" in raw for raw in desk.taken] == [True]
        assert server.unseen() == 1
        server.deliver(mail("club+turn.2@example.org", "bid 17"))
        eventually(lambda: len(desk.taken) == 2, within=10)  # told by the server, not polled
    assert server.unseen() == 1


def test_what_cannot_be_stored_comes_again(server, monkeypatch):
    monkeypatch.setattr(imap, "FIRST_PAUSE", 0.1)
    desk = Desk(failing=2)
    server.deliver(mail("club+turn.1@example.org"))
    with desk.fetcher(server):
        eventually(lambda: desk.taken, within=10)
    assert len(desk.taken) == 1 and desk.failing == 0
    assert server.unseen() == 0


def test_a_server_that_goes_away_is_looked_for_again(server, monkeypatch):
    monkeypatch.setattr(imap, "FIRST_PAUSE", 0.1)
    desk = Desk()
    with desk.fetcher(server):
        eventually(lambda: desk.looks, within=10)
        server.stop()
        server.deliver(mail("club+turn.1@example.org"))
        server.start()
        eventually(lambda: desk.taken, within=20)
    assert threading.active_count() < 20


def test_a_wrong_password_stops_nothing(server, monkeypatch, caplog):
    monkeypatch.setattr(imap, "FIRST_PAUSE", 0.1)
    wrong = replace(Where.from_url(server.url), password="wrong")
    with Fetcher(wrong, lambda _raw: True, lambda _headers: True):
        eventually(lambda: "cannot be read" in caplog.text, within=20)
    assert "wrong" not in caplog.text, "no secret in a log"


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("imaps://me:pw@host", Where("host", 993, "me", "pw", True, "INBOX")),
        ("imap://me%40x:p%2Fw@host:1143/Games", Where("host", 1143, "me@x", "p/w", False, "Games")),
    ],
)
def test_addresses_of_mailboxes(url, where):
    assert Where.from_url(url) == where
    assert "p" + "w" not in repr(Where.from_url("imaps://me:pw@host")).replace("password", "")


@pytest.mark.parametrize("url", ["imaps://host", "pop3://me@host", "imaps://", "nonsense"])
def test_what_is_no_mailbox_is_refused(url):
    with pytest.raises(ValueError, match="imaps://USER"):
        Where.from_url(url)


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        (b"Return-Path: <a@x.org>\r\nTo: b\r\n\r\n", "a@x.org"),
        (b"Return-Path: <>\r\nTo: b\r\n\r\n", ""),
        (b"To: b\r\n\r\nReturn-Path: <a@x.org>", None),
    ],
)
def test_the_envelope_is_what_the_last_server_wrote(head, sender):
    assert envelope_of(head) == sender
