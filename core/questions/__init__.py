"""What a player may answer: complete, legal, priced lines, made from the offer in a view.

A mail prints them under "You can answer with"; whoever sends back any one of them plays a legal
game. They are a useful choice, not all that is legal.
"""

from collections.abc import Callable
from typing import Final

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
from core.questions.bidding import bid_lines, discard_lines, opening_lines, region_lines
from core.questions.building import build_lines
from core.questions.command import Command
from core.questions.fuel import purchase_lines
from core.questions.power import power_lines

__all__ = ["Command", "commands"]


_LINES: Final[dict[type[Offer], Callable[..., tuple[Command, ...]]]] = {
    OpeningOffer: opening_lines,
    BidOffer: bid_lines,
    DiscardOffer: discard_lines,
    PurchaseOffer: purchase_lines,
    BuildOffer: build_lines,
    PowerOffer: power_lines,
    RegionOffer: region_lines,
}


def commands(view: PlayerView) -> tuple[Command, ...]:
    """Lines that the viewer may send now, each with its price; none when he is not asked."""
    return () if view.offer is None else _LINES[type(view.offer)](view, view.offer)
