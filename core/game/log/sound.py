"""Is a position possible at all? Asked of logs that come from an unknown hand."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

from core.game.events import (
    Event,
    GameEnded,
    GameStarted,
    OrderChanged,
    OrdersRevealed,
    RoundBegan,
    StepReached,
)
from core.game.log.references import stray
from core.game.rules.bounds import beyond
from core.game.rules.check import PLAYERS
from core.game.state import GameState
from core.game.types import STEP_3_CARD, UNSEEN, Phase

STEPS: Final = (2, 3)
"""Steps that are reached; a game begins in the first."""


def unfit(before: GameState | None, event: Event) -> str | None:
    """Why this event must not even be folded: it names what is not there, or costs too much."""
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
    return stray(event, before.ruleset, len(everybody))


def _beginning(event: GameStarted) -> Iterator[str]:
    if event.seats not in PLAYERS:
        yield f"there are {PLAYERS[0]} to {PLAYERS[-1]} seats"
    if sorted(event.order) != list(range(event.seats)):
        yield "it does not order every seat"
    yield from (f"{key}: {reason}" for key, reason in beyond(event.ruleset))
    if missing := stray(event, event.ruleset, event.seats):
        yield missing


def problem(before: GameState | None, event: Event, after: GameState) -> str | None:
    """Why this event cannot have led from one position to the other; None when it can have."""
    if before is not None and before.phase is Phase.FINISHED:
        return None if isinstance(event, OrdersRevealed) else "the game is over before it"
    return next(chain(_money_and_fuel(after), _cards(after), _cities(after)), None)


def _money_and_fuel(state: GameState) -> Iterator[str]:
    for seat, player in enumerate(state.players):
        if player.elektro < 0:
            yield f"seat {seat} has spent more than it had"
    heaps = [state.fuel_market, state.supply, *(p.fuel for p in state.players)]
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
