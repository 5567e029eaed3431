"""Results are written with a game's end, and made again from the logs to the same numbers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, delete

from core.game.events import GameAbandoned, PhaseBegan, PlantBought
from core.game.log.jsonl import log_of
from core.store.tables import EventRow, Game, Result, ResultCount, ResultSeat, Turn
from core.table.people import archive, ratings
from core.table.record import gamelog, results
from core.terms import Terms
from tests.support import hosting
from tests.support.over import events, play_over, result, timed
from tests.support.table import NOON, House

SECONDS = {0: 100, 1: 250, 2: 730}
UNRATED = Terms(rated=False)


def finish(house, *names, seed="5eed", days=0, **settings) -> int:
    """A game whose log was played elsewhere but for its end, which this house judges."""
    log = timed(events(len(names), seed=seed), SECONDS, NOON + timedelta(days=days))
    game_id = play_over(house, names, log, **settings)
    with house.write() as s:
        game = s.get_one(Game, game_id)
        game.status, game.ended_at = "finished", log[-1].at
        s.add(game)
        results.record(s, game)
    return game_id


def abandon(house, *names) -> int:
    """A game that its host ended."""
    game_id = house.start(*names)
    seat = house.asked(game_id)[0].seat
    house.move(game_id, seat, house.line(game_id, seat))
    with house.write() as s:
        hosting.end(s, game_id, house.user(names[0]), "no time", house.now)
    return game_id


def everything(house) -> list[list[dict]]:
    """All rows that are derived, in order."""
    found = []
    for table in results.DERIVED:
        rows = [row.model_dump() for row in house.all(table)]
        found.append(sorted(rows, key=lambda row: [row.get(k, 0) for k in KEYS]))
    return found


KEYS = ("game_id", "seat", "user_id", "map", "variant", "players", "first")


def rate_all(house) -> None:
    while True:
        with house.write() as s:
            if not ratings.rate(s, house.now):
                return


def rebuild(house) -> None:
    results.clear(house.engine)
    assert [wrong for _id, wrong in results.fill(house.engine) if wrong] == []
    rate_all(house)


@pytest.fixture
def full(house: House) -> House:
    """A house with a game of every sort."""
    finish(house, "Anna", "Ben", "Clara")
    finish(house, "Anna", "Ben", "", seed="b0b", days=1)
    finish(house, "Ben", "Clara", "Anna", seed="cafe", days=2, private=True)
    finish(house, "Ben", "Anna", "Clara", seed="f00d", days=3, terms=UNRATED.to_json())
    finish(house, "Clara", "Ben", "Anna", seed="beef", days=4)
    abandon(house, "Anna", "Ben")
    with house.write() as s:
        archive.import_log(s, log_of(events(3), ("X", "Y", "Z")), house.now)
    rate_all(house)
    return house


def test_everything_is_made_again_from_the_logs(full: House) -> None:
    """Point 7: the same rows, also after the tables themselves were deleted."""
    before = everything(full)
    assert [len(rows) for rows in before] == [8, 20, 7, 3]
    assert {row["games"] for row in before[3]} == {4}  # the public ones that were played out
    assert [row["unrated"] for row in before[2]] == [
        "", "", "private", "agreed", "", "abandoned", "imported",
    ]  # fmt: skip
    assert all(row["rated"] == (not row["unrated"]) and not row["due"] for row in before[2])
    assert list(results.fill(full.engine)) == []  # none is missing
    rebuild(full)
    assert everything(full) == before
    tables = [SQLModel.metadata.tables[table.__tablename__] for table in results.DERIVED]
    SQLModel.metadata.drop_all(full.engine, tables)
    rebuild(full)
    assert everything(full) == before


def test_people_against_bots_are_unrated(house: House) -> None:
    game_id = finish(house, "Anna", "", "")
    assert house.get(Result, game_id).unrated == "alone"


def test_a_game_that_the_worker_ends_has_its_result_at_once(house: House) -> None:
    """The last moves are judged here, the end comes as it does in every game."""
    log = events(3, seed="ace")
    last = max(n for n, event in enumerate(log) if isinstance(event, PhaseBegan))
    played = timed(log[: last + 1], SECONDS)
    game_id = play_over(house, ("", "", ""), played, seed="ace", has_automatic_moves=True)
    house.adjudicate(game_id)
    assert house.game(game_id).status == "finished"
    row = house.get(Result, game_id)
    assert row.ended_at == house.game(game_id).ended_at
    seats = house.all(ResultSeat, game_id=game_id)
    standings = house.state(game_id).standings
    assert {(s.seat, s.place, s.elektro) for s in seats} == {
        (s.seat, s.place, s.elektro) for s in standings
    }


def test_results_tell_what_the_turns_of_a_real_game_say(house: House) -> None:
    """Two records of one game, kept apart: open questions, and the log alone."""
    game_id = house.start("Anna", "Ben", robots=1)
    for minutes in range(3, 40):
        house.pass_time(minutes=minutes)
        house.play(game_id, 1)
    turns = [t for t in house.all(Turn, game_id=game_id) if t.closed_by == "move"]
    with house.write() as s:
        hosting.end(s, game_id, house.user("Anna"), "seen enough", house.now)
    assert isinstance(house.events(game_id)[-1], GameAbandoned)
    for row in house.all(ResultSeat, game_id=game_id):
        asked = [turn for turn in turns if turn.seat == row.seat]
        if row.user_id is not None:
            assert row.own_turns == len(asked) > 10


def test_an_unfinished_game_has_no_result(house: House) -> None:
    house.start("Anna", "Ben")
    house.open("Anna", "Ben")
    rebuild(house)
    assert house.all(Result) == []


def test_a_log_that_is_broken_does_not_hold_the_others_up(house: House) -> None:
    whole, broken = finish(house, "Anna", "Ben", "Clara"), finish(house, "Anna", "Ben", "")
    with house.write() as s:
        s.get_one(EventRow, (broken, 7)).body = {"type": "NoSuchEvent", "version": 1}
    gamelog.forget()
    results.clear(house.engine)
    wrong = dict(results.fill(house.engine))
    assert wrong[whole] == "" and "NoSuchEvent" in wrong[broken]
    assert [row.game_id for row in house.all(Result)] == [whole]


def spoiled(house: House) -> Iterator[tuple[int, str]]:
    """Games whose logs are broken, each in another way, with what is to be said of them."""

    def change(name: str, seq: int, **facts) -> int:
        game_id = finish(house, name, "Ben", "")
        with house.write() as s:
            row = s.get_one(EventRow, (game_id, seq))
            row.body = {**row.body, **facts}
        return game_id

    log = events(3)
    bought = next(n for n, e in enumerate(log, 1) if isinstance(e, PlantBought))
    yield change("Anna", 3, type="NoSuchEvent"), "NoSuchEvent"
    yield change("Clara", bought, seat=7), "IndexError"
    yield change("Dora", bought, v="one"), "version"
    late = finish(house, "Emma", "Ben", "")
    with house.write() as s:
        s.get_one(EventRow, (late, 2)).body = ["no", "object"]
    yield late, "ValueError"


def test_a_broken_log_is_named_and_stops_no_other(house: House) -> None:
    broken = dict(spoiled(house))
    whole = finish(house, "Anna", "Ben", "Clara")
    gamelog.forget()
    results.clear(house.engine)
    found = dict(results.fill(house.engine))
    assert set(found) == {*broken, whole}
    assert found[whole] == ""
    for game_id, said in broken.items():
        assert said in found[game_id]
    assert [row.game_id for row in house.all(Result)] == [whole]
    assert {row.games for row in house.all(ResultCount)} == {1}


def test_games_that_end_at_once_are_all_added_to_the_sums(house: House) -> None:
    names = ("Anna", "Ben", "Clara")
    games = [
        result(house, dict(zip(names[n % 3 :] + names[: n % 3], (1, 2, 3), strict=True)))
        for n in range(8)
    ]
    before = everything(house)[3]
    with house.write() as s:
        s.exec(delete(ResultCount))

    def count(game_id: int) -> None:
        with house.write() as s:
            results.count(s, game_id)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, games))
    assert everything(house)[3] == before
    assert [row["games"] for row in before] == [8, 8, 8]
