"""What a seat may do now, with prices: the shapes that forms, mails and bots are made from.

`core.game.engine.options` makes them; the same checks accept or refuse the move (offered means
accepted). Elektro throughout; every cost is exact for the position it was made from.

`default` is the move for a missed turn: always legal, never spends more than it must. `forced`
says that it is the only legal move (M71).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.game.moves import (
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    OpenAuction,
    Pass,
    PowerAll,
)
from core.game.types import CityId, Elektro, Fuel, PlantNumber, RegionId, Resource


@dataclass(frozen=True, slots=True)
class RegionOffer:
    """Regions that may be added to the board (R3.1)."""

    regions: tuple[RegionId, ...]

    @property
    def default(self) -> ChooseRegion:
        """The first region of the map that fits."""
        return ChooseRegion(self.regions[0])

    @property
    def forced(self) -> bool:
        """Return True if only one region fits."""
        return len(self.regions) == 1


@dataclass(frozen=True, slots=True)
class PlantOffer:
    """A plant that may be put up, and its lowest bid."""

    plant: PlantNumber
    minimum: Elektro


@dataclass(frozen=True, slots=True)
class OpeningOffer:
    """Put up one of `plants` at its minimum up to `maximum`, or pass where `may_pass` (R7.3)."""

    plants: tuple[PlantOffer, ...]
    maximum: Elektro
    may_pass: bool
    sealed: bool

    @property
    def default(self) -> Pass | OpenAuction:
        """Pass; if the seat must buy, the cheapest plant at its lowest bid."""
        if self.may_pass:
            return Pass()
        cheapest = min(self.plants, key=lambda plant: plant.minimum)
        return OpenAuction(cheapest.plant, cheapest.minimum)

    @property
    def forced(self) -> bool:
        """Return True if no plant can be paid, or the one that must be bought takes all money."""
        if self.may_pass:
            return not self.plants
        return len(self.plants) == 1 and self.plants[0].minimum == self.maximum


@dataclass(frozen=True, slots=True)
class BidOffer:
    """Bid `minimum` to `maximum` on `plant`, or pass; no bid is possible when min > max (R7.5)."""

    plant: PlantNumber
    minimum: Elektro
    maximum: Elektro
    sealed: bool

    @property
    def default(self) -> Pass:
        """Pass."""
        return Pass()

    @property
    def forced(self) -> bool:
        """Return True if the lowest bid is more than the seat can pay."""
        return self.minimum > self.maximum


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A plant that may go, and every way to keep as much fuel as fits (R7.12)."""

    plant: PlantNumber
    keeps: tuple[Fuel, ...]


@dataclass(frozen=True, slots=True)
class DiscardOffer:
    """One of these plants must go (R7.11)."""

    choices: tuple[DiscardChoice, ...]

    @property
    def default(self) -> DiscardPlant:
        """The lowest plant that may go, keeping coal rather than oil."""
        lowest = min(self.choices, key=lambda choice: choice.plant)
        return DiscardPlant(lowest.plant, lowest.keeps[0] if len(lowest.keeps) > 1 else None)

    @property
    def forced(self) -> bool:
        """Return True if one plant may go, and its fuel leaves no choice."""
        return len(self.choices) == 1 and len(self.choices[0].keeps) <= 1


@dataclass(frozen=True, slots=True)
class FuelOffer:
    """One fuel on sale: `costs[i]` is the total for i + 1 tokens, if no other fuel is bought."""

    resource: Resource
    costs: tuple[Elektro, ...]


@dataclass(frozen=True, slots=True)
class PurchaseOffer:
    """Fuels on sale to this seat (R8): all together must fit storage and `elektro`.

    `coal_or_oil`: tokens of coal and oil together that still fit, where hybrids limit their sum.
    `market`: the name of a market beside the main one; `others` are the offers of those: a purchase
    is from one market. `one_token`: only the first token of a list is bought now (R8.1). `stored`:
    burnt coal that can be bought though the market has cheaper.
    """

    fuels: tuple[FuelOffer, ...]
    elektro: Elektro
    held: Fuel
    coal_or_oil: int
    market: str = field(default="", repr=False)
    others: tuple["PurchaseOffer", ...] = field(default=(), repr=False)
    one_token: bool = field(default=False, repr=False)
    stored: int = field(default=0, repr=False)

    @property
    def by_market(self) -> tuple["PurchaseOffer", ...]:
        """This offer and those of the other markets."""
        return (self, *self.others)

    @property
    def default(self) -> BuyResources:
        """Buy nothing."""
        return BuyResources(Fuel())

    @property
    def forced(self) -> bool:
        """Return True if there is nothing to buy."""
        return not any(one.fuels for one in self.by_market)


@dataclass(frozen=True, slots=True)
class BuildTarget:
    """A city within reach: `path` from the network, both ends included (just the city if first).

    `jump`: by the free jump; the same city may be within reach by its way, too.
    """

    city: CityId
    house_cost: Elektro
    connection_cost: Elektro
    path: tuple[CityId, ...]
    jump: bool = field(default=False, repr=False)

    @property
    def total(self) -> Elektro:
        """House and connection together."""
        return Elektro(self.house_cost + self.connection_cost)


def built(chain: Sequence[BuildTarget]) -> BuildCities:
    """Return the building turn that connects these cities, one after the other."""
    return BuildCities(tuple(t.city for t in chain), tuple(t.city for t in chain if t.jump))


@dataclass(frozen=True, slots=True)
class BuildOffer:
    """Cities that may be built next, cheapest first (R9)."""

    targets: tuple[BuildTarget, ...]
    elektro: Elektro

    @property
    def default(self) -> BuildCities:
        """Build nothing."""
        return BuildCities(())

    @property
    def forced(self) -> bool:
        """Return True if no city is within reach."""
        return not self.targets


@dataclass(frozen=True, slots=True)
class PowerChoice:
    """A set of plants that can run together: what it burns, powers and earns (R10)."""

    plants: tuple[PlantNumber, ...]
    burned: Fuel
    powered: int
    income: Elektro


@dataclass(frozen=True, slots=True)
class PowerOffer:
    """Everything that can run, the best choice first (most cities, then least fuel)."""

    choices: tuple[PowerChoice, ...]

    @property
    def default(self) -> PowerAll:
        """Most cities with least fuel."""
        return PowerAll()

    @property
    def forced(self) -> bool:
        """Return True if nothing else can run."""
        return len(self.choices) <= 1


Offer = (
    RegionOffer | OpeningOffer | BidOffer | DiscardOffer | PurchaseOffer | BuildOffer | PowerOffer
)
