"""Orders for building: city by city as the engine prices them, as far as the conditions go (R9)."""

from collections.abc import Sequence

from core.game import engine
from core.game.errors import IllegalMove
from core.game.events import CityConnected
from core.game.moves import BuildCities
from core.game.observe import PlayerView
from core.game.offers import BuildOffer
from core.game.types import CityId, Elektro
from core.orders import words
from core.orders.model import Act, Ask, BuildOrder, Nothing, Standing, Verdict, chosen
from core.orders.position import position


def building(view: PlayerView, offer: BuildOffer, rows: Sequence[Standing]) -> Verdict:
    """Build what the order allows; what it leaves out is said."""
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
    remark = words.left_out((*plan.refused, *plan.held_back))
    return Act(BuildCities(plan.cities), number, remark)


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
        """Are these the cities at which to stop?"""
        count = len(self.owned) + len(self.cities)
        return self._order.stop_at is not None and count >= self._order.stop_at

    def consider(self, city: CityId) -> None:
        """Build the city as the next one, or say why not."""
        move = BuildCities((*self.cities, city))
        try:
            events = engine.preview(self._position, self._seat, move)
        except IllegalMove as refusal:
            self.refused.append(str(refusal))
            return
        house = [event for event in events if isinstance(event, CityConnected)][-1]
        price = house.house_cost + house.connection_cost
        name = self._position.ruleset.city[city].name
        if self._order.before_step and self._sets_off_step_2():
            self.held_back.append(words.sets_off_step_2(name))
        elif self._order.each is not None and price > self._order.each:
            self.refused.append(words.too_dear_city(name, price, self._order.each))
        elif price > self.left:
            self.refused.append(words.over_budget(name, price, self.left))
        else:
            self.cities, self.left = move.cities, self.left - price

    def _sets_off_step_2(self) -> bool:
        """Would one city more start Step 2, which nobody else has earned yet (R12.1)?"""
        state = self._position
        needed = state.numbers.step2_cities
        count = len(self.owned) + len(self.cities) + 1
        return state.step == 1 and state.leader_cities < needed <= count
