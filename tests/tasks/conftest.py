"""A house with real workers, a real Redis and a real mail server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.settings import load
from core.store.session import make_engine
from tasks.app import celery
from tests.support import broker
from tests.support.database import make_tables
from tests.support.smtp_sink import SmtpSink
from tests.support.table import House
from tests.support.workers import Workers

Environment = dict[str, str]


@pytest.fixture
def environment(
    engine_url: str, redis_url: str, smtp_sink: SmtpSink, tmp_path: Path
) -> Environment:
    """Where database, Redis and mail server are."""
    return {"DATABASE_URL": engine_url, "REDIS_URL": redis_url, "MAIL_URL": smtp_sink.url}


@pytest.fixture
def house(environment: Environment) -> Iterator[House]:
    """An empty house whose clock is the real one."""
    make_tables(environment["DATABASE_URL"])
    engine = make_engine(environment["DATABASE_URL"])
    yield House(engine, real_time=True)
    engine.dispose()


@pytest.fixture
def workers(house: House, environment: Environment, tmp_path: Path) -> Iterator[Workers]:
    """Workers of this house; none runs yet."""
    made = Workers(tmp_path, **environment)
    yield made
    made.close()


@pytest.fixture
def ring(environment: Environment, tmp_path: Path) -> Callable[..., object]:
    """Rings the doorbell as the pages do: `ring("adjudicate", game_id)`."""
    given = {**environment, "KRAFTPOST_ENV": "test", "KRAFTPOST_DATA": str(tmp_path)}
    broker.use(load(given))
    return lambda task, *args: celery.send_task(task, args, retry=False)
