"""What a seat may do now, with prices: the shapes that forms, mails and bots are made from.

`core.game.engine.options` makes them; the same checks accept or refuse the move (offered means
accepted). Elektro throughout; every cost is exact for the position it was made from.
"""

from dataclasses import dataclass

from core.game.types import CityId, Elektro, Fuel, PlantNumber, RegionId, Resource


@dataclass(frozen=True, slots=True)
class RegionOffer:
    """Regions that may be added to the board (R3.1)."""

    regions: tuple[RegionId, ...]


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


@dataclass(frozen=True, slots=True)
class BidOffer:
    """Bid `minimum` to `maximum` on `plant`, or pass; no bid is possible when min > max (R7.5)."""

    plant: PlantNumber
    minimum: Elektro
    maximum: Elektro
    sealed: bool


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A plant that may go, and every way to keep as much fuel as fits (R7.12)."""

    plant: PlantNumber
    keeps: tuple[Fuel, ...]


@dataclass(frozen=True, slots=True)
class DiscardOffer:
    """One of these plants must go (R7.11)."""

    choices: tuple[DiscardChoice, ...]


@dataclass(frozen=True, slots=True)
class FuelOffer:
    """One fuel on sale: `costs[i]` is the total for i + 1 tokens, if no other fuel is bought."""

    resource: Resource
    costs: tuple[Elektro, ...]


@dataclass(frozen=True, slots=True)
class PurchaseOffer:
    """Fuels on sale to this seat (R8): all together must fit storage and `elektro`.

    `coal_or_oil`: tokens of coal and oil together that still fit, where hybrids limit their sum.
    """

    fuels: tuple[FuelOffer, ...]
    elektro: Elektro
    held: Fuel
    coal_or_oil: int


@dataclass(frozen=True, slots=True)
class BuildTarget:
    """A city within reach: `path` from the network, both ends included (just the city if first)."""

    city: CityId
    house_cost: Elektro
    connection_cost: Elektro
    path: tuple[CityId, ...]

    @property
    def total(self) -> Elektro:
        """House and connection together."""
        return Elektro(self.house_cost + self.connection_cost)


@dataclass(frozen=True, slots=True)
class BuildOffer:
    """Cities that may be built next, cheapest first (R9)."""

    targets: tuple[BuildTarget, ...]
    elektro: Elektro


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


Offer = (
    RegionOffer | OpeningOffer | BidOffer | DiscardOffer | PurchaseOffer | BuildOffer | PowerOffer
)
