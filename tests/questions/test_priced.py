"""Prices beside a choice belong to that choice: behind every set of ticked cities (W7)."""

import random

import pytest

from core import questions
from core.game import engine
from core.game.errors import IllegalMove
from core.game.events import CityConnected
from core.game.moves import BuildCities
from core.game.observe import observe
from core.game.state import GameState
from core.questions.building import BuildingQuestion, Priced
from tests.game.rules.kit import BUILDING, lay, owner

SETS = 200


def question(state: GameState) -> BuildingQuestion:
    found = questions.of(observe(state, engine.to_act(state)[0]))
    assert isinstance(found, BuildingQuestion)
    return found


def position(chance: random.Random) -> GameState:
    """Late or early, rich or poor, in any Step."""
    owners = [
        owner(cities=chance.randrange(8), elektro=chance.randrange(30, 260)) for _seat in range(3)
    ]
    return lay(*owners, phase=BUILDING, step=chance.randint(1, 3)).state


def ticked(asked: BuildingQuestion, chance: random.Random) -> dict[str, list[str]]:
    """Cities in a random order, over branches: of the list as it is renewed, or all at once."""
    chosen: list[str] = []
    for _ in range(chance.randint(1, 5)):
        rows = asked.priced({"city": chosen, "order": [",".join(chosen)]}).rows
        free = [row["id"] for row in rows if row["id"] not in chosen and not row["dear"]]
        if free:
            chosen.append(chance.choice(free))
    return {"city": sorted(chosen), "order": [",".join(chosen)]}


def charged(state: GameState, cities: tuple[str, ...]) -> int | None:
    """What the rules charge; None if they refuse."""
    seat = engine.to_act(state)[0]
    try:
        events = engine.preview(state, seat, BuildCities(cities))
    except IllegalMove:
        return None
    built = [event for event in events if isinstance(event, CityConnected)]
    return sum(event.house_cost + event.connection_cost for event in built)


@pytest.mark.parametrize("seed", range(SETS))
def test_w7_list_map_sum_and_charge_agree_after_every_tick(seed: int):
    chance = random.Random(seed)
    state = position(chance)
    asked = question(state)
    fields = ticked(asked, chance)
    order = fields["order"][0].split(",") if fields["city"] else []
    for n in range(len(order) + 1):
        some = order[:n]
        priced: Priced = asked.priced({"city": some, "order": [",".join(some)]})
        assert list(priced.picked) == some
        assert charged(state, tuple(some)) == priced.total
        assert priced.left == asked.offer.elektro - priced.total
        of_list = {row["city"]: row["total"] for row in priced.rows}
        assert priced.targets == of_list, "the map shows what the list shows"
        assert sum(of_list[city] for city in some) == priced.total
        for row in chance.sample(list(priced.rows), min(4, len(priced.rows))):
            if row["id"] in some:
                continue
            more = charged(state, (*some, row["city"]))
            assert more == (None if row["dear"] else priced.total + row["total"])


def test_w7_the_sum_of_too_much_is_told_and_not_refused():
    state = lay(*[owner(cities=1, elektro=20)] * 3, phase=BUILDING).state
    asked = question(state)
    rows = asked.priced({}).rows
    some = [row["id"] for row in rows[:3]]
    priced = asked.priced({"city": some, "order": [",".join(some)]})
    assert priced.left < 0
    assert list(priced.picked) == some
