"""How much of what a seat asks for it buys at once (R8.1)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from core.game.rules.knobs import Ruleset
from core.game.types import Fuel


def bought_now(rules: Ruleset, amounts: Fuel) -> tuple[Fuel, bool]:
    """Return the tokens that are bought, and whether the seat is done for this phase."""
    return _BY_RULE[rules.buy_order](amounts)


def _all(amounts: Fuel) -> tuple[Fuel, bool]:
    return amounts, True


def _one_token(amounts: Fuel) -> tuple[Fuel, bool]:
    """Return the first of them, in the order of the market; who buys none is out."""
    first = next((Fuel.of(fuel, 1) for fuel, _n in amounts.items()), amounts)
    return first, not amounts


_BY_RULE: Final[Mapping[str, Callable[[Fuel], tuple[Fuel, bool]]]] = MappingProxyType(
    {"all_at_once": _all, "one_token_in_turn": _one_token}
)
