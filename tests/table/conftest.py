"""A house to play in, on SQLite and on PostgreSQL.

The databases have all tables already. Tests of one process get the same ones, emptied, and share
their engines: what an engine has learnt about statements takes longer to learn than to use.
"""

from collections.abc import Iterator
from functools import cache

import pytest
from sqlalchemy import Engine

from core.store.session import make_engine
from tests.support.database import make_tables
from tests.support.post_office import PostOffice
from tests.support.postgres_server import PostgresServer
from tests.support.table import House

engine_of = cache(make_engine)


@pytest.fixture(scope="session")
def emptied() -> list[str]:
    """Addresses of the PostgreSQL databases that no test uses now."""
    return []


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, emptied: list[str]) -> Iterator[str]:
    """Address of a PostgreSQL database with all tables, and nothing in them."""
    if not emptied:
        emptied.append(postgres_server.create_database())
        make_tables(emptied[-1])
    url = emptied.pop()
    yield url
    postgres_server.empty_database(url)
    emptied.append(url)


@pytest.fixture
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of the same on SQLite."""
    url = f"sqlite:///{tmp_path_factory.getbasetemp()}/test.sqlite3"
    engine_of(url).dispose()
    make_tables(url)
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def engine_url(request: pytest.FixtureRequest) -> str:
    """Address of a database with all tables, once on SQLite and once on PostgreSQL."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))


@pytest.fixture
def engine(engine_url: str) -> Engine:
    """The engine of that database."""
    return engine_of(engine_url)


@pytest.fixture
def house(engine: Engine) -> House:
    """An empty house."""
    return House(engine)


@pytest.fixture
def office(house: House, monkeypatch: pytest.MonkeyPatch) -> PostOffice:
    """The house's post office. Its mails have no pictures, which take their time."""
    monkeypatch.setattr("core.mail.compose.board", lambda _table: None)
    return PostOffice(house)
