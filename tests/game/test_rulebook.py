"""The rulebook cannot drift: each knob of the rules changes what is told, and only there."""

import ast
from pathlib import Path
from typing import Any

import pytest

from core.game.errors import IllegalMove
from core.game.rulebook import RULE_OF, Rule, rulebook
from core.game.rules import catalog
from core.game.rules.knobs import Ruleset
from core.game.rules.load import KNOBS, load

GAME = Path(__file__).parents[2] / "core" / "game"
MAPS = [info.key for info in catalog.maps()]
VARIANTS = [info.key for info in catalog.variants()]
FUTURE_FIRST = {"market_insert": "future_first", "rotation": "obsolete_else_largest"}
TOKEN = {"obsolete_timing": "off", "no_sale_boxes": 0}
DEALT = {"deck_setup": "shuffled_3_15", "boxed_plants": [5, 6, 3, 0, 0]}

# Each knob with another value, the rules in which that shows, and the knobs it needs around it.
NORTH = {
    "name": "North",
    "oil": {"prices": [1, 2, 3], "start_from": 2, "refill": [[1, 1, 1]] * 5},
}
MINES = {"plants": [11, 23], "prices": [2, 3], "removal": [[1, 1, 1]] * 5}
SWITCHED: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"starting_elektro": 60}, "R3.2", {}),
    ({"houses_per_player": 20}, "R9.9", {"end_cities": [20, 17, 17, 15, 14]}),
    ({"house_costs": [10, 15, 25]}, "R9.3", {}),
    ({"payment": [11, *range(22, 44)]}, "R10.2", {}),
    ({"coal": {"start_from": 2}}, "R4.1", {}),
    ({"oil": {"tokens": 23}}, "R4.1", {}),
    ({"garbage": {"start_from": 5}}, "R4.1", {}),  # B1
    ({"uranium": {"refill": [[2, 2, 2]] * 5}}, "R4.4", {}),
    ({"uranium": {"prices": [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 18]}}, "R4.1", {}),
    (DEALT, "R3.5 R3.6 R2.1", {}),  # B2
    ({"boxed_plants": [8, 7, 4, 0, 0]}, "R2.1 R3.6", {}),  # B3
    ({"boxed_low_plants": [1, 2, 1, 0, 0]}, "R2.1 R3.6", DEALT),  # B3
    ({"regions_in_play": [3, 3, 4, 5, 6]}, "R2.1 R3.1", {}),  # B4
    ({"plant_limit": [3, 3, 3, 3, 3]}, "R2.1 R7.11", {}),  # B5
    ({"step2_cities": [10, 8, 7, 7, 6]}, "R2.1 R12.1", {}),  # B6
    ({"end_cities": [21, 16, 17, 15, 14]}, "R2.1 R14.1", {}),  # B6
    ({"reorder_after_first_auction": False}, "R7.9", {}),  # B7
    ({"opener_must_open": "never"}, "R7.8", {}),  # B8
    ({"order_tiebreak": "plant_count"}, "R7.2", {}),  # B9
    ({"bid_direction": "turn_order"}, "R7.5", {}),  # B10
    ({"no_sale_boxes": 0}, "R7.10", {}),  # B11
    ({"discard_choice": "any"}, "R7.11", {}),  # B12
    ({"discard_fuel_move": "must"}, "R7.12", {}),  # B13
    (FUTURE_FIRST, "R6.2 R10.5", {}),  # B14, B25
    ({"discount_token": True}, "R17.3", TOKEN),  # B15
    ({"pass_through_empty": False}, "R9.5", {}),  # B16
    ({"first_city_must_be_empty": False}, "R9.2", {}),  # B17
    ({"obsolete_compare": "lt"}, "R11.1", {}),  # B18
    ({"obsolete_timing": "phase4"}, "R11.1", {}),  # B19
    ({"obsolete_timing": "phase5_once"}, "R11.1", {}),  # B19
    ({"obsolete_timing": "off"}, "R11.1", {}),  # B19
    ({"obsolete_scope": "every_player"}, "R11.1", {}),  # B20
    ({"obsolete_rows": "all"}, "R11.1", {}),  # B21
    ({"step2_start": "immediate"}, "R12.1", {}),  # B22
    ({"step2_start": "next_round"}, "R12.1", {}),  # B22
    ({"step2_boxes": 0}, "R12.1", {}),  # B23
    ({"refill_row": "upcoming"}, "R4.4", {}),  # B24
    ({"phase5_order": "pay_plants_fuel"}, "R7.1", {}),  # B26
    ({"end_timing": "immediate"}, "R14.1", {}),  # B27
    ({"tie_breaks": ["powered", "money", "shared"]}, "R14.2", {}),  # B28
    ({"tie_breaks": ["powered", "cities", "money", "shared"]}, "R14.2", {}),  # B28
    ({"tie_breaks": ["powered", "shared"]}, "R14.2", {}),  # B28
    ({"step3_start": "phase5"}, "R13.1", {}),  # B29
    ({"step3_start": "next_round"}, "R13.1 R13.2 R13.3", {}),  # B29
    ({"step3_cleanup_p4": "end_of_phase"}, "R13.3", {}),  # B30
    ({"step3_reshuffle": "on_step3_start"}, "R13.2", {}),  # B31
    ({"step3_reshuffle": "none"}, "R13.2", {}),  # B31
    ({"step3_rotation": "none"}, "R10.5", {}),  # B32
    ({"cross_unselected_region": True}, "R3.1", {}),  # B33
    ({"first_plant": 14}, "R3.6", {}),  # B34
    ({"first_plant": False}, "R3.6", {}),  # B34
    ({"removed_plants": [50]}, "R3.5", {}),  # B34
    ({"removed_plants": [3]}, "R3.5", {}),  # B34
    ({"always_in_market": [11]}, "R3.5", {"removed_plants": [13], **DEALT}),  # B34
    ({"hidden_money": False}, "R15.1", {}),  # B35
    ({"may_underpower": False}, "R10.1", {}),  # B36
    ({"power_default": "fewest_plants"}, "R10.1", {}),
    ({"burn_own_storage": False}, "R8.2", {}),  # B37
    ({"opener_must_open": "always"}, "R7.8", {}),  # B38
    ({"reveal_sealed_bids": "at_once"}, "R7.5", {"auction": "sealed"}),  # B39
    ({"no_sale_row": "actual"}, "R7.10", {}),  # B41
    ({"no_sale_boxes": 2}, "R7.10", {}),
    ({"no_sale_boxes": 2}, "R7.10", {"no_sale_row": "actual"}),
    ({"step2_boxes": 2}, "R12.1", {}),
    ({"step3_rotation": "obsolete_else_lowest"}, "R10.5", {}),  # B42
    ({"obsolete_timing": "draws_only"}, "R11.1", {}),
    ({"rotation": "largest_but_wind"}, "R10.5", {}),
    ({"removed_plants": [[50], [], [], [], []]}, "R3.5", {}),
    ({"stack": [{"plants": [13, 14]}, {"rest": True}, {"step3": True}]}, "R3.6", {}),
    ({"never_boxed": [19]}, "R3.6", {}),
    ({"market_rows": [3, 3]}, "R3.5 R6.1 R13.3", {"boxed_plants": [0] * 5}),
    ({"market_rows": [4, 5]}, "R3.5 R6.1 R13.3", {"boxed_plants": [0] * 5}),
    (
        {
            "plant_changes": [
                {"number": 19, "region": "red", "fuels": ["oil"], "burns": 2, "cities": 4},
                {"number": 7, "fuels": [], "burns": 0, "cities": 1},
            ]
        },
        "R5.2",
        {},
    ),
    ({"uranium_plants_need": ["red"]}, "R7.3", {}),
    ({"first_decline_boxes_lowest": True}, "R7.10", {}),
    ({"actual_row": "fifth_if_ecological"}, "R6.1", {}),
    ({"fuel_discounts": [{"city": "kassel", "fuel": "oil", "elektro": 2}]}, "R8.3", {}),
    ({"other_markets": [NORTH], "main_market": "South"}, "R4.1 R4.4 R8.1", {}),
    ({"step1_bans": {"kinds": ["uranium"], "boxed": [11]}}, "R6.1", {}),
    ({"market_lifecycle": "supply_after_building"}, "R6.2", {}),
    ({"market_lifecycle": "two_decks"}, "R6.2", {}),
    ({"token_buys_again": True}, "R17.3", {"discount_token": True, **TOKEN}),
    ({"step2_trigger": "deck"}, "R12.1", {}),
    ({"step2_trigger": "never"}, "R12.1", {}),
    ({"rotated_plants": [1, 2]}, "R10.5", {}),
    ({"price_cap": [3, 5, 8]}, "R8.3", {}),
    ({"buy_order": "one_token_in_turn"}, "R8.1", {}),
    ({"outage": {"above": 2, "tax": 3}}, "R10.2", {}),
    ({"transit_cost": 5}, "R9.3", {}),
    ({"blocked_places": {"sets": [1, 0, 0, 0, 0], "places": [[10, 2]]}}, "R9.4", {}),
    ({"oil": {"short_refill": "slots_at_1"}}, "R4.4", {}),
    ({"step2_replaces": False}, "R12.1", {}),
    ({"step2_top_plants": [18, 22]}, "R12.1", {}),
    ({"rotation_boxes_lowest": True}, "R10.5", {}),
    ({"regions_touch": "per_island"}, "R3.1", {}),
    ({"regions_touch": "no"}, "R3.1", {}),
    ({"turn_order_set": "after_auction"}, "R7.2", {}),
    ({"far_connection": {"cost": 20, "to": "any"}}, "R9.3", {}),
    ({"far_connection": {"cost": 20, "to": "empty_on_new_island"}}, "R9.3", {}),
    ({"mines": MINES}, "R5.2 R10.2", {}),
    ({"oil": {"step3_prices": [4] * 12 + [9] * 12}}, "R8.3", {}),
    ({"free_jump": True}, "R9.3", {}),
    ({"auction": "sealed"}, "R7.5", {}),
    ({"region_choice": "host"}, "R3.1", {}),
    ({"region_choice": "draft"}, "R3.1", {}),
    ({"coal_overflow_price": 8}, "R8.3", {}),
    ({"burnt_coal_price": 8}, "R8.3", {}),
    ({"uranium_stop_after": 39}, "R4.4", {}),
]


def told(rules: Ruleset, players: int | None = None) -> dict[str, Rule]:
    found = [rule for chapter in rulebook(rules, players) for rule in chapter.rules]
    assert len({rule.number for rule in found}) == len(found)
    return {rule.number: rule for rule in found}


def difference(one: dict[str, Rule], other: dict[str, Rule]) -> set[str]:
    return {n for n in one.keys() | other.keys() if one.get(n) != other.get(n)}


def test_every_knob_is_switched_here() -> None:
    assert {key for knobs, _, _ in SWITCHED for key in knobs} == set(KNOBS)


@pytest.mark.parametrize(("knobs", "numbers", "around"), SWITCHED, ids=lambda v: str(v)[:60])
def test_a_switched_knob_changes_its_rules_and_no_others(
    knobs: dict[str, Any], numbers: str, around: dict[str, Any]
) -> None:
    before = load("germany", options=around)
    after = load("germany", options={**around, **knobs})
    assert difference(told(before), told(after)) == set(numbers.split())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", MAPS)
def test_every_table_has_every_rule_that_a_refusal_names(name: str, variant: str) -> None:
    for players in (None, 2, 6):
        assert set(RULE_OF.values()) <= told(load(name, variant), players).keys()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_rulebook_is_whole(variant: str) -> None:
    for rule in told(load("germany", variant)).values():
        assert rule.sentences
        for text in rule.sentences:
            assert text.endswith((".", ":")), text
            assert "{" not in text
            assert "None" not in text
        if rule.grid:
            assert {len(row) for row in rule.grid.rows} == {len(rule.grid.head)}


def test_presets_are_told_apart() -> None:
    books = [tuple(told(load("germany", variant)).values()) for variant in VARIANTS]
    assert len(set(books)) == len(VARIANTS)


@pytest.mark.parametrize(
    ("players", "regions", "limit", "end"), [(2, 3, 4, 21), (4, 4, 3, 17), (6, 5, 3, 14)]
)
def test_the_numbers_are_those_of_the_table(
    players: int, regions: int, limit: int, end: int
) -> None:
    rules = told(load("germany"), players)
    assert f"{regions} regions are drawn" in rules["R3.1"].sentences[0]
    assert rules["R7.11"].sentences[0] == f"One may own {limit} plants."
    assert f"reaches {end} cities" in rules["R14.1"].sentences[0]
    assert [len(row) for row in rules["R2.1"].grid.rows] == [2] * 5


def test_without_a_table_the_numbers_for_all_are_told() -> None:
    rules = told(load("germany"))
    assert "21, 17, 17, 15, 14 (with 2 to 6 players) cities" in rules["R14.1"].sentences[0]
    assert rules["R2.1"].grid.head == ("players", "2", "3", "4", "5", "6")


def _codes() -> set[str]:
    """Every code that a source file of the engine gives to `demand` or `IllegalMove`."""
    found = set()
    for path in GAME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="demand"), args=[_, ast.Constant(code), *_]):
                    found.add(code)
                case ast.Call(func=ast.Name(id=IllegalMove.__name__), args=[first, *_]):
                    if isinstance(first, ast.Constant):
                        found.add(first.value)
                    else:  # only `demand` itself hands a code on
                        assert path.name == "course.py"
    return found


def test_every_refusal_has_its_rule_and_no_rule_is_there_for_nothing() -> None:
    assert _codes() == set(RULE_OF)
