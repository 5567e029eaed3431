"""A bot that plays any legal move."""

from collections.abc import Callable, Sequence
from itertools import count, product
from typing import Any, Final, TypeVar

from core.game.board.storage import mixes, stock
from core.game.chance import Chance
from core.game.moves import (
    Bid,
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
from core.game.observe import PlayerView
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    DiscardOffer,
    FuelOffer,
    Offer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
    built,
)
from core.game.prices import next_targets
from core.game.types import Elektro, Fuel, Resource

T = TypeVar("T")
_MOST_CITIES: Final = 5  # in one turn
_HYBRID_FUELS: Final = (Resource.COAL, Resource.OIL)


class RandomBot:
    """Draws its move from all that is offered, odd moves included: dear, useless, wasteful ones."""

    def __init__(self, seed: str = "") -> None:
        """`seed`: another one makes another player of the same habits."""
        self._seed = seed

    def move(self, view: PlayerView) -> Move:
        """Return a legal move, the same for the same seed, seat and position."""
        if view.offer is None:
            raise ValueError("this seat is not asked")
        draw = _Draw(f"{self._seed}:{view.seat}:{view.seq}")
        return _MOVES[type(view.offer)](draw, view, view.offer)


class _Draw:
    """Draws for one move."""

    def __init__(self, seed: str) -> None:
        self._chance = Chance(seed)
        self._numbers = count()

    def one_of(self, choices: Sequence[T]) -> T:
        """Each as likely as the others."""
        return self._chance.pick(choices, str(next(self._numbers)))

    def order(self, things: Sequence[T]) -> tuple[T, ...]:
        return self._chance.shuffled(things, str(next(self._numbers)))


def _region(draw: _Draw, _view: PlayerView, offer: RegionOffer) -> Move:
    return ChooseRegion(draw.one_of(offer.regions))


def _opening(draw: _Draw, _view: PlayerView, offer: OpeningOffer) -> Move:
    plant = draw.one_of((*offer.plants, None) if offer.may_pass else offer.plants)
    return Pass() if plant is None else OpenAuction(
        plant.plant, _amount(draw, plant.minimum, offer.maximum)
    )  # fmt: skip


def _bid(draw: _Draw, _view: PlayerView, offer: BidOffer) -> Move:
    if offer.minimum > offer.maximum or draw.one_of((True, False)):
        return Pass()
    return Bid(_amount(draw, offer.minimum, offer.maximum))


def _amount(draw: _Draw, least: Elektro, most: Elektro) -> Elektro:
    """Anywhere between the two, every second time the least: money is soon gone as it is."""
    return Elektro(draw.one_of(range(least, draw.one_of((least, most)) + 1)))


def _discard(draw: _Draw, _view: PlayerView, offer: DiscardOffer) -> Move:
    choice = draw.one_of(offer.choices)
    only = len(choice.keeps) == 1 and draw.one_of((True, False))
    return DiscardPlant(choice.plant, None if only else draw.one_of(choice.keeps))


def _purchase(draw: _Draw, _view: PlayerView, offer: PurchaseOffer) -> Move:
    """Fuel by fuel in any order, of each as many as the others have left room and money for."""
    if offer.others:
        offer = draw.one_of(offer.by_market)
    bought, purse = Fuel(), offer.elektro
    for fuel in draw.order(offer.fuels):
        both = offer.coal_or_oil - bought.coal - bought.oil
        room = both if fuel.resource in _HYBRID_FUELS else len(fuel.costs)
        amount, price = draw.one_of(_affordable(fuel, room, purse))
        bought, purse = bought + Fuel.of(fuel.resource, amount), Elektro(purse - price)
    return BuyResources(bought, offer.market if bought else "")


def _affordable(fuel: FuelOffer, room: int, purse: Elektro) -> list[tuple[int, Elektro]]:
    """Numbers of tokens with their price, from none on."""
    priced = [(0, Elektro(0)), *enumerate(fuel.costs, start=1)]
    return [(amount, price) for amount, price in priced if amount <= room and price <= purse]


def _building(draw: _Draw, view: PlayerView, offer: BuildOffer) -> Move:
    """One city after the other, near or far, until there are as many as were drawn."""
    chain: list[BuildTarget] = []
    targets: Sequence[BuildTarget] = offer.targets
    for _ in range(draw.one_of(range(_MOST_CITIES + 1))):
        if not targets:
            break
        chain.append(draw.one_of(targets))
        targets = next_targets(view, chain)
    return built(chain)


def _power(draw: _Draw, view: PlayerView, offer: PowerOffer) -> Move:
    """Any plants that can run together, with any mix that the hybrids among them can burn."""
    if draw.one_of((True, False)):
        return PowerAll()
    numbers = draw.one_of(offer.choices).plants
    return PowerPlants(draw.one_of(_runs(view, numbers)))


def _runs(view: PlayerView, numbers: Sequence[Any]) -> list[tuple[Run, ...]]:
    me = view.viewer
    fuel = stock(view.ruleset, view.plants_of(me.seat), me.fuel)
    plants = [view.ruleset.plant[number] for number in numbers]

    def burned(way: Sequence[Fuel], hybrid: bool) -> Fuel:
        return sum((b for p, b in zip(plants, way, strict=True) if p.hybrid is hybrid), Fuel())

    ways = [
        way
        for way in product(*(mixes(plant, me.fuel) for plant in plants))
        if fuel.allows(burned(way, False), burned(way, True))
    ]
    named = [tuple(map(Run, numbers, way)) for way in ways]
    return [tuple(map(Run, numbers)), *named]


_MOVES: Final[dict[type[Offer], Callable[..., Move]]] = {
    RegionOffer: _region,
    OpeningOffer: _opening,
    BidOffer: _bid,
    DiscardOffer: _discard,
    PurchaseOffer: _purchase,
    BuildOffer: _building,
    PowerOffer: _power,
}
