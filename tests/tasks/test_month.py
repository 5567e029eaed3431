"""A month of the service in a few minutes: real workers, database, Redis and mail server.

Only the clock is a test's own (tests.support.month.clock). What must hold of the month stands
here, a test each; how it is reckoned, in tests.support.month.audit.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from core.mail import outbox
from core.settings import load
from core.store.session import make_engine
from core.store.tables import Outage
from tests.support import broker
from tests.support.database import make_tables
from tests.support.month.audit import Audit
from tests.support.month.clock import Clock
from tests.support.month.life import Life
from tests.support.month.post import Post
from tests.support.month.service import Service
from tests.support.month.world import END, TABLES
from tests.support.smtp_sink import SmtpSink
from tests.support.table import House
from tests.support.workers import Workers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(20_000)]


class MonthHouse(House):
    """A house by the clock of the month."""

    def __init__(self, engine, clock: Clock) -> None:
        super().__init__(engine)
        self.clock = clock

    @property
    def now(self):
        return self.clock.now


@pytest.fixture(scope="module")
def month(postgres_server, redis_server, tmp_path_factory) -> Iterator[Audit]:
    """The month, lived through once."""
    folder = tmp_path_factory.mktemp("month")
    url, sink = postgres_server.create_database(), SmtpSink()
    redis_server.flush()
    environment = {
        "DATABASE_URL": url, "REDIS_URL": redis_server.url, "MAIL_URL": sink.url,
        "TEST_CLOCK": str(folder / "clock"), "LOG_LEVEL": "ERROR",
    }  # fmt: skip
    make_tables(url)
    engine, clock = make_engine(url), Clock(folder / "clock")
    workers = Workers(folder, **environment)
    try:
        broker.use(load({**environment, "KRAFTPOST_ENV": "test", "KRAFTPOST_DATA": str(folder)}))
        life = Life(MonthHouse(engine, clock), Service(workers, redis_server.url, clock), sink)
        life.live()
        yield Audit(life)
    finally:
        workers.close()
        sink.close()
        clock.close()
        engine.dispose()
        postgres_server.drop_database(url)


@pytest.fixture(scope="module")
def post(month: Audit) -> Post:
    """The mail of the month."""
    return Post(month)


def test_much_has_happened(month: Audit, post: Post):
    closed = Counter(turn.closed_by for turn in month.turns)
    assert len(month.games) == TABLES
    assert closed["move"] > 5 * TABLES
    assert closed["missed"] >= 1
    assert month.life.sink.refused >= 1
    assert {"turn", "reminder", "digest", "start"} <= {m.kind for m in post.came}
    assert [mail for mail in month.mails if mail.error == outbox.TOGETHER]
    found = [(row.starts_at, row.ends_at) for row in month.house.all(Outage)]
    assert sorted(found) == sorted(gap for gap in month.journal.outages if gap[1] < END)


def test_m29_m33_no_deadline_is_wrong(month: Audit):
    assert month.wrong_deadlines() == []


def test_m33_m34_no_turn_was_missed_by_fault_of_the_service(month: Audit):
    assert month.wrongly_missed() == []


def test_m34_nothing_is_overdue(month: Audit):
    assert month.overdue() == []


def test_no_offered_move_was_refused(month: Audit):
    assert month.refused() == []


def test_no_game_stalled(month: Audit):
    assert month.stalled() == []


def test_m54_m56_every_log_is_sound(month: Audit):
    assert month.unsound() == []


def test_m7_m10_m75_no_mail_came_twice(post: Post):
    assert post.doubled() == []


def test_m14_no_mail_was_lost_or_late(post: Post):
    assert post.lost() == []
    assert post.late() == []


def test_m1_nothing_was_sent_where_it_comes_back(post: Post):
    assert post.vain() == []


def test_m17_no_mail_came_inside_quiet_hours(post: Post):
    assert post.disturbing() == []


def test_m3_m5_m6_whoever_was_asked_was_told_when_he_wished(post: Post):
    assert post.untold() == []


def test_m18_m35_reminders_came_to_who_wants_them_while_time_ran(post: Post):
    assert post.nagging() == []
    assert post.unreminded() == []
