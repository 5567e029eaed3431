"""A person who plans: the engineer's judgement put into standing orders, from a view alone."""

from dataclasses import replace

from core.bots.engineer import build, ladder
from core.bots.evaluation import Evaluation, Weights
from core.game.moves import BuildCities
from core.game.observe import PlayerSeen, PlayerView
from core.game.offers import BuildOffer, PowerOffer
from core.game.prices import next_targets
from core.game.types import STEP_3_CARD, Elektro, Fuel, PlantNumber
from core.orders.model import AuctionSheet, BuildOrder, FuelOrder, Limit, Order, PowerOrder, Wish

_SLACK = 12
"""Elektro by which a city may have become dearer than it is when the order is given."""
_SPARE_CITIES = 3
"""Cities more than are wanted, in case that others take some."""


def limits(view: PlayerView, known: frozenset[PlantNumber] = frozenset()) -> list[Order]:
    """Limit every plant that may be up next and has no limit yet, with the money of that time.

    That is each on show, and each that may still be drawn and be for sale at once.
    """
    most = ladder(Evaluation(_paid(view), Weights()), (*_on_show(view), *_may_come(view)))
    return [Limit(plant, most[plant]) for plant in most if plant not in known]


def sheet(view: PlayerView) -> AuctionSheet:
    """All plants on show that are worth their price, the best first, each up to its worth.

    In the first round, in which all must buy, each at least at its lowest bid.
    """
    outlook = Evaluation(view, Weights())
    worth = ladder(outlook, _on_show(view))
    if view.round == 1 and view.ruleset.opener_must_open != "never":
        worth = {plant: max(most, Elektro(plant)) for plant, most in worth.items()}
    wishes = (Wish(plant, most) for plant, most in worth.items() if most >= plant)
    return AuctionSheet(tuple(wishes), discard=_least(outlook))


def fuel(_view: PlayerView) -> FuelOrder:
    """Fuel for one run of all plants, as far as it goes."""
    return FuelOrder(None)


def building(view: PlayerView) -> BuildOrder:
    """Return the cities that pay, then more in case they are taken; stop at enough.

    As if the plants had their fuel already. Where money does not reach for a single one, none.
    """
    view = _fuelled(view)
    offer = BuildOffer(tuple(next_targets(view, ())), view.viewer.elektro or Elektro(0))
    move = build(Evaluation(replace(view, offer=offer), Weights()), offer)
    jumps = move.jumps if isinstance(move, BuildCities) else ()
    wanted = move.cities if isinstance(move, BuildCities) else ()
    if not wanted:
        return BuildOrder(())
    others = [t.city for t in offer.targets if t.city not in wanted and not t.jump]
    return BuildOrder(
        (*wanted, *others[:_SPARE_CITIES]),
        stop_at=len(view.viewer.cities) + len(wanted),
        jumps=jumps,
    )


def powering() -> PowerOrder:
    """Most cities with least fuel."""
    return PowerOrder()


def _least(outlook: Evaluation) -> PlantNumber | None:
    """Return the plant that is missed least, where the next one drives one out."""
    if len(outlook.plants) < outlook.view.numbers.plant_limit:
        return None
    rest = {
        plant.number: tuple(p for p in outlook.plants if p is not plant) for plant in outlook.plants
    }
    return max(rest, key=lambda number: outlook.worth(rest[number]))


def _on_show(view: PlayerView) -> list[PlantNumber]:
    return [plant for plant in view.market.cards if plant != STEP_3_CARD]


def _may_come(view: PlayerView) -> list[PlantNumber]:
    """Plants that nobody has seen and that would go below the future market."""
    seen = {*view.market.cards, *(plant for p in view.players for plant in p.plants)}
    below = min(view.market.future, default=STEP_3_CARD)
    return [p.number for p in view.ruleset.plants if p.number not in seen and p.number < below]


def _fuelled(view: PlayerView) -> PlayerView:
    """Return the view after buying what one run of all plants needs, at expected prices."""
    me, outlook = view.viewer, Evaluation(view, Weights())
    need = Fuel()
    for plant in outlook.plants:
        if plant.fuels:
            need += Fuel.of(min(plant.fuels, key=outlook.prices.__getitem__), plant.burns)
    held = Fuel(*map(max, need.counts(), me.fuel.counts()))
    price = outlook.fuel_value(held - me.fuel)
    return _with(view, replace(me, fuel=held, elektro=Elektro(max(0, int(outlook.purse - price)))))


def _paid(view: PlayerView) -> PlayerView:
    """Return the view with the money that the seat will have when the next plant is up."""
    offer, me = view.offer, view.viewer
    coming = offer.choices[0].income if isinstance(offer, PowerOffer) and offer.choices else 0
    paid = replace(me, elektro=Elektro((me.elektro or 0) + coming))
    return replace(_with(view, paid), offer=None)


def _with(view: PlayerView, me: PlayerSeen) -> PlayerView:
    return replace(view, players=tuple(me if p.seat == me.seat else p for p in view.players))
