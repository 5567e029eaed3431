"""A case is worth something only where it fails under another rule: the same tests, switched."""

from collections.abc import Callable
from functools import partial

import pytest

from core.game.errors import IllegalMove
from tests.game.rules import (
    test_auction,
    test_building,
    test_end,
    test_fuel,
    test_market,
    test_order,
    test_power,
    test_setup,
    test_steps,
    test_supply,
)
from tests.game.rules.kit import A, B, C, switched

Case = Callable[[], None]
FUTURE_FIRST = {"market_insert": "future_first", "rotation": "obsolete_else_largest"}
M, S, AU, FU = test_market, test_steps, test_auction, test_fuel

CASES: list[tuple[str, Case, dict[str, object]]] = [
    ("T09", M.test_T09_outgrown_plants_leave_one_by_one, {"obsolete_compare": "lt"}),
    ("T09", M.test_T09_outgrown_plants_leave_one_by_one, {"obsolete_timing": "phase5_once"}),
    ("T09", M.test_T09_outgrown_plants_leave_one_by_one, {"obsolete_scope": "every_player"}),
    ("T11", AU.test_T11_nobody_passes_in_round_1, {"opener_must_open": "never"}),
    (
        "T12",
        partial(AU.test_T12_no_sale_boxes_the_lowest, "standard"),
        {"no_sale_boxes": 0},
    ),
    ("T16", test_building.test_T16_not_through_empty_cities, {"pass_through_empty": True}),
    ("T19", AU.test_T19_bids_go_round_in_turn_order, {"bid_direction": "clockwise"}),
    (
        "T23",
        partial(AU.test_T23_the_new_plant_stays, "standard"),
        {"discard_choice": "any"},
    ),
    ("T25", partial(test_setup.test_T25_the_stack, 3, 27), {"boxed_plants": [8, 7, 4, 0, 0]}),
    ("T26", test_setup.test_T26_numbers_of_six_and_five, {"end_cities": [17] * 5}),
    ("T29", S.test_T29_step_2_at_once, {"step2_start": "before_phase5"}),
    ("T30", test_order.test_T30_more_plants_or_the_higher_plant, {"order_tiebreak": "plant_count"}),
    ("T32", partial(FU.test_T32_two_garbage, "ptt_v1_3", 12, 10), {"garbage": {"start_from": 7}}),
    ("T36", M.test_T36_else_the_largest, FUTURE_FIRST),
    ("T38", FU.test_T38_refill_of_the_step_to_come, {"refill_row": "current"}),
    (
        "T39",
        partial(test_order.test_T39_the_order_after_the_first_auctions, "standard", (B, C, A)),
        {"reorder_after_first_auction": False},
    ),
    ("T40", AU.test_T40_two_players_own_four_plants, {"plant_limit": [3] * 5}),
    (
        "T41",
        partial(S.test_T41_third_houses_when_step_3_has_begun, "standard", 20, 3),
        {"step3_start": "phase5"},
    ),
    ("C01", S.test_C01_the_card_lies_as_the_highest, {"step3_reshuffle": "none"}),
    ("C01c", S.test_C01c_the_lowest_goes_in_the_same_round, {"step3_rotation": "none"}),
    ("C04", S.test_C04_the_card_drawn_while_building, {"step3_cleanup_p4": "end_of_phase"}),
    ("C23", test_end.test_C23_the_others_still_build, {"end_timing": "immediate"}),
    (
        "C25",
        partial(test_end.test_C25_money_then_cities, (16, 40), (15, 40), {A: 1, B: 2}),
        {"tie_breaks": ["powered", "money", "shared"]},
    ),
    ("C26", S.test_C26_three_reach_the_number, {"step2_boxes": 0}),
    ("C31", test_building.test_C31_a_late_first_city, {"first_city_must_be_empty": False}),
    ("C37", test_power.test_C37_one_may_power_less, {"may_underpower": False}),
    (
        "C39",
        test_building.test_C39_no_way_through_a_region_that_is_not_in_play,
        {"cross_unselected_region": True},
    ),
    ("C45", test_supply.test_C45_no_uranium_after_39_in_germany, {"uranium_stop_after": False}),
    ("C46", test_supply.test_C46_coal_from_the_supply_in_the_usa, {"coal_overflow_price": 7}),
    ("C51", AU.test_C51_bids_go_round_clockwise, {"bid_direction": "turn_order"}),
    ("C53", M.test_C53_the_highest_goes_under_the_stack, FUTURE_FIRST),
]


@pytest.mark.parametrize(
    ("case", "knobs"),
    [pytest.param(case, knobs, id=f"{n}-{'-'.join(knobs)}") for n, case, knobs in CASES],
)
def test_a_case_fails_under_another_rule(case: Case, knobs: dict[str, object]) -> None:
    case()
    with switched(**knobs), pytest.raises((AssertionError, IllegalMove)):
        case()


def test_the_switch_goes_back() -> None:
    with switched(obsolete_timing="off"), pytest.raises(AssertionError):
        M.test_T09_outgrown_plants_leave_one_by_one()
    M.test_T09_outgrown_plants_leave_one_by_one()
    assert C == 2
