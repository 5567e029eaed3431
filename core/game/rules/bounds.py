"""The largest numbers that rules may name.

Whoever opens a table may change them: no choice may cost the service more than a game is worth.
"""

from collections.abc import Iterator, Sized
from typing import Final

from core.game.rules.model import Ruleset
from core.text import _

LONGEST_ROW: Final = 101
"""Numbers in a row: an income for 0 to 100 cities."""
MOST: Final = {
    "starting_elektro": 100_000,
    "houses_per_player": 100,
    "house_costs": 1000,
    "payment": 1000,
    "coal_overflow_price": 1000,
    "regions_in_play": 20,
    "plant_limit": 6,  # every set of a player's plants is looked at
}
MOST_THINGS: Final = {"regions": 12, "cities": 200, "connections": 1000}
"""Of a map: every choice of regions is looked at, and every way between two cities."""
MOST_PLANTS: Final = 200
MOST_ON_A_TRACK: Final = 1000
"""Of a fuel track's prices and tokens."""


def beyond(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Keys whose numbers are too large or too many, each with the reason."""
    for key, most in MOST.items():
        yield from ((key, reason) for reason in _beyond(_numbers(getattr(rules, key)), most))
    for key, most in MOST_THINGS.items():
        yield from ((key, reason) for reason in _too_many(getattr(rules.map, key), most))
    yield from (("plants", reason) for reason in _too_many(rules.plants, MOST_PLANTS))
    for fuel, track in rules.tracks.items():
        for part in (track.prices, track.tokens, track.start_from, track.refill):
            yield from ((fuel.value, why) for why in _beyond(_numbers(part), MOST_ON_A_TRACK))


def _beyond(numbers: tuple[int, ...], most: int) -> Iterator[str]:
    if len(numbers) > LONGEST_ROW:
        yield _("has more than {most} numbers").format(most=LONGEST_ROW)
    if max(numbers, default=0) > most:
        yield _("must not lie above {most}").format(most=most)


def _too_many(things: Sized, most: int) -> Iterator[str]:
    if len(things) > most:
        yield _("there are more than {most}").format(most=most)


def _numbers(value: object) -> tuple[int, ...]:
    """The numbers in a value: one, none, or those of a row or a table."""
    if isinstance(value, tuple):
        return tuple(number for part in value for number in _numbers(part))
    return (value,) if isinstance(value, int) else ()
