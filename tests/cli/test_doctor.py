"""The doctor finds each thing that is broken, and says how to mend it."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.settings import load
from core.store.session import make_engine, write
from core.store.tables import Game, Heartbeat, OutboxMail, User
from tests.support.smtp_sink import SmtpSink
from webapp.cli import main


class Healthy(BaseHTTPRequestHandler):
    """A site that is well."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Patient:
    """A data directory in good health, and the doctor's word about it."""

    def __init__(self, data: Path, redis_url: str, sink: SmtpSink, site: str) -> None:
        self.environ = {
            "KRAFTPOST_DATA": str(data),
            "REDIS_URL": redis_url,
            "MAIL_URL": sink.url,
            "WEB_LISTEN": site,
            "INBOUND_LISTEN": f"127.0.0.1:{sink.port}",
        }
        released = self.run("release")
        assert released.exit_code == 0, released.output
        self.engine = make_engine(load(self.environ).database_url)
        for name in ("worker", "beat", "sweep"):
            self.add(Heartbeat(name=name, at=datetime.now(UTC)))

    def run(self, *words: str) -> Any:
        return CliRunner(env=self.environ).invoke(main, words)

    def add(self, row: Any) -> None:
        with write(self.engine) as session:
            session.merge(row)

    def ill(self) -> dict[str, dict[str, str]]:
        """What is not well, by name; the exit code must agree."""
        result = self.run("doctor", "--json")
        findings = json.loads(result.stdout)
        assert result.exit_code == (not all(one["ok"] for one in findings))
        return {one["name"]: one for one in findings if not one["ok"]}


@pytest.fixture
def patient(tmp_path: Path, redis_url: str, smtp_sink: SmtpSink, site: str) -> Patient:
    return Patient(tmp_path, redis_url, smtp_sink, site)


def test_all_is_well(patient: Patient) -> None:
    assert patient.ill() == {}
    told = patient.run("doctor")
    assert told.exit_code == 0
    assert "FAIL" not in told.stdout
    names = [line[6:17].strip() for line in told.stdout.splitlines()]
    assert names == [
        *("database", "tables", "worker", "beat"),
        *(
            "clock",
            "sweep",
            "parts",
            "outbox",
            "addresses",
            "digests",
            "reminders",
            "hooks",
            "answers",
            "imap",
            "games",
        ),
        *("disk", "site", "redis", "mail out", "mail in"),
    ]


@pytest.mark.parametrize(
    ("change", "name", "mend"),
    [
        ({"DATABASE_URL": "sqlite:////nowhere/x.sqlite3"}, "database", "--data"),
        ({"DATABASE_URL": "postgresql://u@127.0.0.1:1/x"}, "database", "DATABASE_URL"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, "redis", "REDIS_URL"),
        ({"REDIS_URL": "unix:///nowhere/redis.sock"}, "redis", "kraftpost up"),
        ({"MAIL_URL": "smtp://127.0.0.1:1"}, "mail out", "MAIL_URL"),
        ({"MAIL_URL": "file:///dev/null/mail"}, "mail out", "MAIL_URL"),
        ({"WEB_LISTEN": "127.0.0.1:1"}, "site", "gunicorn"),
        ({"INBOUND_LISTEN": "127.0.0.1:1"}, "mail in", "INBOUND_LISTEN"),
    ],
)
def test_a_wrong_address(patient: Patient, change: dict[str, str], name: str, mend: str) -> None:
    patient.environ.update(change)
    ill = patient.ill()
    assert list(ill) == [name]
    assert mend in ill[name]["mend"]
    assert "→" in patient.run("doctor").stdout


def test_a_login_that_fails(patient: Patient, smtp_sink: SmtpSink) -> None:
    patient.environ["MAIL_URL"] = f"smtp://me:wrong@127.0.0.1:{smtp_sink.port}"
    assert "mail out" in patient.ill()


def test_tables_of_another_version(patient: Patient) -> None:
    with patient.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'older'")
    assert "kraftpost release" in patient.ill()["tables"]["mend"]


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_a_silent_program(patient: Patient, name: str) -> None:
    patient.add(Heartbeat(name=name, at=datetime.now(UTC) - timedelta(minutes=2)))
    ill = patient.ill()
    assert list(ill) == [name]
    assert "heard 120 s ago" in ill[name]["told"]
    assert f"tasks.app {name}" in ill[name]["mend"]


def test_a_sweep_that_does_not_run(patient: Patient) -> None:
    patient.add(Heartbeat(name="sweep", at=datetime.now(UTC) - timedelta(minutes=11)))
    assert list(patient.ill()) == ["sweep"]


def test_mail_that_is_stuck(patient: Patient) -> None:
    patient.add(
        OutboxMail(
            kind="turn", address="a@example.org", key="k", message_id="<m@x>",
            error="550 no such user", created_at=datetime.now(UTC) - timedelta(minutes=20),
            next_attempt_at=datetime.now(UTC) + timedelta(minutes=20),
        )
    )  # fmt: skip
    found = patient.ill()["outbox"]
    assert found["told"].startswith("1 mails")
    assert "550 no such user" in found["mend"]


def test_mail_that_was_given_up(patient: Patient) -> None:
    def given_up(key: str, **ago: float) -> None:
        patient.add(
            OutboxMail(
                kind="turn", address="a@example.org", key=key, message_id=f"<{key}@x>",
                status="failed", error=f"550 {key}",
                next_attempt_at=datetime.now(UTC) - timedelta(**ago),
            )
        )  # fmt: skip

    given_up("long ago", days=2)
    assert patient.ill() == {}
    given_up("today", hours=2)
    found = patient.ill()["outbox"]
    assert "1 were given up within a day" in found["told"]
    assert "550 today" in found["mend"]


def test_a_game_that_was_stopped(patient: Patient) -> None:
    patient.add(User(id=1, email="a@example.org", name="A"))
    patient.add(
        Game(
            id=7, title="T", host_id=1, map="m", variant="v", players=2, turn_hours=1,
            stopped_reason="too many attempts",
        )
    )  # fmt: skip
    found = patient.ill()["games"]
    assert "7: too many attempts" in found["told"]
    assert "kraftpost game unflag ID" in found["mend"]


def test_settings_that_cannot_be_used(patient: Patient) -> None:
    patient.environ["KRAFTPOST_ENV"] = "production"
    result = patient.run("doctor")
    assert result.exit_code == 2
    assert "SECRET_KEY" in result.stderr
