"""`kraftpost-pipe`: a mail server's pipe, without loading the service."""

import os
import subprocess
import sys

import pytest

from core.mail.listener import LATER, STORED, UNKNOWN, Listener

MAIL = b"From: a@x.org\nTo: turn@x.org\n\npass\n"


def pipe(port: int, *words: str, tmp="/nonexistent", **environ: str) -> subprocess.CompletedProcess:
    plain = {**os.environ, "INBOUND_LISTEN": f"127.0.0.1:{port}", "KRAFTPOST_DATA": str(tmp)}
    command = [sys.executable, "-m", "webapp.pipe", *words]
    return subprocess.run(
        command, input=MAIL, env={**plain, **environ}, capture_output=True, check=False, timeout=60
    )


@pytest.mark.parametrize("lmtp", [False, True])
def test_a_mail_is_handed_to_the_listener(lmtp):
    got = []

    def receive(raw, sender, recipients):
        got.append((raw, sender, tuple(recipients)))
        return [STORED] * len(recipients)

    with Listener(receive, lambda address: address == "turn@x.org", lmtp=lmtp) as listener:
        protocol = "lmtp" if lmtp else "smtp"
        to = ("--from", "a@x.org", "turn@x.org")
        done = pipe(listener.port, *to, INBOUND_PROTOCOL=protocol)
        assert done.returncode == 0, done.stderr
        assert pipe(listener.port, "other@x.org", INBOUND_PROTOCOL=protocol).returncode == 67
    ((raw, sender, recipients),) = got
    assert raw.replace(b"\r\n", b"\n") == MAIL
    assert (sender, recipients) == ("a@x.org", ("turn@x.org",))


def test_a_listener_that_cannot_store_leaves_it_to_mail_in(tmp_path):
    """Whatever happens the mail is stored or kept by who has it: 67 or 75, never a silent 0."""
    with Listener(lambda *_: [LATER], lambda _address: True) as listener:
        assert pipe(listener.port, "turn@x.org", tmp=tmp_path).returncode in (67, 75)
    assert pipe(1, "turn@x.org", tmp=tmp_path).returncode in (67, 75)
    assert UNKNOWN.startswith("550")


def test_it_explains_itself():
    assert pipe(1).returncode == 64
    assert b"Exit codes" in pipe(1, "--help").stderr


def test_it_loads_nothing_of_the_service():
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import webapp.pipe"],
        capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert not loaded & {"flask", "sqlalchemy", "core", "click", "pydantic"}
