"""The words that every room shares: seats, Elektro, plants, fuel, phases."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final, NewType, Self

Seat = NewType("Seat", int)
"""Place at the table, 0-based, numbered clockwise."""
Elektro = NewType("Elektro", int)
PlantNumber = NewType("PlantNumber", int)
"""Number printed on a plant; also its lowest bid (R5.1)."""
CityId = NewType("CityId", str)
RegionId = NewType("RegionId", str)

STEP_3_CARD: Final = PlantNumber(99)
"""The Step 3 card: no plant, but it lies in the stack and sorts as the highest card (R13.2)."""
UNSEEN: Final = PlantNumber(0)
"""A card of the stack whose face the reader may not see."""


class Resource(StrEnum):
    """The four fuels (R1.1)."""

    COAL = "coal"
    OIL = "oil"
    GARBAGE = "garbage"
    URANIUM = "uranium"


class Phase(StrEnum):
    """Where a round is. `REGIONS` comes once, before round 1, when players draft the regions."""

    REGIONS = "regions"
    AUCTION = "auction"
    RESOURCES = "resources"
    BUILDING = "building"
    BUREAUCRACY = "bureaucracy"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Fuel:
    """Tokens of each fuel.

    >>> Fuel(coal=2) + Fuel(coal=1, oil=3)
    Fuel(coal=3, oil=3, garbage=0, uranium=0)
    """

    coal: int = 0
    oil: int = 0
    garbage: int = 0
    uranium: int = 0

    def __add__(self, other: "Fuel") -> "Fuel":
        """Sum, fuel by fuel."""
        return Fuel(
            self.coal + other.coal,
            self.oil + other.oil,
            self.garbage + other.garbage,
            self.uranium + other.uranium,
        )

    def __sub__(self, other: "Fuel") -> "Fuel":
        """Difference, fuel by fuel; may go below zero, see `covers`."""
        return Fuel(
            self.coal - other.coal,
            self.oil - other.oil,
            self.garbage - other.garbage,
            self.uranium - other.uranium,
        )

    def __getitem__(self, resource: Resource) -> int:
        """Return tokens of one fuel."""
        count: int = getattr(self, resource)
        return count

    def __bool__(self) -> bool:
        """Return True if there is any token at all."""
        return self != _NOTHING

    @classmethod
    def of(cls, resource: Resource, count: int) -> Self:
        """Return only one fuel: `count` tokens of `resource`."""
        return cls(**{resource: count})

    @property
    def total(self) -> int:
        """All tokens together."""
        return self.coal + self.oil + self.garbage + self.uranium

    def items(self) -> tuple[tuple[Resource, int], ...]:
        """Return the fuels that are there, with their count, in the order of the market."""
        return tuple((r, n) for r, n in zip(Resource, self.counts(), strict=True) if n)

    def counts(self) -> tuple[int, int, int, int]:
        """Coal, oil, garbage, uranium."""
        return (self.coal, self.oil, self.garbage, self.uranium)

    def covers(self, other: "Fuel") -> bool:
        """Return True if there is at least as much of every fuel as in `other`."""
        return all(a >= b for a, b in zip(self.counts(), other.counts(), strict=True))


_NOTHING = Fuel()
FUEL_NAMES: Final = tuple(f.name for f in fields(Fuel))
