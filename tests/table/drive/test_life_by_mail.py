"""Four people by mail alone, through a real SMTP port: from `open` to the end of the game.

Two of them never have a page: they are known by the mails they write.
"""

import smtplib
from email.message import EmailMessage
from random import Random

import pytest
from sqlmodel import select

from core.mail.listener import STORED, Listener
from core.statuses import GameStatus
from core.store.tables import ChatLine, Game, InboundMail, User
from core.table.drive import inbox
from core.table.notify import digests
from tests.support.mails import MAILBOX
from tests.support.post_office import PostOffice, of_kind, offered, text_of

DATE = "Tue, 1 Dec 2026 12:00:00 +0100"
SIGNATURES = ("", "Cheers, Ben", "Mit freundlichen Grüßen", "С уважением")


@pytest.fixture
def engine_url(sqlite_url: str) -> str:
    return sqlite_url


class Port(PostOffice):
    """Answers come in by SMTP, as from everybody's mail program."""

    def connect(self, port: int) -> None:
        self.port = port

    def receive(self, raw: bytes, sender: str, recipients: tuple[str, ...]) -> list[str]:
        with self.house.write() as s:
            inbox.receive(s, raw, sender, recipients, self.house.now)
        return [STORED] * len(recipients)

    def deliver(self, raw: bytes, sender: str, recipient: str) -> str:
        address = sender.rpartition("<")[2].rstrip(">")
        with smtplib.SMTP("127.0.0.1", self.port) as line:
            line.sendmail(address, [recipient], raw)
        waiting = self.house.all(InboundMail, status="pending")
        for row in waiting:
            with self.house.write() as s:
                game = inbox.process(s, row.id, self.house.now, MAILBOX)
            if game is not None:
                self.house.adjudicate(game)
        return self.house.get(InboundMail, waiting[-1].id).status


def to(mails: list[EmailMessage], who: str) -> list[EmailMessage]:
    return [mail for mail in mails if f"{who}@" in str(mail["To"])]


@pytest.mark.slow
def test_a_life_by_mail_from_open_to_the_end(house, monkeypatch) -> None:
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)  # pictures take their time
    office, chance = Port(house), Random(7)
    with Listener(office.receive, MAILBOX.takes) as listener:
        office.connect(listener.port)
        game = _begin(house, office)
        _live(house, office, game, chance)


def _begin(house, office: Port) -> int:
    """Open a table by an answer, fill it by invitations, begin it."""
    house.start("Anna", "Eve", auction="open")
    (first,) = [m for m in office.fetch() if "anna@" in str(m["To"])][:1]
    assert office.answer(first, "Hello,", "open Friday club for 4") == "done"
    (opened,) = of_kind(office.fetch(), "done")
    names = ("ben", "cho", "dan")
    invites = [f"invite {n.title()} <{n}@example.net>" for n in names]
    assert office.answer(opened, *invites) == "done"
    for invitation in of_kind(office.fetch(), "invite"):
        who = str(invitation["To"])
        assert (
            office.answer(
                invitation,
                "Yes",
                "chat hello from here",
                From=who,
                Date="Tue, 1 Dec 2026 12:00:00 +0100",
            )
            == "done"
        )
    office.fetch()
    assert office.answer(opened, "begin", "Anna") == "done"
    (game,) = house.all(Game, title="Friday club")
    assert game.status == GameStatus.RUNNING
    assert len(house.all(ChatLine)) == 3
    (cho,) = house.all(User, email="cho@example.net")
    assert (cho.name, cho.zone) == ("Cho", "Etc/GMT-1")
    return game.id


def _live(house, office: Port, game: int, chance: Random) -> None:
    answered, asides = 0, iter(ASIDES)
    mails = office.sent[:]
    while house.get(Game, game).status == GameStatus.RUNNING:
        asked = house.asked(game)[0]
        address = house.owner(game, asked.seat).email
        question = _question(office, game, address)
        if answered % 5 == 4 and (aside := next(asides, None)):
            aside(house, office, game, question)
            answered += 1
            continue
        lines = offered(question)
        line = chance.choice(lines[-3:])
        assert office.answer(question, line, chance.choice(SIGNATURES)) == "done"
        fresh = office.fetch()
        assert not of_kind(fresh, "refused"), [text_of(m) for m in of_kind(fresh, "refused")]
        answered += 1
    assert next(asides, None) is None
    assert len(mails) < len(office.sent)
    ends = of_kind(office.sent, "end")
    assert {"ben@example.net", "cho@example.net", "dan@example.net"} <= {
        str(m["To"]).rpartition("<")[2].rstrip(">") for m in ends
    }
    house.log_is_whole(game)


def _question(office: Port, game: int, address: str) -> EmailMessage:
    office.fetch()
    mine = [
        m for m in office.sent if address in str(m["To"]) and m["X-Kraftpost-Game"] == str(game)
    ]
    answers = [m for m in mine if str(m["Reply-To"]).startswith("turn+")]
    return [m for m in answers if offered(m)][-1]


def _chat(house, office, game, question) -> None:
    office.answer(question, "chat what a game")
    assert of_kind(office.fetch(), "done")


def _settings(house, office, game, question) -> None:
    office.answer(question, "zone Europe/Berlin", "quiet 22-7", "quiet off", "name Friend")
    assert of_kind(office.fetch(), "done")


def _map(house, office, game, question) -> None:
    office.answer(question, "map", "status")
    assert len(of_kind(office.fetch(), "done")) == 2


def _pause(house, office, game, question) -> None:
    host = house.get(User, house.get(Game, game).host_id).email
    mine = [m for m in office.sent if host in str(m["To"]) and m["X-Kraftpost-Game"] == str(game)]
    for line in ("pause it is late", "resume and on we go", "more 24h because of Sunday"):
        assert office.answer(mine[-1], line) == "done"
    for mail in office.fetch():
        if "DO YOU AGREE" in text_of(mail):
            office.answer(mail, "yes")
    office.fetch()


def _vacation(house, office, game, question) -> None:
    office.answer(question, "vacation 2 days")
    office.answer(question, "vacation end")
    assert len(of_kind(office.fetch(), "done")) == 2


def _digest(house, office, game, question) -> None:
    office.answer(question, "mail daily")
    office.fetch()
    house.pass_time(days=1)
    with house.write() as s:
        for user_id in digests.due(s, house.now):
            digests.owe(s, user_id, house.now)
    office.fetch()
    office.answer(question, "mail on")
    office.fetch()
    with house.write() as s:
        assert {user.mail_mode for user in s.exec(select(User))} == {"instant"}


ASIDES = (_chat, _settings, _map, _pause, _vacation, _digest)
