"""Knobs of earlier versions under the names and values of today."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from core.game.types import FUEL_NAMES

_YES: Final = (True, "true")
_OLD: Final = MappingProxyType({
    "first_round_must_buy": ("opener_must_open", "round_1", "never"),
    "no_sale_boxes_lowest": ("no_sale_boxes", 1, 0),
    "step2_boxes_lowest": ("step2_boxes", 1, 0),
})  # fmt: skip
"""By the old key: the new one, what was true, what was false."""
_BEFORE_B37: Final = MappingProxyType({
    "variant_edition": 1,
    "no_sale_row": "market",
    "reveal_sealed_bids": "at_once",
    "power_default": "least_fuel",
    "burn_own_storage": False,
    "stack": [],
    "never_boxed": [],
    "market_rows": [4, 4],
    "plant_changes": [],
    "uranium_plants_need": [],
    "first_decline_boxes_lowest": False,
    "actual_row": "lowest",
    "step1_bans": None,
    "market_lifecycle": "steps",
    "token_buys_again": False,
    "mines": None,
    "step2_trigger": "cities",
    "rotated_plants": [1, 1],
    "fuel_discounts": [],
    "price_cap": None,
    "buy_order": "all_at_once",
    "outage": None,
    "transit_cost": 0,
    "blocked_places": None,
    "other_markets": [],
    "main_market": "",
    "burnt_coal_price": None,
    "step2_replaces": True,
    "step2_top_plants": [],
    "rotation_boxes_lowest": False,
    "regions_touch": "yes",
    "turn_order_set": "before_auction",
    "far_connection": None,
    "free_jump": False,
})  # fmt: skip
"""How version 0.1 played where it had no knob."""
_PLAIN_CITY: Final = MappingProxyType({
    "house_costs": [], "places": [], "entry_cost": 0, "start": "",
})  # fmt: skip
"""What no city of version 0.1 had."""


def renamed(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same rules with keys that have become others lifted: true → 1.

    >>> renamed({"step2_boxes_lowest": True, "auction": "open"})
    {'step2_boxes': 1, 'auction': 'open'}
    """
    lifted: dict[str, Any] = {}
    for key, value in rules.items():
        new, yes, no = _OLD.get(key, (key, value, value))
        lifted[new] = yes if value in _YES else no
    return lifted


def completed(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole rules of a game begun by version 0.1, as it was played."""
    board = rules["map"]
    cities = [{**_PLAIN_CITY, **city} for city in board["cities"]]
    tracks = {r: {"short_refill": "nothing", "step3_prices": [], **rules[r]} for r in FUEL_NAMES}
    plants = [{**plant, "stores": None} for plant in rules["plants"]]
    new = {**tracks, "plants": plants}
    return {**_BEFORE_B37, **renamed(rules), **new, "map": {**board, "cities": cities}}
