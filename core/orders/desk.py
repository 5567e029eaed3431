"""The executor: what the standing orders of a seat make of the question it is asked.

It looks at nothing but the seat's own view, so no secret of another seat can come into a move. An
order whose condition does not hold does nothing but say so (M67).
"""

from collections.abc import Sequence

from core.game import engine
from core.game.errors import IllegalMove
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
)
from core.orders.bids import bidding, discarding, opening
from core.orders.houses import building
from core.orders.model import PowerOrder, Standing
from core.orders.pick import chosen
from core.orders.position import position
from core.orders.purchase import buying
from core.orders.verdict import Act, Ask, Nothing, Verdict
from core.questions.command import viewer


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
        engine.preview(position(view), viewer(view).seat, order.move)
    except IllegalMove as refusal:
        return Ask(str(refusal), number)
    return Act(order.move, number)
