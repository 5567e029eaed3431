"""Tables that do not begin (M45)."""

import pytest

from core.table.acts import expiry
from core.table.drive import due_work
from core.table.record import gamelog
from core.table.record.errors import TableError


@pytest.fixture
def table(house):
    return house.open("Anna", "Ben", players=4)


def due(house):
    with house.read() as s:
        return due_work.neglected(s, house.now)


def tend(house, table):
    """Two sweeps at once."""
    for _ in range(2):
        with house.write() as s:
            due_work.tend(s, table, house.now)


def test_m45_the_host_is_mailed_at_day_ten_and_the_table_closes_at_day_fourteen(house, table):
    house.pass_time(days=10, seconds=-1)
    assert due(house) == []
    house.pass_time(seconds=1)
    assert due(house) == [table]
    tend(house, table)
    assert due(house) == []
    (mail,) = house.mails(kind="word")
    assert (mail.context["what"], mail.user_id) == ("idle", house.user("Anna").id)
    house.pass_time(days=4)
    assert due(house) == [table]
    tend(house, table)
    assert house.game(table).status == "cancelled"
    assert due(house) == []
    closed = [m.user_id for m in house.mails(kind="word") if m.context["what"] == "closed"]
    assert closed == [house.user("Anna").id, house.user("Ben").id]
    with house.read() as s:
        assert expiry.timed_out(gamelog.find(s, table))


def test_m45_refreshing_it_begins_the_days_anew(house, table):
    house.pass_time(days=10)
    tend(house, table)
    house.pass_time(days=3)
    ben, dora = house.user("Ben"), house.user("Dora")
    with house.write() as s, pytest.raises(TableError, match="Only those at the table"):
        expiry.refresh(s, gamelog.find(s, table), dora, house.now)
    with house.write() as s:
        expiry.refresh(s, gamelog.find(s, table), ben, house.now)
    house.pass_time(days=9, hours=23)
    assert due(house) == []
    house.pass_time(hours=1)
    tend(house, table)
    assert [m.context["what"] for m in house.mails(kind="word")] == ["idle", "idle"]
    assert house.game(table).status == "open"


def test_m45_a_game_that_has_begun_is_no_such_table(house):
    house.start("Anna", "Ben")
    house.pass_time(days=20)
    assert due(house) == []
