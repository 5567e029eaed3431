"""One instant reads the same everywhere, whatever the zone does to its clocks (M32)."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from core.when import day, decimal, exact, relative, span


def utc(month: int, day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(("zone", "before", "after"), [
    # Summer time ends in Berlin at 01:00 UTC and in New York a week later; Bangkok has none.
    ("Europe/Berlin", "Sun 25 Oct 2026, 02:30 CEST", "Sun 25 Oct 2026, 02:30 CET"),
    ("America/New_York", "Sat 24 Oct 2026, 20:30 EDT", "Sat 24 Oct 2026, 21:30 EDT"),
    ("Asia/Bangkok", "Sun 25 Oct 2026, 07:30 UTC+07", "Sun 25 Oct 2026, 08:30 UTC+07"),
])  # fmt: skip
def test_m32_across_the_end_of_summer_time(zone: str, before: str, after: str) -> None:
    assert exact(utc(10, 25, 0, 30), zone, "en") == before
    assert exact(utc(10, 25, 1, 30), zone, "en") == after


@pytest.mark.parametrize(("zone", "told"), [
    ("Europe/Berlin", "Sun 29 Mar 2026, 03:00 CEST"),
    ("America/New_York", "Sat 28 Mar 2026, 21:00 EDT"),
    ("Asia/Bangkok", "Sun 29 Mar 2026, 08:00 UTC+07"),
])  # fmt: skip
def test_m32_at_the_beginning_of_summer_time(zone: str, told: str) -> None:
    assert exact(utc(3, 29, 1), zone, "en") == told


@pytest.mark.parametrize("zone", ["Atlantis/Capital", "", "../../etc/passwd", "Europe"])
def test_a_zone_that_nobody_knows_is_utc(zone: str) -> None:
    assert exact(utc(12, 1, 17), zone, "en") == "Tue 1 Dec 2026, 17:00 UTC"


@pytest.mark.parametrize(("hours", "told"), [
    (0.5, "in 30 minutes"), (21, "in 21 hours"), (36, "in 36 hours"), (72, "in 3 days"),
    (-3, "3 hours ago"),
])  # fmt: skip
def test_relative_counts_days_only_from_two_on(hours: float, told: str) -> None:
    now = utc(11, 30, 20)
    assert relative(now + timedelta(hours=hours), now, "en") == told


def test_other_languages_and_unknown_ones() -> None:
    at = utc(12, 1, 17)
    assert exact(at, "Europe/Berlin", "de") == "Di., 1. Dez. 2026, 18:00 CET"
    assert span(timedelta(hours=3), "de") == "3 Stunden"
    assert span(timedelta(hours=3), "xx") == "3 hours"


@pytest.mark.parametrize(
    ("locale", "at", "on"),
    [
        ("en", "Tue 1 Dec 2026, 18:00 CET", "Tuesday, December 1, 2026"),
        ("de", "Di., 1. Dez. 2026, 18:00 CET", "Dienstag, 1. Dezember 2026"),
        ("th", "อังคาร 1 ธ.ค. 2026 18:00 น. CET", "วันอังคารที่ 1 ธันวาคม ค.ศ. 2026"),
        ("sw", "Jumanne, 1 Des 2026 18:00 CET", "Jumanne, 1 Desemba 2026"),
        ("zh_Hant", "2026年12月1日週二 18:00 CET", "2026年12月1日 星期二"),
        ("zh_Hans", "2026年12月1日周二 18:00 CET", "2026年12月1日星期二"),
        ("fa", "", ""),
    ],
)
def test_each_language_writes_dates_its_own_way_in_one_calendar_and_one_kind_of_digits(
    locale: str, at: str, on: str
) -> None:
    then = utc(12, 1, 17)
    told = exact(then, "Europe/Berlin", locale), day(then.date(), locale)
    assert all("2026" in text for text in told)
    assert re.findall(r"\d", "".join(told)) == re.findall("[0-9]", "".join(told))
    if at:
        assert told == (at, on)


def test_numbers_have_the_point_or_comma_of_the_language_and_no_mark_of_thousands() -> None:
    assert [decimal(1234.56, 1, locale) for locale in ("en", "de", "th", "sw")] == [
        "1234.6", "1234,6", "1234.6", "1234.6",
    ]  # fmt: skip
