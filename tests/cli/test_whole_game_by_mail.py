"""A whole game by mail from outside: three mail programs, SMTP in, files out, a real worker."""

import email
import email.policy
import json
import re
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from core.game.errors import LogError
from core.game.evolve import evolve
from core.game.log.jsonl import load
from core.store.session import make_engine, read
from core.table.record import gamelog
from tests.support.service import Service

pytestmark = pytest.mark.slow

PLAYERS = ("anna@example.org", "ben@example.net", "clara@example.com")
OFFERED = re.compile(r"^ {4}(\S.*?)(?: +# .*)?$", re.MULTILINE)
LIMIT = 240
"""Seconds that the game may take."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("by-mail") / "data")
    yield running
    running.stop()


def kraftpost(service: Service, *words: str) -> str:
    command = [sys.executable, "-m", "webapp.cli", *words, "--data", str(service.data)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


class Post:
    """The mails that the service has written, each read once."""

    def __init__(self, service: Service) -> None:
        self.folder = Path(service.facts["data"]) / "mail"
        self.seen: set[str] = set()

    def new(self) -> list[EmailMessage]:
        fresh = sorted(p for p in self.folder.glob("*.eml") if p.name not in self.seen)
        self.seen |= {path.name for path in fresh}
        read = email.policy.default
        return [email.message_from_bytes(p.read_bytes(), policy=read) for p in fresh]


def reply_to(question: EmailMessage, line: str) -> EmailMessage:
    """Answer as a mail program does: to Reply-To, from the reader's address, above the quote."""
    reader = question["To"].addresses[0].addr_spec
    text = question.get_body(("plain",)).get_content()
    reply = EmailMessage()
    reply["From"], reply["To"] = reader, question["Reply-To"]
    reply["Subject"] = f"Re: {question['Subject']}"
    reply["Message-ID"] = f"<{time.time_ns()}@example.org>"
    reply["In-Reply-To"] = question["Message-ID"]
    quoted = "\n".join(f"> {part}" for part in text.splitlines())
    reply.set_content(f"{line}\n\nOn Monday Kraftpost wrote:\n{quoted}\n")
    return reply


def answer(service: Service, question: EmailMessage, line: str) -> None:
    with smtplib.SMTP(*service.smtp) as client:
        client.send_message(reply_to(question, line))


def test_a_game_of_three_by_mail_alone(service: Service) -> None:
    """Sealed auctions, as slow games have them; each answers with any of the lines offered."""
    chance, post, kinds = Random("by mail"), Post(service), []
    made = kraftpost(
        service, "table", "new", "--map", "germany", "--players", ",".join(PLAYERS),
        "--start", "--json",
    )  # fmt: skip
    game, ended, until = json.loads(made)["game"], set(), time.monotonic() + LIMIT
    while len(ended) < len(PLAYERS) or kinds.count("done") < kinds.count("turn"):
        assert time.monotonic() < until, f"no end after {len(kinds)} mails"
        for mail in post.new():
            kind = mail["X-Kraftpost-Kind"]
            kinds.append(kind)
            if kind == "turn":
                offered = OFFERED.findall(mail.get_body(("plain",)).get_content())
                answer(service, mail, chance.choice(offered))
            if kind == "end":
                ended.add(mail["To"].addresses[0].addr_spec)
        time.sleep(0.05)
    assert ended == set(PLAYERS)
    assert "refused" not in kinds
    assert kinds.count("turn") > 30
    _refolds(kraftpost(service, "export", str(game)), service, game)


def _refolds(text: str, service: Service, game: int) -> None:
    """Every position of the exported file is the position that the service had then."""
    log, state = load(text.splitlines()), None
    engine = make_engine(f"sqlite:///{service.data}/kraftpost.sqlite3")
    with read(engine) as session:
        for number, event in enumerate(log.events, 1):
            state = evolve(state, event)
            assert state == gamelog.load(session, game, number)
    engine.dispose()
    assert state is not None
    assert state.standings
    with pytest.raises(LogError):
        load(text.splitlines()[:2] + text.splitlines()[3:])
