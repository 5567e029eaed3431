"""A free jump: once a game, to another of the cities in which networks begin (R9.3).

With it comes round 1: every network begins there, and its second city is the jump.
"""

from collections.abc import Collection
from typing import Protocol

from core.game.rules.knobs import Ruleset
from core.game.state import Local
from core.game.types import CityId, Seat


class Round(Protocol):
    """What a jump hangs on: a whole position has it, and what one seat sees."""

    @property
    def ruleset(self) -> Ruleset:
        """Is there a jump, and between which cities?"""

    @property
    def round(self) -> int:
        """The round, counted from 1."""

    @property
    def local(self) -> Local:
        """Who has jumped."""


def only_jumps(position: Round, own: Collection[CityId]) -> bool:
    """Return True where a network grows by the jump alone: in round 1."""
    return position.ruleset.free_jump and position.round == 1 and bool(own)


def jumps(position: Round, seat: Seat, own: Collection[CityId]) -> tuple[CityId, ...]:
    """Return the cities that a seat with these cities may jump to, places or none."""
    rules = position.ruleset
    if not rules.free_jump or not own or seat in position.local.jumped:
        return ()
    return tuple(c.id for c in rules.map.cities if c.id not in own and may_begin(rules, c.id))


def may_begin(rules: Ruleset, city: CityId) -> bool:
    """May a network begin in this city, if it has a place (R9.2)?"""
    start = rules.city[city].start
    return start == "only" if rules.beginnings else start != "never"
