"""The gallery: what stands in it, in which order, and by what one can look for it."""

from datetime import timedelta

import pytest
from sqlalchemy import event

from core.table.people import gallery
from core.table.people.gallery import PAGE, Page, Wanted
from tests.support.over import result
from tests.support.table import NOON, House


def show(house: House, before: int = 0, **wanted: object) -> Page:
    with house.read() as s:
        return gallery.page(s, Wanted(**wanted), before)


def ids(house: House, **wanted: object) -> list[int]:
    return [game.result.game_id for game in show(house, **wanted).games]


def test_public_games_played_to_their_end_newest_first(house: House) -> None:
    first = result(house, {"Anna": 1, "Ben": 2})
    result(house, {"Anna": 1, "Ben": 2}, private=True, rated=False)
    result(house, {"Anna": 1, "Ben": 2}, abandoned=True, rated=False, closeness=None)
    last = result(house, {"1": 1, "Clara": 1}, ended=NOON + timedelta(days=1), imported=True)
    page = show(house)
    assert [game.result.game_id for game in page.games] == [last, first]
    assert [[(p.name, p.won) for p in game.players] for game in page.games] == [
        [("1", True), ("Clara", True)],
        [("Anna", True), ("Ben", False)],
    ]
    assert page.before == 0


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, "abcd"),
        ({"map": "usa"}, "b"),
        ({"variant": "recharged"}, "c"),
        ({"players": 3}, "d"),
        ({"players": 7}, "abcd"),  # there is no such thing to ask for
        ({"length": "short"}, "b"),
        ({"length": "middle"}, "ad"),
        ({"length": "long"}, "c"),
        ({"close": "photo"}, "a"),
        ({"close": "close"}, "ab"),
        ({"rated": "yes"}, "acd"),
        ({"rated": "no"}, "b"),
        ({"map": "germany", "length": "middle", "players": 2, "rated": "yes"}, "a"),
        ({"map": "france"}, ""),
    ],
)
def test_one_finds_what_one_looks_for(house: House, wanted: dict, found: str) -> None:
    games = {
        result(house, {"Anna": 1, "Ben": 2}, closeness=5, rounds=9): "a",
        result(house, {"Anna": 1, "Ben": 2}, closeness=6, rounds=8, map="usa", rated=False): "b",
        result(house, {"Anna": 1, "1": 2}, closeness=1000, rounds=13, variant="recharged"): "c",
        result(house, {"Anna": 1, "Ben": 2, "1": 3}, closeness=2003, rounds=12): "d",
    }
    assert sorted(games[number] for number in ids(house, **wanted)) == list(found)


def test_pages_show_every_game_once_also_those_that_ended_together(house: House) -> None:
    total = 2 * PAGE + 3
    made = [result(house, {"1": 1, "2": 2}, ended=NOON + timedelta(hours=n // 15))
            for n in range(total)]  # fmt: skip
    seen: list[int] = []
    before, sizes = 0, []
    while True:
        page = show(house, before)
        seen += [game.result.game_id for game in page.games]
        sizes.append(len(page.games))
        before = page.before
        if not before:
            break
        result(house, {"1": 1, "2": 2}, ended=NOON + timedelta(days=9))  # a new one moves nothing
    assert seen == made[::-1]
    assert sizes == [PAGE, PAGE, 3]


def test_a_page_behind_a_game_that_is_gone_is_the_first(house: House) -> None:
    game = result(house, {"1": 1, "2": 2})
    assert [g.result.game_id for g in show(house, before=4711).games] == [game]


def test_one_index_answers_whatever_is_asked(house: House) -> None:
    asked = []
    event.listen(house.engine, "before_cursor_execute", lambda *of: asked.append((of[2], of[3])))
    last = result(house, {"Anna": 1, "Ben": 2})
    everything = Wanted("usa", "recharged", 3, "long", "photo", "no")
    with house.read() as s:
        for wanted in (Wanted(), everything):
            asked.clear()
            gallery.page(s, wanted, last)
            statement, values = next(one for one in asked if "ORDER BY results.ended_at" in one[0])
            walked = plan(s, statement, values)
            assert "ix_results_gallery" in walked, statement
            assert "sort" not in walked.lower()


def plan(session, statement: str, values) -> str:
    """How the database finds it, where it may walk an index and nothing else."""
    run = session.connection().exec_driver_sql
    if session.get_bind().dialect.name == "sqlite":
        return "".join(str(row) for row in run(f"EXPLAIN QUERY PLAN {statement}", values))
    run("SET LOCAL enable_seqscan = off")
    run("SET LOCAL enable_bitmapscan = off")
    # Of so few rows this one could serve as well; the drop is thrown away with the session.
    run("DROP INDEX IF EXISTS ix_results_ended_at_game_id")
    return "".join(str(row) for row in run(f"EXPLAIN {statement}", values))
