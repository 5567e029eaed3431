"""The listener, spoken to over real connections."""

import signal
import smtplib
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from core.mail.addresses import InviteToken, ReplyAddress, TurnToken
from core.mail.listener import LATER, REFUSED, STORED, Limits, Listener

BOX = ReplyAddress("the secret of these tests", "play.example.org")
ONE, TWO = BOX.make(TurnToken(12, 3, 57)), BOX.make(InviteToken(4))
ANNA = "anna@example.com"


class Store:
    """Takes messages and gives the replies it is told to give."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, str, tuple[str, ...]]] = []
        self.replies: dict[str, str] = {}
        self.before: Callable[[], object] = lambda: None

    def __call__(self, raw: bytes, sender: str, recipients: Sequence[str]) -> list[str]:
        self.before()
        self.taken.append((raw, sender, tuple(recipients)))
        return [self.replies.get(recipient, STORED) for recipient in recipients]


def known(address: str) -> bool:
    return BOX.read(address) is not None


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def smtp(store: Store) -> Iterator[Listener]:
    with Listener(store, known, limits=Limits(message_bytes=1 << 19, connections=3)) as listener:
        yield listener


@pytest.fixture
def lmtp(store: Store) -> Iterator[Listener]:
    with Listener(store, known, lmtp=True, limits=Limits(message_bytes=4000)) as listener:
        yield listener


def client(listener: Listener) -> smtplib.SMTP:
    return smtplib.SMTP("127.0.0.1", listener.port, timeout=10)


def answer(body: str = "bid 15\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = ANNA, ONE, "Re: your turn"
    message.set_content(body)
    return message


def test_an_answer_arrives_as_it_was_sent(smtp: Listener, store: Store):
    with client(smtp) as line:
        line.sendmail(ANNA, [ONE], b"Subject: x\r\n\r\nbid 15\r\n.dotted\r\n\xff\r\n")
    assert store.taken == [(b"Subject: x\r\n\r\nbid 15\r\n.dotted\r\n\xff\r\n", ANNA, (ONE,))]


def test_several_answers_over_one_connection(smtp: Listener, store: Store):
    with client(smtp) as line:
        line.send_message(answer("bid 15\n"), ANNA, [ONE])
        line.send_message(answer("bid 16\n"), ANNA, [ONE, TWO])
    assert [recipients for _, _, recipients in store.taken] == [(ONE,), (ONE, TWO)]


def test_no_stranger_is_served(smtp: Listener, store: Store):
    forged = ONE.replace("12.3", "12.2")
    strangers = (
        forged,
        "ben@example.net",
        "postmaster@play.example.org",
        ONE.replace(".org", ".net"),
    )
    with client(smtp) as line:
        for stranger in strangers:
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
                line.sendmail(ANNA, [stranger], "bid 15")
            code, text = refused.value.recipients[stranger]
            assert code == 550
            assert b"answer a mail of ours" in text
        assert set(line.sendmail(ANNA, [forged, ONE], "bid 15")) == {forged}
    assert [recipients for _, _, recipients in store.taken] == [(ONE,)]


def test_the_null_sender_is_told_as_empty(smtp: Listener, store: Store):
    with client(smtp) as line:
        line.sendmail("", [ONE], "Subject: bounce\n\nx")
    assert store.taken[0][1] == ""


def test_addresses_in_utf_8(smtp: Listener, store: Store):
    with client(smtp) as line:
        line.ehlo()
        assert line.has_extn("smtputf8")
        line.sendmail("jürgen@exämple.com", [ONE], b"bid 15", ["SMTPUTF8", "BODY=8BITMIME"])
    assert store.taken[0][1] == "jürgen@exämple.com"


@pytest.mark.parametrize("replies, code", [
    ({ONE: LATER}, 451), ({TWO: LATER}, 451), ({ONE: REFUSED}, 250), ({TWO: REFUSED}, 250),
    ({ONE: REFUSED, TWO: REFUSED}, 550), ({ONE: REFUSED, TWO: LATER}, 451), ({}, 250),
])  # fmt: skip
def test_smtp_has_one_reply_for_all(
    smtp: Listener, store: Store, replies: dict[str, str], code: int
):
    store.replies = replies
    with client(smtp) as line:
        line.ehlo()
        line.mail(ANNA)
        line.rcpt(ONE)
        line.rcpt(TWO)
        assert line.data("bid 15")[0] == code


def test_what_cannot_be_stored_is_to_be_sent_again(smtp: Listener, store: Store):
    def fail() -> None:
        raise OSError("disk full at /secret/path")

    store.before = fail
    with client(smtp) as line:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            line.send_message(answer(), ANNA, [ONE])
        assert refused.value.smtp_code == 451
        assert b"secret" not in refused.value.smtp_error
        store.before = lambda: None
        line.send_message(answer(), ANNA, [ONE])
    assert len(store.taken) == 1


def test_after_a_failure_the_connection_goes_on(smtp: Listener, store: Store):
    store.before = lambda: 1 / 0
    with client(smtp) as line:
        line.ehlo()
        for _ in range(2):
            assert line.mail(ANNA)[0] == 250
            assert line.rcpt(ONE)[0] == 250
            assert line.data("bid 15")[0] == 451


def test_a_store_that_answers_for_too_few_has_stored_nothing(store: Store):
    with Listener(lambda *_: [STORED], known) as listener, client(listener) as line:
        line.ehlo()
        line.mail(ANNA)
        line.rcpt(ONE)
        line.rcpt(TWO)
        assert line.data("bid 15")[0] == 451


def test_250_is_said_only_after_it_was_stored(smtp: Listener, store: Store):
    go_on, inside = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        assert go_on.wait(10)

    store.before = wait
    with client(smtp) as line:
        sending = threading.Thread(target=line.send_message, args=(answer(), ANNA, [ONE]))
        sending.start()
        assert inside.wait(10)
        sending.join(0.2)
        assert sending.is_alive()
        with client(smtp) as other:  # nobody else has to wait for it
            assert other.noop()[0] == 250
        go_on.set()
        sending.join(10)
    assert len(store.taken) == 1


def test_stopping_lets_a_message_be_stored_and_answered(store: Store):
    inside = threading.Event()

    def slow() -> None:
        inside.set()
        time.sleep(0.3)

    store.before = slow
    listener = Listener(store, known)
    listener.start()
    with client(listener) as line:
        codes: list[object] = []
        line.ehlo()
        line.mail(ANNA)
        line.rcpt(ONE)
        sending = threading.Thread(target=lambda: codes.append(line.data("bid 15")[0]))
        sending.start()
        assert inside.wait(10)
        listener.stop()
        sending.join(10)
        line.close()
    assert codes == [250]
    assert len(store.taken) == 1
    listener.stop()  # twice does no harm
    with pytest.raises(ConnectionRefusedError):
        client(listener)


def test_giant_messages_are_refused_and_large_ones_are_not(smtp: Listener, store: Store):
    with client(smtp) as line:
        line.send_message(answer("x" * 60 + "\n" + "y" * 60 + "\n" * 200_000), ANNA, [ONE])
        with pytest.raises(smtplib.SMTPSenderRefused) as early:  # it says its size ahead
            line.sendmail(ANNA, [ONE], "x" * (1 << 20))
        assert early.value.smtp_code == 552
        line.rset()
        line.mail(ANNA)
        line.rcpt(ONE)
        assert line.data("xxxxxxx\n" * (1 << 17))[0] == 552
        line.send_message(answer(), ANNA, [ONE])
    assert len(store.taken) == 2


class Raw:
    """A client that says just what it is told."""

    def __init__(self, listener: Listener) -> None:
        self.socket = socket.create_connection(("127.0.0.1", listener.port), timeout=10)
        self.file = self.socket.makefile("rb")
        self.greeting = self.file.readline()

    def say(self, text: bytes) -> bytes:
        """Say something and hear one line; nothing is heard on a line that was cut."""
        try:
            self.socket.sendall(text)
            return self.file.readline()
        except ConnectionError:
            return b""

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def raw(smtp: Listener) -> Iterator[Raw]:
    connection = Raw(smtp)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    "end", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\r\n\x00.\r\n"]
)
def test_only_a_real_end_ends_a_message(raw: Raw, store: Store, end: bytes):
    raw.say(b"HELO x\r\n")
    raw.say(b"MAIL FROM:<a@x>\r\n")
    raw.say(f"RCPT TO:<{ONE}>\r\n".encode())
    raw.say(b"DATA\r\n")
    smuggled = f"MAIL FROM:<b@x>\r\nRCPT TO:<{TWO}>\r\nDATA\r\npass\r\n.\r\n".encode()
    assert raw.say(b"bid 15" + end + smuggled).startswith(b"250")
    assert raw.say(b"NOOP\r\n").startswith(b"250")
    assert [recipients for _, _, recipients in store.taken] == [(ONE,)]
    assert b"pass" in store.taken[0][0]


def test_nonsense_is_answered_and_ends_after_a_while(raw: Raw):
    assert raw.greeting.startswith(b"220 localhost")
    for nonsense in (b"\xff\xfe\r\n", b"RCPT TO:<x>\r\n", b"DATA\r\n", b"x" * 40_000 + b"\r\n"):
        assert raw.say(nonsense).startswith(b"5"), nonsense
    for _ in range(20):
        reply = raw.say(b"EVIL\r\n")
    assert reply == b""  # cut


def test_one_connection_too_many_is_told_to_come_again(smtp: Listener):
    lines = [Raw(smtp) for _ in range(3)]
    extra = Raw(smtp)
    assert extra.greeting.startswith(b"421")
    assert extra.file.readline() == b""
    extra.close()
    lines.pop().close()
    for _ in range(100):
        again = Raw(smtp)
        again.close()
        if again.greeting.startswith(b"220"):
            break
        time.sleep(0.02)
    assert again.greeting.startswith(b"220")
    for line in lines:
        line.close()


def test_who_says_nothing_is_cut_off(store: Store):
    with Listener(store, known, limits=Limits(seconds=0.2)) as listener:
        silent = Raw(listener)
        assert silent.file.readline() == b""
        silent.close()
        dripping = Raw(listener)
        dripping.say(b"HELO x\r\n")
        dripping.say(b"MAIL FROM:<a@x>\r\n")
        dripping.say(f"RCPT TO:<{ONE}>\r\n".encode())
        dripping.say(b"DATA\r\n")
        began = time.monotonic()
        with pytest.raises(OSError):
            for _ in range(500):
                dripping.socket.sendall(b"x\r\n")
                time.sleep(0.02)
        assert time.monotonic() - began < 8
        dripping.close()
    assert store.taken == []


def test_recipients_are_limited(smtp: Listener):
    with client(smtp) as line:
        line.ehlo()
        line.mail(ANNA)
        codes = [line.rcpt(BOX.make(InviteToken(number)))[0] for number in range(22)]
    assert codes == [250] * 20 + [452] * 2


def test_commands_are_limited(store: Store):
    with Listener(store, known, limits=Limits(commands=5)) as listener, client(listener) as line:
        assert [line.noop()[0] for _ in range(6)] == [250] * 5 + [421]


def test_lmtp_replies_for_each_recipient(lmtp: Listener, store: Store):
    store.replies = {TWO: REFUSED}
    connection = Raw(lmtp)
    assert connection.say(b"EHLO x\r\n").startswith(b"500")
    connection.close()
    with smtplib.LMTP("127.0.0.1", lmtp.port, timeout=10) as line:
        line.ehlo()
        assert line.docmd("MAIL", f"FROM:<{ANNA}>")[0] == 250
        assert line.docmd("RCPT", f"TO:<{ONE}>")[0] == 250
        assert line.docmd("RCPT", f"TO:<{TWO}>")[0] == 250
        assert line.docmd("DATA")[0] == 354
        line.send(b"bid 15\r\n.\r\n")
        assert [line.getreply()[0], line.getreply()[0]] == [250, 550]
        assert line.noop()[0] == 250
    assert store.taken == [(b"bid 15\r\n", ANNA, (ONE, TWO))]


def test_lmtp_refuses_for_each_recipient_too(lmtp: Listener, store: Store):
    with smtplib.LMTP("127.0.0.1", lmtp.port, timeout=10) as line:
        line.ehlo()
        line.docmd("MAIL", f"FROM:<{ANNA}>")
        line.docmd("RCPT", f"TO:<{ONE}>")
        line.docmd("RCPT", f"TO:<{TWO}>")
        line.docmd("DATA")
        line.send(b"too long\r\n" * 1000 + b".\r\n")
        assert [line.getreply()[0], line.getreply()[0]] == [552, 552]
        assert line.noop() == (250, b"OK")
    assert store.taken == []


def test_a_port_in_use_is_said(smtp: Listener, store: Store):
    other = Listener(store, known, port=smtp.port)
    with pytest.raises(OSError, match="in use"):
        other.start()
    other.stop()


PROGRAM = """
from core.mail.listener import STORED, Listener, serve

def receive(raw, sender, recipients):
    print(raw.decode().strip(), flush=True)
    return [STORED] * len(recipients)

serve(Listener(receive, lambda address: True), lambda listener: print(listener.port, flush=True))
print("stopped", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_served_until_told_to_stop(number: int):
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with smtplib.SMTP("127.0.0.1", int(process.stdout.readline()), timeout=10) as line:
                line.sendmail(ANNA, [ONE], "bid 15")
            assert process.stdout.readline() == "bid 15\n"
            process.send_signal(number)
            assert process.stdout.readline() == "stopped\n"
            assert process.wait(10) == 0
        finally:
            process.kill()


def test_a_line_may_be_made_secret(store: Store):
    """STARTTLS, for those who ask for it; the others are served as before."""
    pems = Path(__file__).parents[1] / "support" / "tls"
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(pems / "certificate.pem", pems / "key.pem")
    trusting = ssl.create_default_context(cafile=str(pems / "certificate.pem"))
    trusting.check_hostname = False
    with Listener(store, known, tls=context) as listener:
        for secret in (True, False):
            with client(listener) as line:
                if secret:
                    assert line.starttls(context=trusting)[0] == 220
                line.send_message(answer())
    assert len(store.taken) == 2
