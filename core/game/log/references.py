"""Does everything that an event names exist: its seats, cards, cities and regions?

What is asked of a field follows from its type alone, so that no kind of event is forgotten.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, ClassVar, Final, Union, get_args, get_origin, get_type_hints

from core.game.events import Event
from core.game.rules.model import Ruleset
from core.game.types import (
    STEP_3_CARD,
    UNSEEN,
    CityId,
    Elektro,
    PlantNumber,
    RegionId,
    Seat,
)

_WORDS: Final[Mapping[Any, str]] = MappingProxyType({
    Seat: "there is no seat {value}",
    PlantNumber: "there is no plant {value}",
    CityId: "it names a city that is not on the map: {value!r}",
    RegionId: "there is no region {value!r}",
    Elektro: "{value} Elektro are none",
    int: "{value} is no number for it",
})  # fmt: skip
_CARDS: Final = (STEP_3_CARD, UNSEEN)


def stray(event: Event, rules: Ruleset, seats: int) -> str | None:
    """The first thing that an event names and that is not there, in words."""
    for kind, value in _named(type(event), event):
        if not _exists(kind, value, rules, seats):
            return _WORDS[kind].format(value=value)
    return None


def _exists(kind: Any, value: Any, rules: Ruleset, seats: int) -> bool:
    if kind is Seat:
        return bool(0 <= value < seats)
    if kind is PlantNumber:
        return value in rules.plant or value in _CARDS
    if kind is CityId:
        return value in rules.city
    if kind is RegionId:
        return value in rules.region
    number: int = value
    return number >= 0


def _named(hint: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a value that is of one of these types."""
    if hint in _WORDS:
        yield hint, value
    elif get_origin(hint) is tuple:
        for part in value:
            yield from _named(get_args(hint)[0], part)
    elif get_origin(hint) in (Union, UnionType) and value is not None:
        yield from _named(next(a for a in get_args(hint) if a is not NoneType), value)
    elif isinstance(hint, type) and is_dataclass(hint) and hint is not Ruleset:
        for name, part in _fields(hint):
            yield from _named(part, getattr(value, name))


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar)
