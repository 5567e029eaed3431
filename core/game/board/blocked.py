"""Cities that nobody may build in during a game; ways lead through them all the same (R9.4)."""

from core.game.chance import BLOCKED
from core.game.course import Course
from core.game.events import CitiesBlocked
from core.game.rules.knobs import BlockedPlaces, Ruleset
from core.game.types import CityId, Elektro


def block_places(course: Course) -> None:
    """Draw them as the rules say: of each price of a house so many, for each set once."""
    state = course.state
    blocked = state.ruleset.blocked_places
    sets = blocked.sets[len(state.players) - 2] if blocked else 0
    if blocked is None or not sets:
        return
    drawn: tuple[CityId, ...] = ()
    for cost, count in blocked.places:
        cities = priced(state.ruleset, cost)
        drawn += course.chance.shuffled(cities, f"{BLOCKED} {cost}")[: sets * count]
    course.add(CitiesBlocked(drawn))


def most_blocked(blocked: BlockedPlaces, players: int) -> int:
    """Return how many cities are blocked with so many players."""
    return blocked.sets[players - 2] * sum(count for _cost, count in blocked.places)


def priced(rules: Ruleset, cost: Elektro) -> tuple[CityId, ...]:
    """Return the cities whose first house costs so much."""
    return tuple(c.id for c in rules.map.cities if rules.house_costs_in(c.id)[0] == cost)
