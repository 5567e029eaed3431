"""The engineer's answer to every offer."""

from core.bots.engineer.bidding import answer, discard, opening
from core.bots.engineer.building import build
from core.bots.engineer.fuel import buy, run
from core.bots.engineer.habits import Habits
from core.bots.engineer.outlook import Outlook
from core.bots.engineer.regions import choose
from core.game.moves import Move
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)


class Engineer:
    """Plays from the view alone; the same view is always answered with the same move."""

    def __init__(self, habits: Habits | None = None) -> None:
        """`habits`: the best known ones if none are given."""
        self._habits = habits or Habits()

    def move(self, view: PlayerView) -> Move:
        """A legal move for the offer in the view."""
        outlook = Outlook(view, self._habits)
        match view.offer:
            case OpeningOffer() | BidOffer() | DiscardOffer():
                return _auction(outlook, view.offer)
            case PurchaseOffer() as offer:
                return buy(outlook, offer)
            case BuildOffer() as offer:
                return build(outlook, offer)
            case PowerOffer() as offer:
                return run(outlook, offer)
            case RegionOffer() as offer:
                return choose(view, offer)
            case None:
                raise ValueError("the seat is not asked")


def _auction(outlook: Outlook, offer: OpeningOffer | BidOffer | DiscardOffer) -> Move:
    match offer:
        case OpeningOffer():
            return opening(outlook, offer)
        case BidOffer():
            return answer(outlook, offer)
        case DiscardOffer():
            return discard(outlook, offer)
