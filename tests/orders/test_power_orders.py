"""Orders to power: the best, or as given where that runs."""

import pytest

from core.game.moves import PowerAll, PowerPlants, Run
from core.game.observe import observe
from core.game.types import Fuel
from core.orders.decide import decide
from core.orders.model import Act, Ask, PowerOrder, Standing
from tests.game.rules.kit import BUREAUCRACY, A, lay, owner, rules


def answer(move: PowerAll | PowerPlants, **knobs: object) -> Act | Ask:
    mine = owner("fulda erfurt", plants=(4, 5, 7), coal=4)
    at = lay(mine, phase=BUREAUCRACY, ruleset=rules(**knobs))
    verdict = decide(observe(at.state, A), (Standing(3, PowerOrder(move)),))
    if isinstance(verdict, Act):
        at.plays(A, verdict.move)
    return verdict


@pytest.mark.parametrize(
    "move",
    [
        PowerAll(),
        PowerPlants((Run(4),)),
        PowerPlants(()),
        PowerPlants((Run(5, Fuel(coal=2)), Run(4))),
    ],
)
def test_it_runs_what_is_ordered(move: PowerAll | PowerPlants) -> None:
    assert answer(move) == Act(move, 3)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (PowerPlants((Run(7),)), "more fuel than you have"),
        (PowerPlants((Run(13),)), "Plant 13 is not yours"),
        (PowerPlants((Run(5, Fuel(oil=2)),)), "more fuel than you have"),
    ],
)
def test_m67_what_cannot_run_is_asked(move: PowerPlants, why: str) -> None:
    verdict = answer(move)
    assert isinstance(verdict, Ask)
    assert why in verdict.reason


def test_m67_too_few_cities_are_asked_where_that_is_forbidden() -> None:
    verdict = answer(PowerPlants(()), may_underpower=False)
    assert isinstance(verdict, Ask)
    assert "must power" in verdict.reason
