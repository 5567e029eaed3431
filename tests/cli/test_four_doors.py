"""One game, four doors: answers by SMTP, by an IMAP mailbox, by a webhook, and by the API (D3)."""

import http.client
import json
import sys
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from tests.cli.test_whole_game_by_mail import OFFERED, Post, _refolds, answer, kraftpost, reply_to
from tests.support.imap_server import ImapServer
from tests.support.service import Service

pytestmark = pytest.mark.slow
PLAYERS = ("smtp@example.org", "imap@example.net", "webhook@example.com", "api@example.org")
SECRET = "of the webhook, thirty-two characters"
LIMIT = 240
"""Seconds that the game may take."""


@pytest.fixture
def mailbox() -> Iterator[ImapServer]:
    server = ImapServer()
    if server.program is None:
        server.close()
        pytest.skip("no Dovecot here: install Debian's dovecot-imapd")
    server.start()
    yield server
    server.close()


@pytest.fixture
def service(tmp_path: Path, mailbox: ImapServer) -> Iterator[Service]:
    environ = {
        "IMAP_URL": mailbox.url,
        "INBOUND_SECRET": SECRET,
        "REPLY_MAILBOX": "club@example.org",
    }
    running = Service(tmp_path / "data", environ=environ)
    yield running
    running.stop()


def deliver(service: Service, mail: EmailMessage) -> None:
    """Post a mail as a mail service would."""
    connection = http.client.HTTPConnection(urlsplit(service.site).netloc, timeout=30)
    headers = {"Authorization": f"Bearer {SECRET}", "Content-Type": "message/rfc822"}
    connection.request("POST", "/mail-in/raw", mail.as_bytes(), headers)
    answered = connection.getresponse()
    assert answered.status == 200, answered.read()
    connection.close()


def test_a_game_through_four_doors(service: Service, mailbox: ImapServer, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    from kraftpost_client import Kraftpost
    from thrifty_bot import play_once

    made = kraftpost(
        service, "table", "new", "--map", "germany", "--players", ",".join(PLAYERS), "--start",
        "--option", "end_cities=5,5,5,5,5", "--option", "step2_cities=4,4,4,4,4", "--json",
    )  # fmt: skip
    game = json.loads(made)["game"]
    token = kraftpost(service, "token", "new", PLAYERS[3], "--name", "bot").strip()
    program = Kraftpost(service.site, token)
    private = b"From: friend@example.org\r\nTo: club@example.org\r\nSubject: dinner?\r\n\r\nHi!\r\n"
    mailbox.deliver(private)
    chance, post = Random("four doors"), Post(service)
    doors = dict.fromkeys(PLAYERS, 0)
    ended: set[str] = set()
    until, looked = time.monotonic() + LIMIT, 0.0
    while len(ended) < len(PLAYERS):
        assert time.monotonic() < until, f"no end after {doors}"
        for mail in post.new():
            reader = mail["To"].addresses[0].addr_spec
            if mail["X-Kraftpost-Kind"] == "end":
                ended.add(reader)
            if mail["X-Kraftpost-Kind"] != "turn" or reader == PLAYERS[3]:
                continue
            assert mail["Reply-To"].addresses[0].addr_spec.startswith("club+turn.")
            line = chance.choice(OFFERED.findall(mail.get_body(("plain",)).get_content()))
            doors[reader] += 1
            if reader == PLAYERS[0]:
                answer(service, mail, line)
            elif reader == PLAYERS[1]:
                mailbox.deliver(reply_to(mail, line).as_bytes())
            else:
                deliver(service, reply_to(mail, line))
        if time.monotonic() > looked + 0.3:  # six hundred calls a minute are allowed
            doors[PLAYERS[3]] += play_once(program)
            looked = time.monotonic()
        time.sleep(0.05)
    assert min(doors.values()) > 3, doors
    _refolds(kraftpost(service, "export", str(game)), service, game)
    assert mailbox.unseen() == 1, "the owner's own mail stays as it was, ours is marked as seen"
    found = kraftpost_doctor(service)
    assert not found.get("imap", 0), found


def kraftpost_doctor(service: Service) -> dict[str, int]:
    """What the doctor found ill, by name."""
    import subprocess

    words = [sys.executable, "-m", "webapp.cli", "doctor", "--json", "--data", str(service.data)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    told = json.loads(done.stdout)
    checks = told["checks"] if isinstance(told, dict) else told
    return {one["name"]: int(not one["ok"]) for one in checks}
