"""Users who are asked at several tables, and the mails that this owes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.post_office import PostOffice
from tests.support.table import House
from tests.support.waiting import copy_of_tables


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = copy_of_tables(tmp_path)
    yield house
    house.engine.dispose()


@pytest.fixture
def office(house: House) -> PostOffice:
    return PostOffice(house)
