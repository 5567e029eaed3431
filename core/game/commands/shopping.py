"""What there is to buy: which fuel runs which plants, and its price."""

from collections.abc import Iterator
from itertools import combinations

from core.game.board.storage import fits
from core.game.offers import PurchaseOffer
from core.game.rules.model import Plant
from core.game.types import Elektro, Fuel

Plants = tuple[Plant, ...]


class Shop:
    """A purchase offer, to be asked for the price of any purchase."""

    def __init__(self, plants: Plants, offer: PurchaseOffer) -> None:
        """Buy for these `plants`, all of the seat."""
        self._plants = plants
        self._elektro = offer.elektro
        self.held = offer.held
        self.costs = {fuel.resource: fuel.costs for fuel in offer.fuels}

    def price(self, amounts: Fuel) -> Elektro | None:
        """Price of a whole purchase; None where market, storage or money do not allow it."""
        total = 0
        for fuel, count in amounts.items():
            if count > len(self.costs.get(fuel, ())):
                return None
            total += self.costs[fuel][count - 1]
        fitting = total <= self._elektro and fits(self._plants, self.held + amounts)
        return Elektro(total) if fitting else None

    def missing(self, plants: Plants, times: int = 1) -> Iterator[Fuel]:
        """Purchases after which these plants can run so many `times`: hybrids leave a choice."""
        pure = [plant for plant in plants if len(plant.fuels) == 1]
        need = sum((Fuel.of(p.fuels[0], p.burns * times) for p in pure), Fuel())
        mixed = sum(plant.burns for plant in plants if plant.hybrid) * times
        for coal in range(mixed + 1):
            yield _beyond(self.held, need + Fuel(coal=coal, oil=mixed - coal))


def sets_of(plants: Plants) -> Iterator[Plants]:
    """All sets of plants, the largest first, the empty one last."""
    for size in range(len(plants), -1, -1):
        yield from combinations(plants, size)


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))
