"""What the rules of some maps add to regions, turn order, cities and ways: see `special`."""

from collections.abc import Callable, Iterator
from typing import Final

from core.game.rulebook.model import Told
from core.game.rules.knobs import City
from core.lists import both, series
from core.text import _

Sentences = Iterator[str]


def _touch(told: Told) -> Sentences:
    if told.rules.regions_touch == "per_island":
        yield _("Regions in play hang together on each island; no line leads from one to another.")
    if told.rules.regions_touch == "no":
        yield _("Regions in play need not hang together.")


def _order(told: Told) -> Sentences:
    if told.rules.turn_order_set == "after_auction":
        yield _(
            "Turn order is sorted after the auctions; these are held in that of the last round."
        )


def _begin(told: Told) -> Sentences:
    rules = told.rules
    if rules.beginnings:
        yield _("Every network begins in one of these cities: {cities}.").format(
            cities=both(rules.city[city].name for city in rules.beginnings)
        )
    never = [city.name for city in rules.map.cities if city.start == "never"]
    if never:
        yield _("None begins in {cities}.").format(cities=both(never))


def _ways(told: Told) -> Sentences:
    if any(city.entry_cost for city in told.rules.map.cities):
        yield _(
            "A way costs what the cities cost that it leads into, the last one included; on the "
            "board that stands in brackets behind the name."
        )


def _far(told: Told) -> Sentences:
    far = told.rules.far_connection
    if far is not None:
        to = {
            "any": _("Any further city may be joined for {cost} Elektro in place of its way."),
            "empty_on_new_island": _(
                "Who has no city on an island may join an empty one there for {cost} Elektro. "
                "Where nobody can build anywhere any more, the game ends with the phase."
            ),
        }[far.to]
        yield to.format(cost=far.cost)


def _jump(told: Told) -> Sentences:
    if told.rules.free_jump:
        yield _(
            "Once a game each network may go on without a way to another of the cities in which "
            "networks begin. In round 1 only there is built, at most twice, and the second city "
            "is this free jump."
        )


def _own_places(told: Told) -> Sentences:
    """Cities that hold or cost something else, those that are alike together."""
    alike: dict[tuple[object, ...], list[City]] = {}
    for city in told.rules.map.cities:
        if city.house_costs or city.places:
            alike.setdefault((city.house_costs, city.places), []).append(city)
    for cities in alike.values():
        yield _says_places(told, cities)


def _says_places(told: Told, cities: list[City]) -> str:
    one = cities[0]
    costs = told.rules.house_costs_in(one.id)
    held = [one.holds(step) for step in (1, 2, 3)]
    names = both(city.name for city in cities)
    if not any(costs):
        text = _("{cities}: {held} houses in Steps 1, 2, 3; a house costs nothing there.")
    else:
        text = _("{cities}: {held} houses in Steps 1, 2, 3; they cost {costs} Elektro.")
    return text.format(cities=names, held=series(held), costs=series(costs))


TOLD: Final[tuple[tuple[str, Callable[[Told], Sentences]], ...]] = (
    ("R3.1", _touch),
    ("R7.2", _order),
    ("R9.2", _begin),
    ("R9.3", _ways),
    ("R9.3", _far),
    ("R9.3", _jump),
    ("R9.4", _own_places),
)
