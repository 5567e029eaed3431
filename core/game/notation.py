"""Moves as text: the one notation of forms, mails, tests and logs. docs/notation.md lists it."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, Generic, TypeVar, assert_never

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
from core.game.rules.knobs import Ruleset
from core.game.types import CityId, Elektro, Fuel, PlantNumber, Resource
from core.lists import both, either
from core.text import _, one_line

Id = TypeVar("Id", bound=str)


class Unread(InvalidMove):
    """A line that is no move: the `reason`, and the `verb` that it begins with or meant."""

    def __init__(self, reason: str, hint: str, verb: str = "") -> None:
        """Say why, and what to try instead."""
        super().__init__(_("{reason}; try: {hint}").format(reason=reason, hint=hint))
        self.reason, self.verb = reason, verb


_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_SPLIT: Final = re.compile(r"\d+|[^\W\d_]+|,")
_MAX_WORDS: Final = 6  # of one name


def words(text: str) -> tuple[str, ...]:
    """Return words, numbers and commas of a text; case, diacritics and other signs do not matter.

    >>> words("Build  Frankfurt (Oder), MÜNCHEN.")
    ('build', 'frankfurt', 'oder', ',', 'munchen')
    """
    flat = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in flat if not unicodedata.combining(c)).casefold()
    return tuple(_SPLIT.findall(plain.translate(_PLAIN)))


@lru_cache(maxsize=1024)
def _spellings(name: str) -> frozenset[str]:
    """Return a name in one word, as "munchen" and as "muenchen"."""
    composed = unicodedata.normalize("NFC", name.casefold())
    return frozenset("".join(words(n)) for n in (name, composed.translate(_GERMAN)))


class Names(Generic[Id]):
    """Things to be found by name or by a unique beginning of it."""

    def __init__(self, names: Mapping[Id, str]) -> None:
        """Take the `names` by id; the order is kept where several are told."""
        self.names = names

    def find(self, typed: Sequence[str]) -> tuple[Id, ...]:
        """Return all that these `words` may mean: exact names, else names that begin so."""
        key = "".join(typed)
        exact = tuple(i for i, name in self.names.items() if key in _spellings(name))
        return exact or tuple(
            i for i, name in self.names.items() if any(s.startswith(key) for s in _spellings(name))
        )

    def longest(self, typed: Sequence[str]) -> tuple[int, tuple[Id, ...]]:
        """Return how many words from the first on name something, as many as possible, and what."""
        for n in range(min(len(typed), _MAX_WORDS), 0, -1):
            if found := self.find(typed[:n]):
                return n, found
        return 1, ()

    def near(self, typed: Sequence[str]) -> tuple[str, ...]:
        """Return names that look like the `words`, for a hint."""
        by_spelling = {s: name for name in self.names.values() for s in _spellings(name)}
        close = get_close_matches("".join(typed), sorted(by_spelling), n=2, cutoff=0.6)
        return tuple(dict.fromkeys(by_spelling[s] for s in close))


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
_BY_JUMP: Final = ("by", "jump")
_NONE: Final = frozenset({"nothing", "none", "no", "zero"})
_THINGS: Final = frozenset({
    "plant", "plants", "number", "elektro", "the", "a", "of", "token", "tokens", "unit", "units",
    "barrel", "barrels", "fuel", "fuels", "resource", "resources", "house", "houses", "city",
    "cities", "in", "them", "my", "any", "station", "stations",
})  # fmt: skip
"""Words of the rules that a line may hold beside what it says: "auction plant 5 for 5 Elektro"."""
_FRACTION: Final = re.compile(r"(?<![\w.,])\d+\.\d+(?![\w.])|(?<=\bbuy )\d+,\d+(?= )")
_JOINTS: Final = ((",",), ("and",))
_COMMENT: Final = re.compile(r"#(?!\d).*$", re.DOTALL)  # "#13" is a number
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
    command = _COMMENT.sub("", line).strip()
    verb, *rest = line_words(line) or ("",)
    if verb not in _READERS:
        raise _unknown(command, verb)
    try:
        if verb != "bid" and (broken := _FRACTION.search(command.casefold())):
            raise _Puzzled(_("{number} is no whole number").format(number=quoted(broken[0])))
        return _READERS[verb](_essential(verb, tuple(rest)), ruleset)
    except _Puzzled as why:
        reason = str(why) or _("{line} is not a move").format(line=quoted(command))
        raise Unread(reason, _example(verb, ruleset), verb) from why


def line_words(line: str) -> tuple[str, ...]:
    """Return the words of one line without its comment.

    A minus before a number is a word of its own.

    Raises:
        InvalidMove: longer than any line that could be meant.
    """
    command = _COMMENT.sub("", line).replace("#", "").strip()
    if len(command) > _MAX_LINE:
        raise InvalidMove(_("That line is too long for a move."))
    return words(_MINUS.sub(" minus ", command))


def _essential(verb: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that matter: without those of `_THINGS`, "none" as "nothing".

    Between names of cities such a word may be part of one, so there only the first ones go.
    """
    none = bool(rest) and rest[0] in _NONE and all(word in _THINGS for word in rest[1:])
    if none and verb in ("buy", "build", "power"):
        return _NOTHING
    if verb not in ("build", "region"):
        return tuple(word for word in rest if word not in _THINGS)
    at = next((at for at, word in enumerate(rest) if word not in _THINGS), 0)
    return rest[at:]


def _unknown(command: str, verb: str) -> Unread:
    if not command:
        return Unread(_("There is no move"), EXAMPLES["bid"])
    near = get_close_matches(verb, EXAMPLES, n=1)
    hint = EXAMPLES[near[0]] if near else ", ".join(EXAMPLES)
    meant = near[0] if near else ""
    return Unread(_("{line} is not a move").format(line=quoted(command)), hint, meant)


def _example(verb: str, ruleset: Ruleset) -> str:
    """Return the example of a verb, with cities and a region of this map."""
    if verb == "build":
        return "build " + ", ".join(city.name for city in ruleset.map.cities[:2])
    if verb == "region":
        return f"region {ruleset.map.regions[0].name}"
    return EXAMPLES[verb]


def quoted(text: str) -> str:
    """Return what was typed, in quotes, on one line, printable and not too long."""
    shown = "".join(filter(str.isprintable, one_line(text)))
    return f"'{shown[:60]}…'" if len(shown) > 60 else f"'{shown}'"


def _number(word: str) -> int:
    if not word.isdecimal():
        raise _Puzzled
    if len(word) > _MAX_DIGITS:
        raise _Puzzled(_("{number} is too large").format(number=quoted(word)))
    return int(word)


def _auction(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    match [word for word in rest if word != ","]:
        case [plant, "for" | "at", bid] | [plant, bid]:
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
    each = None
    if rest[-4:-2] == ("at", "most") and rest[-1] == "each":
        rest, each = rest[:-4], Elektro(_number(rest[-2]))
    stored = 0
    if rest[-2:] == ("from", "storage") and ruleset.burnt_coal_price is not None:
        rest, stored = rest[:-3], _number(rest[-3] if len(rest) > 2 else "")
    fuel, market = market_of(rest, ruleset)
    return BuyResources(_all_fuel(fuel), market or "", each, stored)


def market_of(rest: tuple[str, ...], ruleset: Ruleset) -> tuple[tuple[str, ...], str | None]:
    """Return the words before ``from``, and the market meant behind it as a move names it.

    None where no market is named.

    Raises:
        InvalidMove: there is no such market, or more than one is named.
    """
    if "from" not in rest:
        return rest, None
    at = rest.index("from")
    if not ruleset.other_markets:
        raise InvalidMove(_("There is one fuel market here: leave out what begins with from."))
    if "from" in rest[at + 1 :]:
        raise InvalidMove(_("A purchase is from one market: name one, at the end of the line."))
    found = Names({name: name for name in ruleset.market_names}).find(rest[at + 1 :])
    if len(found) != 1:
        raise InvalidMove(_("{word} is no fuel market here; there are {names}.").format(
            word=quoted(" ".join(rest[at + 1 :])), names=both(ruleset.market_names)
        ))  # fmt: skip
    return rest[:at], "" if found[0] == ruleset.main_market else found[0]


def _all_fuel(rest: tuple[str, ...]) -> Fuel:
    fuel, left = _fuel(rest)
    if left:
        raise _Puzzled
    return fuel


def _fuel(rest: tuple[str, ...]) -> tuple[Fuel, tuple[str, ...]]:
    """Return fuel from the beginning of the words, as far as it goes, and the words behind it."""
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
    jumps: list[CityId] = []
    for part in _split(rest):
        left = part
        while left:
            if cities and left[:2] == _BY_JUMP:
                jumps.append(_jump_to(cities[-1], ruleset))
                left = left[2:]
                continue
            n, found = names.longest(left)
            if found or left[:1] not in _JOINTS:
                cities.append(_only(left[:n], found, names))
            left = left[n:]
    if not cities:
        raise _Puzzled
    return BuildCities(tuple(cities), tuple(jumps))


def _jump_to(city: CityId, ruleset: Ruleset) -> CityId:
    """Return the city, if there are jumps at this table."""
    if not ruleset.free_jump:
        raise InvalidMove(_("There is no free jump at this table: leave out “by jump”."))
    return city


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
    """Return the one thing that was meant.

    Raises:
        InvalidMove: it could be several, told by name, or none.
    """
    if len(found) == 1:
        return found[0]
    shown = quoted(" ".join(typed))
    if found:
        candidates = either(names.names[i] for i in found)
        raise InvalidMove(_("{word} could be {names}.").format(word=shown, names=candidates))
    if near := names.near(typed):
        meant = either(near)
        raise InvalidMove(
            _("{word} is not on this map; did you mean {names}?").format(word=shown, names=meant)
        )
    raise InvalidMove(_("{word} is not on this map.").format(word=shown))


def _power(rest: tuple[str, ...], ruleset: Ruleset) -> Move:
    if rest in (("all",), ("everything",)):
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


def text(move: Move, ruleset: Ruleset) -> str:
    """Write a move so that `parse` reads it back."""
    match move:
        case ChooseRegion(region):
            return f"region {ruleset.region[region].name}"
        case BuyResources(amounts, market, each, stored):
            source = f" from {market}" if market else f" {stored} from storage" if stored else ""
            limit = "" if each is None else f" at most {each} each"
            return f"buy {fuel_text(amounts)}{source}{limit}"
        case BuildCities(cities, jumps):
            words_ = ((ruleset.city[c].name, " by jump" if c in jumps else "") for c in cities)
            names = ", ".join(name + way for name, way in words_)
            return f"build {names or 'nothing'}"
        case PowerPlants(runs):
            return f"power {_runs(runs)}"
        case PowerAll():
            return "power all"
        case _:
            return _auction_text(move)


def fuel_text(fuel: Fuel) -> str:
    """Return tokens in words: ``3 coal 1 oil``, or ``nothing``."""
    return " ".join(f"{n} {name}" for name, n in fuel.items()) or "nothing"


def _auction_text(move: OpenAuction | Bid | Pass | DiscardPlant) -> str:
    match move:
        case OpenAuction(plant, bid):
            return f"auction {plant} for {bid}"
        case Bid(amount):
            return f"bid {amount}"
        case Pass():
            return "pass"
        case DiscardPlant(plant, keep):
            return f"discard {plant}" + ("" if keep is None else f" keep {fuel_text(keep)}")
        case _:
            assert_never(move)


def _runs(runs: tuple[Run, ...]) -> str:
    if any(run.burn is not None for run in runs):
        return ", ".join(_run(run) for run in runs)
    return " ".join(_run(run) for run in runs) or "nothing"


def _run(run: Run) -> str:
    return f"{run.plant}" if run.burn is None else f"{run.plant} with {fuel_text(run.burn)}"
