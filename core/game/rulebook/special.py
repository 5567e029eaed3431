"""What the rules of some maps add: sentences by rule number, none where the printed rules hold.

Each function tells one knob, and nothing while that is as printed. The rulebook adds them to its
rules; the page of a map lists them alone.
"""

from collections.abc import Callable, Iterator
from typing import Final

from core.game.board.deck import LOW_PLANTS
from core.game.narrate.wording import both, fuel_name, plant_use
from core.game.rulebook.model import Told
from core.game.rules.knobs import Layer, Plant, PlantChange
from core.game.types import PlantNumber, RegionId
from core.text import _

Sentences = Iterator[str]


def special(told: Told) -> tuple[tuple[str, str], ...]:
    """Return what these rules add: the number of a rule, and a sentence that joins it."""
    return tuple((number, says) for number, tell in _TOLD for says in tell(told))


def _numbers(plants: tuple[PlantNumber, ...]) -> str:
    return both(map(str, plants))


def _regions(told: Told, regions: tuple[RegionId, ...]) -> str:
    return ", ".join(told.rules.region[region].name for region in regions)


def _stack(told: Told) -> Sentences:
    if told.rules.stack:
        parts = "; ".join(_layer(layer) for layer in told.rules.layers)
        yield _("The stack from its top: {parts}.").format(parts=parts)


def _layer(layer: Layer) -> str:
    last = LOW_PLANTS[-1]
    words = []
    if layer.plants:
        words.append(_("plants {plants}").format(plants=_numbers(layer.plants)))
    if layer.low:
        words.append(_("{n} of the plants up to {last}").format(n=layer.low, last=last))
    if layer.high:
        words.append(_("{n} of the plants above {last}").format(n=layer.high, last=last))
    if layer.random:
        words.append(_("{n} others").format(n=layer.random))
    if layer.rest:
        words.append(_("the others, shuffled"))
    if layer.step3:
        words.append(_("the Step 3 card"))
    together = both(words)
    return _("{cards}, mixed").format(cards=together) if len(words) > 1 else together


def _never_boxed(told: Told) -> Sentences:
    if told.rules.never_boxed:
        yield _("Never put away: {plants}.").format(plants=_numbers(told.rules.never_boxed))


def _changes(told: Told) -> Sentences:
    by_region: dict[RegionId | None, list[PlantChange]] = {}
    for change in told.rules.plant_changes:
        by_region.setdefault(change.region, []).append(change)
    for region, changes in by_region.items():
        plants = ", ".join(_changed(change) for change in changes)
        if region is None:
            yield _("Other plants than printed: {plants}.").format(plants=plants)
        else:
            yield _("With {region} in play: {plants}.").format(
                region=told.rules.region[region].name, plants=plants
            )


def _changed(change: PlantChange) -> str:
    plant = Plant(change.number, change.fuels, change.burns, change.cities)
    return _("plant {plant} ({use})").format(plant=change.number, use=plant_use(plant))


def _fifth(told: Told) -> Sentences:
    if told.rules.actual_row == "fifth_if_ecological":
        yield _(
            "While there are two rows, the fifth plant can be bought, too, if it is a wind plant."
        )


def _uranium(told: Told) -> Sentences:
    needed = told.rules.uranium_plants_need
    if needed:
        yield _(
            "Who puts up or bids for a uranium plant needs a city in one of these regions: "
            "{regions}."
        ).format(regions=_regions(told, needed))


def _first_decline(told: Told) -> Sentences:
    if told.rules.first_decline_boxes_lowest:
        yield _(
            "When the first player of a round declines to put up a plant, the smallest one leaves "
            "the game and is replaced."
        )


def _discounts(told: Told) -> Sentences:
    for discount in told.rules.fuel_discounts:
        yield _(
            "Who has a house in {city} pays {less} Elektro less for each token of {fuel}, but at "
            "least 1."
        ).format(
            city=told.rules.city[discount.city].name,
            less=discount.elektro,
            fuel=fuel_name(discount.fuel),
        )


def _each_round(told: Told) -> Sentences:
    if told.rules.rotation_boxes_lowest:
        yield _("Before that, the smallest plant leaves the game and is replaced.")
        if told.rules.discount_token:
            yield _("It stays in a round in which a plant has gone with the discount token.")


def _step2(told: Told) -> Sentences:
    rules = told.rules
    if not rules.step2_replaces:
        yield _("A plant that leaves with Step 2 is not replaced.")
    if rules.step2_top_plants:
        yield _(
            "Plants {plants} are not in the stack before: with Step 2 they come on top of it, in "
            "this order, before the smallest plant is replaced."
        ).format(plants=_numbers(rules.step2_top_plants))


_TOLD: Final[tuple[tuple[str, Callable[[Told], Sentences]], ...]] = (
    ("R3.6", _stack),
    ("R3.6", _never_boxed),
    ("R5.2", _changes),
    ("R6.1", _fifth),
    ("R7.3", _uranium),
    ("R7.10", _first_decline),
    ("R8.3", _discounts),
    ("R10.5", _each_round),
    ("R12.1", _step2),
)
