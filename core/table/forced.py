"""Moves that need no asking: where the rules leave one way, the table goes it (M71)."""

from core.game.moves import (
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerAll,
)
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.types import Fuel


def forced_move(offer: Offer) -> Move | None:
    """The only legal move of an offer; None where there is a choice."""
    match offer:
        case OpeningOffer() | BidOffer() | DiscardOffer():
            return _in_auction(offer)
        case RegionOffer(regions=(only,)):
            return ChooseRegion(only)
        case PurchaseOffer(fuels=()):
            return BuyResources(Fuel())
        case BuildOffer(targets=()):
            return BuildCities(())
        case PowerOffer(choices=choices) if len(choices) <= 1:
            return PowerAll()
    return None


def _in_auction(offer: OpeningOffer | BidOffer | DiscardOffer) -> Move | None:
    match offer:
        case OpeningOffer(plants=(), may_pass=True):
            return Pass()
        case OpeningOffer(plants=(only,), may_pass=False, maximum=most) if only.minimum == most:
            return OpenAuction(only.plant, most)
        case BidOffer(minimum=least, maximum=most) if least > most:
            return Pass()
        case DiscardOffer(choices=(only,)) if len(only.keeps) <= 1:
            return DiscardPlant(only.plant)
    return None
