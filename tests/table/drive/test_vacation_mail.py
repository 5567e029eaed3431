"""Vacations by mail do what the form does."""

from datetime import timedelta

import pytest

from core.mail.commands import GoAway, Unknown, read_command
from core.store.tables import User, Vacation
from core.table.acts import vacation
from tests.support.post_office import of_kind, text_of


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("vacation 5 days", 5),
        ("Vacation: 1 day.", 1),
        ("vacation 12", 12),
        ("vacation end", 0),
        ("vacation 1 week", 7),
        ("vacation two weeks", 14),
        ("Vacation for a fortnight", 14),
        ("vacation 10d", 10),
    ],
)
def test_the_command_is_read(line, days):
    assert read_command(line) == GoAway(days)


@pytest.mark.parametrize(
    "line", ["vacation", "vacation 0 days", "vacation soon", "vacation 5 dogs", "vacation May"]
)
def test_what_is_no_number_of_days_is_not_guessed_at(line):
    assert read_command(line) == Unknown(line, ("vacation 5 days",))


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [  # the house's clock stands at 2026-12-01 or later; years are those that come
        ("vacation 24 December to 2 January", (12, 24), (1, 2)),
        ("vacation from 24.12. until 2.1.", (12, 24), (1, 2)),
        ("vacation Dec 24 - Jan 2", (12, 24), (1, 2)),
        ("vacation 24. Dezember bis 2. Januar", (12, 24), (1, 2)),
        ("vacation 24 décembre – 2 janvier", (12, 24), (1, 2)),
        ("vacation 24 to 30 December", (12, 24), (12, 30)),
        ("vacation 24/12-2/1", (12, 24), (1, 2)),
    ],
)
def test_days_are_named_as_people_name_them(line, first, last):
    read = read_command(line)
    assert isinstance(read, GoAway)
    assert (read.first.month, read.first.day) == first
    assert (read.last.month, read.last.day) == last


def test_a_vacation_between_two_days_is_entered_for_them(house, office):
    house.start("Anna", "Ben", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    first, last = (house.now + timedelta(days=days) for days in (10, 14))
    span = f"{first.day} {first:%B} to {last.day} {last:%B}"
    assert office.answer(mail, f"vacation {span}") == "done"
    (row,) = house.all(Vacation)
    assert (row.starts_at.date(), row.ends_at.date()) == (
        first.date(), last.date() + timedelta(days=1),
    )  # fmt: skip
    (done,) = of_kind(office.fetch(), "done")
    assert "Your clocks stand still from" in text_of(done)


def test_a_vacation_by_mail_is_entered_answered_and_ended(house, office):
    game = house.start("Anna", "Ben", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    due = house.asked(game)[0].deadline
    assert office.answer(mail, "vacation 5 days") == "done"
    assert (house.asked(game)[0].deadline - due).days == 5
    assert "VacationBegan" in house.kinds(game)
    (done,) = of_kind(office.fetch(), "done")
    assert "Your clocks stand still until" in text_of(done)
    assert "“vacation end”" in text_of(done)
    office.answer(mail, "vacation 40 days")
    (refused,) = of_kind(office.fetch(), "refused")
    assert "1 to 30 days" in text_of(refused)
    office.answer(mail, "vacation end")
    (done,) = of_kind(office.fetch(), "done")
    assert "Welcome back" in text_of(done)
    assert house.asked(game)[0].deadline == due
    assert len(house.all(Vacation)) == 1


def test_a_vacation_of_one_day_is_called_so(house, office):
    house.start("Anna", "Ben", auction="open")
    (mail,) = of_kind(office.fetch(), "turn")
    office.answer(mail, "vacation 1 day")
    (done,) = of_kind(office.fetch(), "done")
    assert str(done["Subject"]).endswith("done: vacation 1 day")


def test_the_sitter_is_told_and_once_the_vacation_is_over_no_more(house, office):
    game = house.start("Anna", "Ben", auction="open")
    office.fetch()
    asked = house.asked(game)[0]
    house.user("Dora")
    told = []
    for days in (5, 2):
        with house.write() as s:
            plan = vacation.Plan(days, sitter="dora@example.org")
            vacation.take(s, s.get_one(User, asked.user_id), plan, house.now)
            if days == 5:  # he comes back before the mail goes out
                vacation.end(s, s.get_one(User, asked.user_id), house.now)
        told.append([m for m in office.fetch() if "dora@example.org" in str(m["To"])])
    assert told[0] == []
    (memo,) = told[1]
    assert "has named you as sitter" in text_of(memo)
