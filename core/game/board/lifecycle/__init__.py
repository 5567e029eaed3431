"""How plants come to the market and leave it in the course of a round, by the rule of a game.

Phases name the moment; one module for each rule says what happens then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.game.board.lifecycle import planned, steps, two_decks
from core.game.course import Course
from core.game.state import GameState


@dataclass(frozen=True, slots=True)
class _Lifecycle:
    """`sold`: a plant was bought. `built`: phase 4 is over. `renew`: phase 5 comes to plants."""

    sold: Callable[[Course], None]
    built: Callable[[Course], None]
    renew: Callable[[Course], None]


_BY_RULE: Final[Mapping[str, _Lifecycle]] = MappingProxyType({
    "steps": _Lifecycle(steps.replace, steps.nothing, steps.renew),
    "supply_after_building": _Lifecycle(planned.replace, planned.supply, planned.renew),
    "two_decks": _Lifecycle(steps.replace, steps.nothing, two_decks.renew),
})  # fmt: skip


def replace_sold(course: Course) -> None:
    """Fill the gap of a plant that was bought (R7.7)."""
    _of(course.state).sold(course)


def supply_plants(course: Course) -> None:
    """Do what the plant market does once all have built."""
    _of(course.state).built(course)


def renew_plants(course: Course) -> None:
    """Let plants leave and come at the end of the round (R10.5)."""
    _of(course.state).renew(course)


def _of(state: GameState) -> _Lifecycle:
    return _BY_RULE[state.ruleset.market_lifecycle]
