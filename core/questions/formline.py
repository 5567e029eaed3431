"""What a turn's form says, as one line of notation: each shape of offer reads its own fields.

The fields of a form, its draft, and a form sent back after a refusal are the same mapping of
names to lists of values. Nothing is judged here but whether the form was filled in: the rules
decide later, as they do for a mail. Drafts are read here, too, when a table plays them at the
deadline (M36).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from core.game import moves, notation
from core.game.offers import (
    BidOffer,
    BuildOffer,
    Offer,
    OpeningOffer,
    PowerChoice,
    PurchaseOffer,
)
from core.game.rules.knobs import Ruleset
from core.game.types import CityId, Elektro, Fuel, PlantNumber, Resource
from core.text import _

Fields = Mapping[str, list[str]]


class Unfilled(ValueError):
    """A field that a move needs is empty or no number; says which, to the player."""


def line(fields: Fields, offer: Offer, rules: Ruleset) -> str:
    """The one line of notation that a filled form stands for.

    A line that was typed, or chosen as a whole, goes first and is taken as it is.
    """
    for name in ("quick", "line", "choice"):
        if given := _one(fields, name).strip():
            return given
    read = _READERS.get(type(offer))
    if read is None:
        raise Unfilled(_("Choose one of the lines first."))
    try:
        return notation.text(read(fields, offer), rules)
    except KeyError as unknown:
        raise Unfilled(_("There is no city {name} on this map.").format(name=unknown)) from None


def run_of(choice: PowerChoice, rules: Ruleset) -> moves.PowerPlants:
    """The move that runs a choice; of a hybrid's fuels coal goes first, the total is the same."""
    left = choice.burned
    for plant in (rules.plant[n] for n in choice.plants):
        if len(plant.fuels) == 1:
            left -= Fuel.of(plant.fuels[0], plant.burns)
    runs = []
    for plant in (rules.plant[n] for n in choice.plants):
        burn = None
        if plant.hybrid:
            coal = min(left.coal, plant.burns)
            burn = Fuel(coal=coal, oil=plant.burns - coal)
            left -= burn
        runs.append(moves.Run(plant.number, burn))
    return moves.PowerPlants(tuple(runs))


def _one(fields: Fields, name: str) -> str:
    return (fields.get(name) or [""])[0]


def _number(fields: Fields, name: str, otherwise: int | None = None) -> int:
    text = _one(fields, name).strip()
    if not text and otherwise is not None:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise Unfilled(_("Give an amount of Elektro as a whole number."))
    return int(text)


def _opening(fields: Fields, offer: OpeningOffer) -> moves.Move:
    plant = _one(fields, "plant")
    if plant == "pass":
        return moves.Pass()
    lowest = {str(p.plant): p.minimum for p in offer.plants}
    if plant not in lowest:
        raise Unfilled(_("Choose a plant, or pass."))
    amount = _number(fields, "amount", otherwise=lowest[plant])
    return moves.OpenAuction(PlantNumber(int(plant)), Elektro(amount))


def _bid(fields: Fields, offer: BidOffer) -> moves.Move:
    if _one(fields, "act") == "pass" or offer.minimum > offer.maximum:
        return moves.Pass()
    return moves.Bid(Elektro(_number(fields, "amount")))


def _fuel(fields: Fields, _offer: PurchaseOffer) -> moves.Move:
    counts = {r.value: _number(fields, r.value, otherwise=0) for r in Resource}
    return moves.BuyResources(Fuel(**counts))


def _build(fields: Fields, offer: BuildOffer) -> moves.Move:
    ticked = set(fields.get("city", []))
    by_click = [c for c in _one(fields, "order").split(",") if c in ticked]
    by_price = [t.city for t in offer.targets if t.city in ticked]
    # a city that is no longer within reach stays in the line, so that the player hears why
    chosen = dict.fromkeys((*by_click, *by_price, *sorted(ticked)))
    return moves.BuildCities(tuple(CityId(c) for c in chosen))


_READERS: Final[dict[type, Callable[[Fields, Any], moves.Move]]] = {
    OpeningOffer: _opening,
    BidOffer: _bid,
    PurchaseOffer: _fuel,
    BuildOffer: _build,
}
