"""Fuel and building together, and what all orders of a seat would do now."""

from collections.abc import Sequence
from dataclasses import replace

from core.game import engine
from core.game.events import CityConnected
from core.game.moves import BuildCities, Move
from core.game.observe import PlayerView
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.mail import words
from core.orders.model import BuildOrder, Standing
from core.orders.notation import Said
from core.orders.position import position
from core.orders.rehearse import rehearse
from core.text import _


def then_build(move: Move, after: PlayerView) -> Said:
    """A building turn given with the purchase before it: all of it at today's prices, or ask.

    `after`: the view with the purchase made. Raises IllegalMove where it would not go even now.
    """
    if after.seat is None or not isinstance(move, BuildCities):
        raise TypeError("only a player builds")
    alone = replace(
        position(after),
        phase=Phase.BUILDING,
        waiting=(after.seat,),
        auction=None,
        discarding=None,
    )
    built = engine.preview(alone, after.seat, move)
    price = sum(e.house_cost + e.connection_cost for e in built if isinstance(e, CityConnected))
    if not move.cities:
        return Said(BuildOrder(()))
    return Said(BuildOrder(move.cities, budget=Elektro(price), exact=True))


def dry_run(state: GameState, seat: Seat, orders: Sequence[Standing]) -> list[str]:
    """What the orders would do if it were the seat's turn now, a line a phase."""
    lines = []
    for step in rehearse(state, seat, orders):
        phase = words.phase(step.phase)
        if step.line is None:
            lines.append(_("{phase}: {remark}").format(phase=phase, remark=step.remark))
        else:
            text = _("{phase}: {line}. {remark}").format(
                phase=phase, line=step.line, remark=step.remark
            )
            lines.append(text.rstrip())
    return lines
