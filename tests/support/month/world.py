"""Who lives in the simulated month: sixty people in six zones, and their forty tables."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Literal

from core import bots
from core.store.tables import Game, User
from core.table import lobby
from core.terms import Terms
from tests.support.table import House

BEGIN = datetime(2026, 10, 3, tzinfo=UTC)
"""Summer time begins in Australia on 4 October; it ends in Europe on 25 October, and in the USA
on 1 November."""

PEOPLE, TABLES, DAYS = map(int, os.environ.get("KRAFTPOST_MONTH", "20 13 6").split())
"""How much of it: `KRAFTPOST_MONTH="60 40 31"` is all of the month, which takes far longer."""
END = BEGIN + timedelta(days=DAYS)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/London",
         "America/Los_Angeles", "Asia/Kolkata")  # fmt: skip
WINDOWS = {1: (9 * 60, 21 * 60), 3: (18 * 60, 8 * 60 + 30), 5: (6 * 60 + 30, 16 * 60)}
"""Play windows, minutes of the local day; the second one crosses midnight."""

Kind = Literal["quick", "slow", "late", "gone", "never"]


@dataclass
class Person:
    """How somebody plays: `late` often answers after his deadline, `gone` stops for good one day,
    `never` does not even begin."""

    user: User
    kind: Kind
    by_mail: bool
    wants_mail: bool
    window: tuple[int, int] | None

    def delay(self, chance: Random, hours: int) -> timedelta:
        """How long he takes to answer a question for which he has so many hours."""
        mean = {"quick": 5, "slow": 14, "late": hours, "gone": 6, "never": 0}[self.kind]
        return timedelta(minutes=round(chance.expovariate(1 / (mean * 60))) + 1)


def people(house: House) -> dict[int, Person]:
    """Everybody, by the number of his user."""
    found = [_person(house, n) for n in range(PEOPLE)]
    return {person.user.id: person for person in found}


def _person(house: House, n: int) -> Person:
    kind: Kind = "never" if n % 20 == 19 else "gone" if n % 20 == 8 else "quick"
    if kind == "quick" and n % 3:
        kind = "late" if n % 7 == 4 else "slow"
    user = house.user(f"Person{n}")
    with house.write() as session:
        user = session.merge(user)
        user.zone = ZONES[n % len(ZONES)]
        user.window_from, user.window_to = WINDOWS.get(n % 8, (None, None))
        if n % 10 == 6:
            user.mail_mode = "off"
    return Person(user, kind, n % 4 == 0, n % 10 != 6, WINDOWS.get(n % 8))


def open_tables(house: House, everybody: dict[int, Person]) -> list[int]:
    """All tables, started; the numbers of their games."""
    chance = Random(20261003)
    users = [person.user for person in everybody.values()]
    places = users * 3
    return [_open(house, n, chance, places) for n in range(TABLES)]


def _open(house: House, n: int, chance: Random, places: list[User]) -> int:
    people, robots = 2 + n % 3, n % 4 == 3
    seated: list[User] = []
    while len(seated) < people:
        index = next(i for i, user in enumerate(places) if user not in seated)
        seated.append(places.pop(index))
    settings = lobby.TableSettings(
        title=f"Table {n}",
        map=("germany", "usa", "italy", "france")[n % 4],
        variant=("standard", "recharged")[n // 4 % 2],
        players=people + robots,
        auction=("sealed", "open")[n % 2],
        turn_hours=(12, 24, 36, 48)[n // 2 % 4],
        terms=terms(n),
    )
    with house.write() as session:
        game = lobby.create_table(session, seated[0], settings, house.now)
        for user in seated[1:]:
            lobby.join(session, game, user, house.now)
        if robots:
            lobby.add_bot(session, game, bots.CARETAKER, house.now)
        lobby.start(session, session.get_one(Game, game.id), house.now, seed=f"{n:064x}")
        return game.id


def terms(n: int) -> Terms:
    """Every term in several tables, and most pairs of them in one."""
    return Terms(
        clock="bank" if n % 5 == 2 else "turn",
        bank_hours=30,
        increment_hours=6,
        cap_hours=40,
        graces=n % 3,
        windows=n % 6 != 0,
        weekends_off=n % 4 == 1,
        vacation=n % 7 != 3,
        claims=n % 10 != 7,
        on_miss="draft" if n % 8 == 4 else "default",
        planning="round" if n % 5 == 3 else "none",
    )
