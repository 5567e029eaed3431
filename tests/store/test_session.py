import threading
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import select

from core.store.session import Busy, make_engine, read, write
from core.store.tables import Heartbeat, User, WebSession
from tests.support.database import make_tables

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def engine(engine_url):
    make_tables(engine_url)
    made = make_engine(engine_url)
    yield made
    made.dispose()


def test_a_write_scope_commits_and_an_exception_undoes_it(engine):
    with write(engine) as s:
        s.add(User(email="a@example.org", name="A"))
    with pytest.raises(ZeroDivisionError), write(engine) as s:
        s.add(User(email="b@example.org", name="B"))
        s.flush()
        raise ZeroDivisionError
    with read(engine) as s:
        assert [u.email for u in s.exec(select(User))] == ["a@example.org"]


def test_a_read_scope_keeps_nothing(engine):
    with read(engine) as s:
        s.add(User(email="a@example.org", name="A"))
        s.flush()
    with read(engine) as s:
        assert s.exec(select(User)).all() == []


def test_a_read_scope_sees_one_state(engine):
    with write(engine) as s:
        s.add(Heartbeat(name="worker", at=NOON))
    with read(engine) as looking:
        before = looking.exec(select(Heartbeat.at)).one()
        with write(engine) as s:
            s.merge(Heartbeat(name="worker", at=NOON + timedelta(hours=1)))
        assert looking.exec(select(Heartbeat.at)).one() == before == NOON


def test_times_come_back_aware_and_in_utc(engine):
    with write(engine) as s:
        east = timezone(timedelta(hours=5, minutes=45))
        s.add(Heartbeat(name="beat", at=NOON.astimezone(east)))
    with read(engine) as s:
        found = s.get_one(Heartbeat, "beat").at
    assert found == NOON
    assert found.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(engine):
    with pytest.raises(StatementError, match="without a zone"), write(engine) as s:
        s.add(Heartbeat(name="beat", at=NOON.replace(tzinfo=None)))


def test_a_reference_to_nothing_is_refused(engine):
    with pytest.raises(IntegrityError), write(engine) as s:
        s.add(WebSession(user_id=99, digest="x"))


def test_an_error_tells_no_parameters(engine):
    """They are addresses, tokens and sealed bids; errors end in logs."""
    with pytest.raises(IntegrityError) as refusal, write(engine) as s:
        s.add(WebSession(user_id=99, digest="a secret digest"))
    assert "web_sessions" in str(refusal.value)
    assert "a secret digest" not in str(refusal.value)


def test_writers_wait_for_each_other(engine):
    """On SQLite too: a counter read and written by eight threads loses no step."""
    with write(engine) as s:
        s.add(User(email="a@example.org", name="0"))
    errors = []

    def step():
        try:
            for _ in range(5):
                with write(engine) as s:
                    row = s.exec(select(User).with_for_update()).one()
                    row.name = str(int(row.name) + 1)
                    s.add(row)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=step) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with read(engine) as s:
        assert s.exec(select(User)).one().name == "40"


def test_s12_who_waits_for_the_lock_too_long_is_told_so(tmp_path):
    url = f"sqlite:///{tmp_path}/busy.sqlite3"
    make_tables(url)
    holder, waiting = make_engine(url), make_engine(url, patience=0.2)
    with write(holder) as held:
        held.connection()
        with pytest.raises(Busy), write(waiting) as s:
            s.connection()
    with write(waiting) as s:
        s.add(User(email="a@example.org", name="A"))
    for engine in (holder, waiting):
        engine.dispose()


def test_nobody_waits_long_behind_one_who_comes_back_at_once(tmp_path):
    url = f"sqlite:///{tmp_path}/fair.sqlite3"
    make_tables(url)
    greedy, patient = make_engine(url), make_engine(url)
    over = threading.Event()

    def work():
        while not over.is_set():
            with write(greedy) as s:
                s.merge(Heartbeat(name="greedy", at=NOON))
                time.sleep(0.005)
            time.sleep(0.002)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        waits = []
        for _ in range(40):
            began = time.monotonic()
            with write(patient) as s:
                s.connection()
                waits.append(time.monotonic() - began)
            time.sleep(0.003)
    finally:
        over.set()
        thread.join()
    assert sorted(waits)[30] < 0.05  # by SQLite's own wait some hundreds of milliseconds
    for engine in (greedy, patient):
        engine.dispose()
