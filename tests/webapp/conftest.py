"""A site to visit, on SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.site import Site, open_site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """An empty site whose moves are judged at once."""
    with open_site(tmp_path, monkeypatch) as opened:
        yield opened
