"""A house to play in, on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from core.store.migrations import migrate
from core.store.session import make_engine
from tests.support.table import House


@pytest.fixture
def house(engine_url: str) -> Iterator[House]:
    """An empty house."""
    migrate(engine_url)
    engine = make_engine(engine_url)
    yield House(engine)
    engine.dispose()
