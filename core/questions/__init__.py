"""The questions that a seat can be asked, one module for each; form, mail and API read the same.

A question knows what it asks (`card`), its choices with prices (`rows` of a form, `commands` of a
mail), what a filled form says (`line`) and what silence means (`silence`).
"""

from typing import Any, Final

from core.game.observe import PlayerView
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
from core.questions.bid import BidQuestion
from core.questions.building import BuildingQuestion
from core.questions.discard import DiscardQuestion
from core.questions.fuel import FuelQuestion
from core.questions.opening import OpeningQuestion
from core.questions.power import PowerQuestion
from core.questions.question import MoveQuestion
from core.questions.region import RegionQuestion

QUESTIONS: Final[dict[type[Offer], type[MoveQuestion[Any]]]] = {
    RegionOffer: RegionQuestion,
    OpeningOffer: OpeningQuestion,
    BidOffer: BidQuestion,
    DiscardOffer: DiscardQuestion,
    PurchaseOffer: FuelQuestion,
    BuildOffer: BuildingQuestion,
    PowerOffer: PowerQuestion,
}
"""The question that each offer puts."""
FIELDS: Final = tuple(dict.fromkeys(name for one in QUESTIONS.values() for name in one.fields))
"""The fields of all forms."""


def of(view: PlayerView) -> MoveQuestion[Any] | None:
    """Return the question that waits for a move of the viewer; None if they are not asked."""
    return None if view.offer is None else QUESTIONS[type(view.offer)](view, view.offer)
