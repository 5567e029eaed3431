"""Which of several orders of one kind holds."""

from collections.abc import Iterable
from typing import TypeVar

from core.orders.model import Order, Standing

T = TypeVar("T", bound=Order)


def chosen(rows: Iterable[Standing], wanted: type[T], round_: int) -> tuple[int, T] | None:
    """The order of this kind for this round, with its number; None where there is none.

    One for this round comes before one for every round, then the one given last.
    """
    found = [
        (row.round is not None, row.number, row.order)
        for row in rows
        if isinstance(row.order, wanted) and row.round in (None, round_)
    ]
    best = max(found, key=lambda one: one[:2], default=None)
    return None if best is None else (best[1], best[2])
