"""Ratings: by place, in the order in which games ended, whenever they are computed."""

from datetime import timedelta

import pytest
from openskill.models import PlackettLuce

from core.store.tables import Rating, Result, User
from core.table.people import ratings
from tests.support.over import result
from tests.support.table import NOON, House
from tests.table.record.test_results import rate_all

MODEL = PlackettLuce()


def at(days: float):
    return NOON + timedelta(days=days)


def rated(house: House) -> dict[tuple[int, str], tuple[float, float, int]]:
    """Every rating by game and name."""
    rate_all(house)
    names = {user.id: user.name for user in house.all(User)}
    return {
        (row.game_id, names[row.user_id]): (row.mu, row.sigma, row.games)
        for row in house.all(Rating)
    }


def strength(house: House, name: str):
    rate_all(house)
    user = house.user(name)
    with house.read() as s:
        return next(map(ratings.Strength.of, ratings.history(s, user.id, 1)), None)


def test_the_order_of_places_is_the_order_of_ratings(house: House) -> None:
    game = result(house, {"Anna": 2, "Ben": 1, "Clara": 4, "Dora": 3})
    found = rated(house)
    order = sorted(("Anna", "Ben", "Clara", "Dora"), key=lambda name: -found[game, name][0])
    assert order == ["Ben", "Anna", "Dora", "Clara"]
    assert {value[2] for value in found.values()} == {1}


def test_who_shares_a_place_is_rated_alike(house: House) -> None:
    game = result(house, {"Anna": 1, "Ben": 2, "Clara": 2})
    found = rated(house)
    assert found[game, "Ben"] == found[game, "Clara"] != found[game, "Anna"]


def test_bots_and_seats_that_were_taken_over_late_count_as_nobody(house: House) -> None:
    places = {"Anna": 2, "1": 1, "Ben": 3, "Clara": 4}
    game = result(house, places, own={"Clara": 4})
    found = rated(house)
    assert set(found) == {(game, "Anna"), (game, "Ben")}
    [[anna], [ben]] = MODEL.rate([[MODEL.rating()], [MODEL.rating()]], ranks=[1, 2])
    assert found[game, "Anna"][:2] == (anna.mu, anna.sigma)
    assert found[game, "Ben"][:2] == (ben.mu, ben.sigma)


def test_one_who_made_half_of_the_moves_is_rated(house: House) -> None:
    result(house, {"Anna": 1, "Ben": 2}, own={"Ben": 5})
    assert len(rated(house)) == 2


def test_games_that_do_not_count_leave_no_trace(house: House) -> None:
    result(house, {"Anna": 1, "Ben": 2}, rated=False)
    assert rated(house) == {}
    assert strength(house, "Anna") is None


def test_it_does_not_matter_when_a_game_becomes_known(house: House, monkeypatch) -> None:
    """In one go, one by one, or the earlier one after the later: the same numbers, bit by bit."""
    for day in range(6):
        names = ("Anna", "Ben", "Clara") if day % 2 else ("Clara", "Anna", "Dora")
        result(house, {name: place for place, name in enumerate(names, 1)}, ended=at(day))
    at_once = rated(house)
    assert len(at_once) == 18
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    with house.write() as s:
        s.get_one(Result, 3).due = True
    assert rated(house) == at_once
    late = result(house, {"Ben": 1, "Anna": 2}, ended=at(0.5))
    out_of_turn = rated(house)
    assert out_of_turn[1, "Anna"] == at_once[1, "Anna"]
    assert out_of_turn[6, "Anna"] != at_once[6, "Anna"]
    assert out_of_turn[late, "Anna"][2] == 2
    with house.write() as s:
        for row in house.all(Result):
            s.get_one(Result, row.game_id).due = True
    monkeypatch.setattr(ratings, "AT_ONCE", 200)
    assert rated(house) == out_of_turn


def test_games_of_one_instant_go_by_their_numbers(house: House) -> None:
    first, second = (result(house, {"Anna": 1, "Ben": 2}, ended=NOON) for _ in range(2))
    found = rated(house)
    assert (found[first, "Anna"][2], found[second, "Anna"][2]) == (1, 2)


def test_nothing_due_is_nothing_done(house: House) -> None:
    result(house, {"Anna": 1, "Ben": 2})
    with house.read() as s:
        assert ratings.is_due(s)
    before = rated(house)
    with house.read() as s:
        assert not ratings.is_due(s)
    assert rated(house) == before


@pytest.mark.parametrize("engine_url", ["sqlite"], indirect=True)
def test_how_much_a_rating_is_trusted_grows_with_games(house: House) -> None:
    told = []
    for day in range(40):
        order = ("Anna", "Ben", "Clara", "Dora") if day % 3 else ("Dora", "Ben", "Anna", "Clara")
        result(house, {name: place for place, name in enumerate(order, 1)}, ended=at(day))
        told.append(strength(house, "Anna"))
    assert [one.games for one in told] == list(range(1, 41))
    words = [one.certainty for one in told]
    assert words[: ratings.PROVISIONAL - 1] == ["provisional"] * (ratings.PROVISIONAL - 1)
    assert words == sorted(words, key=["provisional", "uncertain", "rough", "certain"].index)
    assert words[-1] in ("rough", "certain")
    assert told[-1].points > 5
