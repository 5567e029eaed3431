"""Building orders: city by city at the engine's prices, as far as the conditions go."""

import pytest

from core.game.observe import observe
from core.game.types import Phase
from core.orders.decide import decide
from core.orders.model import Act, Ask, BuildOrder, Nothing, Standing
from tests.game.rules.kit import BUILDING, A, build, lay, owner, rules
from tests.game.rules.table import Table

# From Fulda: Erfurt costs 10 + 13, Frankfurt (Main) 10 + 8, Würzburg 10 + 11.


def table(cities: str = "fulda", elektro: int = 100, **more: object) -> Table:
    return lay(owner(cities, elektro=elektro), owner(), phase=BUILDING, waiting=(A,), **more)


def answer(at: Table, cities: str, **terms: object) -> Act | Ask | Nothing:
    order = BuildOrder(tuple(cities.split()), **terms)
    verdict = decide(observe(at.state, A), (Standing(2, order),))
    if isinstance(verdict, Act):
        at.plays(A, verdict.move)
    return verdict


def built(cities: str, remark: str = "") -> Act:
    return Act(build(cities), 2, remark)


TOO_DEAR = "Erfurt costs 23 now, more than the 22 that you allowed."
NO_MONEY = "Erfurt costs 23 now; of what you allowed 22 are left."


@pytest.mark.parametrize(
    ("cities", "terms", "verdict"),
    [
        ("erfurt wurzburg", {}, built("erfurt wurzburg")),
        ("", {}, built("")),
        ("fulda erfurt", {}, built("erfurt")),  # one's own city is no wish any more
        ("erfurt wurzburg", {"each": 23}, built("erfurt wurzburg")),
        ("erfurt wurzburg", {"each": 22}, built("wurzburg", f"Left out: {TOO_DEAR}")),
        ("erfurt", {"each": 22}, Ask(TOO_DEAR, 2)),
        ("erfurt", {"budget": 22}, Ask(NO_MONEY, 2)),
        ("erfurt", {"budget": 23}, built("erfurt")),
        ("erfurt", {"keep": 78}, Ask(NO_MONEY, 2)),
        ("erfurt", {"keep": 77}, built("erfurt")),
        ("erfurt wurzburg", {"stop_at": 2}, built("erfurt")),
        ("erfurt wurzburg", {"stop_at": 1}, built("")),
        ("erfurt wurzburg", {"each": 22, "exact": True}, Ask(TOO_DEAR, 2)),
        ("erfurt wurzburg", {"each": 23, "exact": True}, built("erfurt wurzburg")),
    ],
)
def test_it_builds_as_far_as_the_terms_go(
    cities: str, terms: dict[str, object], verdict: Act | Ask
) -> None:
    assert answer(table(), cities, **terms) == verdict


def test_prices_are_those_after_the_cities_before() -> None:
    """Leipzig from Fulda costs 10 + 13 + ...; behind Erfurt only the last part of the way."""
    at = table()
    halle = at.price("halle")
    verdict = answer(at, "erfurt halle", each=halle - 1)
    assert verdict == built("erfurt halle")
    assert at.spent(A) < 23 + halle


def test_what_the_engine_refuses_is_told_in_its_words() -> None:
    at = lay(owner("fulda"), owner("erfurt"), phase=BUILDING, waiting=(A,))
    assert answer(at, "erfurt") == Ask("Erfurt is full: 1 house(s) a city in Step 1.", 2)


def test_a_purse_too_small_is_told_with_the_price() -> None:
    verdict = answer(table(elektro=22), "erfurt")
    assert isinstance(verdict, Ask)
    assert "Erfurt costs 23 Elektro" in verdict.reason


STEP_2 = "Erfurt is not built: it would set off Step 2."


def test_before_step_2_it_stops_one_city_short() -> None:
    needed = rules().numbers(3).step2_cities
    at = lay(owner(needed - 2), phase=BUILDING, waiting=(A,))
    free = [t.city for t in at.offer(A).targets[:2]]
    verdict = decide(
        observe(at.state, A), (Standing(2, BuildOrder(tuple(free), before_step=True)),)
    )
    assert isinstance(verdict, Act)
    assert verdict.move.cities == (free[0],)
    assert "would set off Step 2" in verdict.remark
    exact = BuildOrder(tuple(free), before_step=True, exact=True)
    assert isinstance(decide(observe(at.state, A), (Standing(2, exact),)), Ask)
    at.plays(A, verdict.move)
    assert at.state.step == 1


@pytest.mark.parametrize(("step", "others"), [(2, 0), (1, 7)])
def test_before_step_2_holds_nothing_back_where_it_has_come(step: int, others: int) -> None:
    needed = rules().numbers(3).step2_cities
    at = lay(owner(needed - 1), owner(others), phase=BUILDING, waiting=(A,), step=step)
    free = at.offer(A).targets[0].city
    verdict = decide(observe(at.state, A), (Standing(2, BuildOrder((free,), before_step=True)),))
    assert isinstance(verdict, Act)
    assert verdict.move.cities == (free,)


def test_it_says_nothing_in_another_phase() -> None:
    at = lay(owner("fulda"), phase=Phase.RESOURCES, waiting=(A,))
    assert answer(at, "erfurt") == Nothing()


def test_before_step_2_counts_the_last_free_city_too() -> None:
    """Step 2 begins as well when as many houses stand as there are cities (R12.1)."""
    at = lay(
        owner(9), owner(8), ruleset=rules(map="uk-and-ireland", step2_cities=[11] * 5), seats=2,
        regions="yellow orange green", phase=BUILDING, waiting=(A,),
    )  # fmt: skip
    free = [city for city in at.state.ruleset.city if at.state.ruleset.city[city].region in
            at.state.regions and not at.state.houses(city)]  # fmt: skip
    verdict = answer(at, " ".join(free), before_step=True)
    assert (len(free), verdict.move) == (1, build(""))
    assert "would set off Step 2" in verdict.remark


@pytest.mark.parametrize("trigger", ["deck", "never"])
def test_before_step_2_holds_nothing_back_where_cities_do_not_start_it(trigger: str) -> None:
    at = lay(
        owner(6), owner(), ruleset=rules(step2_cities=[7] * 5, step2_trigger=trigger), seats=2,
        phase=BUILDING, waiting=(A,),
    )  # fmt: skip
    city = min(at.offer(A).targets, key=lambda target: target.total).city
    assert answer(at, city, before_step=True) == built(city)
