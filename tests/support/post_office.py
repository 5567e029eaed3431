"""A post office for a house of tables: answers go in, mails come out, no server is needed."""

from email.message import EmailMessage
from itertools import count

from core.mail import outbox
from core.store.tables import InboundMail
from core.table.drive import inbox
from core.table.notify import sending
from core.table.views.render import renderer
from tests.support.mails import MAILBOX
from tests.support.table import House


class PostOffice:
    """Takes letters to a house and fetches its mail."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.sent: list[EmailMessage] = []
        self._numbers = count(1)

    def send(self, message: EmailMessage) -> None:
        self.sent.append(message)

    def fetch(self) -> list[EmailMessage]:
        """Have the outbox delivered; the mails that came out of it."""
        before = len(self.sent)
        while outbox.deliver(
            self.house.engine, renderer(MAILBOX), self, lambda: self.house.now, sending.may
        ):
            pass
        return self.sent[before:]

    def mail(self, sender: str, recipient: str, *lines: str, **headers: str) -> str:
        """Mail some lines, have them acted upon and their game adjudicated: done or ignored."""
        raw = self._written(sender, recipient, *lines, **headers)
        return self.deliver(raw, sender, recipient)

    def post(self, message: EmailMessage, *lines: str) -> int:
        """Answer a mail that was fetched; nobody acts upon it yet. The number of its row."""
        sender, recipient = str(message["To"]), str(message["Reply-To"])
        raw = self._written(sender, recipient, *lines)
        with self.house.write() as s:
            (number,) = inbox.receive(s, raw, sender, [recipient], self.house.now)
        return number

    def _written(self, sender: str, recipient: str, *lines: str, **headers: str) -> bytes:
        message = EmailMessage()
        message["From"], message["To"] = sender, recipient
        message["Subject"] = "Re: your turn"
        message["Message-ID"] = f"<{next(self._numbers)}@reader.example.com>"
        for name, value in headers.items():
            del message[name.replace("_", "-")]
            message[name.replace("_", "-")] = value
        message.set_content("\n".join(lines) + "\n\n> auction 3 for 3\n")
        return message.as_bytes()

    def deliver(self, raw: bytes, sender: str, recipient: str) -> str:
        with self.house.write() as s:
            (number,) = inbox.receive(s, raw, sender, [recipient], self.house.now)
        with self.house.write() as s:
            game = inbox.process(s, number, self.house.now, MAILBOX)
        if game is not None:
            self.house.adjudicate(game)
        return self.house.get(InboundMail, number).status

    def answer(self, message: EmailMessage, *lines: str, **headers: str) -> str:
        """Answer a mail that was fetched."""
        return self.mail(str(message["To"]), str(message["Reply-To"]), *lines, **headers)


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return " ".join(str(part.get_content()).split())


def readable(message: EmailMessage) -> str:
    """All that can be read in a mail: headers, and every text as it is before it is encoded."""
    parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in message.items()), *parts])


def offered(message: EmailMessage) -> list[str]:
    part = message.get_body(("plain",))
    assert part is not None
    lines = str(part.get_content()).splitlines()
    return [line.split(" # ")[0].strip() for line in lines if line.startswith("    ")]


def of_kind(mails: list[EmailMessage], kind: str) -> list[EmailMessage]:
    return [mail for mail in mails if mail["X-Kraftpost-Kind"] == kind]
