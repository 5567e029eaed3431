"""Is a position possible at all? Asked of logs that come from an unknown hand."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType, NoneType, UnionType
from typing import Any, ClassVar, Final, Union, get_args, get_origin, get_type_hints

from core.game.events import (
    Event,
    GameEnded,
    GameStarted,
    OrderChanged,
    OrdersRevealed,
    RoundBegan,
    StepReached,
)
from core.game.rules.check import PLAYERS, beyond
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import (
    STEP_3_CARD,
    UNSEEN,
    CityId,
    Elektro,
    Fuel,
    Phase,
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


def missing_reference(event: Event, rules: Ruleset, seats: int) -> str | None:
    """Return the first thing that an event names and that is not there, in words."""
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
    """Yield everything in a value that is of one of these types."""
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


STEPS: Final = (2, 3)
"""Steps that are reached; a game begins in the first."""


def unfit(before: GameState | None, event: Event) -> str | None:
    """Return why this event must not be folded: it names what is not there, or costs too much."""
    if isinstance(event, GameStarted):
        return next(_beginning(event), None)
    if before is None:
        return None  # the fold itself refuses it
    everybody = list(before.seats)
    if isinstance(event, GameEnded) and sorted(s.seat for s in event.standings) != everybody:
        return "it does not rank every seat"
    if isinstance(event, RoundBegan | OrderChanged) and sorted(event.order) != everybody:
        return "it does not order every seat"
    if isinstance(event, StepReached) and event.step not in STEPS:
        return f"there is no Step {event.step}"
    return missing_reference(event, before.ruleset, len(everybody))


def _beginning(event: GameStarted) -> Iterator[str]:
    if event.seats not in PLAYERS:
        yield f"there are {PLAYERS[0]} to {PLAYERS[-1]} seats"
    if sorted(event.order) != list(range(event.seats)):
        yield "it does not order every seat"
    yield from (f"{key}: {reason}" for key, reason in beyond(event.ruleset))
    if missing := missing_reference(event, event.ruleset, event.seats):
        yield missing


def problem(before: GameState | None, event: Event, after: GameState) -> str | None:
    """Return why this event cannot have led from one position to the other.

    None when it can have.
    """
    if before is not None and before.phase is Phase.FINISHED:
        return None if isinstance(event, OrdersRevealed) else "the game is over before it"
    return next(chain(_money_and_fuel(after), _cards(after), _cities(after)), None)


def _money_and_fuel(state: GameState) -> Iterator[str]:
    for seat, player in enumerate(state.players):
        if player.elektro < 0:
            yield f"seat {seat} has spent more than it had"
    heaps = [
        state.fuel_market,
        state.supply,
        *state.local.markets,
        Fuel(coal=state.local.storage),
        *(p.fuel for p in state.players),
    ]
    if min(chain.from_iterable(heap.counts() for heap in heaps)) < 0:
        yield "fuel is taken from where there is none"


def _cards(state: GameState) -> Iterator[str]:
    places = [state.market.cards, state.stack, state.boxed, *(p.plants for p in state.players)]
    known = state.ruleset.plant
    for card, count in Counter(chain.from_iterable(places)).items():
        if card == UNSEEN:
            continue
        if card not in known and card != STEP_3_CARD:
            yield f"there is no plant {card}"
        if count > 1:
            yield f"plant {card} is in two places"


def _cities(state: GameState) -> Iterator[str]:
    for seat, player in enumerate(state.players):
        if not state.ruleset.city.keys() >= set(player.cities):
            yield f"seat {seat} has a city that is not on the map"
        if len(set(player.cities)) < len(player.cities):
            yield f"seat {seat} is twice in one city"
