"""The clock tells the admin what is not well, also when no worker lives to send the mail (M8)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.settings import load
from core.store.session import put
from core.store.tables import Heartbeat, OutboxMail
from tasks import app, beat
from tasks.app import celery
from tests.support.database import make_tables
from tests.support.smtp_sink import SmtpSink
from tests.support.table import House

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def alone(tmp_path: Path, smtp_sink: SmtpSink) -> Iterator[House]:
    """A house in which nothing runs but the clock, in this process."""
    settings = load(
        {
            "KRAFTPOST_ENV": "test",
            "KRAFTPOST_DATA": str(tmp_path),
            "MAIL_URL": smtp_sink.url,
            "ADMIN_MAIL": "admin@example.org",
        }
    )
    before = list(app._given)
    app.use(settings)
    app.engine.cache_clear()
    make_tables(settings.database_url)
    yield House(app.engine(), real_time=True)
    app.engine().dispose()
    app.engine.cache_clear()
    app._given[:] = before


def test_m8_with_no_worker_the_clock_sends_the_mail(alone: House, smtp_sink: SmtpSink):
    beat.look(alone.now)
    (mail,) = smtp_sink.wait(lambda mails: mails)
    assert mail.recipients == ("admin@example.org",)
    assert "not well" in mail.message["Subject"]
    beat.look(alone.now)
    assert [row.status for row in alone.all(OutboxMail)] == ["sent"]


def test_all_is_well(alone: House):
    with alone.write() as s:
        put(s, Heartbeat(name="sweep", at=alone.now))
    beat.look(alone.now)
    assert not alone.all(OutboxMail)


def test_it_waits_until_the_others_can_have_begun():
    """After a downtime everything looks ill for a moment."""
    scheduler = beat.Scheduler(app=celery, lazy=True)
    looked = [
        minutes for minutes in range(15) if scheduler._is_time_to_look(NOW + minutes * MINUTE)
    ]
    assert looked == [10, 11, 12, 13, 14]


def test_it_looks_once_a_minute_not_with_each_tick():
    scheduler = beat.Scheduler(app=celery, lazy=True)
    ticks = [NOW + timedelta(seconds=5 * n) for n in range(13 * 12)]
    assert sum(scheduler._is_time_to_look(at) for at in ticks) == 3
