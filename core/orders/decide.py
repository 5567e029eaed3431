"""The executor: what the standing orders of a seat make of the question it is asked.

It looks at nothing but the seat's own view, so no secret of another seat can come into a move. An
order whose condition does not hold does nothing but say so (M67).
"""

from collections.abc import Sequence
from typing import Final, Literal

from core.game import engine
from core.game.errors import IllegalMove
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
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
)
from core.game.types import Phase, Seat
from core.orders.bids import bidding, discarding, opening
from core.orders.houses import building
from core.orders.model import (
    COURSE,
    Act,
    Ask,
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    Nothing,
    PowerOrder,
    Standing,
    Verdict,
    chosen,
)
from core.orders.position import position
from core.orders.purchase import buying
from core.statuses import OrderStatus


def decide(view: PlayerView, standing: Sequence[Standing]) -> Verdict:
    """Answer the question in `view.offer` from the orders of its seat; a move is always legal.

    Nothing where the seat is not asked, or where no order speaks of the question.
    """
    verdict: Verdict = Nothing()
    match view.offer:
        case OpeningOffer() as offer:
            verdict = opening(view, offer, standing)
        case BidOffer() as offer:
            verdict = bidding(view, offer, standing)
        case DiscardOffer() as offer:
            verdict = discarding(view, offer, standing)
        case PurchaseOffer() as offer:
            verdict = buying(view, offer, standing)
        case BuildOffer() as offer:
            verdict = building(view, offer, standing)
        case PowerOffer():
            verdict = _powering(view, standing)
    return verdict


def _powering(view: PlayerView, rows: Sequence[Standing]) -> Verdict:
    """Run what is ordered; whether that can run the engine says (R10.1)."""
    found = chosen(rows, PowerOrder, view.round)
    if found is None:
        return Nothing()
    number, order = found
    try:
        engine.preview(position(view), view.viewer.seat, order.move)
    except IllegalMove as refusal:
        return Ask(str(refusal), number)
    return Act(order.move, number)


Ending = Literal[OrderStatus.DONE, OrderStatus.LAPSED, OrderStatus.ENDED]
"""How time and the game end an order."""
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
        return OrderStatus.ENDED
    if isinstance(row.order, Limit):
        return _limit(row.order, seat, event)
    return None if row.round is None else _in_its_round(row, seat, event, round_)


def _in_its_round(row: Standing, seat: Seat, event: Event, round_: int) -> Ending | None:
    kind = type(row.order)
    match event:
        case RoundBegan(round=begun):
            late = row.round is not None and begun > row.round
            return OrderStatus.LAPSED if late else None
        case PhaseBegan(phase=phase) if phase in COURSE and row.round == round_:
            late = COURSE.index(phase) > COURSE.index(_PHASE[kind])
            return OrderStatus.LAPSED if late else None
        case FuelBought(done=False):
            return None
        case FuelBought() | BuildingEnded() | PlantsRun() if row.round == round_:
            done = event.seat == seat and _WORK.get(kind) is type(event)
            return OrderStatus.DONE if done else None
        case _:
            return None


def _limit(order: Limit, seat: Seat, event: Event) -> Ending | None:
    match event:
        case PlantBought(plant=plant, seat=buyer) if plant == order.plant:
            return OrderStatus.DONE if buyer == seat else OrderStatus.LAPSED
        case PlantBoxed(plant=plant) if plant == order.plant:
            return OrderStatus.LAPSED
        case _:
            return None
