"""Lines for the auction, for giving up a plant, and for the choice of regions."""

from typing import Final

from core.game.moves import Bid, ChooseRegion, DiscardPlant, OpenAuction, Pass
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import BidOffer, DiscardChoice, DiscardOffer, OpeningOffer, RegionOffer
from core.game.types import Elektro, Fuel
from core.questions.command import Command, command, viewer
from core.text import _

_RAISES: Final = (0, 1, 3, 5, 10)
"""Bids above the lowest one that are shown as examples."""
_SECRET_RAISES: Final = (0, 5, 10)
_MOST_KEEPS: Final = 6


def opening_lines(view: PlayerView, offer: OpeningOffer) -> tuple[Command, ...]:
    """Every plant at its lowest bid, in sealed auctions also at higher maxima; and to pass."""
    lines = []
    for plant in offer.plants:
        use = wording.plant_use(view.ruleset.plant[plant.plant])
        for more in _SECRET_RAISES if offer.sealed else (0,):
            bid = Elektro(plant.minimum + more)
            if bid <= offer.maximum:
                left = _left(offer.maximum, bid, offer.sealed)
                note = _("{use}; {left}").format(use=use, left=left)
                lines.append(command(view, OpenAuction(plant.plant, bid), note))
    if offer.may_pass:
        lines.append(command(view, Pass(), _("no plant for you in this round")))
    return tuple(lines)


def bid_lines(view: PlayerView, offer: BidOffer) -> tuple[Command, ...]:
    """The lowest bid, some higher ones, and to pass."""
    raises = _SECRET_RAISES if offer.sealed else _RAISES
    bids = [Elektro(offer.minimum + more) for more in raises]
    lines = [
        command(view, Bid(bid), _left(offer.maximum, bid, offer.sealed))
        for bid in bids
        if bid <= offer.maximum
    ]
    note = _("leave plant {plant} to the others").format(plant=offer.plant)
    return (*lines, command(view, Pass(), note))


def _left(purse: Elektro, bid: Elektro, sealed: bool) -> str:
    if sealed:
        return _("your secret maximum; at least {left} left").format(left=purse - bid)
    return _("{left} left").format(left=purse - bid)


def discard_lines(view: PlayerView, offer: DiscardOffer) -> tuple[Command, ...]:
    """Every plant that may go, with every way to keep fuel."""
    return tuple(
        command(
            view,
            DiscardPlant(choice.plant, keep if len(choice.keeps) > 1 else None),
            _discard_note(view, choice, keep),
        )
        for choice in offer.choices
        for keep in choice.keeps[:_MOST_KEEPS]
    )


def _discard_note(view: PlayerView, choice: DiscardChoice, keep: Fuel) -> str:
    lost = viewer(view).fuel - keep
    use = wording.plant_use(view.ruleset.plant[choice.plant])
    if not lost:
        return _("{use}; all fuel stays").format(use=use)
    return _("{use}; lost: {fuel}").format(use=use, fuel=wording.fuel(lost))


def region_lines(view: PlayerView, offer: RegionOffer) -> tuple[Command, ...]:
    """Every region that may be added."""
    cities = view.ruleset.map.cities
    return tuple(
        command(
            view,
            ChooseRegion(region),
            wording.both(city.name for city in cities if city.region == region),
        )
        for region in offer.regions
    )
