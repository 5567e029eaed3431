"""Phase 4: what a house costs and where it may stand (R9)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.events import CityConnected
from tests.game.rules.kit import (
    BUILDING,
    PASS,
    PRESETS,
    A,
    B,
    C,
    Owner,
    Table,
    build,
    lay,
    owner,
    rules,
)

any_preset = pytest.mark.parametrize("variant", PRESETS)
NEIGHBOURS = "erfurt halle leipzig"


def building(*owners: Owner, variant: str = "standard", **more: object) -> Table:
    """A builds first."""
    return lay(*owners, phase=BUILDING, order=(B, C, A), ruleset=rules(variant), **more)


@pytest.mark.proves("R9.3")
@any_preset
def test_T13_the_next_city(variant: str) -> None:
    table = building(owner("wurzburg"), variant=variant)
    assert table.price("nurnberg") == 18
    assert table.plays(A, build("nurnberg")).spent(A) == 18


@pytest.mark.proves("R9.5")
@pytest.mark.parametrize("variant", ["standard", "ptt_v1_3"])
def test_T14_T15_through_foreign_cities(variant: str) -> None:
    table = building(owner("fulda"), owner(NEIGHBOURS), variant=variant)
    assert table.price("berlin") == 46
    assert table.plays(A, build("berlin")).spent(A) == 46
    assert table.event(CityConnected).path == ("fulda", "erfurt", "halle", "berlin")


def test_T16_not_through_empty_cities() -> None:
    owners = (owner("fulda"), owner("erfurt leipzig"))
    table = building(*owners, variant="ptt_v1_3")
    assert table.price("berlin") is None
    assert table.refusal(A, build("berlin")) == "no-path"
    assert building(*owners).plays(A, build("berlin")).spent(A) == 46


@pytest.mark.proves("R9.3")
@pytest.mark.parametrize(
    ("seat", "city", "total"),
    [(A, "duisburg", 10), (A, "dortmund", 12), (A, "aachen", 21), (B, "duisburg", 12)],
)
def test_T43_prices_of_the_figure_in_step_1(seat: int, city: str, total: int) -> None:
    table = lay(
        owner("essen munster"),
        owner("dusseldorf koln"),
        phase=BUILDING,
        order=(C, B, A) if seat == A else (C, A, B),
    )
    assert table.price(city, seat) == total
    assert table.plays(seat, build(city)).spent(seat) == total


@pytest.mark.proves("R9.3")
@pytest.mark.parametrize(
    ("cities", "total"),
    [
        ("dusseldorf", 17),
        ("koln", 21),
        ("dusseldorf koln", 36),
        ("koln dusseldorf", 38),
    ],
)
def test_T44_prices_of_the_figure_in_step_2(cities: str, total: int) -> None:
    table = building(owner("essen munster"), owner("dusseldorf koln"), step=2)
    assert table.plays(A, build(cities)).spent(A) == total


@pytest.mark.proves("R9.7")
@any_preset
def test_T47_a_free_line(variant: str) -> None:
    assert building(owner("halle"), variant=variant).plays(A, build("leipzig")).spent(A) == 10


@pytest.mark.proves("R9.4")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_C27_an_empty_city_costs_ten_in_every_step(step: int) -> None:
    assert building(owner("halle"), step=step).price("leipzig") == 10


@pytest.mark.proves("R9.7")
def test_C28_a_third_house() -> None:
    table = building(owner("halle"), owner("leipzig"), owner("leipzig"), step=3)
    assert table.price("leipzig") == 20
    assert table.plays(A, build("leipzig")).spent(A) == 20


@pytest.mark.proves("R9.5")
def test_C29_a_full_city_may_be_passed() -> None:
    table = building(owner("fulda"), owner("erfurt"), owner("erfurt"), step=2)
    assert table.refusal(A, build("erfurt")) == "city-full"
    assert table.price("erfurt") is None
    assert table.price("halle") == 13 + 6 + 10


@pytest.mark.proves("R9.4")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_C30_one_house_a_player_and_city(step: int) -> None:
    table = building(owner("halle"), step=step)
    assert table.refusal(A, build("halle")) == "own-city"
    assert table.refusal(A, build("leipzig leipzig")) == "own-city"
    assert table.price("halle") is None


@pytest.mark.proves("R9.2")
def test_C31_a_late_first_city() -> None:
    table = building(owner(), owner("essen"), round=4)
    assert {t.total for t in table.offer(A).targets} == {10}
    assert len(table.offer(A).targets) == 41
    assert table.refusal(A, build("essen")) == "city-full"
    assert table.plays(A, build("munchen")).spent(A) == 10
    late = building(owner(), owner("essen"), step=2)
    assert late.refusal(A, build("essen")) == "first-city-taken"
    assert late.price("essen") is None


@pytest.mark.proves("R3.1")
def test_C39_no_way_through_a_region_that_is_not_in_play() -> None:
    far = building(owner("hamburg"), regions="green purple")
    assert far.refusal(A, build("munchen")) == "no-path"
    assert far.price("munchen") is None
    assert far.refusal(A, build("kassel")) == "city-not-in-play"
    assert building(owner("fulda")).price("hannover") == 8 + 15 + 10
    around = building(owner("fulda"), regions="green brown yellow")
    assert around.price("hannover") == 13 + 19 + 10


@pytest.mark.proves("R9.9")
def test_C41_twenty_one_houses() -> None:
    table = building(owner(20), regions="green brown yellow").grows(A, 1)
    assert len(table.player(A).cities) == 21
    full = building(owner(21))
    assert full.offer(A).targets == ()
    assert full.refusal(A, build("munchen")) == "no-houses"


# --- rules that no case shows ------------------------------------------------------------------


def test_R9_1_one_after_another() -> None:
    table = building(owner("halle"), owner("koln"), owner("berlin"))
    table.plays(A, build("leipzig erfurt fulda"))
    assert table.spent(A) == 10 + 16 + 23
    assert table.asked == (C,)
    assert table.refusal(A, build("")) == "not-your-turn"


def test_R9_2_the_first_city_costs_no_line_and_the_second_does() -> None:
    table = building(owner())
    assert table.plays(A, build("fulda erfurt")).spent(A) == 10 + 23
    assert building(owner()).allows(A, build(""))


def test_R9_3_from_any_own_city() -> None:
    assert building(owner("munchen erfurt")).price("halle") == 6 + 10
    assert building(owner("munchen")).price("nurnberg") == 10 + 12 + 10


@pytest.mark.parametrize("step", [1, 2, 3])
def test_R9_4_houses_by_step(step: int) -> None:
    for houses in range(4):
        owners = [owner("essen") for _ in range(houses)]
        table = lay(
            owner("duisburg"), *owners, seats=4, phase=BUILDING, order=(B, C, 3, A), step=step
        )
        price = (10, 15, 20)[houses] if houses < step else None
        assert table.price("essen") == price, houses


def test_R9_6_lines_are_paid_again() -> None:
    table = building(owner("fulda"), owner("erfurt"))
    table.plays(A, build("halle")).plays(C, build("")).plays(B, build("halle leipzig"[6:]))
    assert table.spent(A) == 13 + 6 + 10
    assert table.spent(B) == 6 + 0 + 10


def test_R9_9_no_houses_beyond_21() -> None:
    assert rules().houses_per_player == 21


@pytest.mark.parametrize(
    ("cities", "code"),
    [
        ("atlantis", "city-not-in-play"),
        ("berlin atlantis", "city-not-in-play"),
        ("nurnberg", "city-too-expensive"),
        ("leipzig erfurt", ""),
        ("leipzig erfurt fulda", "city-too-expensive"),
    ],
)
def test_R9_what_is_not_possible_is_not_built(cities: str, code: str) -> None:
    table = building(owner("halle", elektro=36))
    assert table.refusal(A, build(cities)) == code
    assert table.refusal(A, PASS) == "wrong-moment"
