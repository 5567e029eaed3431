"""Six ways in which people answer: the rules allow the same moves in each of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core import bots
from core.game.moves import Move
from core.game.observe import PlayerView
from core.game.types import Phase, PlantNumber
from core.orders.model import Limit, Order, PowerOrder
from core.orders.notation import Said
from core.terms import Planning
from webapp.instruments.pace import planner


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person sees when asked: their view and their own orders; `plan`: no move."""

    view: PlayerView
    plan: bool
    standing: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answers: orders, and a move unless asked for a plan."""

    orders: tuple[Said, ...]
    move: Move | None


@dataclass(frozen=True, slots=True)
class Regime:
    """A way to play a table. `away`: one person is absent for some rounds."""

    name: str
    answer: Callable[[Asked], Answer]
    auction: str = "open"
    planning: Planning = "none"
    away: bool = False


def _in_person(asked: Asked) -> Answer:
    return Answer((), _move(asked))


def _with_limits(asked: Asked) -> Answer:
    """Limits on all plants on show; when powering, for the next round, they are set anew."""
    known: frozenset[PlantNumber] = frozenset(
        order.plant for order in asked.standing if isinstance(order, Limit)
    )
    anew = asked.view.phase is Phase.BUREAUCRACY
    orders = planner.limits(asked.view, frozenset() if anew else known)
    return Answer(tuple(Said(order) for order in orders), _move(asked))


def _with_sheets(asked: Asked) -> Answer:
    """Return a sheet for the auction, then fuel and building together."""
    if asked.plan:
        return Answer((Said(planner.sheet(asked.view)), *_power(asked)), None)
    together = asked.view.phase is Phase.RESOURCES
    orders = (Said(planner.building(asked.view)),) if together else ()
    return Answer(orders, _move(asked))


def _with_envelopes(asked: Asked) -> Answer:
    """Return the whole round in one envelope."""
    if not asked.plan:
        return Answer((), _move(asked))
    view = asked.view
    orders = (
        Said(planner.sheet(view)),
        Said(planner.fuel(view)),
        Said(planner.building(view)),
    )
    return Answer((*orders, *_power(asked)), None)


def _power(asked: Asked) -> tuple[Said, ...]:
    known = any(isinstance(order, PowerOrder) for order in asked.standing)
    return () if known else (Said(planner.powering(), every_round=True),)


def _move(asked: Asked) -> Move | None:
    return None if asked.plan else bots.bot(bots.CARETAKER).move(asked.view)


REGIMES: Final = (
    Regime("open", _in_person),
    Regime("sealed", _in_person, auction="sealed"),
    Regime("limits", _with_limits),
    Regime("sheets", _with_sheets, planning="round"),
    Regime("envelopes", _with_envelopes, planning="round"),
    Regime("envelopes with absences", _with_envelopes, planning="round", away=True),
)
"""From the slowest to the fastest, and what absences make of that."""
