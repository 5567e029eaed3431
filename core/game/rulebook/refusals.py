"""Which rule forbids a move: from the code of `IllegalMove` to the rule's number."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RULE_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "auction-open": "R7.5",
        "bid-too-high": "R7.5",
        "bid-too-low": "R7.5",
        "city-full": "R9.4",
        "city-not-in-play": "R3.1",
        "city-too-expensive": "R9.3",
        "first-city-taken": "R9.2",
        "fuel-choice": "R7.12",
        "fuel-too-expensive": "R8.1",
        "game-over": "R14.1",
        "must-buy": "R7.8",
        "must-discard": "R7.11",
        "must-power": "R10.1",
        "negative": "R8.3",
        "no-auction": "R7.3",
        "no-discard": "R7.11",
        "no-houses": "R9.9",
        "no-path": "R9.5",
        "no-storage": "R8.2",
        "not-enough-fuel": "R5.2",
        "not-your-plant": "R10.1",
        "not-your-turn": "R7.1",
        "own-city": "R9.4",
        "plant-not-discardable": "R7.11",
        "plant-not-on-market": "R6.1",
        "plant-twice": "R5.2",
        "region-not-connected": "R3.1",
        "sold-out": "R8.3",
        "wrong-fuel": "R5.2",
        "wrong-moment": "R7.1",
    }
)
"""A rule that every rulebook has, for every code that the engine refuses a move with."""
