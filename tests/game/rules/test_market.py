"""The plant market: outgrown plants, rotation, an empty stack (R6, R10.5, R11)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.rules.knobs import Ruleset
from tests.game.rules.kit import (
    AUCTION,
    BUILDING,
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    PRESETS,
    RESOURCES,
    A,
    B,
    C,
    Table,
    lay,
    opens,
    owner,
    rules,
)

GROWING = {"market": "3 4 5 6 / 7 8 9 10", "stack": "13 17 20 25 S3"}
PTT = "8 9 10 13 / 15 18 20 26"


def growing(ruleset: Ruleset) -> Table:
    """T09: A has two cities and builds four more."""
    owners = (owner(2), owner(1), owner(1))
    return lay(*owners, phase=BUILDING, order=(B, C, A), ruleset=ruleset, **GROWING).grows(A, 4)


def rotated(variant: str, stack: str, leader: int, market: str = PTT) -> Table:
    """Phase 5 of a round in Step 2."""
    table = lay(
        owner(leader),
        ruleset=rules(variant),
        phase=BUREAUCRACY,
        step=2,
        market=market,
        stack=stack,
    )
    return table.all_play(POWER_ALL)


@pytest.mark.proves("R9.8", "R11.1")
def test_T09_outgrown_plants_leave_one_by_one() -> None:
    table = growing(rules())
    assert table.boxed == "3 4 5 6"
    assert table.market == "7 8 9 10 / 13 17 20 25"


def test_T10_only_what_is_lower() -> None:
    table = growing(rules(obsolete_compare="lt"))
    assert table.boxed == "3 4 5"
    assert table.market == "6 7 8 9 / 10 13 17 20"


def test_T35_outgrown_plants_instead_of_the_largest() -> None:
    table = rotated("ptt_v1_3", "14 30 S3", 9)
    assert table.market == "10 13 14 15 / 18 20 26 30"
    assert (table.boxed, table.stack) == ("8 9", "S3")


def test_T36_else_the_largest() -> None:
    table = rotated("ptt_v1_3", "12 S3", 7)
    assert table.market == "8 9 10 13 / 12 15 18 20"
    assert (table.boxed, table.stack) == ("", "S3 26")
    assert rotated("standard", "12 S3", 7).market == "8 9 10 12 / 13 15 18 20"


def test_T37_the_gap_is_filled_from_the_future() -> None:
    market = "8 9 10 13 / 12 15 18 20"
    table = lay(owner(7), ruleset=rules("ptt_v1_3"), step=2, market=market, stack="22 S3")
    table.plays(A, opens(13)).plays(B, PASS).plays(C, PASS)
    assert table.market == "8 9 10 12 / 15 18 20 22"


def test_C09_owned_plants_are_safe() -> None:
    table = lay(owner(13, 10), phase=BUILDING, order=(B, C, A), step=2).grows(A, 1)
    assert table.player(A).plants == (10,)
    assert table.boxed == ""


@pytest.mark.proves("R10.6")
def test_C20_an_empty_stack_lets_the_market_shrink() -> None:
    table = lay(step=3, market="30 31 32", stack="").all_play(PASS)
    assert (table.market, table.boxed) == ("31 32", "30")
    table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL)
    assert (table.market, table.boxed) == ("32", "30 31")


@pytest.mark.proves("R10.6")
def test_C21_an_empty_market_asks_nobody() -> None:
    table = lay(step=3, market="", stack="", phase=BUREAUCRACY).all_play(POWER_ALL)
    assert (table.state.round, table.state.phase) == (4, RESOURCES)
    sold_out = lay(step=3, market="30", stack="").plays(A, opens(30)).plays(B, PASS)
    assert sold_out.plays(C, PASS).state.phase is RESOURCES


@pytest.mark.proves("R13.5")
def test_C40_in_step_3_everything_can_be_bought() -> None:
    table = lay(step=3, market="20 21 22 24 25 26", stack="50 46")
    table.plays(A, opens(26)).plays(B, PASS).plays(C, PASS)
    assert table.market == "20 21 22 24 25 50"
    assert table.allows(B, opens(50))


@pytest.mark.proves("R11.2")
@pytest.mark.parametrize("variant", PRESETS)
def test_C47_recharged_knows_no_outgrown_plants(variant: str) -> None:
    table = lay(
        owner(8),
        phase=BUILDING,
        order=(B, C, A),
        ruleset=rules(variant),
        step=2,
        market="8 21 22 24 / 25 26 30 31",
    ).grows(A, 1)
    kept = {"recharged", "swahili_001", "ptt_v1_3"}
    assert table.market.startswith("8 ") is (variant in kept)


def test_C50_outgrown_by_all() -> None:
    owners = (owner(5), owner(5), owner(2))
    layout = {"phase": BUILDING, "order": (B, C, A), "market": "3 13 14 15 / 16 17 18 19"}
    table = lay(*owners, ruleset=rules("swahili_001"), **layout).grows(A, 1)
    assert table.boxed == ""
    leader = rules("swahili_001", obsolete_scope="leader")
    assert lay(*owners, ruleset=leader, **layout).grows(A, 1).boxed == "3"


@pytest.mark.proves("R10.5")
def test_C53_the_highest_goes_under_the_stack() -> None:
    table = lay(phase=BUREAUCRACY, stack="23 32 S3 36").all_play(POWER_ALL)
    assert table.market == "20 21 22 23 / 24 25 26 30"
    assert table.stack == "32 S3 36 31"


# --- rules that no case shows ------------------------------------------------------------------


def test_R6_1_only_the_lower_row_can_be_bought() -> None:
    table = lay()
    assert [p.plant for p in table.offer(A).plants] == [20, 21, 22, 24]


def test_R6_2_the_whole_market_is_sorted() -> None:
    table = lay(stack="23 32 S3").plays(A, opens(20)).plays(B, PASS).plays(C, PASS)
    assert table.market == "21 22 23 24 / 25 26 30 31"


def test_R6_3_sold_boxed_and_discarded_plants_never_return() -> None:
    table = lay(phase=BUREAUCRACY, stack="23 32 S3 36").all_play(POWER_ALL)
    assert "31" in table.stack  # only what was put under the stack
    sold = lay(stack="23 32 S3").plays(A, opens(20)).plays(B, PASS).plays(C, PASS)
    everything = [*sold.state.market.cards, *sold.state.stack, *sold.state.boxed]
    assert 20 not in everything


def test_R11_1_a_replacement_may_be_outgrown_too() -> None:
    table = lay(
        owner(9),
        phase=BUILDING,
        order=(B, C, A),
        step=2,
        market="10 13 15 16 / 18 20 21 22",
        stack="9 8 30 S3",
    ).grows(A, 1)
    assert table.boxed == "10 9 8"
    assert table.market == "13 15 16 18 / 20 21 22 30"


def test_R11_2_off() -> None:
    table = growing(rules(obsolete_timing="off"))
    assert (table.boxed, table.market) == ("", GROWING["market"])


def test_R10_5_in_step_3_the_lowest_goes() -> None:
    table = lay(phase=BUREAUCRACY, step=3, market="20 21 22 24 25 26", stack="50 46")
    table.all_play(POWER_ALL)
    assert (table.market, table.boxed, table.stack) == ("21 22 24 25 26 50", "20", "46")


def test_R10_6_the_game_goes_on_without_plants() -> None:
    table = lay(step=3, market="30", stack="", phase=BUREAUCRACY).all_play(POWER_ALL)
    assert (table.market, table.state.phase) == ("", RESOURCES)
    assert table.goes_on_to(BUREAUCRACY).all_play(POWER_ALL).state.round == 5


def test_R6_2_in_phase_5_of_the_printed_rules_the_sort_moves_plants_down() -> None:
    table = lay(phase=BUREAUCRACY, stack="12 S3").all_play(POWER_ALL).goes_on_to(AUCTION)
    assert table.market == "12 20 21 22 / 24 25 26 30"
    assert table.refusal(A, NOTHING) == "wrong-moment"


def test_R11_1_what_comes_up_from_the_future_row_is_looked_at_too() -> None:
    queue = {"market_insert": "future_first", "rotation": "obsolete_else_largest"}
    table = lay(owner(9), ruleset=rules(**queue), step=2, market="10 13 15 16 / 8 18 20 22")
    table.plays(A, opens(10)).plays(B, PASS).plays(C, PASS)
    assert (table.market, table.boxed) == ("13 15 16 18 / 20 22 32 33", "8")


def test_R10_5_the_card_and_the_lower_row_stay_where_they_are() -> None:
    table = lay(
        ruleset=rules("ptt_v1_3"), phase=BUREAUCRACY, step=2, market="20 21 22 24 / S3", stack=""
    ).all_play(POWER_ALL)
    assert (table.market, table.boxed, table.stack) == ("21 22 24", "S3 20", "")
