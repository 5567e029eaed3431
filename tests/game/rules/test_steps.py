"""Step 2 and the Step 3 card (R12, R13)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.events import PlantBoxed, Step3CardBoxed, StepReached
from tests.game.rules.kit import (
    AUCTION,
    BUILDING,
    BUREAUCRACY,
    FINISHED,
    NOTHING,
    PASS,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    C,
    D,
    E,
    Table,
    build,
    lay,
    opens,
    owner,
    rules,
)

ROOMY = (10, 10, 10, 2)
"""A fuel market that leaves enough in the supply for every refill."""


def card_in_phase_2(variant: str = "standard", stack: str = "S3 36 38 46", **more: object) -> Table:
    """C01: Step 2, four players, A buys 22 and draws the card. Essen has two houses."""
    table = lay(
        owner("duisburg"), owner("essen"), owner("essen"), owner("munchen"),
        ruleset=rules(variant), step=2, stack=stack, fuel=ROOMY, **more,
    )  # fmt: skip
    return table.plays(A, opens(22)).plays(B, PASS).plays(C, PASS).plays(D, PASS)


def b_buys_25(table: Table) -> Table:
    table.plays(B, opens(25)).plays(C, PASS).plays(D, PASS)
    return table.plays(C, PASS).plays(D, PASS)


@pytest.mark.proves("R13.2")
def test_C01_the_card_lies_as_the_highest() -> None:
    table = card_in_phase_2(drawn="46 36 38")
    assert table.market == "20 21 24 25 / 26 30 31 S3"
    assert table.chance.shuffles == [(36, 38, 46)]
    assert table.stack == "46 36 38"
    assert table.state.step == 2


@pytest.mark.proves("R10.4", "R13.2")
def test_C01b_and_leaves_with_the_lowest_after_the_phase() -> None:
    table = card_in_phase_2(drawn="36 46 38")
    table.plays(B, opens(25)).plays(C, PASS).plays(D, PASS)
    assert table.market == "20 21 24 26 / 30 31 36 S3"
    table.plays(C, PASS).plays(D, PASS)
    assert (table.market, table.boxed) == ("21 24 26 30 31 36", "S3 20")
    assert (table.state.phase, table.state.step) == (RESOURCES, 3)
    table.goes_on_to(BUILDING)
    while table.asked != (A,):
        table.plays(table.asked[0], NOTHING)
    assert table.price("essen") == 20
    table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert table.refilled == (4, 5, 4, 2)


@pytest.mark.proves("R10.5")
def test_C01c_the_lowest_goes_in_the_same_round() -> None:
    table = b_buys_25(card_in_phase_2(drawn="36 46 38")).goes_on_to(BUREAUCRACY)
    table.all_play(POWER_ALL)
    assert (table.market, table.boxed) == ("24 26 30 31 36 46", "S3 20 21")


@pytest.mark.proves("R6.2", "R13.2")
def test_C02_nothing_under_the_card() -> None:
    table = b_buys_25(card_in_phase_2(stack="S3"))
    assert table.market == "21 24 26 30 31"
    assert table.state.step == 3


@pytest.mark.proves("R7.10")
def test_C03_nobody_buys_and_the_card_comes() -> None:
    table = lay(seats=4, step=2, stack="S3 36 38 46").all_play(PASS)
    assert (table.market, table.boxed) == ("22 24 25 26 30 31", "20 S3 21")
    assert table.state.step == 3


def thirteenth(variant: str, cities: int = 1) -> Table:
    """C04: A builds his 13th city, and so the card is drawn."""
    table = lay(
        owner(12), owner("essen"), owner("essen"), owner("duisburg"),
        ruleset=rules(variant), phase=BUILDING, order=(D, C, B, A), step=2, fuel=ROOMY,
        market="13 15 16 18 / 20 22 25 26", stack="S3 36 38",
    )  # fmt: skip
    return table.grows(A, cities)


@pytest.mark.proves("R13.3")
def test_C04_the_card_drawn_while_building() -> None:
    table = thirteenth("standard")
    assert (table.market, table.boxed) == ("16 18 20 22 25 26", "13 S3 15")
    assert table.chance.shuffles == [(36, 38)]
    table.plays(B, NOTHING).plays(C, NOTHING)
    assert table.refusal(D, build("essen")) == "city-full"
    table.plays(D, NOTHING)
    assert (table.state.phase, table.state.step) == (BUREAUCRACY, 3)
    assert table.all_play(POWER_ALL).refilled == (4, 5, 4, 2)


def test_C04b_the_card_stays_until_the_phase_ends() -> None:
    assert thirteenth("simplified_004").market == "15 16 18 20 / 22 25 26 S3"
    table = thirteenth("simplified_004", 3)
    assert table.market == "16 18 20 22 / 25 26 36 S3"
    assert table.chance.shuffles == []
    table.goes_on_to(BUREAUCRACY)
    assert (table.market, table.boxed) == ("18 20 22 25 26 36", "13 15 S3 16")
    standard = thirteenth("standard", 3).goes_on_to(BUREAUCRACY)
    assert standard.market == "16 18 20 22 25 26"


def test_C05_the_card_comes_with_step_2() -> None:
    table = lay(
        owner(6), seats=5, phase=BUILDING, fuel=ROOMY,
        market="8 9 10 13 / 15 16 18 20", stack="S3 30 31",
    )  # fmt: skip
    for seat in (E, D, C, B):
        table.plays(seat, NOTHING)
    table.grows(A, 1)
    assert (table.market, table.boxed) == ("10 13 15 16 18 20", "8 S3 9")
    assert (table.state.phase, table.state.step) == (BUREAUCRACY, 3)
    assert table.chance.shuffles == [(30, 31)]
    assert table.all_play(POWER_ALL).refilled == (5, 6, 5, 2)


@pytest.mark.proves("R10.4", "R13.4")
def test_C06_the_card_drawn_in_phase_5() -> None:
    table = lay(seats=4, step=2, phase=BUREAUCRACY, stack="S3 36 38", fuel=ROOMY)
    table.all_play(POWER_ALL)
    assert table.refilled == (6, 4, 3, 2)
    assert (table.market, table.boxed) == ("21 22 24 25 26 30", "S3 20")
    assert table.chance.shuffles == [(31, 36, 38)]
    assert (table.state.phase, table.state.step) == (AUCTION, 3)
    assert "31" in table.stack


@pytest.mark.proves("R12.3", "R13.6")
def test_C07_step_3_before_step_2() -> None:
    table = lay(owner(6), step=1, stack="S3 36 38 46").plays(A, opens(20)).plays(B, PASS)
    table.plays(C, PASS).goes_on_to(BUILDING)
    assert table.state.step == 3
    table.plays(C, NOTHING).plays(B, NOTHING).grows(A, 1).goes_on_to(BUREAUCRACY)
    assert table.state.step == 3
    table.all_play(POWER_ALL).goes_on_to(BUREAUCRACY)
    assert not table.count(StepReached, step=2)
    assert not table.count(PlantBoxed, because="step-2")


@pytest.mark.proves("R9.8", "R12.2")
def test_C26_three_reach_the_number() -> None:
    table = lay(owner(6), owner(6), owner(6), phase=BUILDING)
    table.grows(C, 1).grows(B, 1).grows(A, 1)
    assert (table.state.step, table.boxed) == (2, "20")
    assert table.market == "21 22 24 25 / 26 30 31 32"


def test_C48_the_card_waits_for_the_next_round() -> None:
    table = card_in_phase_2("ptt_v1_3", drawn="36 38 46")
    assert table.market == "20 21 24 25 / 26 30 31 S3"
    table.goes_on_to(BUILDING)
    assert table.state.step == 2
    assert table.market.endswith("S3")
    while table.asked != (A,):
        table.plays(table.asked[0], NOTHING)
    assert table.refusal(A, build("essen")) == "city-full"
    table.goes_on_to(BUREAUCRACY)
    assert table.market.endswith("S3")
    table.all_play(POWER_ALL)
    assert (table.market, table.boxed) == ("21 24 25 26 30 36", "S3 20")
    assert table.stack == "38 46 31"
    assert table.state.step == 3


def test_C49_step_3_with_phase_5() -> None:
    table = card_in_phase_2("thai_000", drawn="36 38 46").goes_on_to(BUILDING)
    assert table.state.step == 2
    assert table.market == "21 24 25 26 30 31"
    while table.asked != (A,):
        table.plays(table.asked[0], NOTHING)
    assert table.refusal(A, build("essen")) == "city-full"
    table.goes_on_to(BUREAUCRACY)
    assert table.state.step == 3
    table.all_play(POWER_ALL)
    assert table.refilled == (4, 5, 4, 2)
    assert (table.market, table.boxed) == ("24 25 26 30 31 36", "S3 20 21")


@pytest.mark.proves("R12.3")
def test_C55_the_card_and_step_2_in_one_phase() -> None:
    table = lay(
        owner(6), owner(2), owner(2), owner(2), phase=BUILDING, order=(D, C, B, A), fuel=ROOMY,
        market="7 9 10 13 / 15 16 18 20", stack="S3 30 31 36", drawn="30 31 36",
    ).grows(A, 1)  # fmt: skip
    assert (table.market, table.boxed) == ("10 13 15 16 18 20", "7 S3 9")
    assert table.state.step == 1
    table.goes_on_to(BUREAUCRACY)
    assert (table.market, table.boxed) == ("13 15 16 18 20 30", "7 S3 9 10")
    assert table.state.step == 3
    table.all_play(POWER_ALL)
    assert table.refilled == (4, 5, 4, 2)
    assert (table.market, table.boxed) == ("15 16 18 20 30 31", "7 S3 9 10 13")


def test_C61_the_last_phase_4_changes_no_step() -> None:
    table = lay(
        owner(16), phase=BUILDING, order=(B, C, A), step=2,
        market="17 18 19 20 / 21 22 24 25", stack="S3 36 38",
    ).grows(A, 1)  # fmt: skip
    assert table.count(Step3CardBoxed) == 1
    table.plays(C, NOTHING).plays(B, NOTHING)
    assert (table.state.phase, table.state.step) == (FINISHED, 2)


@pytest.mark.proves("R12.1")
def test_T29_step_2_at_once() -> None:
    def seventh(variant: str) -> Table:
        six = "essen koln aachen trier dortmund munster"
        owners = (owner("dusseldorf"), owner("duisburg"), owner(six))
        table = lay(*owners, phase=BUILDING, ruleset=rules(variant))
        return table.plays(C, build("saarbrucken"))

    table = seventh("swahili_001")
    assert (table.state.step, table.boxed) == (2, "20")
    assert table.market == "21 22 24 25 / 26 30 31 32"
    assert table.price("essen", B) == 15
    table.plays(B, build("essen"))
    assert table.price("koln", A) == 4 + 15
    standard = seventh("standard")
    assert (standard.state.step, standard.boxed) == (1, "")
    assert standard.refusal(B, build("essen")) == "city-full"
    standard.plays(B, NOTHING)
    assert standard.refusal(A, build("koln")) == "city-full"
    assert standard.goes_on_to(BUREAUCRACY).state.step == 2


@pytest.mark.parametrize(
    ("variant", "this_round", "step_5"),
    [("standard", 20, 3), ("thai_000", None, 3), ("ptt_v1_3", None, 2), ("simplified_004", 20, 3)],
)
def test_T41_third_houses_when_step_3_has_begun(
    variant: str, this_round: int | None, step_5: int
) -> None:
    table = card_in_phase_2(variant).goes_on_to(BUILDING)
    while table.asked != (A,):
        table.plays(table.asked[0], NOTHING)
    assert table.price("essen") == this_round
    assert table.allows(A, build("essen")) is (this_round == 20)
    table.goes_on_to(BUREAUCRACY)
    assert table.state.step == step_5
    table.all_play(POWER_ALL).goes_on_to(BUILDING)
    while table.asked != (A,):
        table.plays(table.asked[0], NOTHING)
    assert table.price("essen") == 20


# --- rules that no case shows ------------------------------------------------------------------


def test_R12_1_two_houses_from_the_next_phase_4() -> None:
    table = lay(owner(6), owner("essen"), owner("duisburg"), phase=BUILDING, order=(B, C, A))
    table.grows(A, 1)
    assert table.refusal(C, build("essen")) == "city-full"
    table.goes_on_to(BUREAUCRACY)
    assert (table.state.step, table.boxed) == (2, "20")
    table.goes_on_to(AUCTION).goes_on_to(BUILDING)
    while table.asked != (C,):
        table.plays(table.asked[0], NOTHING)
    assert table.price("essen", C) == 15


def test_R13_1_the_printed_moments() -> None:
    assert card_in_phase_2().state.step == 2
    assert card_in_phase_2().goes_on_to(RESOURCES).state.step == 3


def test_R13_5_three_houses_six_plants() -> None:
    table = card_in_phase_2(drawn="36 38 46").goes_on_to(RESOURCES)
    assert len(table.state.market.actual) == 6
    assert table.state.market.future == ()


def test_R12_3_both_due_with_the_next_round() -> None:
    """Where Steps begin with a round, Step 3 takes the place of a Step 2 that is due as well."""
    late = rules("ptt_v1_3", step2_boxes=1)
    table = lay(
        owner(8), ruleset=late, phase=BUREAUCRACY, fuel=ROOMY,
        market="20 21 22 24 / 25 26 30 S3", stack="36 38",
    ).all_play(POWER_ALL)  # fmt: skip
    assert (table.state.step, table.boxed) == (3, "S3 20")
    assert not table.count(StepReached, step=2)
