"""A data folder of version 0.1 opens, and its games play on.

The dump was made by 0.1 itself: a game that runs (with standing orders and chat), one that is
over, and a table in the lobby, among Ann, Ben, Cem and Dora.
"""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.store.migrations import migrate
from core.store.tables import Game, Submission
from core.table.acts import lobby
from core.table.record import corpus, gamelog, seats
from tests.support.site import Site, open_site

DUMP = Path(__file__).parent / "version-0.1.sql.gz"
RUNNING, FINISHED, LOBBY = 1, 2, 3


def tables_of_0_1(url: str) -> None:
    """Load the dump into a SQLite file, then do what `kraftpost release` does."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.executescript(gzip.decompress(DUMP.read_bytes()).decode())
    migrate(url)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr("tests.support.site.make_tables", tables_of_0_1)
    with open_site(tmp_path, monkeypatch) as opened:
        yield opened


def test_its_pages_are_shown(site: Site) -> None:
    ann = site.visitor("Ann")
    for path in (
        "/",
        f"/games/{RUNNING}",
        f"/games/{RUNNING}/orders",
        f"/games/{FINISHED}",
        f"/games/{FINISHED}/at/100",
        f"/games/{FINISHED}/story",
        f"/games/{LOBBY}",
        "/profile",
    ):
        assert ann.page(path)


def test_its_running_game_is_played_to_the_end_and_its_orders_count(site: Site) -> None:
    house = site.house
    before = house.game(RUNNING).seq
    seat = house.asked(RUNNING)[0].seat
    assert house.move(RUNNING, seat, house.line(RUNNING, seat)).status == "accepted"
    house.play(RUNNING)
    assert house.game(RUNNING).status == "finished"
    assert "MoveOrdered" in house.kinds(RUNNING)[before:]
    house.log_is_whole(RUNNING)
    assert not [row for row in house.all(Submission) if row.status == "pending"]


def test_its_finished_game_folds_to_what_it_was(site: Site) -> None:
    with site.house.read() as s:
        assert s.get_one(Game, FINISHED).status == "finished"
        assert corpus.check(s, FINISHED).problems == ()


def test_its_table_in_the_lobby_begins(site: Site) -> None:
    house = site.house
    with house.write() as s:
        game = gamelog.find(s, LOBBY)
        while len(seats.seats(s, LOBBY)) < game.players:
            lobby.add_bot(s, game, "engineer", house.now)
        lobby.start(s, game, house.now)
    house.adjudicate(LOBBY)
    assert house.asked(LOBBY)
