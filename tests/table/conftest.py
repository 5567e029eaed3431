"""A house to play in, on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from core.store.session import make_engine
from tests.support.database import make_tables
from tests.support.table import House


@pytest.fixture
def house(engine_url: str) -> Iterator[House]:
    """An empty house."""
    make_tables(engine_url)
    engine = make_engine(engine_url)
    yield House(engine)
    engine.dispose()
