"""The end of the game and the winner (R14)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.events import FuelRefilled, PlantsRun, StepReached
from tests.game.rules.kit import (
    BUILDING,
    FINISHED,
    NOTHING,
    A,
    B,
    C,
    D,
    E,
    Owner,
    Table,
    build,
    lay,
    owner,
    rules,
)

FULL = {"coal": 6, "garbage": 6, "oil": 6}
"""Enough for plants 36, 38 and 46, which power 21 cities."""


def ended(*owners: Owner, variant: str = "standard", **knobs: object) -> Table:
    """Somebody has the number of the end, and nobody builds any more."""
    table = lay(*owners, phase=BUILDING, step=2, ruleset=rules(variant, **knobs))
    return table.all_play(NOTHING)


def places(table: Table) -> dict[int, int]:
    assert table.state.phase is FINISHED
    return {s.seat: s.place for s in table.state.standings}


@pytest.mark.proves("R14.2")
def test_T42_a_shared_win() -> None:
    same = owner(17, "36 38 46", 40, **FULL)
    assert places(ended(same, same)) == {A: 1, B: 1, C: 3}


@pytest.mark.proves("R14.2")
def test_C18_the_best_plants_count() -> None:
    table = ended(owner(17, "20 25 36", coal=5))
    assert {s.seat: s.powered for s in table.state.standings} == {A: 12, B: 0, C: 0}
    assert table.player(A).powered == 12


@pytest.mark.proves("R14.1")
def test_C22_from_step_1_to_the_end() -> None:
    table = lay(owner(6, 13), owner(1, 4, coal=2), seats=5, phase=BUILDING, order=(B, C, D, E, A))
    table.grows(A, 9)
    money = [p.elektro for p in table.state.players]
    for seat in (E, D, C, B):
        table.plays(seat, NOTHING)
    assert table.state.phase is FINISHED
    assert (table.state.step, table.boxed) == (1, "")
    assert [p.elektro for p in table.state.players] == money
    assert not any(table.count(k) for k in (PlantsRun, FuelRefilled, StepReached))


@pytest.mark.proves("R14.1")
def test_C23_the_others_still_build() -> None:
    def first_of_four(**knobs: object) -> Table:
        owners = (owner("koln"), owner("aachen"), owner("trier"), owner(16))
        table = lay(*owners, phase=BUILDING, step=2, ruleset=rules(**knobs))
        return table.grows(D, 1)

    table = first_of_four()
    assert table.asked == (C,)
    table.plays(C, build("saarbrucken")).plays(B, NOTHING).plays(A, NOTHING)
    assert table.state.phase is FINISHED
    assert len(table.player(C).cities) == 2
    assert first_of_four(end_timing="immediate").state.phase is FINISHED


@pytest.mark.proves("R14.1")
@pytest.mark.parametrize("variant", ["swahili_001", "ptt_v1_3"])
def test_C23_with_the_last_city_all_is_over(variant: str) -> None:
    owners = (owner("trier"), owner(), owner(16))
    table = lay(*owners, phase=BUILDING, step=2, ruleset=rules(variant))
    nearest = table.offer(C).targets[0].city
    assert table.refusal(C, build(f"{nearest} trier")) == "game-over"
    table.plays(C, build(nearest))
    assert (table.state.phase, table.asked) == (FINISHED, ())


@pytest.mark.proves("R14.2")
def test_C24_powered_cities_count_not_owned_ones() -> None:
    table = ended(owner(17, "36 38", coal=3, garbage=3), owner(16, "36 38 46", **FULL))
    assert [(s.seat, s.powered, s.cities) for s in table.state.standings[:2]] == [
        (B, 16, 16),
        (A, 14, 17),
    ]
    assert places(table)[B] == 1


@pytest.mark.proves("R14.2")
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((15, 40), (15, 41), {A: 2, B: 1}),
        ((16, 40), (15, 41), {A: 2, B: 1}),
        ((16, 40), (15, 40), {A: 1, B: 2}),
        ((15, 40), (15, 40), {A: 1, B: 1}),
    ],
)
def test_C25_money_then_cities(
    a: tuple[int, int], b: tuple[int, int], expected: dict[int, int]
) -> None:
    plants, fuel = "20 25 26", {"coal": 5, "oil": 2}  # 15 cities
    owners = [owner(cities, plants, elektro, **fuel) for cities, elektro in (a, b)]
    table = ended(*owners, owner(17))
    assert {s: places(table)[s] for s in (A, B)} == expected


# --- rules that no case shows ------------------------------------------------------------------


def test_R14_1_the_number_of_the_end_is_reached_exactly() -> None:
    assert ended(owner(17)).state.phase is FINISHED
    assert ended(owner(16)).state.phase is not FINISHED


def test_R14_2_ties_leave_a_gap() -> None:
    table = ended(owner(17, 13), owner(5, 13, 499), owner(5, 13, 499))
    assert places(table) == {A: 1, B: 2, C: 2}


def test_R14_3_the_game_may_end_in_step_2() -> None:
    assert ended(owner(17)).state.step == 2


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("standard", {A: 3, B: 2, C: 1}),
        ("thai_000", {A: 2, B: 2, C: 1}),
        ("simplified_004", {A: 1, B: 1, C: 1}),
        ("swahili_001", {A: 3, B: 2, C: 1}),
    ],
)
def test_R14_2_tie_breaks_of_the_texts(variant: str, expected: dict[int, int]) -> None:
    owners = (owner(16, 13, 40), owner(17, 13, 40), owner(16, 13, 41))
    knobs = {"end_timing": "after_phase4"} if variant == "swahili_001" else {}
    assert places(ended(*owners, variant=variant, **knobs)) == expected
