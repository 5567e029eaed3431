"""Whoever leaves a table, whenever and however: the game goes on to its end (M42).

One game is played and kept at each kind of question; every case goes on from a copy. Each kind of
question has one seat and one way of leaving here; `KRAFTPOST_DROPPING=all` has all of them.
"""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core import bots
from core.game.engine import options
from core.game.observe import observe
from core.game.types import Seat
from core.store.session import make_engine
from core.store.tables import SeatRow, Turn, User
from core.table.acts import absence, host_acts
from core.table.acts.replace import take
from core.table.play.play import Play
from core.table.record import gamelog
from tests.support.database import make_tables
from tests.support.table import House

GAME = 1
HOURS = 24
POSITIONS = {
    "open": {"RegionOffer": 2, "OpeningOffer": 1, "BidOffer": 6, "PurchaseOffer": 5,
             "BuildOffer": 2, "PowerOffer": 5, "DiscardOffer": 1},
    "sealed": {"BidOffer": 5},
}  # fmt: skip
"""By kind of auction: each kind of question, and which one of it; from round 0 to 6."""
BOT = bots.bot(bots.CARETAKER)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the database at each position."""
    folder = tmp_path_factory.mktemp("positions")
    for auction, wanted in POSITIONS.items():
        path = folder / f"{auction}.sqlite3"
        make_tables(f"sqlite:///{path}")
        engine = make_engine(f"sqlite:///{path}")
        for kind in _played(House(engine), auction, wanted):
            _copy(path, folder / f"{auction} {kind}.sqlite3")
        engine.dispose()
    return folder


def _played(house: House, auction: str, wanted: dict[str, int]) -> Iterator[str]:
    """Play a game; the kinds of questions as their time has come."""
    knobs = {"region_choice": "draft"}
    game = house.start("Anna", "Ben", "Clara", auction=auction, options=knobs, turn_hours=HOURS)
    seen: Counter[str] = Counter()
    while any(seen[kind] < number for kind, number in wanted.items()):
        turn = house.asked(game)[0]
        kind = type(options(house.state(game), Seat(turn.seat))).__name__
        seen[kind] += 1
        if seen[kind] == wanted.get(kind):
            yield kind
        assert house.move(game, turn.seat, house.line(game, turn.seat)).status == "accepted"


def _copy(path: Path, to: Path) -> None:
    with closing(sqlite3.connect(path)) as here, closing(sqlite3.connect(to)) as there:
        here.backup(there)


@pytest.fixture
def house(kept: Path, tmp_path: Path, auction: str, kind: str) -> Iterator[House]:
    """The table at the position of the case."""
    path = tmp_path / "case.sqlite3"
    _copy(kept / f"{auction} {kind}.sqlite3", path)
    engine = make_engine(f"sqlite:///{path}")
    yield House(engine)
    engine.dispose()


def stay_away(house: House, seat: Seat, until: Callable[[], bool]) -> None:
    """Only the others answer, and time passes; nobody has to wait for ever."""
    for _ in range(60):
        if until():
            return
        others = [turn for turn in house.asked(GAME) if turn.seat != seat]
        for turn in others[:1]:
            house.move(GAME, turn.seat, house.line(GAME, turn.seat))
        if not others:
            house.pass_time(hours=HOURS)
            house.adjudicate(GAME)
    raise AssertionError("the table waits for ever")


def has_missed(house: House, seat: Seat) -> Callable[[], bool]:
    return lambda: any(
        getattr(event, "seat", None) == seat and type(event).__name__ == "TurnMissed"
        for event in house.events(GAME)
    )


def is_given_up(house: House, seat: Seat) -> Callable[[], bool]:
    """A caretaker or a bot plays, or the seat is offered to others."""
    return lambda: (
        {"CaretakerAppointed", "SeatOpened", "SeatTaken"}
        & {type(e).__name__ for e in house.events(GAME) if getattr(e, "seat", None) == seat}
        != set()
    )


def is_played(house: House, seat: Seat) -> Callable[[], bool]:
    """A caretaker plays the seat, or a bot has it."""

    def played() -> bool:
        (row,) = house.all(SeatRow, game_id=GAME, seat=seat)
        return bool(row.bot) or house.state(GAME).players[seat].caretaker

    return played


def goes_to_bot(house: House, seat: Seat) -> None:
    """The host gives the seat away after the first missed turn."""
    stay_away(house, seat, has_missed(house, seat))
    host = house.user("Anna")
    with house.write() as s:
        body = {"seat": seat, "reason": "a reason"}
        host_acts.act(s, GAME, s.get_one(User, host.id), "replace", body, house.now)


def stays_empty(house: House, seat: Seat) -> None:
    """Nobody comes: a caretaker plays, or, where the seat has never moved, a bot in the end."""
    stay_away(house, seat, is_played(house, seat))


def goes_to_somebody(house: House, seat: Seat) -> None:
    """Somebody else takes the seat as soon as it is open."""
    stay_away(house, seat, is_given_up(house, seat))
    dora = house.user("Dora")
    with house.write() as s:
        take(s, GAME, seat, s.get_one(User, dora.id), house.now)


def resigns(house: House, seat: Seat) -> None:
    """He says that he leaves."""
    with house.write() as s:
        absence.resign(s, GAME, seat, "", house.now)


def to_the_end(house: House) -> None:
    """All who are asked answer until the game is over: at any moment it waits for somebody."""
    house.adjudicate(GAME)
    with house.write() as s:
        play = Play.resume(s, gamelog.lock(s, GAME), house.now)
        while not play.over:
            assert play.turns
            seat = min(play.turns)
            play.move(seat, BOT.move(observe(play.state, seat)), "move")
            play.play_automatic(1_000)
            play.settle()


WAYS = (stays_empty, goes_to_bot, goes_to_somebody, resigns)
PLACES = [(auction, kind) for auction, kinds in POSITIONS.items() for kind in kinds]
CASES = [
    (*place, Seat(seat), leave)
    for n, place in enumerate(PLACES)
    for seat in range(3)
    for way, leave in enumerate(WAYS)
    if os.environ.get("KRAFTPOST_DROPPING") == "all"
    or (seat, way) == (n % 3, n // 3 % 3)
    or (seat, way) == (n % 3, 3)
]


@pytest.mark.parametrize(("auction", "kind", "seat", "leave"), CASES)
def test_m42_a_seat_that_is_left_at_any_question_leaves_a_game_that_goes_on(
    house: House, seat: Seat, leave: Callable[[House, Seat], None]
) -> None:
    leave(house, seat)
    to_the_end(house)
    state = house.state(GAME)
    assert house.game(GAME).status == "finished"
    assert len(state.standings) == 3
    assert min(player.elektro for player in state.players) >= 0
    house.log_is_whole(GAME)
    assert all(turn.closed_at for turn in house.all(Turn, game_id=GAME))
