"""What the standing orders of a seat make of the question it is asked.

It looks at nothing but the seat's own view, so no secret of another seat can come into a move. An
order whose condition does not hold does nothing but say so (M67).
"""

from collections.abc import Sequence
from typing import Final, Literal

from core.game import engine
from core.game.errors import IllegalMove
from core.game.events import (
    BuildingEnded,
    CityConnected,
    Event,
    FuelBought,
    GameAbandoned,
    GameEnded,
    PhaseBegan,
    PlantBought,
    PlantBoxed,
    PlantsRun,
    RoundBegan,
)
from core.game.evolve import replay
from core.game.moves import BuildCities
from core.game.observe import PlayerView, position
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
)
from core.game.phases.steps import step2_earned
from core.game.types import CityId, Elektro, Phase, Seat
from core.lists import sentences
from core.orders.bids import bidding, discarding, opening
from core.orders.model import (
    COURSE,
    Act,
    Ask,
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    Nothing,
    PowerOrder,
    Standing,
    Verdict,
    chosen,
)
from core.orders.purchase import buying
from core.statuses import OrderStatus
from core.text import _


def decide(view: PlayerView, standing: Sequence[Standing]) -> Verdict:
    """Answer the question in `view.offer` from the orders of its seat; a move is always legal.

    Nothing where the seat is not asked, or where no order speaks of the question.
    """
    verdict: Verdict = Nothing()
    match view.offer:
        case OpeningOffer() as offer:
            verdict = opening(view, offer, standing)
        case BidOffer() as offer:
            verdict = bidding(view, offer, standing)
        case DiscardOffer() as offer:
            verdict = discarding(view, offer, standing)
        case PurchaseOffer() as offer:
            verdict = buying(view, offer, standing)
        case BuildOffer() as offer:
            verdict = building(view, offer, standing)
        case PowerOffer():
            verdict = _powering(view, standing)
    return verdict


def building(view: PlayerView, offer: BuildOffer, rows: Sequence[Standing]) -> Verdict:
    """Build city by city, as far as the conditions go (R9); what is left out is said."""
    found = chosen(rows, BuildOrder, view.round)
    if found is None:
        return Nothing()
    number, order = found
    plan = Plan(view, order, offer.elektro)
    for city in order.cities:
        if city not in plan.owned and not plan.has_enough:
            plan.consider(city)
    failed = plan.refused or (plan.held_back if order.exact else [])
    if failed and (order.exact or not (plan.cities or plan.held_back)):
        return Ask(failed[0], number)
    reasons = sentences((*plan.refused, *plan.held_back))
    remark = _("Left out: {reasons}").format(reasons=reasons) if reasons else ""
    return Act(plan.move, number, remark)


class Plan:
    """A building turn that grows city by city; prices are the engine's own."""

    def __init__(self, view: PlayerView, order: BuildOrder, purse: Elektro) -> None:
        """Plan for the viewer, whose turn it is to build and who has `purse` Elektro."""
        self._order = order
        self._position = position(view)
        self._seat = view.viewer.seat
        self.owned = view.viewer.cities
        self.cities: tuple[CityId, ...] = ()
        self.left = max(0, purse - order.keep)
        if order.budget is not None:
            self.left = min(self.left, order.budget)
        self.refused: list[str] = []
        self.held_back: list[str] = []

    @property
    def has_enough(self) -> bool:
        """Return True if these are the cities at which to stop."""
        count = len(self.owned) + len(self.cities)
        return self._order.stop_at is not None and count >= self._order.stop_at

    @property
    def move(self) -> BuildCities:
        """The building turn so far."""
        return self._with()

    def _with(self, *more: CityId) -> BuildCities:
        cities = (*self.cities, *more)
        return BuildCities(cities, tuple(c for c in cities if c in self._order.jumps))

    def consider(self, city: CityId) -> None:
        """Build the city as the next one, or say why not."""
        move = self._with(city)
        try:
            events = engine.preview(self._position, self._seat, move)
        except IllegalMove as refusal:
            self.refused.append(str(refusal))
            return
        house = [event for event in events if isinstance(event, CityConnected)][-1]
        price = house.house_cost + house.connection_cost
        name = self._position.ruleset.city[city].name
        if self._order.before_step and self._sets_off_step_2(events):
            text = _("{city} is not built: it would set off Step 2.")
            self.held_back.append(text.format(city=name))
        elif self._order.each is not None and price > self._order.each:
            text = _("{city} costs {price} now, more than the {most} that you allowed.")
            self.refused.append(text.format(city=name, price=price, most=self._order.each))
        elif price > self.left:
            text = _("{city} costs {price} now; of what you allowed {left} are left.")
            self.refused.append(text.format(city=name, price=price, left=self.left))
        else:
            self.cities, self.left = move.cities, self.left - price

    def _sets_off_step_2(self, events: Sequence[Event]) -> bool:
        """Would these houses start Step 2, which nobody has earned yet (R12.1)?"""
        before, after = self._position, replay(events, self._position)
        return not step2_earned(before) and step2_earned(after)


def _powering(view: PlayerView, rows: Sequence[Standing]) -> Verdict:
    """Run what is ordered; whether that can run the engine says (R10.1)."""
    found = chosen(rows, PowerOrder, view.round)
    if found is None:
        return Nothing()
    number, order = found
    try:
        engine.preview(position(view), view.viewer.seat, order.move)
    except IllegalMove as refusal:
        return Ask(str(refusal), number)
    return Act(order.move, number)


Ending = Literal[OrderStatus.DONE, OrderStatus.LAPSED, OrderStatus.ENDED]
"""How time and the game end an order."""
_PHASE: Final[dict[type, Phase]] = {
    AuctionSheet: Phase.AUCTION,
    FuelOrder: Phase.RESOURCES,
    BuildOrder: Phase.BUILDING,
    PowerOrder: Phase.BUREAUCRACY,
}
_WORK: Final[dict[type, type]] = {
    FuelOrder: FuelBought,
    BuildOrder: BuildingEnded,
    PowerOrder: PlantsRun,
}


def ending(row: Standing, seat: Seat, event: Event, round_: int) -> Ending | None:
    """Return how this event, of round `round_`, ends an order of `seat`; None if it does not (M68).

    A limit ends with its plant, an order for one round with its own move or with its phase. An
    auction sheet lasts for the whole phase: a plant may have to go after the last bid. An order
    for every round ends only with the game.
    """
    if isinstance(event, GameEnded | GameAbandoned):
        return OrderStatus.ENDED
    if isinstance(row.order, Limit):
        return _limit(row.order, seat, event)
    return None if row.round is None else _in_its_round(row, seat, event, round_)


def _in_its_round(row: Standing, seat: Seat, event: Event, round_: int) -> Ending | None:
    kind = type(row.order)
    match event:
        case RoundBegan(round=begun):
            late = row.round is not None and begun > row.round
            return OrderStatus.LAPSED if late else None
        case PhaseBegan(phase=phase) if phase in COURSE and row.round == round_:
            late = COURSE.index(phase) > COURSE.index(_PHASE[kind])
            return OrderStatus.LAPSED if late else None
        case FuelBought(done=False):
            return None
        case FuelBought() | BuildingEnded() | PlantsRun() if row.round == round_:
            done = event.seat == seat and _WORK.get(kind) is type(event)
            return OrderStatus.DONE if done else None
        case _:
            return None


def _limit(order: Limit, seat: Seat, event: Event) -> Ending | None:
    match event:
        case PlantBought(plant=plant, seat=buyer) if plant == order.plant:
            return OrderStatus.DONE if buyer == seat else OrderStatus.LAPSED
        case PlantBoxed(plant=plant) if plant == order.plant:
            return OrderStatus.LAPSED
        case _:
            return None
