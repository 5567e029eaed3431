"""What a move would do, told before it is made: in sentences of the future, and in sums.

Pages and programs tell the same. Nothing in here hangs on chance or on what others do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.game import events as ev
from core.game.events import Event
from core.game.moves import BuildCities, Move
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.phases.player_order import turn_order
from core.game.prices import runnable
from core.game.rules.knobs import Plant
from core.game.types import Elektro, Phase
from core.lists import both
from core.questions.question import MoveQuestion
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat could do as things stand: cities powered of those `owned`, and their income.

    `idle`: plants for which the fuel does not do.
    """

    elektro: Elektro
    powered: int
    owned: int
    income: Elektro
    idle: tuple[Plant, ...]

    @classmethod
    def of(cls, view: PlayerView) -> "Outlook":
        """Look at the viewer's seat."""
        me, plants = view.viewer, view.plants_of(view.viewer.seat)
        running = runnable(view.ruleset, plants, me.fuel)
        owned = len(me.cities)
        powered = min(owned, _cities(running))
        payment = view.ruleset.payment
        income = payment[min(powered, len(payment) - 1)]
        idle = tuple(plant for plant in plants if plant not in running)
        return cls(me.elektro or Elektro(0), powered, owned, income, idle)

    @property
    def text(self) -> str:
        """``powers 0 of 3 cities: income 10``."""
        text = ngettext(
            "powers {n} of {owned} city: income {income}",
            "powers {n} of {owned} cities: income {income}",
            self.owned,
        )
        return text.format(n=self.powered, owned=self.owned, income=self.income)


@dataclass(frozen=True, slots=True)
class Effects:
    """A move tried out: what will happen, a sentence each, and the sums before → after."""

    lines: tuple[str, ...]
    sums: tuple[str, ...]

    @classmethod
    def of(
        cls,
        question: MoveQuestion[Any],
        move: Move,
        events: Sequence[Event],
        after: PlayerView,
        names: Sequence[str],
    ) -> "Effects":
        """Tell of a move that answers `question` and brings about these `events`."""
        told = (question.tell(event, move) or _sentence(question.view, event) for event in events)
        lines = [text for text in told if text]
        if isinstance(move, BuildCities) and not move.cities:
            lines.append(_("You will build nothing in this round."))
        sums = [*_changes(question.view, after), *_follows(question.view, after, names)]
        sums += [text for event in events for text in _rivals(question.view, event, names)]
        return cls(tuple(lines), (*sums, *question.stakes(after, move)))


def _changes(before: PlayerView, after: PlayerView) -> list[str]:
    """Before → after, for what changes; money, and what can be powered with it, always."""
    old, new = before.viewer, after.viewer
    owned, owns = before.plants_of(old.seat), after.plants_of(new.seat)
    then, now = Outlook.of(before), Outlook.of(after)
    pairs = [
        (_("cities {a} → {b}"), then.owned, now.owned),
        (_("plants {a} → {b} cities"), _cities(owned), _cities(owns)),
    ]
    sums = [text.format(a=a, b=b) for text, a, b in pairs if a != b]
    money = _("Elektro {a} → {b}") if then.elektro != now.elektro else _("{b} Elektro left")
    sums.insert(0, money.format(a=then.elektro, b=now.elektro))
    if before.phase is Phase.REGIONS or before.phase is Phase.BUREAUCRACY:
        return sums
    sums.append(now.text)
    if before.phase is Phase.RESOURCES and now.idle:
        text = ngettext(
            "not enough fuel for plant {plants}",
            "not enough fuel for plants {plants}",
            len(now.idle),
        )
        idle = both(str(plant.number) for plant in now.idle)
        sums.append(text.format(plants=idle))
    return sums


def _follows(before: PlayerView, after: PlayerView, names: Sequence[str]) -> list[str]:
    """Return what the move sets off: a Step, the end, another turn order."""
    had, has = len(before.viewer.cities), len(after.viewer.cities)
    numbers, sums = before.numbers, []
    by_cities = before.ruleset.step2_trigger == "cities"
    if by_cities and before.step == 1 and has >= numbers.step2_cities > had:
        sums.append(_("starts Step 2"))
    if has >= numbers.end_cities > had:
        sums.append(_("ends the game after this round"))
    # overtaken in the order of the next round, as things stand (R7.2)
    seat, ahead, still = before.viewer.seat, turn_order(before), turn_order(after)
    behind = still[: still.index(seat)]
    passed = [names[s] for s in ahead[: ahead.index(seat)] if s not in behind]
    if passed:
        sums.append(_("passes {names} in turn order").format(names=both(passed)))
    return sums


def _rivals(view: PlayerView, event: Event, names: Sequence[str]) -> list[str]:
    """Return who can still outbid an open bid, where the money of all of them is open."""
    if not isinstance(event, ev.AuctionOpened | ev.BidPlaced) or view.ruleset.auction == "sealed":
        return []
    bid = event.bid if isinstance(event, ev.AuctionOpened) else event.amount
    still = view.auction.bidders if view.auction else view.waiting
    purses = {seat: view.players[seat].elektro for seat in still if seat != event.seat}
    if None in purses.values():
        return []
    able = [names[seat] for seat, purse in purses.items() if purse is not None and purse > bid]
    if not able:
        return [_("nobody can outbid you")]
    return [_("can outbid you: {names}").format(names=both(able))]


def _cities(plants: Sequence[Plant]) -> int:
    return sum(plant.cities for plant in plants)


def _sentence(view: PlayerView, event: Event) -> str:
    """Return what an event will be, for who brings it about; empty where it says nothing."""
    tell = _WILL.get(type(event))
    return tell(view, event) if tell else ""


def _opened(view: PlayerView, event: ev.AuctionOpened) -> str:
    text = _("You will put up plant {plant} and bid {bid}.")
    if event.sealed:
        text = _("You will put up plant {plant}; sealed bids from {bid} on.")
    return text.format(plant=event.plant, bid=event.bid)


def _passed(view: PlayerView, _event: ev.BidPassed) -> str:
    plant = view.auction.plant if view.auction else ""
    return _("You will leave plant {plant} to the others, for good.").format(plant=plant)


def _bid(view: PlayerView, event: ev.BidPlaced) -> str:
    plant = view.auction.plant if view.auction else ""
    return _("You will bid {bid} on plant {plant}.").format(bid=event.amount, plant=plant)


def _discarded(_view: PlayerView, event: ev.PlantDiscarded) -> str:
    if not event.lost:
        return _("You will give up plant {plant}.").format(plant=event.plant)
    text = _("You will give up plant {plant} and lose {fuel}.")
    return text.format(plant=event.plant, fuel=wording.fuel(event.lost))


def _bought(_view: PlayerView, event: ev.FuelBought) -> str:
    if not event.amounts:
        return _("You will buy no fuel in this round.")
    text = _("You will buy {fuel} for {price} Elektro.")
    return text.format(fuel=wording.fuel(event.amounts), price=event.cost)


def _connected(view: PlayerView, event: ev.CityConnected) -> str:
    text = _("You will build in {city} for {total} Elektro: house {house}, connection {way}.")
    if event.jump:
        text = _("You will build in {city} by a free jump for {total} Elektro.")
    return text.format(
        city=view.ruleset.city[event.city].name,
        total=event.house_cost + event.connection_cost,
        house=event.house_cost,
        way=event.connection_cost,
    )


def _run(view: PlayerView, event: ev.PlantsRun) -> str:
    if not event.plants:
        return _("You will run nothing: income {income}.").format(income=event.income)
    text = _(
        "You will run plants {plants}, burn {fuel}: powers {n} of {owned} cities, income {income}."
    )
    return text.format(
        plants=both(str(number) for number in event.plants),
        fuel=wording.fuel(event.burned),
        n=event.powered,
        owned=len(view.viewer.cities),
        income=event.income,
    )


_WILL: Final[dict[type[Event], Callable[[PlayerView, Any], str]]] = {
    ev.RegionChosen: lambda view, event: _("You will add the region {region}.").format(
        region=_(view.ruleset.region[event.region].name)
    ),
    ev.AuctionOpened: _opened,
    ev.AuctionDeclined: lambda view, event: _("You will pass: no plant for you in this round."),
    ev.BidPlaced: _bid,
    ev.BidPassed: _passed,
    ev.PlantDiscarded: _discarded,
    ev.FuelBought: _bought,
    ev.CityConnected: _connected,
    ev.PlantsRun: _run,
}
"""Sentences by kind of event; a sealed bid is told by its question."""
