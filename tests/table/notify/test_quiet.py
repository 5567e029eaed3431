"""Quiet hours: nothing is sent inside them, in the user's own zone, over changes of the clock."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.store.tables import User
from core.table.notify import quiet


def sleeper(**values):
    return User(
        **{
            "email": "a@example.org",
            "name": "Anna",
            "zone": "Europe/Berlin",
            "quiet_from": 22 * 60,
            "quiet_to": 7 * 60,
            "quiet_except_hours": 0,
            **values,
        }
    )


def at(day, hour, minute=0, month=12):
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (at(1, 20, 59), at(1, 20, 59)),  # 21:59 in Berlin
        (at(1, 21), at(2, 6)),  # 22:00, until 07:00 of the next day
        (at(2, 5, 59), at(2, 6)),
        (at(2, 6), at(2, 6)),
    ],
)
def test_nothing_is_sent_in_quiet_hours_that_cross_midnight(now, expected):
    assert quiet.when(sleeper(), "turn", now) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (at(25, 0, 0, month=10), at(25, 1, 30, month=10)),  # put back: until the second 02:30
        (at(25, 1, 15, month=10), at(25, 1, 30, month=10)),  # his clock says 02:15 again
        (at(29, 0, 59, month=3), at(29, 1, 30, month=3)),  # put forward: 02:30 does not exist
    ],
)
def test_quiet_hours_hold_when_the_clock_is_changed(now, expected):
    user = sleeper(quiet_from=60, quiet_to=150)
    assert quiet.when(user, "turn", now) == expected


def test_m17_a_beginning_that_the_clock_leaves_out_comes_with_the_change():
    user = sleeper(quiet_from=150, quiet_to=600)
    assert quiet.when(user, "turn", at(29, 0, 59, month=3)) == at(29, 0, 59, month=3)
    assert quiet.when(user, "turn", at(29, 1, month=3)) == at(29, 8, month=3)  # 03:00


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("hours", [(1320, 420), (1380, 150), (60, 150), (150, 600), (90, 1439)])
def test_m17_whenever_his_clock_says_so_nothing_is_sent(zone, hours):
    """Each quarter of an hour of the days on which the clock is changed in 2026 and 2027."""
    user = sleeper(zone=zone, quiet_from=hours[0], quiet_to=hours[1])
    for month, day in ((10, 3), (10, 24), (10, 31), (3, 13), (3, 27), (4, 3)):
        begin = datetime(2026 if month == 10 else 2027, month, day, 12, tzinfo=UTC)
        for now in (begin + n * timedelta(minutes=15) for n in range(24 * 4)):
            for moment in (now, quiet.when(user, "turn", now)):
                clock = moment.astimezone(ZoneInfo(zone))
                inside = quiet.is_quiet(user, clock.hour * 60 + clock.minute)
                assert not inside or quiet.when(user, "turn", moment) > moment, clock
                assert moment is now or not inside, clock


def test_a_near_deadline_breaks_the_quiet_hours_if_the_user_says_so():
    now, deadline = at(1, 22), at(2, 4)
    assert quiet.when(sleeper(), "turn", now, deadline) == at(2, 6)
    user = sleeper(quiet_except_hours=3)
    assert quiet.when(user, "turn", now, deadline) == at(2, 1)
    assert quiet.when(user, "turn", at(2, 2), deadline) == at(2, 2)
    assert quiet.when(user, "turn", now, deadline + timedelta(days=2)) == at(2, 6)


@pytest.mark.parametrize("kind", ["signin", "address", "help", "done", "refused", "status"])
def test_who_has_just_written_is_answered(kind):
    assert quiet.when(sleeper(), kind, at(1, 23)) == at(1, 23)


def test_equal_or_missing_hours_are_no_quiet_hours():
    assert quiet.when(sleeper(quiet_to=22 * 60), "turn", at(1, 23)) == at(1, 23)
    assert quiet.when(sleeper(quiet_from=None), "turn", at(1, 23)) == at(1, 23)
