"""What a turn's form says (core.questions.formline), and which template shows it."""

from typing import Final

from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.questions.formline import Fields, Unfilled, line, run_of

__all__ = ["PHASES", "Fields", "Unfilled", "line", "run_of"]

PHASES: Final[dict[type, str]] = {
    RegionOffer: "regions",
    OpeningOffer: "opening",
    BidOffer: "bid",
    DiscardOffer: "discard",
    PurchaseOffer: "fuel",
    BuildOffer: "building",
    PowerOffer: "power",
}
"""The template of each offer's form: ``turn/<phase>.html``."""
