"""Phase 5: running plants and income (R10.1 to R10.3, R5.2, R5.3)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.moves import PowerPlants, Run
from core.game.types import Fuel
from tests.game.rules.kit import (
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    PRESETS,
    A,
    B,
    C,
    Owner,
    Table,
    burn,
    lay,
    owner,
    rules,
    run,
)

any_preset = pytest.mark.parametrize("variant", PRESETS)


def paying(*owners: Owner, variant: str = "standard", **more: object) -> Table:
    return lay(*owners, phase=BUREAUCRACY, ruleset=rules(variant), **more)


@pytest.mark.proves("R10.1")
@any_preset
def test_T03_what_has_fuel_runs(variant: str) -> None:
    table = paying(owner(2, "4 7", coal=2, oil=2), variant=variant)
    coal = table.state.supply.coal
    table.plays(A, POWER_ALL)
    assert (table.player(A).powered, table.earned(A)) == (1, 22)
    assert table.player(A).fuel == Fuel(oil=2)
    assert table.state.supply.coal == coal + 2


@any_preset
def test_T04_the_owner_says_which(variant: str) -> None:
    table = paying(owner(2, "4 7", coal=2, oil=3), variant=variant).plays(A, run(7))
    assert (table.player(A).powered, table.earned(A)) == (2, 33)
    assert table.player(A).fuel == Fuel(coal=2)


@pytest.mark.proves("R10.3")
@any_preset
def test_T22_ten_for_nothing(variant: str) -> None:
    assert paying(owner(), variant=variant).plays(A, POWER_ALL).earned(A) == 10


@any_preset
def test_T24_wind_and_uranium(variant: str) -> None:
    table = paying(owner(6, "22 28", uranium=1), variant=variant).plays(A, run(22, 28))
    assert (table.player(A).powered, table.earned(A)) == (6, 73)
    assert table.player(A).fuel == Fuel()


@any_preset
def test_T27_three_are_paid(variant: str) -> None:
    others = (owner(1, 4, coal=2), owner(1, 13))
    table = paying(owner(2, 7, oil=6), *others, variant=variant).all_play(POWER_ALL)
    assert [table.earned(s) for s in (A, B, C)] == [33, 22, 22]
    assert table.player(A).fuel == Fuel(oil=3)


@pytest.mark.proves("R10.1")
def test_T45_no_more_cities_than_one_has() -> None:
    table = paying(owner(6, "7 10 15", oil=6, coal=8)).plays(A, run(7, 10, 15))
    assert (table.player(A).powered, table.earned(A)) == (6, 73)
    assert table.player(A).fuel == Fuel(oil=3, coal=4)


@pytest.mark.proves("R5.3")
def test_C15_one_coal_and_one_oil_make_a_hybrid_run() -> None:
    table = paying(owner(4, 21, coal=1, oil=1)).plays(A, run(21))
    assert (table.player(A).powered, table.player(A).fuel) == (4, Fuel())


@pytest.mark.proves("R5.3")
def test_C16_two_hybrids_share_the_fuel() -> None:
    table = paying(owner(6, "12 29", coal=1, oil=2)).plays(A, POWER_ALL)
    assert (table.player(A).powered, table.player(A).fuel) == (6, Fuel())


def test_C17_the_best_that_can_run() -> None:
    table = paying(owner(9, "25 29", coal=2))
    best = table.offer(A).choices[0]
    assert (best.plants, best.powered) == ((25,), 5)
    best = paying(owner(9, "25 29", coal=2, oil=1)).offer(A).choices[0]
    assert (best.plants, best.powered) == ((25, 29), 9)


@pytest.mark.proves("R5.2")
def test_C36_a_plant_runs_whole_or_not_at_all() -> None:
    table = paying(owner(2, 14, garbage=1))
    assert table.refusal(A, run(14)) == "not-enough-fuel"
    assert [c.plants for c in table.offer(A).choices] == [()]


@pytest.mark.proves("R10.1")
def test_C37_one_may_power_less() -> None:
    table = paying(owner(9, "20 25", coal=10)).plays(A, run(20))
    assert (table.player(A).powered, table.earned(A)) == (5, 64)
    assert table.player(A).fuel == Fuel(coal=7)
    table = paying(owner(9, "20 25", coal=10)).plays(A, run())
    assert (table.earned(A), table.player(A).fuel) == (10, Fuel(coal=10))


@pytest.mark.proves("R9.9")
def test_C41_twenty_one_cities() -> None:
    full = owner(21, "36 38 46", coal=3, garbage=3, oil=3)
    table = paying(full, seats=2, regions="green brown yellow").plays(A, POWER_ALL)
    assert (table.player(A).powered, table.earned(A)) == (21, 150)


# --- rules that no case shows ------------------------------------------------------------------


def test_R5_2_once_a_round() -> None:
    table = paying(owner(4, 4, coal=4))
    assert table.refusal(A, run(4, 4)) == "plant-twice"
    assert table.refusal(A, run(5)) == "not-your-plant"
    table.plays(A, run(4))
    assert table.player(A).fuel == Fuel(coal=2)
    assert table.refusal(A, run(4)) == "not-your-turn"


@pytest.mark.parametrize(
    ("mix", "code"),
    [
        ({"coal": 2}, ""),
        ({"oil": 2}, ""),
        ({"coal": 1, "oil": 1}, ""),
        ({"coal": 1}, "wrong-fuel"),
        ({"coal": 2, "oil": 1}, "wrong-fuel"),
        ({"garbage": 2}, "wrong-fuel"),
        ({"coal": 3, "oil": -1}, "wrong-fuel"),
    ],
)
def test_R5_3_the_owner_mixes(mix: dict[str, int], code: str) -> None:
    table = paying(owner(1, 5, coal=2, oil=2))
    assert table.refusal(A, burn(5, **mix)) == code
    if not code:
        assert table.plays(A, burn(5, **mix)).player(A).fuel == Fuel(2, 2) - Fuel(**mix)


def test_R5_3_unless_told_otherwise_the_cheaper_fuel_burns() -> None:
    dear_oil = paying(owner(1, 5, coal=2, oil=2), fuel=(20, 5, 6, 2))
    assert dear_oil.plays(A, run(5)).player(A).fuel == Fuel(oil=2)
    dear_coal = paying(owner(1, 5, coal=2, oil=2), fuel=(5, 20, 6, 2))
    assert dear_coal.plays(A, run(5)).player(A).fuel == Fuel(coal=2)
    no_coal = paying(owner(1, 5, coal=2, oil=2), fuel=(0, 3, 6, 2))
    assert no_coal.plays(A, run(5)).player(A).fuel == Fuel(coal=2)
    equal = paying(owner(1, 5, coal=1, oil=2), fuel=(9, 9, 6, 2))
    assert equal.plays(A, run(5)).player(A).fuel == Fuel(oil=1)


def test_R5_3_a_mix_for_one_plant_leaves_the_rest_to_the_others() -> None:
    def five_burns_coal(oil: int) -> tuple[Table, PowerPlants]:
        table = paying(owner(3, "5 12", coal=2, oil=oil))
        return table, PowerPlants((Run(5, Fuel(coal=2)), Run(12)))

    table, move = five_burns_coal(oil=3)
    assert table.plays(A, move).player(A).fuel == Fuel(oil=1)
    table, move = five_burns_coal(oil=1)
    assert table.refusal(A, move) == "not-enough-fuel"


def test_R10_1_all_at_once_in_any_order() -> None:
    table = paying(owner(1, 4, coal=2), owner(1, 13), owner())
    assert table.asked == (A, B, C)
    table.plays(C, POWER_ALL).plays(A, POWER_ALL)
    assert table.asked == (B,)
    assert table.refusal(B, PASS) == "wrong-moment"
    assert table.refusal(B, NOTHING) == "wrong-moment"


PAID = (10, 22, 33, 44, 54, 64, 73, 82, 90, 98, 105,
        112, 118, 124, 129, 134, 138, 142, 145, 148, 150, 150)  # fmt: skip


@pytest.mark.parametrize(("powered", "income"), list(enumerate(PAID)))
def test_R10_2_payment(powered: int, income: int) -> None:
    plants = "36 38 46"
    table = paying(owner(powered, plants, coal=3, garbage=3, oil=3), seats=2)
    assert table.plays(A, POWER_ALL).earned(A) == income


def test_R10_3_ten_also_by_choice() -> None:
    table = paying(owner(3, 15, coal=2)).plays(A, run())
    assert (table.earned(A), table.player(A).powered) == (10, 0)
