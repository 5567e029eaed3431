"""The lease queue: a row is worked on by one worker, and tried again after its pause."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import SQLModel, col, select

from core.statuses import CallStatus
from core.store.leases import Queue
from core.store.session import make_engine, read, write
from core.store.tables import User, Webhook, WebhookCall

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
QUEUE = Queue(
    WebhookCall,
    waits=CallStatus.PENDING,
    since="next_attempt_at",
    lease=timedelta(minutes=1),
    round=timedelta(seconds=3),
    first_pause=timedelta(seconds=15),
)


@pytest.fixture
def engine(engine_url):
    """Three calls: two that are due and one that is not."""
    engine = make_engine(engine_url)
    SQLModel.metadata.create_all(engine)
    with write(engine) as s:
        user = User(email="anna@example.com", name="Anna")
        s.add(user)
        s.flush()
        hook = Webhook(user_id=user.id, kind="generic", url="", secret="")
        s.add(hook)
        s.flush()
        for n in range(3):
            at = NOW + timedelta(hours=n // 2)
            s.add(WebhookCall(webhook_id=hook.id, key=f"k{n}", next_attempt_at=at))
    yield engine
    engine.dispose()


def claim(engine, now=NOW, most=None):
    with write(engine) as s:
        return QUEUE.claim(s, now, QUEUE.due(now), [col(WebhookCall.id)], most)


def mark(engine, rows, **values):
    with write(engine) as s:
        QUEUE.mark(s, rows, **values)


def stored(engine):
    with read(engine) as s:
        return s.exec(select(WebhookCall).order_by(col(WebhookCall.id))).all()


def test_what_is_due_is_claimed_in_order_and_once(engine):
    assert [row.key for row in claim(engine, most=1)] == ["k0"]
    assert [row.key for row in claim(engine)] == ["k1"]
    assert claim(engine) == []


def test_rows_that_are_claimed_together_share_a_lease_and_count_an_attempt(engine):
    rows = claim(engine)
    assert {(row.lease_until, row.attempts) for row in rows} == {(NOW + QUEUE.lease, 1)}
    assert [row.attempts for row in stored(engine)] == [1, 1, 0]


def test_a_dead_workers_rows_are_taken_over_when_its_lease_is_over(engine):
    claim(engine)
    assert claim(engine, NOW + QUEUE.lease - timedelta(seconds=1)) == []
    assert [row.attempts for row in claim(engine, NOW + QUEUE.lease)] == [2, 2]


def test_who_has_lost_the_lease_changes_nothing_unless_it_must(engine):
    rows = claim(engine)
    others = claim(engine, NOW + QUEUE.lease)
    mark(engine, rows, error="late")
    with write(engine) as s:
        assert QUEUE.mine(s, rows) == []
        assert len(QUEUE.mine(s, others)) == 2
    assert [row.error for row in stored(engine)] == ["", "", ""]
    mark(engine, rows[:1], lost=True, status=CallStatus.SENT)
    assert [row.status for row in stored(engine)] == ["sent", "pending", "pending"]
    with write(engine) as s:
        assert [row.key for row in QUEUE.mine(s, others)] == ["k1"], "the other one is done"


def test_a_mark_ends_the_lease(engine):
    mark(engine, claim(engine), error="again")
    assert [row.key for row in claim(engine)] == ["k0", "k1"]


def test_no_row_is_marked_for_none(engine):
    mark(engine, [], error="all")
    assert {row.error for row in stored(engine)} == {""}


def test_a_round_ends_by_the_clock_or_when_nothing_is_due(engine):
    def one(session, now):
        return QUEUE.claim(session, now, QUEUE.due(now), most=1)

    def seconds(*each):
        moments = iter(NOW + timedelta(seconds=second) for second in each)
        return lambda: next(moments)

    assert len(list(QUEUE.claims(engine, seconds(0, 3), one))) == 1
    assert len(list(QUEUE.claims(engine, seconds(0, 1, 2), one))) == 1


def test_pauses_double_up_to_the_longest():
    pauses = [QUEUE.pause(attempts).total_seconds() for attempts in (1, 2, 3, 9, 10, 99)]
    assert pauses == [15, 30, 60, 3840, 7200, 7200]
    assert QUEUE.tried(1) == timedelta()
    assert QUEUE.tried(4) == timedelta(seconds=15 + 30 + 60)
