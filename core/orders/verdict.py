"""What the orders of a seat make of the question it is asked."""

from dataclasses import dataclass

from core.game.moves import Move


@dataclass(frozen=True, slots=True)
class Act:
    """Make this `move`; the order of this `number` says so. `remark`: what could not be had."""

    move: Move
    number: int
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """An order speaks of this but its condition does not hold: ask the owner and say why (M67)."""

    reason: str
    number: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """No order speaks of this question."""


Verdict = Act | Ask | Nothing
