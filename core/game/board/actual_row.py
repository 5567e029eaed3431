"""How many plants of the sorted market can be bought while there are two rows (R6.1)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from core.game.rules.knobs import Ruleset
from core.game.types import PlantNumber

Cards = tuple[PlantNumber, ...]


def actual_row(rules: Ruleset, ordered: Cards) -> int:
    """Return the length of the actual row, by the rule of these rules."""
    return _BY_RULE[rules.actual_row](rules, ordered)


def _lowest(rules: Ruleset, ordered: Cards) -> int:
    return rules.market_rows[0]


def _fifth_if_ecological(rules: Ruleset, ordered: Cards) -> int:
    row = rules.market_rows[0]
    return row + any(map(rules.ecological, ordered[row : row + 1]))


_BY_RULE: Final[Mapping[str, Callable[[Ruleset, Cards], int]]] = MappingProxyType(
    {"lowest": _lowest, "fifth_if_ecological": _fifth_if_ecological}
)
