"""The plant market as cards on the table: taking one away, laying one down (R6, B14)."""

from core.game.events import PlantMarket
from core.game.state import GameState
from core.game.types import STEP_3_CARD, PlantNumber

ROW = 4
"""Plants in the actual market while there is a future one (R6.1)."""


def sorted_market(cards: tuple[PlantNumber, ...], one_row: bool) -> PlantMarket:
    """All cards in order: the lowest four can be bought, in one row all can."""
    ordered = tuple(sorted(cards))
    if one_row:
        return PlantMarket(ordered, ())
    return PlantMarket(ordered[:ROW], ordered[ROW:])


def without(state: GameState, card: PlantNumber) -> PlantMarket:
    """The market once a card is gone.

    Where new cards go to the future row first, the gap stays for the next card to be filled,
    as long as there is one in the stack (B14).
    """
    market = state.market
    if state.ruleset.market_insert == "full_sort" or state.one_row:
        return sorted_market(tuple(c for c in market.cards if c != card), state.one_row)
    actual = tuple(c for c in market.actual if c != card)
    future = tuple(c for c in market.future if c != card)
    return PlantMarket(actual, future) if state.stack else _gap_filled(actual, future)


def with_card(state: GameState, card: PlantNumber) -> PlantMarket:
    """The market once a card has been drawn to it (R6.2d)."""
    market = state.market
    if state.ruleset.market_insert == "full_sort" or state.one_row:
        return sorted_market((*market.cards, card), state.one_row)
    return _gap_filled(market.actual, tuple(sorted((*market.future, card))))


def without_step3_card(state: GameState) -> PlantMarket:
    """One row of all plants, once the Step 3 card is boxed (R13)."""
    return sorted_market(tuple(c for c in state.market.cards if c != STEP_3_CARD), one_row=True)


def lowest(state: GameState) -> PlantNumber | None:
    """The lowest plant of the whole market."""
    return min((c for c in state.market.cards if c != STEP_3_CARD), default=None)


def highest_to_come(state: GameState) -> PlantNumber | None:
    """The highest plant of the future market; the Step 3 card is no plant and stays."""
    return max((c for c in state.market.future if c != STEP_3_CARD), default=None)


def _gap_filled(actual: tuple[PlantNumber, ...], future: tuple[PlantNumber, ...]) -> PlantMarket:
    while len(actual) < ROW and future and future[0] != STEP_3_CARD:
        actual, future = (*actual, future[0]), future[1:]
    return PlantMarket(tuple(sorted(actual)), future)
