"""Orders as text: one line an order, as forgiving as the notation of moves.

docs/standing-orders.md lists the lines; a test plays each of them through the parser.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.game import notation as moves
from core.game.errors import InvalidMove
from core.game.moves import BuildCities, BuyResources, PowerAll, PowerPlants
from core.game.rules.knobs import Ruleset
from core.game.types import Elektro, Fuel, PlantNumber
from core.orders.model import (
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    LimitOff,
    Order,
    PowerOrder,
    Wish,
)
from core.text import _


def text(order: Order | LimitOff, ruleset: Ruleset, every_round: bool = False) -> str:
    """Write an order so that `core.orders.notation.parse` reads it back."""
    line = _text(order, ruleset)
    return f"{line} every round" if every_round else line


def _text(order: Order | LimitOff, ruleset: Ruleset) -> str:
    match order:
        case Limit(plant, most):
            return f"limit {plant} to {most}"
        case LimitOff(plant):
            return f"limit {plant} off"
        case AuctionSheet():
            return _auction_text(order)
        case FuelOrder():
            return _fuel_text(order, ruleset)
        case BuildOrder():
            return _build_text(order, ruleset)
        case PowerOrder(move):
            return f"order {moves.text(move, ruleset)}"


def _auction_text(order: AuctionSheet) -> str:
    plants = [f"{wish.plant} to {wish.most}" for wish in order.wishes]
    others = [] if order.others is None else [f"others to {order.others}"]
    return _joined(
        f"order auction {', '.join((*plants, *others)) or 'nothing'}",
        ("keep {}", order.keep or None),
        ("discard {}", order.discard),
    )


def _fuel_text(order: FuelOrder, ruleset: Ruleset) -> str:
    named = "all" if order.plants is None else " ".join(map(str, order.plants)) or "nothing"
    if order.until is not None:
        named = f"up to {moves.fuel_text(order.until)}"
    if order.market is not None:
        named += f" from {order.market or ruleset.main_market}"
    return _joined(
        f"order fuel {named}",
        ("twice", True if order.loads == 2 else None),
        ("at most {} each", order.each),
        ("at most {}", order.total),
        ("keep {}", order.keep or None),
    )


def _build_text(order: BuildOrder, ruleset: Ruleset) -> str:
    return _joined(
        f"order {moves.text(BuildCities(order.cities, order.jumps), ruleset)}",
        ("at most {} each", order.each),
        ("at most {}", order.budget),
        ("keep {}", order.keep or None),
        ("stop at {}", order.stop_at),
        ("before step 2", order.before_step or None),
        ("or ask", order.exact or None),
    )


def _joined(line: str, *clauses: tuple[str, int | None]) -> str:
    said = [form.format(value) for form, value in clauses if value is not None]
    return " ".join((line, *said))


EXAMPLES: Final = {
    "limit": "limit 20 to 26",
    "auction": "order auction 13 to 26, 20 to 30 keep 15",
    "fuel": "order fuel 13 20 twice at most 4 each keep 15",
    "build": "order build {cities} at most 60",
    "power": "order power all",
}
"""One line for each kind of order."""

Words = tuple[str, ...]
Fields = Mapping[str, int]
_MAX_DIGITS: Final = 6
_JOINTS: Final = (",", "and")
_NOTHING: Final = ("nothing",)
_EVERY_ROUND: Final = ("every", "round")
_AUCTION: Final = {
    "keep N": "keep", "discard N": "discard",
    "others to N": "others", "others up to N": "others",
}  # fmt: skip
_FUEL: Final = {
    "at most N each": "each", "at most N in all": "total", "at most N": "total",
    "keep N": "keep", "twice": "twice", "once": "once",
}  # fmt: skip
_BUILD: Final = {
    "at most N each": "each", "at most N in all": "budget", "at most N": "budget",
    "keep N": "keep", "stop at N": "stop_at", "before step 2": "before_step", "or ask": "exact",
}  # fmt: skip
"""What may stand behind the plants or cities; N is a number. The longer form comes first."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a line orders, and whether for every round or for this one alone."""

    order: Order | LimitOff
    every_round: bool = False


class _Puzzled(Exception):
    """Why a line is no order; empty where its example says enough."""


def parse(line: str, ruleset: Ruleset) -> Said:
    """Read one line; what stands behind ``#`` is a comment.

    Raises:
        InvalidMove: not understood, or a plant or city that this game does not have; says the
            way out.
    """
    typed = moves.line_words(line)
    key = typed[:1] if typed[:1] == ("limit",) else typed[1:2]
    reader = _READERS.get(key[0]) if key and typed[0] in ("limit", "order") else None
    if reader is None:
        raise InvalidMove(_no_order(line, ruleset))
    rest = typed[1:] if key == ("limit",) else typed[2:]
    every = rest[-2:] == _EVERY_ROUND
    try:
        order = reader(rest[:-2] if every else rest, ruleset)
        if every and isinstance(order, Limit | LimitOff):
            raise _Puzzled(_("A limit holds until its plant is gone"))
    except _Puzzled as why:
        hint = _("try: {example}").format(example=_example(key[0], ruleset))
        reason = str(why) or _("{line} is not an order").format(line=moves.quoted(line))
        raise InvalidMove(f"{reason}; {hint}") from why
    return Said(order, every)


def _no_order(line: str, ruleset: Ruleset) -> str:
    lines = ", ".join(_example(key, ruleset) for key in EXAMPLES)
    said = moves.quoted(line.partition("#")[0])
    return _("{line} is not an order; try: {lines}").format(line=said, lines=lines)


def _example(key: str, ruleset: Ruleset) -> str:
    cities = ", ".join(city.name for city in ruleset.map.cities[:2])
    return EXAMPLES[key].format(cities=cities)


def _limit(rest: Words, ruleset: Ruleset) -> Limit | LimitOff:
    match rest:
        case [plant, "off"]:
            return LimitOff(_plant(plant, ruleset))
        case [plant, "to", most] | [plant, "up", "to", most] | [plant, most]:
            return Limit(_plant(plant, ruleset), Elektro(_number(most)))
        case _:
            raise _Puzzled


def _auction(rest: Words, ruleset: Ruleset) -> AuctionSheet:
    head, said = _clauses(rest, _AUCTION)
    if not head and "others" not in said:
        raise _Puzzled
    return AuctionSheet(
        wishes=() if head == _NOTHING else _wishes(head, ruleset),
        keep=Elektro(said.get("keep", 0)),
        discard=_plant(str(said["discard"]), ruleset) if "discard" in said else None,
        others=_elektro(said, "others"),
    )


def _wishes(head: Words, ruleset: Ruleset) -> tuple[Wish, ...]:
    wishes: list[Wish] = []
    left = tuple(word for word in head if word not in (*_JOINTS, "up"))
    while left:
        match left[:3]:
            case [plant, "to", most]:
                wishes.append(Wish(_plant(plant, ruleset), Elektro(_number(most))))
            case _:
                raise _Puzzled(_("Say up to how much for each plant"))
        left = left[3:]
    _once_each([wish.plant for wish in wishes])
    return tuple(wishes)


def _fuel(rest: Words, ruleset: Ruleset) -> FuelOrder:
    head, said = _clauses(rest, _FUEL)
    head, market = moves.market_of(head, ruleset)
    until = _until(head[2:], ruleset) if head[:2] == ("up", "to") else None
    listed = tuple(word for word in head if word not in _JOINTS) if until is None else _NOTHING
    if not listed or {"once", "twice"} <= said.keys():
        raise _Puzzled
    plants: tuple[PlantNumber, ...] | None = None
    if listed != ("all",):
        plants = () if listed == _NOTHING else tuple(_plant(word, ruleset) for word in listed)
    _once_each(plants or ())
    return FuelOrder(
        plants=plants,
        loads=2 if "twice" in said else 1,
        each=_elektro(said, "each"),
        total=_elektro(said, "total"),
        keep=Elektro(said.get("keep", 0)),
        market=market,
        until=until,
    )


def _until(head: Words, ruleset: Ruleset) -> Fuel | None:
    """Return tokens as a purchase names them."""
    move = moves.parse(" ".join(("buy", *head)), ruleset)
    return move.amounts if isinstance(move, BuyResources) else None


def _build(rest: Words, ruleset: Ruleset) -> BuildOrder:
    head, said = _clauses(rest, _BUILD)
    move = _move(head, ruleset)
    _once_each(move.cities)
    return BuildOrder(
        cities=move.cities,
        each=_elektro(said, "each"),
        budget=_elektro(said, "budget"),
        keep=Elektro(said.get("keep", 0)),
        stop_at=said.get("stop_at"),
        before_step="before_step" in said,
        exact="exact" in said,
        jumps=move.jumps,
    )


def _move(head: Words, ruleset: Ruleset) -> BuildCities:
    """Return the cities as a building move names them."""
    if not any(word not in _JOINTS for word in head):
        raise _Puzzled
    move = moves.parse(" ".join(("build", *head)), ruleset)
    return move if isinstance(move, BuildCities) else BuildCities(())


def _power(rest: Words, ruleset: Ruleset) -> PowerOrder:
    if not rest:
        raise _Puzzled
    move = moves.parse(" ".join(("power", *rest)), ruleset)
    if isinstance(move, PowerPlants) and not move.runs and not ruleset.may_underpower:
        raise _Puzzled(_("Here all power as many cities as they can"))
    if isinstance(move, PowerPlants):
        for run in move.runs:
            _plant(str(run.plant), ruleset)
        _once_each([run.plant for run in move.runs])
    return PowerOrder(move if isinstance(move, PowerPlants) else PowerAll())


def _clauses(rest: Words, known: Mapping[str, str]) -> tuple[Words, Fields]:
    """Return the words before the first clause, and the clauses' numbers (1 where none is said)."""
    start = next((i for i in range(len(rest)) if _clause(rest[i:], known)), len(rest))
    head, rest, said = rest[:start], rest[start:], dict[str, int]()
    while rest:
        if rest[0] in _JOINTS:
            rest = rest[1:]
            continue
        found = _clause(rest, known)
        if found is None:
            raise _Puzzled
        name, number, length = found
        if name in said:
            raise _Puzzled(_("{words} says again what was said").format(
                words=moves.quoted(" ".join(rest[:length]))
            ))  # fmt: skip
        said[name], rest = number, rest[length:]
    while head and head[-1] in _JOINTS:
        head = head[:-1]
    return head, said


def _clause(rest: Words, known: Mapping[str, str]) -> tuple[str, int, int] | None:
    """Return the clause that these words begin with: its name, its number, its length in words."""
    for form, name in known.items():
        pattern = form.split()
        if len(rest) < len(pattern):
            continue
        pairs = list(zip(pattern, rest, strict=False))
        if all(word == p or (p == "N" and word.isdecimal()) for p, word in pairs):
            numbers = [_number(word) for p, word in pairs if p == "N"]
            return name, numbers[0] if numbers else 1, len(pattern)
    return None


def _number(word: str) -> int:
    if not word.isdecimal():
        raise _Puzzled
    if len(word) > _MAX_DIGITS:
        raise _Puzzled(_("{number} is too large").format(number=moves.quoted(word)))
    return int(word)


def _plant(word: str, ruleset: Ruleset) -> PlantNumber:
    number = PlantNumber(_number(word))
    if number not in ruleset.plant:
        raise _Puzzled(_("There is no plant {plant} in this game").format(plant=number))
    return number


def _elektro(said: Fields, name: str) -> Elektro | None:
    return Elektro(said[name]) if name in said else None


def _once_each(things: Sequence[object]) -> None:
    if len(set(things)) < len(things):
        raise _Puzzled(_("Name each only once"))


_READERS: Final[Mapping[str, Callable[[Words, Ruleset], Order | LimitOff]]] = {
    "limit": _limit,
    "auction": _auction,
    "fuel": _fuel,
    "build": _build,
    "power": _power,
}
