"""What plants can hold and what they can burn (R8.2, R5.3, R7.12).

Fuel may be moved between one's plants at any time, so a set of tokens fits when the tokens that
do not fit the plants of one fuel fit the hybrids together.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from core.game.rules.knobs import Plant, Ruleset
from core.game.types import Fuel, Resource


def capacity(plants: Iterable[Plant]) -> tuple[Fuel, int]:
    """Tokens that plants of one fuel hold, and tokens of coal and oil that hybrids hold."""
    pure, hybrid = Fuel(), 0
    for plant in plants:
        if plant.hybrid:
            hybrid += plant.storage
        elif plant.fuels:
            pure += Fuel.of(plant.fuels[0], plant.storage)
    return pure, hybrid


def fits(plants: Iterable[Plant], fuel: Fuel) -> bool:
    """Can these plants hold this fuel (R8.2)?"""
    pure, hybrid = capacity(plants)
    overflow = max(0, fuel.coal - pure.coal) + max(0, fuel.oil - pure.oil)
    return overflow <= hybrid and fuel.garbage <= pure.garbage and fuel.uranium <= pure.uranium


def room_for(plants: Iterable[Plant], held: Fuel) -> tuple[Fuel, int]:
    """Tokens of each fuel that still fit alone, and of coal and oil together."""
    pure, hybrid = capacity(plants)
    spare = hybrid - max(0, held.coal - pure.coal) - max(0, held.oil - pure.oil)
    coal, oil = max(0, pure.coal - held.coal), max(0, pure.oil - held.oil)
    alone = Fuel(
        coal + spare, oil + spare, pure.garbage - held.garbage, pure.uranium - held.uranium
    )
    return alone, coal + oil + spare


def ways_to_keep(plants: Iterable[Plant], fuel: Fuel) -> tuple[Fuel, ...]:
    """Every way to keep as many tokens as these plants hold, most coal first (R7.12)."""
    pure, hybrid = capacity(plants)
    garbage, uranium = min(fuel.garbage, pure.garbage), min(fuel.uranium, pure.uranium)
    mixes = [
        (coal, oil)
        for coal, oil in product(range(fuel.coal, -1, -1), range(fuel.oil, -1, -1))
        if max(0, coal - pure.coal) + max(0, oil - pure.oil) <= hybrid
    ]
    most = max(map(sum, mixes))
    return tuple(Fuel(*mix, garbage, uranium) for mix in mixes if sum(mix) == most)


@dataclass(frozen=True, slots=True)
class Stock:
    """Fuel in stock, and what the plants of its owner hold of it.

    `pure` and `hybrid` as in `capacity`; None where a plant may burn fuel of any plant (B37).
    """

    held: Fuel
    pure: Fuel = Fuel()
    hybrid: int | None = None

    def allows(self, pure: Fuel, mixed: Fuel) -> bool:
        """Return True if plants of one fuel can burn `pure` while hybrids burn `mixed`.

        With B37 there must be one way to lay all tokens in stock on the plants so that each plant
        that runs has its fuel on it. Every hybrid has room for what it burns and as much again,
        so it is enough to look at all hybrids together.
        """
        if not self.held.covers(pure + mixed):
            return False
        if self.hybrid is None or not self.hybrid:
            return True
        coal = max(mixed.coal, self.held.coal - self.pure.coal)
        oil = max(mixed.oil, self.held.oil - self.pure.oil)
        beside = coal <= self.held.coal - pure.coal and oil <= self.held.oil - pure.oil
        return beside and coal + oil <= self.hybrid


def stock(rules: Ruleset, plants: Iterable[Plant], held: Fuel) -> Stock:
    """Return the fuel of a player with these plants, as the rules let it be burned (B37)."""
    return Stock(held, *capacity(plants)) if rules.burn_own_storage else Stock(held)


def burned_by(
    plants: Iterable[Plant], stock: Stock, cheaper: Resource, named: Fuel = Fuel()
) -> Fuel | None:
    """Return the fuel burned when all these plants run, or None when it does not suffice.

    Hybrids burn the `cheaper` of coal and oil first; `named`: what other hybrids burn beside them.
    """
    return _burned(tuple((plant.fuels, plant.burns) for plant in plants), stock, cheaper, named)


@lru_cache(maxsize=4096)
def _burned(
    needs: tuple[tuple[tuple[Resource, ...], int], ...],
    stock: Stock,
    cheaper: Resource,
    named: Fuel,
) -> Fuel | None:
    """Remember it by what plants burn, since the same sets are asked about again and again."""
    pure = sum((Fuel.of(fuels[0], burns) for fuels, burns in needs if len(fuels) == 1), Fuel())
    need = sum(burns for fuels, burns in needs if len(fuels) > 1)
    other = Resource.OIL if cheaper is Resource.COAL else Resource.COAL
    for first in range(need, -1, -1):
        mixed = Fuel.of(cheaper, first) + Fuel.of(other, need - first)
        if stock.allows(pure, mixed + named if named else mixed):
            return pure + mixed
    return None


def mixes(plant: Plant, held: Fuel) -> tuple[Fuel, ...]:
    """Every way in which one plant can burn its fuel from `held`; none when it cannot run."""
    if not plant.fuels:
        return (Fuel(),)
    if not plant.hybrid:
        burned = Fuel.of(plant.fuels[0], plant.burns)
        return (burned,) if held.covers(burned) else ()
    ways = (Fuel(coal=n, oil=plant.burns - n) for n in range(plant.burns, -1, -1))
    return tuple(way for way in ways if held.covers(way))
