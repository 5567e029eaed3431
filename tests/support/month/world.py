"""Who lives in the simulated month: sixty people in six zones, and their forty tables."""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Literal

from core import bots
from core.store.tables import Game, SeatRow, User
from core.table.acts import lobby
from core.table.notify import modes
from core.terms import Terms
from tests.support.table import House

PEOPLE, TABLES, DAYS, FIRST = map(int, os.environ.get("KRAFTPOST_MONTH", "12 8 4 22").split())
"""How much of it, and from which day of October on: `make month` lives through all of it."""
BEGIN = datetime(2026, 10, FIRST, tzinfo=UTC)
"""Summer time begins in Australia on 4 October; it ends in Europe on 25 October, and in the USA
on 1 November."""
END = BEGIN + timedelta(days=DAYS)
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Europe/London",
         "America/Los_Angeles", "Asia/Kolkata")  # fmt: skip
WINDOWS = {1: (9 * 60, 21 * 60), 3: (18 * 60, 8 * 60 + 30), 5: (6 * 60 + 30, 16 * 60)}
"""Play windows, minutes of the local day; the second one crosses midnight."""
QUIET = {1: (22 * 60, 7 * 60), 2: (13 * 60, 15 * 60 + 30), 4: (23 * 60 + 30, 6 * 60), 7: (60, 150)}
"""Quiet hours, minutes of the local day; the last ones lie where clocks are changed."""

Kind = Literal["quick", "slow", "late", "gone", "never"]


@dataclass
class Person:
    """How somebody plays: `late` often answers after his deadline, `gone` stops for good one day,
    `never` does not even begin."""

    user: User
    kind: Kind
    by_mail: bool
    window: tuple[int, int] | None
    mode: str
    quiet: tuple[int, int] | None
    except_hours: int
    reminders: tuple[str, ...]
    batch_minutes: int = 40
    digest_hour: int = 7
    tables: dict[int, str] = field(default_factory=dict)
    """How he wants the mails of single tables; as his mode is where none stands."""

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
        person = Person(
            user,
            kind,
            by_mail=n % 4 == 0,
            window=WINDOWS.get(n % 8),
            mode={3: "digest", 5: "batched", 6: "off", 8: "digest"}.get(n % 10, "instant"),
            quiet=QUIET.get(n % 9),
            except_hours=4 * (n % 2),
            reminders=("half", "most", "last")[n % 3 :] if n % 11 else (),
        )
        user.mail_mode, user.batch_minutes = person.mode, person.batch_minutes
        user.quiet_from, user.quiet_to = person.quiet or (None, None)
        user.quiet_except_hours, user.reminders = person.except_hours, list(person.reminders)
    return person


def open_tables(house: House, everybody: dict[int, Person]) -> list[int]:
    """All tables, started; the numbers of their games."""
    chance = Random(20261003)
    users = [person.user for person in everybody.values()]
    places = users * 3
    games = [_open(house, n, chance, places) for n in range(TABLES)]
    for n, person in enumerate(everybody.values()):
        _prefer(house, n, person)
    return games


def _prefer(house: House, n: int, person: Person) -> None:
    """Some want the mails of their first table in another way."""
    mine = sorted(row.game_id for row in house.all(SeatRow, user_id=person.user.id))
    wish = {0: "digest", 2: "mute", 3: "instant", 6: "instant"}.get(n % 7)
    if wish and mine:
        person.tables[mine[0]] = wish
        with house.write() as session:
            modes.choose(session, session.merge(person.user), mine[0], wish, house.now)


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
        deadlines_enforced=n % 10 != 7,
        on_miss="draft" if n % 8 == 4 else "default",
        planning="round" if n % 5 == 3 else "none",
    )
