"""One line of text as a move."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from core.game.errors import InvalidMove
from core.game.moves import (
    Bid,
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerAll,
    PowerPlants,
    Run,
)
from core.game.notation.names import Id, Names, words
from core.game.rules.model import Ruleset
from core.game.types import CityId, Elektro, Fuel, PlantNumber, Resource
from core.text import _

EXAMPLES: Final = {
    "auction": "auction 13 for 15",
    "bid": "bid 16",
    "pass": "pass",
    "discard": "discard 4 keep 3 coal 1 oil",
    "buy": "buy 3 coal 1 oil",
    "build": "build Erfurt, Halle",
    "power": "power 13 20",
    "region": "region north",
}
"""One line for each kind of move, by its first word."""

_MAX_LINE: Final = 500  # characters; longer lines are no moves
_MAX_DIGITS: Final = 6  # no number of the game comes near
_NOTHING: Final = ("nothing",)
_JOINTS: Final = ((",",), ("and",))
_MINUS: Final = re.compile(r"(?<!\w)[-−‒–](?=\d)")
_FUELS: Final = Names[Resource]({fuel: fuel.value for fuel in Resource})


class _Puzzled(Exception):
    """Why a line is no move; empty where its example says enough."""


def parse(line: str, ruleset: Ruleset) -> Move:
    """Read one line; what stands behind ``#`` is a comment.

    Case, diacritics, extra blanks, commas and a closing full stop do not matter; a city or region
    may be shortened as long as its beginning is unique on the map.

    Raises:
        InvalidMove: not understood; says the way out.
    """
    command = line.partition("#")[0].strip()
    verb, *rest = line_words(line) or ("",)
    if verb not in _READERS:
        raise InvalidMove(_unknown(command, verb))
    try:
        return _READERS[verb](tuple(rest), ruleset)
    except _Puzzled as why:
        hint = _("try: {example}").format(example=_example(verb, ruleset))
        reason = str(why) or _("{line} is not a move").format(line=quoted(command))
        raise InvalidMove(f"{reason}; {hint}") from why


def line_words(line: str) -> tuple[str, ...]:
    """The words of one line without its comment; a minus before a number is a word of its own.

    Raises:
        InvalidMove: longer than any line that could be meant.
    """
    command = line.partition("#")[0].strip()
    if len(command) > _MAX_LINE:
        raise InvalidMove(_("That line is too long for a move."))
    return words(_MINUS.sub(" minus ", command))


def _unknown(command: str, verb: str) -> str:
    if not command:
        return _("There is no move; try: {example}").format(example=EXAMPLES["bid"])
    near = get_close_matches(verb, EXAMPLES, n=1)
    hint = EXAMPLES[near[0]] if near else ", ".join(EXAMPLES)
    return _("{line} is not a move; try: {hint}").format(line=quoted(command), hint=hint)


def _example(verb: str, ruleset: Ruleset) -> str:
    """The example of a verb, with cities and a region of this map."""
    if verb == "build":
        return "build " + ", ".join(city.name for city in ruleset.map.cities[:2])
    if verb == "region":
        return f"region {ruleset.map.regions[0].name}"
    return EXAMPLES[verb]


def quoted(text: str) -> str:
    """What was typed, in quotes, on one line and not too long."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"'{shown[:60]}…'" if len(shown) > 60 else f"'{shown}'"


def _number(word: str) -> int:
    if not word.isdecimal():
        raise _Puzzled
    if len(word) > _MAX_DIGITS:
        raise _Puzzled(_("{number} is too large").format(number=quoted(word)))
    return int(word)


def _auction(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    match [word for word in rest if word != ","]:
        case [plant, "for", bid] | [plant, bid]:
            return OpenAuction(PlantNumber(_number(plant)), Elektro(_number(bid)))
        case [plant] if plant.isdecimal():
            raise _Puzzled(_("There is no bid"))
        case _:
            raise _Puzzled


def _bid(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if len(rest) != 1:
        raise _Puzzled
    return Bid(Elektro(_number(rest[0])))


def _pass(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if rest:
        raise _Puzzled
    return Pass()


def _discard(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    plant, *keep = rest or ("",)
    number = PlantNumber(_number(plant))
    if not keep:
        return DiscardPlant(number)
    if keep[0] != "keep":
        raise _Puzzled
    return DiscardPlant(number, _all_fuel(tuple(keep[1:])))


def _buy(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    return BuyResources(_all_fuel(rest))


def _all_fuel(rest: tuple[str, ...]) -> Fuel:
    fuel, left = _fuel(rest)
    if left:
        raise _Puzzled
    return fuel


def _fuel(rest: tuple[str, ...]) -> tuple[Fuel, tuple[str, ...]]:
    """Fuel from the beginning of the words, as far as it goes, and the words behind it."""
    if rest[:1] == _NOTHING:
        return Fuel(), rest[1:]
    fuel, read = Fuel(), False
    while True:
        here = rest[1:] if read and rest[:1] in _JOINTS else rest
        if len(here) < 2 or not here[0].isdecimal() or here[1] in ("with", "and", ","):
            break
        fuel, rest, read = fuel + Fuel.of(_one_fuel(here[1]), _number(here[0])), here[2:], True
    if not read:
        raise _Puzzled
    return fuel, rest


def _one_fuel(word: str) -> Resource:
    found = _FUELS.find((word,))
    if len(found) != 1:
        fuels = ", ".join(Resource)
        raise _Puzzled(
            _("{word} is no fuel; there are {fuels}").format(word=quoted(word), fuels=fuels)
        )
    return found[0]


def _build(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if rest == _NOTHING:
        return BuildCities(())
    names = Names[CityId]({city.id: city.name for city in ruleset.map.cities})
    cities: list[CityId] = []
    for part in _split(rest):
        left = part
        while left:
            n, found = names.longest(left)
            if found or left[:1] not in _JOINTS:
                cities.append(_only(left[:n], found, names))
            left = left[n:]
    if not cities:
        raise _Puzzled
    return BuildCities(tuple(cities))


def _region(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if not rest:
        raise _Puzzled
    names = Names({region.id: region.name for region in ruleset.map.regions})
    return ChooseRegion(_only(rest, names.find(rest), names))


def _split(rest: tuple[str, ...]) -> list[tuple[str, ...]]:
    parts: list[tuple[str, ...]] = [()]
    for word in rest:
        if word == ",":
            parts.append(())
        else:
            parts[-1] = (*parts[-1], word)
    return parts


def _only(typed: tuple[str, ...], found: tuple[Id, ...], names: Names[Id]) -> Id:
    """The one thing that was meant.

    Raises:
        InvalidMove: it could be several, told by name, or none.
    """
    if len(found) == 1:
        return found[0]
    shown = quoted(" ".join(typed))
    if found:
        candidates = _(" or ").join(names.names[i] for i in found)
        raise InvalidMove(_("{word} could be {names}.").format(word=shown, names=candidates))
    if near := names.near(typed):
        meant = _(" or ").join(near)
        raise InvalidMove(
            _("{word} is not on this map; did you mean {names}?").format(word=shown, names=meant)
        )
    raise InvalidMove(_("{word} is not on this map.").format(word=shown))


def _power(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if rest == ("all",):
        return PowerAll()
    if rest == _NOTHING:
        return PowerPlants(())
    runs: list[Run] = []
    while rest:
        plant = PlantNumber(_number(rest[0]))
        burn, rest = _fuel(rest[2:]) if rest[1:2] == ("with",) else (None, rest[1:])
        runs.append(Run(plant, burn))
        rest = rest[1:] if rest[:1] in _JOINTS else rest
    if not runs:
        raise _Puzzled
    return PowerPlants(tuple(runs))


_READERS: Final[dict[str, Callable[[tuple[str, ...], Ruleset], Move]]] = {
    "auction": _auction,
    "bid": _bid,
    "pass": _pass,
    "discard": _discard,
    "buy": _buy,
    "build": _build,
    "power": _power,
    "region": _region,
}
