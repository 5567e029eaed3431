"""Phases 3 to 5: fuel, houses, power, income (R8 to R10)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from core.game.types import CityId, Elektro, Fuel, PlantNumber, Seat


@dataclass(frozen=True, slots=True)
class FuelBought:
    """A player's purchase of this round; `amounts` may be nothing (R8).

    `from_supply`: the part of `amounts` that came from the supply (R17.4).
    """

    VERSION: ClassVar[int] = 1
    seat: Seat
    amounts: Fuel
    cost: Elektro
    from_supply: Fuel = Fuel()
    type: Literal["FuelBought"] = "FuelBought"


@dataclass(frozen=True, slots=True)
class CityConnected:
    """A house was built; `path` leads from the network to the city, both ends included (R9.3)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    city: CityId
    house_cost: Elektro
    connection_cost: Elektro
    path: tuple[CityId, ...]
    type: Literal["CityConnected"] = "CityConnected"


@dataclass(frozen=True, slots=True)
class BuildingEnded:
    """A player's building turn is over."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    type: Literal["BuildingEnded"] = "BuildingEnded"


@dataclass(frozen=True, slots=True)
class PlantsRun:
    """A player ran `plants`, burned fuel, powered cities and was paid (R10.1 to R10.3)."""

    VERSION: ClassVar[int] = 1
    seat: Seat
    plants: tuple[PlantNumber, ...]
    burned: Fuel
    powered: int
    income: Elektro
    type: Literal["PlantsRun"] = "PlantsRun"


@dataclass(frozen=True, slots=True)
class FuelRefilled:
    """Tokens moved from the supply to the market (R4.4)."""

    VERSION: ClassVar[int] = 1
    amounts: Fuel
    type: Literal["FuelRefilled"] = "FuelRefilled"
