"""Which plant, and how much for it."""

from collections.abc import Iterable

from core.bots.engineer.outlook import Outlook
from core.game.moves import Bid, DiscardPlant, Move, OpenAuction, Pass
from core.game.offers import BidOffer, DiscardChoice, DiscardOffer, OpeningOffer
from core.game.types import STEP_3_CARD, Elektro, PlantNumber


def opening(outlook: Outlook, offer: OpeningOffer) -> Move:
    """Put up the plant with the best profit at its lowest bid; pass if none has any."""
    within = [p for p in offer.plants if p.minimum <= _budget(outlook)]
    plants = within or (() if offer.may_pass else offer.plants)
    profits = {p.plant: _profit(outlook, p.plant, p.minimum) for p in plants}
    best = max(plants, key=lambda p: profits[p.plant], default=None)
    if best is None or (profits[best.plant] <= 0 and offer.may_pass):
        return Pass()
    most = limit(outlook, best.plant) if offer.sealed else best.minimum
    return OpenAuction(best.plant, max(best.minimum, min(most, offer.maximum)))


def answer(outlook: Outlook, offer: BidOffer) -> Move:
    """Raise as little as possible as long as the plant is worth it."""
    most = min(limit(outlook, offer.plant), offer.maximum)
    if most < offer.minimum:
        return Pass()
    return Bid(most if offer.sealed else offer.minimum)


def discard(outlook: Outlook, offer: DiscardOffer) -> Move:
    """Give up the plant that is missed least, and keep the dearest fuel."""

    def left_over(choice: DiscardChoice) -> float:
        return outlook.worth(tuple(p for p in outlook.plants if p.number != choice.plant))

    best = max(offer.choices, key=left_over)
    return DiscardPlant(best.plant, max(best.keeps, key=outlook.fuel_value))


def _profit(outlook: Outlook, plant: PlantNumber, price: int) -> float:
    return _affordable(outlook, plant) - price


def _affordable(outlook: Outlook, plant: PlantNumber) -> float:
    """The price at which a plant is just worth buying."""
    gain = outlook.gain(outlook.view.ruleset.plant[plant])
    return gain * outlook.habits.caution / outlook.thrift


def limit(outlook: Outlook, plant: PlantNumber) -> Elektro:
    """The most to pay for a plant: what it is worth, less what the next best would bring."""
    others = [
        _profit(outlook, other, other)
        for other in outlook.view.market.actual
        if other not in (plant, STEP_3_CARD)
    ]
    regret = outlook.habits.regret * max([0.0, *others])
    return Elektro(int(min(_affordable(outlook, plant) - regret, _budget(outlook))))


def ladder(outlook: Outlook, plants: Iterable[PlantNumber]) -> dict[PlantNumber, Elektro]:
    """The most to pay for each plant once those with more profit are gone, the best one first."""
    ranked = sorted(plants, key=lambda plant: -_profit(outlook, plant, plant))
    budget = _budget(outlook)
    most = {}
    for i, plant in enumerate(ranked):
        rest = [_profit(outlook, other, other) for other in ranked[i + 1 :]]
        regret = outlook.habits.regret * max([0.0, *rest])
        most[plant] = Elektro(max(0, int(min(_affordable(outlook, plant) - regret, budget))))
    return most


def _budget(outlook: Outlook) -> int:
    """Money that is not needed for this round's fuel and its first city."""
    fuel = sum(outlook.running_cost(plant) for plant in outlook.plants)
    missing = max(0.0, fuel - outlook.fuel_value(outlook.me.fuel))
    first = 0 if outlook.me.cities else 15
    return int(outlook.purse - missing - first)
