"""Somebody who is asked at as many tables as a test wants, and what she wants to be mailed."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from sqlmodel import col, delete, select

from core.store.session import make_engine
from core.store.tables import Game, OutboxMail, Turn, User
from core.table.notify import digests, mails, modes, quiet
from core.table.record import seats, turns
from core.table.record.around import Around
from core.table.views import reminders
from tests.support.database import make_tables
from tests.support.post_office import PostOffice
from tests.support.table import House

TABLES = 8


@cache
def _played() -> Path:
    """A database with tables at which it is Anna's turn to open an auction, and nobody is asked."""
    file = Path(mkdtemp()) / "tables.sqlite3"
    make_tables(f"sqlite:///{file}")
    house = House(make_engine(f"sqlite:///{file}"))
    set_up(house)
    house.engine.dispose()
    return file


def copy_of_tables(folder: Path) -> House:
    """A house of its own in which eight tables wait to be asked."""
    file = folder / "waiting.sqlite3"
    shutil.copy(_played(), file)
    return House(make_engine(f"sqlite:///{file}"))


def set_up(house: House, tables: int = TABLES) -> None:
    """Start the tables, and forget that anybody was asked."""
    for number in range(tables):
        game = house.start("Anna", "Ben", auction="open", title=f"Table {number}")
        while (seat := house.asked(game)[0].seat) != house.seat(game, "Anna"):
            house.move(game, seat, house.line(game, seat))
    with house.write() as s:
        s.exec(delete(OutboxMail))
        s.exec(delete(Turn).where(col(Turn.closed_at).is_(None)))
    wants(house, house.user("Ben"), mail_mode="off")


def wants(house: House, user: User, **values) -> None:
    """Set what a user wants, as his mail page does; nothing but turns where it is not said."""
    with house.write() as s:
        row = s.get_one(User, user.id)
        for name, value in {"reminders": [], "mail_games": False, **values}.items():
            setattr(row, name, value)
        modes.look_again(s, row, house.now)


def at_table(house: House, user: User, game: int, mode: str) -> None:
    with house.write() as s:
        modes.choose(s, s.get_one(User, user.id), game, mode, house.now)


def asked(house: House, *, others: int = 0, **values) -> tuple[User, list[int]]:
    """Anna with her wishes, asked at one table, and at so many others in the same moment."""
    user = house.user("Anna")
    wants(house, user, **values)
    return user, [ask(house) for _ in range(others + 1)]


def ask(house: House, turn_hours: int = 96) -> int:
    """Ask Anna at one more table."""
    with house.write() as s:
        busy = select(Turn.game_id).where(col(Turn.closed_at).is_(None))
        free = select(Game).where(col(Game.id).not_in(busy)).order_by(col(Game.id))
        game = s.exec(free).first()
        assert game is not None
        game.turn_hours = turn_hours
        row, user = seats.players(s, game.id)[house.seat(game.id, "Anna")]
        around = Around.of(s, game, house.now)
        turn = turns.ask(s, game, row, around.calendar(game, user), house.now)
        mails.owe_turn(s, user, turn, around, house.now)
        return game.id


def answer(house: House, game: int) -> None:
    """Anna moves; if it is her turn again, she does not have to be told."""
    seat = house.seat(game, "Anna")
    house.move(game, seat, house.line(game, seat))
    with house.write() as s:
        for turn in turns.asked(s, game):
            turns.close(s, turn, "ended", 0, house.now)


def sweep(house: House, office: PostOffice) -> list:
    """The tick owes reminders and digests, the worker delivers."""
    with house.write() as s:
        reminders.owe(s, house.now)
    with house.read() as s:
        due = digests.due(s, house.now)
    for user in due:
        with house.write() as s:
            digests.owe(s, user, house.now)
    return office.fetch()


def kinds(mails: list) -> list[str]:
    return [mail["X-Kraftpost-Kind"] for mail in mails]


def act(house: House, user: User, game: int) -> None:
    """She does something at a table."""
    with house.write() as s:
        quiet.acted(s, game, user.id, house.now)
