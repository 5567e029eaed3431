"""What lies differently on the table than a moment before, so that the replay can ring it."""

from dataclasses import dataclass

from core.game.observe import PlayerSeen, PlayerView
from core.game.types import CityId, PlantNumber, Seat


@dataclass(frozen=True, slots=True)
class Changes:
    """Two positions compared; moves that were taken back show like all others.

    `seats`: by seat, which of ``elektro cities plants fuel`` is another. `market`: plants that
    have come. `fuels`: kinds of fuel of which the market has more or less.
    """

    cities: frozenset[CityId]
    seats: dict[Seat, frozenset[str]]
    market: frozenset[PlantNumber]
    fuels: frozenset[str]


def changes(before: PlayerView, after: PlayerView) -> Changes:
    """As one reader may see both."""
    cities = frozenset[CityId]().union(
        *(set(a.cities) ^ set(b.cities) for a, b in zip(before.players, after.players, strict=True))
    )
    old, new = before.market, after.market
    return Changes(
        cities=cities,
        seats={a.seat: _moved(a, b) for a, b in zip(before.players, after.players, strict=True)},
        market=frozenset({*new.actual, *new.future} - {*old.actual, *old.future}),
        fuels=frozenset(
            fuel.value
            for fuel in after.ruleset.tracks
            if before.fuel_market[fuel] != after.fuel_market[fuel]
        ),
    )


def _moved(a: PlayerSeen, b: PlayerSeen) -> frozenset[str]:
    parts = ("elektro", "cities", "plants", "fuel")
    return frozenset(part for part in parts if getattr(a, part) != getattr(b, part))
