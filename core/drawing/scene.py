"""What is to be drawn on a board: a plain value, so that drawing it is a pure function."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from core.drawing.style import Theme
from core.game.rules.knobs import Map
from core.game.types import CityId, Elektro, RegionId, Seat

Look = Theme | Literal["page"]
"""`page`: the colours come from the page's style sheet; else the picture carries its own."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How a seat shows on the board: one letter, one of the six house colours, and its name."""

    seat: Seat
    letter: str
    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A board at one moment.

    `houses`: seats by city, in the order of the places they took. `open_places`: houses that the
    Step allows per city (R9.4). `planned`: seats about to build, drawn dashed. `targets`: cities
    that can be built now with their total cost. `ringed`: cities to look at. `paths`: cities one
    after another along each way to show.
    """

    board: Map
    regions: frozenset[RegionId]
    marks: Mapping[Seat, Mark]
    houses: Mapping[CityId, tuple[Seat, ...]] = field(default_factory=dict)
    open_places: int = 1
    planned: Mapping[CityId, Seat] = field(default_factory=dict)
    targets: Mapping[CityId, Elektro] = field(default_factory=dict)
    ringed: frozenset[CityId] = frozenset()
    paths: tuple[tuple[CityId, ...], ...] = ()
    look: Look = "page"

    def steps(self) -> frozenset[frozenset[CityId]]:
        """Return the connections that lie on one of the paths, as pairs."""
        return frozenset(frozenset(pair) for path in self.paths for pair in pairwise(path))
