"""When clocks run: windows, weekends, stops, and days of 23, 24 and 25 hours."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.table.record.calendar import Calendar, charged, deadline, running
from core.when import NEVER, zone

HOUR = timedelta(hours=1)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)

instants = st.integers(0, 2 * 365 * 24 * 3600).map(lambda s: NEW_YEAR + timedelta(seconds=s))
lengths = st.integers(0, 20 * 24 * 3600).map(lambda s: timedelta(seconds=s))
stops = st.lists(st.tuples(instants, lengths).map(lambda s: (s[0], s[0] + s[1])), max_size=5)
windows = st.none() | st.tuples(st.integers(0, 1439), st.integers(0, 1439))
calendars = st.builds(
    Calendar,
    zone=st.sampled_from((*ZONES, "UTC", "Asia/Kolkata", "America/Havana", "Africa/Cairo")),
    window=windows.filter(lambda w: w is None or (w[1] - w[0]) % 1440 >= 120),
    weekends_off=st.booleans(),
    stops=stops.map(tuple),
)


@given(instants, lengths, calendars)
def test_m29_deadline_and_charge_are_inverse(asked, allowed, calendar):
    due = deadline(asked, allowed, calendar)
    assert charged(asked, due, calendar) == allowed
    assert due - asked < timedelta(days=20 * 60 + 5 * 20)  # finite


@given(instants, lengths, calendars)
def test_m29_a_deadline_is_the_first_such_instant(asked, length, calendar):
    until = asked + length
    due = deadline(asked, charged(asked, until, calendar), calendar)
    assert due <= until
    assert charged(due, until, calendar) == timedelta()


@given(instants, lengths, lengths, calendars)
def test_m29_charges_add_up(asked, first, second, calendar):
    middle, end = asked + first, asked + first + second
    parts = charged(asked, middle, calendar) + charged(middle, end, calendar)
    assert parts == charged(asked, end, calendar) <= end - asked


@given(instants, lengths, calendars)
def test_spans_are_in_order_and_apart(asked, length, calendar):
    last = asked
    for start, end in running(asked, calendar):
        assert last <= start < end
        assert not any(a < b and a < end and start < b for a, b in calendar.stops)
        last = end
        if end > asked + length:
            break


@given(instants, st.integers(0, 400), calendars)
def test_m46_every_instant_is_charged_by_the_local_clock(asked, hours, calendar):
    """Against the plain definition, one minute at a time."""
    minute = asked.replace(second=0) + timedelta(hours=hours)
    local = minute.astimezone(zone(calendar.zone))
    if _near_a_shift(minute, calendar.zone):
        return
    of_day = local.hour * 60 + local.minute
    first, last = calendar.window or (0, 1440)
    inside = first <= of_day < last if first < last else of_day >= first or of_day < last
    off = calendar.weekends_off and local.weekday() >= 5
    end = minute + timedelta(minutes=1)
    if any(a < end and minute < b for a, b in calendar.stops):
        return
    assert charged(minute, end, calendar) == (
        timedelta(minutes=1) if inside and not off else 0 * HOUR
    )


def _near_a_shift(at, name):
    local = zone(name)
    around = {(at + n * HOUR).astimezone(local).utcoffset() for n in (-3, 3)}
    return len(around) > 1


@pytest.mark.parametrize(
    ("name", "asked", "due"),
    [
        # the clocks go forward in the night: the day has 23 hours (Lord Howe: 23 and a half)
        ("Europe/Berlin", "2026-03-28T17:00", "2026-03-30T09:00"),
        ("America/New_York", "2026-03-07T17:00", "2026-03-09T09:00"),
        ("Australia/Lord_Howe", "2026-10-03T17:00", "2026-10-05T09:00"),
        # and back: 25 hours (24 and a half)
        ("Europe/Berlin", "2026-10-24T17:00", "2026-10-26T09:00"),
        ("America/New_York", "2026-10-31T17:00", "2026-11-02T09:00"),
        ("Australia/Lord_Howe", "2026-04-04T17:00", "2026-04-06T09:00"),
    ],
)
def test_m46_a_window_keeps_its_local_hours_when_the_clocks_change(name, asked, due):
    local = zone(name)
    start = datetime.fromisoformat(asked).replace(tzinfo=local).astimezone(UTC)
    end = datetime.fromisoformat(due).replace(tzinfo=local).astimezone(UTC)
    office = Calendar(name, window=(8 * 60, 18 * 60))
    # one hour on the first evening, ten on the next day, one on the last morning
    assert deadline(start, 12 * HOUR, office) == end
    assert charged(start, end, office) == 12 * HOUR


@pytest.mark.parametrize(
    ("name", "day", "length"),
    [
        ("Europe/Berlin", "2026-03-29", 23 * HOUR),
        ("Europe/Berlin", "2026-10-25", 25 * HOUR),
        ("America/New_York", "2026-03-08", 23 * HOUR),
        ("America/New_York", "2026-11-01", 25 * HOUR),
        ("Australia/Lord_Howe", "2026-10-04", 23.5 * HOUR),
        ("Australia/Lord_Howe", "2026-04-05", 24.5 * HOUR),
    ],
)
def test_weekends_off_skip_a_whole_local_sunday(name, day, length):
    midnight = datetime.fromisoformat(day).replace(tzinfo=zone(name))
    sunday = midnight.astimezone(UTC)
    calendar = Calendar(name, weekends_off=True)
    assert deadline(sunday, HOUR, calendar) == sunday + length + HOUR
    assert charged(sunday, sunday + length, calendar) == timedelta()


def test_a_window_over_midnight_is_open_on_both_sides_of_it():
    night = Calendar("UTC", window=(22 * 60, 2 * 60))
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert deadline(noon, 3 * HOUR, night) == noon + 13 * HOUR
    assert charged(noon, noon + 24 * HOUR, night) == 4 * HOUR


def test_a_clock_that_is_stopped_for_good_has_no_deadline():
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    paused = Calendar(window=(480, 1200), stops=((noon + HOUR, NEVER),))
    assert deadline(noon, 2 * HOUR, paused) == NEVER
    assert deadline(noon, HOUR, paused) == noon + HOUR
    assert charged(noon, NEVER, paused) == HOUR


def test_no_time_is_due_at_once():
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert deadline(noon, timedelta(), Calendar(stops=((noon, NEVER),))) == noon


def test_m32_a_stop_told_in_local_time_counts_like_the_same_instants():
    """A vacation just entered, whose end is a local time, before clocks are put back."""
    local = zone("America/New_York")
    start = datetime(2026, 10, 26, 17, 17, tzinfo=local)
    end = datetime(2026, 10, 31, 17, 17, tzinfo=local)
    asked = datetime(2026, 10, 26, 8, 23, tzinfo=UTC)
    due = deadline(asked, timedelta(hours=24), Calendar(stops=((start, end),)))
    assert due == datetime(2026, 11, 1, 8, 23, tzinfo=UTC)
