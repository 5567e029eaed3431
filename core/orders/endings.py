"""When an order is over: it has done its work, or its time has passed."""

from typing import Final, Literal

from core.game.events import (
    BuildingEnded,
    Event,
    FuelBought,
    GameAbandoned,
    GameEnded,
    PhaseBegan,
    PlantBought,
    PlantBoxed,
    PlantsRun,
    RoundBegan,
)
from core.game.types import Phase, Seat
from core.orders.model import (
    COURSE,
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    PowerOrder,
    Standing,
)

Ending = Literal["done", "lapsed", "ended"]
"""It did what it was for; its time has passed without it; the game is over."""
_PHASE: Final[dict[type, Phase]] = {
    AuctionSheet: Phase.AUCTION,
    FuelOrder: Phase.RESOURCES,
    BuildOrder: Phase.BUILDING,
    PowerOrder: Phase.BUREAUCRACY,
}
_WORK: Final[dict[type, type]] = {
    FuelOrder: FuelBought,
    BuildOrder: BuildingEnded,
    PowerOrder: PlantsRun,
}


def ending(row: Standing, seat: Seat, event: Event, round_: int) -> Ending | None:
    """How this event, of round `round_`, ends an order of `seat`; None where it does not (M68).

    A limit ends with its plant, an order for one round with its own move or with its phase. An
    auction sheet lasts for the whole phase: a plant may have to go after the last bid. An order
    for every round ends only with the game.
    """
    if isinstance(event, GameEnded | GameAbandoned):
        return "ended"
    if isinstance(row.order, Limit):
        return _limit(row.order, seat, event)
    return None if row.round is None else _in_its_round(row, seat, event, round_)


def _in_its_round(row: Standing, seat: Seat, event: Event, round_: int) -> Ending | None:
    kind = type(row.order)
    match event:
        case RoundBegan(round=begun):
            late = row.round is not None and begun > row.round
            return "lapsed" if late else None
        case PhaseBegan(phase=phase) if phase in COURSE and row.round == round_:
            late = COURSE.index(phase) > COURSE.index(_PHASE[kind])
            return "lapsed" if late else None
        case FuelBought() | BuildingEnded() | PlantsRun() if row.round == round_:
            done = event.seat == seat and _WORK.get(kind) is type(event)
            return "done" if done else None
        case _:
            return None


def _limit(order: Limit, seat: Seat, event: Event) -> Ending | None:
    match event:
        case PlantBought(plant=plant, seat=buyer) if plant == order.plant:
            return "done" if buyer == seat else "lapsed"
        case PlantBoxed(plant=plant) if plant == order.plant:
            return "lapsed"
        case _:
            return None
