"""The deck before the first move: what lies open, how the stack is laid out (R3.5, R3.6, R17.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.game.chance import Chance
from core.game.rules.knobs import Layer, Ruleset
from core.game.types import STEP_3_CARD, PlantNumber

Cards = tuple[PlantNumber, ...]

LOW_PLANTS: Final = range(3, 16)
"""The cheap half of the deck where the opening market is drawn from it (R17.1)."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """What lies open, the stack with the next card first, what is put away unseen."""

    opening: Cards
    stack: Cards
    boxed: Cards


@dataclass(slots=True)
class _Piles:
    """What lies open, and what the layers take from: low plants, high plants, all others."""

    opening: Cards
    low: Cards
    high: Cards
    rest: Cards
    boxed: Cards


def in_game(rules: Ruleset, players: int) -> Cards:
    """Return the plants of a game of so many players, lowest first."""
    removed = rules.removed(players)
    return tuple(sorted(p.number for p in rules.plants if p.number not in removed))


def deal(rules: Ruleset, players: int, chance: Chance) -> Dealt:
    """Lay out the deck for so many players."""
    cards = tuple(n for n in in_game(rules, players) if n not in rules.step2_top_plants)
    begin = _begin(rules)
    piles = begin(rules, cards, players, chance)
    parts = [_parts(layer, cards, piles) for layer in rules.layers]
    stack: Cards = ()
    for number, (layer, part) in enumerate(zip(rules.layers, parts, strict=True), start=1):
        laid = [*part, (STEP_3_CARD,) if layer.step3 else (), piles.rest if layer.rest else ()]
        mixed = tuple(card for some in laid for card in some)
        if sum(map(bool, laid)) > 1 or (layer.numbers and not layer.ascending):
            mixed = chance.shuffled(mixed, f"layer {number}")
        stack += mixed
    if rules.market_lifecycle == "supply_after_building":
        return Dealt(stack[:players], stack[players:], piles.boxed)
    return Dealt(piles.opening, stack, piles.boxed)


def _begin(rules: Ruleset) -> Callable[[Ruleset, Cards, int, Chance], "_Piles"]:
    if any(layer.numbers for layer in rules.stack):
        return _none_open
    return _lowest_open if rules.deck_setup == "fixed_3_10" else _low_ones_open


def _none_open(rules: Ruleset, cards: Cards, players: int, chance: Chance) -> "_Piles":
    """All cards are in the stack, which is laid by number; the first of it lie open."""
    return _Piles((), (), (), (), ())


def _parts(layer: Layer, cards: Cards, piles: _Piles) -> list[Cards]:
    """Take from the piles what a layer asks for, apart from the rest."""
    low, piles.low = piles.low[: layer.low], piles.low[layer.low :]
    high, piles.high = piles.high[: layer.high], piles.high[layer.high :]
    some, piles.rest = piles.rest[: layer.random], piles.rest[layer.random :]
    first, last = layer.numbers or (1, 0)
    span = tuple(n for n in cards if first <= n <= last)
    return [tuple(n for n in layer.plants if n in cards), low, high, some, span]


def _lowest_open(rules: Ruleset, cards: Cards, players: int, chance: Chance) -> _Piles:
    """R3.5: the lowest lie open, the others are shuffled, and some of them are put away."""
    size = sum(rules.market_rows)
    rest = chance.shuffled(_unnamed(rules, cards[size:]), "stack")
    boxed, rest = _boxed(rules, rest, rules.numbers(players).boxed)
    return _Piles(cards[:size], (), (), rest, boxed)


def _low_ones_open(rules: Ruleset, cards: Cards, players: int, chance: Chance) -> _Piles:
    """R17.1: the market is dealt from the low plants, some of which are always in it.

    Where some low plants are never put away, the others are put away before they are dealt.
    """
    always, numbers = rules.always_in_market, rules.numbers(players)
    free = tuple(n for n in _unnamed(rules, cards) if n not in always)
    low = chance.shuffled(tuple(n for n in free if n in LOW_PLANTS), "low plants")
    high = chance.shuffled(tuple(n for n in free if n not in LOW_PLANTS), "high plants")
    spared = any(n in LOW_PLANTS for n in rules.never_boxed)
    before, low = _boxed(rules, low, numbers.boxed_low if spared else 0)
    size = sum(rules.market_rows) - len(always)
    opening, low = (*always, *low[:size]), low[size:]
    deep = sum(layer.low for layer in rules.layers)
    dealt_low, low = low[:deep], low[deep:]
    after, low = _boxed(rules, low, 0 if spared else numbers.boxed_low)
    boxed, high = _boxed(rules, high, numbers.boxed)
    deep = sum(layer.high for layer in rules.layers)
    rest = chance.shuffled(low + high[deep:], "stack")
    return _Piles(opening, dealt_low, high[:deep], rest, before + after + boxed)


def _unnamed(rules: Ruleset, cards: Cards) -> Cards:
    named = {number for layer in rules.layers for number in layer.plants}
    return tuple(n for n in cards if n not in named)


def _boxed(rules: Ruleset, pile: Cards, count: int) -> tuple[Cards, Cards]:
    """Return the first of a pile that may be put away, and the others."""
    boxed = tuple(n for n in pile if n not in rules.never_boxed)[:count]
    return boxed, tuple(n for n in pile if n not in boxed)
