"""Statistics are counted right, on both databases; head to head by everything asked for (M76)."""

from datetime import timedelta

import pytest

from core.table.views import statistics
from tests.support.over import result
from tests.support.table import NOON, House
from tests.table.record.test_results import rate_all

GAMES = (
    ({"Anna": 1, "Ben": 2, "Clara": 3}, {}),
    ({"Ben": 1, "Clara": 2, "Anna": 3}, {"map": "usa", "variant": "recharged", "closeness": 2000}),
    ({"Anna": 1, "Ben": 2}, {"rounds": 16, "seconds": 3 * 86400}),
    ({"Ben": 1, "Anna": 1, "1": 3}, {}),
    ({"Anna": 3, "Ben": 1, "Clara": 2}, {"private": True, "rated": False, "unrated": "private"}),
    ({"Anna": 1, "Ben": 2}, {"imported": True, "rated": False, "unrated": "imported"}),
)


@pytest.fixture
def league(house: House) -> House:
    """Anna, Ben and Clara over six games, one private and one that was never played here."""
    for day, (places, facts) in enumerate(GAMES):
        result(house, places, ended=NOON + timedelta(day), **facts)
    return house


def told(house: House, about: str, viewer: str | None = None) -> statistics.Record:
    with house.read() as s:
        return statistics.record(s, house.user(about), house.user(viewer) if viewer else None)


def met(house: House, one: str, other: str, viewer: str | None = None) -> statistics.HeadToHead:
    with house.read() as s:
        reader = house.user(viewer) if viewer else None
        return statistics.versus(s, house.user(one), house.user(other), reader)


def rows(lines) -> list[tuple]:
    return sorted((line.key, line.games, line.wins, round(line.place, 3)) for line in lines)


def test_a_player_is_counted_by_everything(league: House) -> None:
    found = told(league, "Anna")
    total = found.total
    assert (total.games, total.wins, total.place, total.percent) == (4, 3, 1.5, 75)
    assert rows(found.by["players"]) == [(2, 1, 1, 1.0), (3, 3, 2, 1.667)]
    assert rows(found.by["map"]) == [("germany", 3, 3, 1.0), ("usa", 1, 0, 3.0)]
    assert rows(found.by["variant"]) == [("recharged", 1, 0, 3.0), ("standard", 3, 3, 1.0)]
    assert rows(found.by["first"]) == [(1, 2, 2, 1.0), (2, 1, 1, 1.0), (3, 1, 0, 3.0)]
    assert [(one.name, one.games) for one in found.opponents] == [("Ben", 4), ("Clara", 2)]
    assert [game.places for game in found.games] == [(1,), (1,), (3,), (1,)]  # the last one first
    assert (found.punctuality.turns, found.punctuality.missed) == (40, 0)
    assert found.punctuality.seconds == 60


def test_a_private_game_counts_for_those_who_played_in_it(league: House) -> None:
    assert told(league, "Anna", "Ben").total.games == told(league, "Anna", "Anna").total.games == 5
    assert told(league, "Anna", "Dora") == told(league, "Anna")
    assert met(league, "Anna", "Ben", "Clara").total.games == 5
    assert met(league, "Anna", "Ben", "Dora") == met(league, "Anna", "Ben")
    assert [(o.name, o.games) for o in told(league, "Anna", "Ben").opponents][1] == ("Clara", 3)


def test_of_two_who_met_in_private_both_must_share_it(league: House) -> None:
    with league.write() as s:
        clara = s.merge(league.user("Clara"))
        clara.share_private = False
        s.add(clara)
    assert met(league, "Anna", "Clara", "Ben").total.games == 2
    assert met(league, "Anna", "Clara", "Anna").total.games == 2
    assert met(league, "Anna", "Ben", "Clara").total.games == 5
    assert [(o.name, o.games) for o in told(league, "Anna", "Ben").opponents][1] == ("Clara", 2)
    assert told(league, "Clara", "Clara").total.games == 3
    assert told(league, "Clara", "Ben").total.games == 2


def test_a_place_is_of_whoever_made_the_moves(house: House) -> None:
    """Who took a seat over near the end has neither won nor lost; his moves are his own."""
    result(house, {"Anna": 1, "Ben": 2}, own={"Anna": 4})
    found = told(house, "Anna")
    assert (found.total.games, found.punctuality.turns, len(found.games)) == (0, 4, 1)
    assert met(house, "Anna", "Ben").total.games == 0


def test_a_game_that_was_ended_counts_nowhere(house: House) -> None:
    result(house, {"Anna": 1, "Ben": 2}, abandoned=True)
    with house.read() as s:
        assert statistics.overall(s).by["map"] == ()
    assert told(house, "Anna").total.games == 0


def test_m76_who_came_in_before_whom(league: House) -> None:
    total = met(league, "Anna", "Ben").total
    assert (total.games, total.first, total.second, total.shared) == (4, 2, 1, 1)
    other = met(league, "Ben", "Anna").total
    assert (other.games, other.first, other.second, other.shared) == (4, 1, 2, 1)


def test_m76_by_number_of_players_and_by_map(league: House) -> None:
    found = met(league, "Anna", "Ben")
    assert sorted((s.key, s.games, s.first, s.second) for s in found.by["players"]) == [
        (2, 1, 1, 0), (3, 3, 1, 1),
    ]  # fmt: skip
    assert sorted((s.key, s.games, s.first, s.second) for s in found.by["map"]) == [
        ("germany", 3, 2, 0), ("usa", 1, 0, 1),
    ]  # fmt: skip


def test_m76_by_finishing_order(league: House) -> None:
    found = met(league, "Anna", "Ben")
    assert [(o.first, o.second, o.games) for o in found.orders] == [(1, 1, 1), (1, 2, 2), (3, 1, 1)]
    assert [game.places for game in found.games] == [(1, 1), (1, 2), (3, 1), (1, 2)]


def test_the_whole_site_in_numbers(league: House) -> None:
    with league.read() as s:
        found = statistics.overall(s)
        usa = statistics.overall(s, board="usa")
        none = statistics.overall(s, variant="recharged", board="germany")
    maps = {kind.key: (kind.games, kind.rounds, kind.days, kind.close) for kind in found.by["map"]}
    assert maps == {
        "germany": (3, 12.0, pytest.approx(5 / 3), 3),
        "usa": (1, 10.0, 1.0, 0),
    }
    assert {kind.key: kind.games for kind in found.by["players"]} == {2: 1, 3: 3}
    assert rows(found.seats[3]) == [(1, 3, 3, 1.0), (2, 3, 1, 1.667), (3, 3, 0, 3.0)]
    assert rows(usa.seats[3]) == [(1, 1, 1, 1.0), (2, 1, 0, 2.0), (3, 1, 0, 3.0)]
    assert none.seats == {}


def test_the_strongest_are_those_with_enough_games(house: House) -> None:
    for day in range(8):
        result(house, {"Anna": 2, "Ben": 1}, ended=NOON + timedelta(day))
    result(house, {"Clara": 1, "Dora": 2})
    rate_all(house)
    with house.read() as s:
        found = statistics.strongest(s)
    assert [user.name for user, _strength in found] == ["Ben", "Anna"]
    assert found[0][1].points > found[1][1].points
    assert found[0][1].games == 8
