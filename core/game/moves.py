"""What a seat asks for, in the imperative. `core.game.notation` writes each as one line."""

from dataclasses import dataclass

from core.game.types import CityId, Elektro, Fuel, PlantNumber, RegionId


@dataclass(frozen=True, slots=True)
class ChooseRegion:
    """Add a region to the board; only where players draft them (R3.1)."""

    region: RegionId


@dataclass(frozen=True, slots=True)
class OpenAuction:
    """Put a plant up (R7.3). `bid` is the opening bid, in sealed auctions the secret maximum."""

    plant: PlantNumber
    bid: Elektro


@dataclass(frozen=True, slots=True)
class Bid:
    """Raise to `amount` (R7.5); in sealed auctions the secret maximum."""

    amount: Elektro


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline to open, for the whole phase (R7.3), or drop out of this auction (R7.5)."""


@dataclass(frozen=True, slots=True)
class DiscardPlant:
    """Give up a plant over the limit (R7.11). `keep`: fuel to keep where that is a choice."""

    plant: PlantNumber
    keep: Fuel | None = None


@dataclass(frozen=True, slots=True)
class BuyResources:
    """The whole purchase of this phase (R8.1); no token at all means to buy nothing.

    Where fuel is bought token by token: the first of these. `market`: the name of the one beside
    the main one that it is from. `each`: the most for a token, None for any price. `stored`: the
    part of the coal that shall come from the storage of burnt coal, though the market has cheaper.
    """

    amounts: Fuel
    market: str = ""
    each: Elektro | None = None
    stored: int = 0


@dataclass(frozen=True, slots=True)
class BuildCities:
    """The whole building turn (R9.1), in this order; empty means to build nothing.

    `jumps`: of the cities, those to which no way is paid, as far as the rules know a free jump.
    """

    cities: tuple[CityId, ...]
    jumps: tuple[CityId, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One plant to run; `burn` chooses a hybrid's mix, else the cheaper fuel is burned (R5.3)."""

    plant: PlantNumber
    burn: Fuel | None = None


@dataclass(frozen=True, slots=True)
class PowerPlants:
    """Run these plants (R10.1); none means to power nothing."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class PowerAll:
    """Run the plants that power most cities with least fuel."""


Move = (
    ChooseRegion
    | OpenAuction
    | Bid
    | Pass
    | DiscardPlant
    | BuyResources
    | BuildCities
    | PowerPlants
    | PowerAll
)


def amount_bid(move: Move) -> Elektro | None:
    """Return what a move opens or bids with, in Elektro; None for a pass and all else."""
    match move:
        case OpenAuction(bid=amount) | Bid(amount=amount):
            return amount
    return None
