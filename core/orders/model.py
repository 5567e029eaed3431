"""What can be ordered ahead. An envelope is nothing but several orders given at once.

Orders are private to their seat. They stay outside the log; what they do is an ordinary move.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from core.game.moves import Move, PowerAll, PowerPlants
from core.game.types import CityId, Elektro, Fuel, Phase, PlantNumber

COURSE: Final = (Phase.AUCTION, Phase.RESOURCES, Phase.BUILDING, Phase.BUREAUCRACY)
"""The phases of a round, in order."""
NO_MONEY: Final = Elektro(0)
BEST: Final = PowerAll()


@dataclass(frozen=True, slots=True)
class Limit:
    """Bid up to `most` Elektro on one plant whenever it is up, until that plant is gone."""

    plant: PlantNumber
    most: Elektro


@dataclass(frozen=True, slots=True)
class LimitOff:
    """Take the limit on a plant back. Not an order that is kept, but one that ends another."""

    plant: PlantNumber


@dataclass(frozen=True, slots=True)
class Wish:
    """A plant to open or to bid on, and the most to pay for it in Elektro."""

    plant: PlantNumber
    most: Elektro


@dataclass(frozen=True, slots=True)
class AuctionSheet:
    """A whole auction phase: open the first wish that can be had, bid up to its limit, else pass.

    `keep`: Elektro that stay in the purse. `others`: the most for any plant that is not wished,
    None to pass there. `discard`: the plant that goes where one must. No wish at all: pass.
    """

    wishes: tuple[Wish, ...] = ()
    keep: Elektro = NO_MONEY
    discard: PlantNumber | None = None
    others: Elektro | None = None


@dataclass(frozen=True, slots=True)
class FuelOrder:
    """Fill `plants` in this order, as far as the conditions go; None: all plants, () buys nothing.

    `loads`: fuel for so many runs (1 or 2) of each plant, with what is there already.
    `each`: the most a token, `total`: the most in all, `keep`: what stays, all in Elektro.
    `market`: the one to buy from, "" the main one; None: the one that fills most, then the cheaper.
    `until`: in place of plants, buy until so much is in store.
    """

    plants: tuple[PlantNumber, ...] | None
    loads: int = 1
    each: Elektro | None = None
    total: Elektro | None = None
    keep: Elektro = NO_MONEY
    market: str | None = None
    until: Fuel | None = None


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """Build `cities` in order of wish, leaving out what the conditions forbid; () builds nothing.

    `each`: the most a city with its way, `budget`: the most in all, `keep`: what stays, in
    Elektro. `stop_at`: so many cities are enough. `before_step`: do not set off Step 2.
    `exact`: all of it, or ask. `jumps`: of the cities, those reached by the free jump.
    """

    cities: tuple[CityId, ...]
    each: Elektro | None = None
    budget: Elektro | None = None
    keep: Elektro = NO_MONEY
    stop_at: int | None = None
    before_step: bool = False
    exact: bool = False
    jumps: tuple[CityId, ...] = ()


@dataclass(frozen=True, slots=True)
class PowerOrder:
    """Run these plants; by default those that power most cities with least fuel."""

    move: PowerAll | PowerPlants = BEST


Order = Limit | AuctionSheet | FuelOrder | BuildOrder | PowerOrder
Kind = Literal["limit", "auction", "fuel", "build", "power"]


@dataclass(frozen=True, slots=True)
class Standing:
    """An order in force: the seat's `number` for it, and its `round`, None until it says otherwise.

    A limit has no round: it is in force until its plant is gone.
    """

    number: int
    order: Order
    round: int | None = None


def kind(order: Order) -> Kind:
    """Return the word for this kind of order, as the notation has it."""
    match order:
        case Limit():
            return "limit"
        case AuctionSheet():
            return "auction"
        case FuelOrder():
            return "fuel"
        case BuildOrder():
            return "build"
        case PowerOrder():
            return "power"


@dataclass(frozen=True, slots=True)
class Act:
    """Make this `move`; the order of this `number` says so. `remark`: what could not be had."""

    move: Move
    number: int
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """An order speaks of this but its condition does not hold: ask the owner and say why (M67)."""

    reason: str
    number: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """No order speaks of this question."""


Verdict = Act | Ask | Nothing


T = TypeVar("T", bound=Order)


def chosen(rows: Iterable[Standing], wanted: type[T], round_: int) -> tuple[int, T] | None:
    """Return the order of this kind for this round, with its number; None where there is none.

    One for this round comes before one for every round, then the one given last.
    """
    found = [
        (row.round is not None, row.number, row.order)
        for row in rows
        if isinstance(row.order, wanted) and row.round in (None, round_)
    ]
    best = max(found, key=lambda one: one[:2], default=None)
    return None if best is None else (best[1], best[2])
