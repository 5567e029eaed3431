"""The small change of sentences: lists, fuel, plants, in the reader's language."""

from collections.abc import Iterable

from core.game.rules.model import Plant
from core.game.types import STEP_3_CARD, Fuel, PlantNumber, Resource
from core.text import _, ngettext


def both(items: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = tuple(items) or ("",)
    return _("{some} and {last}").format(some=", ".join(first), last=last) if first else last


def either(items: Iterable[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    *first, last = tuple(items) or ("",)
    return _("{some} or {last}").format(some=", ".join(first), last=last) if first else last


def fuel_name(resource: Resource) -> str:
    """The fuel's name."""
    return {
        Resource.COAL: _("coal"),
        Resource.OIL: _("oil"),
        Resource.GARBAGE: _("garbage"),
        Resource.URANIUM: _("uranium"),
    }[resource]


def fuel(amounts: Fuel) -> str:
    """``2 coal, 3 oil``, or ``nothing``."""
    parts = [
        _("{count} {fuel}").format(count=n, fuel=fuel_name(kind)) for kind, n in amounts.items()
    ]
    return ", ".join(parts) or _("nothing")


def cities(count: int) -> str:
    """``1 city``, ``3 cities``."""
    return ngettext("{n} city", "{n} cities", count).format(n=count)


def plants(numbers: Iterable[PlantNumber]) -> str:
    """``4``, ``4 and 13``, or ``none``."""
    return both(str(number) for number in numbers) or _("none")


def card(number: PlantNumber) -> str:
    """``plant 13``, or the Step 3 card."""
    if number == STEP_3_CARD:
        return _("the Step 3 card")
    return _("plant {number}").format(number=number)


def plant_use(plant: Plant) -> str:
    """What a plant takes and gives: ``2 coal or oil → 3 cities``."""
    powers = cities(plant.cities)
    if not plant.fuels:
        return _("no fuel → {cities}").format(cities=powers)
    kinds = either(fuel_name(kind) for kind in plant.fuels)
    return _("{count} {fuel} → {cities}").format(count=plant.burns, fuel=kinds, cities=powers)
