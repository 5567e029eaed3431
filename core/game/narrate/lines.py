"""One sentence for each event."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from core.game import events as ev
from core.game.events import Event
from core.game.narrate import outcome, wording
from core.game.narrate.handover import names_after, names_before
from core.game.narrate.outcome import sealed_reason, victory
from core.game.narrate.people import PEOPLE
from core.game.rules.model import Ruleset
from core.game.types import CityId, Phase, Seat
from core.text import _


class Narrator:
    """Tells events in order, with the players' names by seat.

    It remembers opened envelopes, so that the purchase behind them explains its price.
    """

    def __init__(self, ruleset: Ruleset, names: Sequence[str], log: Iterable[Event] = ()) -> None:
        """Tell of a game by these rules. `names` are those at the end of the `log` to be told."""
        self.ruleset = ruleset
        self._names = names_before(names, log)
        self._envelopes: ev.SealedBidsOpened | None = None

    def line(self, event: Event) -> str | None:
        """What happened, in the reader's language; None where there is nothing to tell."""
        told = _TELL[type(event)](self, event)
        self._envelopes = event if isinstance(event, ev.SealedBidsOpened) else None
        if isinstance(event, ev.SeatTaken):
            self._names = names_after(self._names, event)
        return told

    def after(self, event: ev.SeatTaken) -> "Narrator":
        """Tells what comes when a seat has changed hands."""
        return Narrator(self.ruleset, names_after(self._names, event))

    def name(self, seat: Seat) -> str:
        """The player of a seat."""
        return self._names[seat]

    def names(self, seats: Sequence[Seat]) -> str:
        """``Anna, Ben and Clara``."""
        return wording.both(self.name(seat) for seat in seats)

    def city(self, city: CityId) -> str:
        """A city's name."""
        return self.ruleset.city[city].name

    def order(self, seats: Sequence[Seat]) -> str:
        """``Anna, Ben, Clara``, as they come."""
        return ", ".join(self.name(seat) for seat in seats)

    def bought(self, event: ev.PlantBought) -> str:
        """The purchase, and why it cost so much if envelopes decided it."""
        sentence = _("{name} bought plant {plant} for {price}").format(
            name=self.name(event.seat), plant=event.plant, price=event.price
        )
        if self._envelopes is None:
            return _("{sentence}.").format(sentence=sentence)
        reason = sealed_reason(event, self._envelopes.bids, self.name)
        return _("{sentence}: {reason}.").format(sentence=sentence, reason=reason)

    def envelopes(self, bids: Sequence[ev.SealedBid]) -> str:
        """``Anna 15, Ben 10, Clara passed``."""
        given = [
            _("{name} {amount}").format(name=self.name(b.seat), amount=b.maximum)
            for b in bids
            if b.maximum is not None
        ]
        passed = [
            _("{name} passed").format(name=self.name(b.seat)) for b in bids if b.maximum is None
        ]
        return ", ".join(given + passed)

    def ended(self, event: ev.GameEnded) -> str:
        """Who has won, and why."""
        return victory(event.standings, self.ruleset.tie_breaks, self.name)


def phase_name(phase: Phase) -> str:
    """A phase in the reader's language."""
    return {
        Phase.REGIONS: _("Choosing regions"),
        Phase.AUCTION: _("Auction"),
        Phase.RESOURCES: _("Buying fuel"),
        Phase.BUILDING: _("Building"),
        Phase.BUREAUCRACY: _("Bureaucracy"),
        Phase.FINISHED: _("The end"),
    }[phase]


def boxed(event: ev.PlantBoxed) -> str:
    """Why a plant left the game."""
    reasons = {
        "obsolete": _("plant {plant} has become too small and left the market"),
        "too-small": _("plant {plant} was drawn and was too small already"),
        "no-sale": _("nobody bought a plant, so plant {plant} left the market"),
        "step-2": _("plant {plant} left the market with the beginning of Step 2"),
        "step-3": _("plant {plant} left the market with the Step 3 card"),
        "rotation": _("plant {plant} left the market as the lowest"),
        "below-token": _("plant {plant} was drawn below the discount token and left the game"),
        "unsold-token": _("plant {plant} left the market unsold with the discount token"),
    }
    return reasons[event.because].format(plant=event.plant)


def drawn(event: ev.PlantDrawn) -> str:
    """A card came to the market."""
    return _("{card} came to the market").format(card=wording.card(event.plant))


def _started(told: Narrator, event: ev.GameStarted) -> str:
    rules = event.ruleset
    if not event.regions:
        return _("The game began on the map {map}; players choose the regions.").format(
            map=rules.map.name
        )
    return _("The game began on the map {map}, regions {regions}.").format(
        map=rules.map.name, regions=wording.both(rules.region[r].name for r in event.regions)
    )


def _region(told: Narrator, event: ev.RegionChosen) -> str:
    return _("{name} added the region {region}.").format(
        name=told.name(event.seat), region=told.ruleset.region[event.region].name
    )


def _round(told: Narrator, event: ev.RoundBegan) -> str:
    return _("Round {round} began; turn order: {order}.").format(
        round=event.round, order=told.order(event.order)
    )


def _order(told: Narrator, event: ev.OrderChanged) -> str:
    return _("Turn order is now {order}.").format(order=told.order(event.order))


def _phase(told: Narrator, event: ev.PhaseBegan) -> str:
    return _("{phase} began.").format(phase=phase_name(event.phase))


def _opened(told: Narrator, event: ev.AuctionOpened) -> str:
    text = (
        _("{name} put up plant {plant}; sealed bids from {bid} on.")
        if event.sealed
        else _("{name} put up plant {plant} and bid {bid}.")
    )
    return text.format(name=told.name(event.seat), plant=event.plant, bid=event.bid)


def _bid(told: Narrator, event: ev.BidPlaced) -> str:
    return _("{name} bid {amount}.").format(name=told.name(event.seat), amount=event.amount)


def _discarded(told: Narrator, event: ev.PlantDiscarded) -> str:
    text = (
        _("{name} gave up plant {plant} and lost {fuel}.")
        if event.lost
        else _("{name} gave up plant {plant}.")
    )
    return text.format(name=told.name(event.seat), plant=event.plant, fuel=wording.fuel(event.lost))


def _fuel(told: Narrator, event: ev.FuelBought) -> str:
    if not event.amounts:
        return _("{name} bought no fuel.").format(name=told.name(event.seat))
    return _("{name} bought {fuel} for {cost}.").format(
        name=told.name(event.seat), fuel=wording.fuel(event.amounts), cost=event.cost
    )


def _city(told: Narrator, event: ev.CityConnected) -> str:
    values = {
        "name": told.name(event.seat),
        "city": told.city(event.city),
        "price": event.house_cost + event.connection_cost,
        "house": event.house_cost,
        "way": event.connection_cost,
    }
    if len(event.path) < 2:
        return _("{name} built in {city} for {price}.").format(**values)
    return _("{name} built in {city} for {price} (house {house}, {way} by way of {path}).").format(
        path=", ".join(told.city(city) for city in event.path[:-1]), **values
    )


def _run(told: Narrator, event: ev.PlantsRun) -> str:
    if not event.plants:
        return _("{name} powered nothing and was paid {income}.").format(
            name=told.name(event.seat), income=event.income
        )
    return _("{name} ran {plants}, burned {fuel}, powered {cities}, was paid {income}.").format(
        name=told.name(event.seat),
        plants=wording.plants(event.plants),
        fuel=wording.fuel(event.burned),
        cities=wording.cities(event.powered),
        income=event.income,
    )


def _abandoned(_told: Narrator, event: ev.GameAbandoned) -> str:
    return outcome.abandoned(event)


def _by_name(text: Callable[[], str]) -> Callable[[Narrator, Any], str]:
    return lambda told, event: text().format(name=told.name(event.seat))


def _plain(text: Callable[[Any], str]) -> Callable[[Narrator, Any], str]:
    """A sentence that needs no name: its first letter is made large."""

    def tell(_told: Narrator, event: Any) -> str:
        words = text(event)
        return _("{sentence}.").format(sentence=words[:1].upper() + words[1:])

    return tell


_TELL: Final[dict[type[Event], Callable[[Narrator, Any], str | None]]] = {
    ev.GameStarted: _started,
    ev.RegionChosen: _region,
    ev.RoundBegan: _round,
    ev.OrderChanged: _order,
    ev.PhaseBegan: _phase,
    ev.TokenPlaced: _plain(
        lambda e: _("the discount token lies on plant {plant}").format(plant=e.plant)
    ),
    ev.TokenRemoved: _plain(lambda e: _("the discount token is gone for this round")),
    ev.AuctionOpened: _opened,
    ev.AuctionDeclined: _by_name(lambda: _("{name} passed and buys no plant in this round.")),
    ev.BidPlaced: _bid,
    ev.BidPassed: _by_name(lambda: _("{name} dropped out.")),
    ev.SealedBidGiven: _by_name(lambda: _("{name} handed in a sealed bid.")),
    ev.SealedBidsOpened: lambda told, e: _("The sealed bids: {bids}.").format(
        bids=told.envelopes(e.bids)
    ),
    ev.PlantBought: Narrator.bought,
    ev.PlantDiscarded: _discarded,
    ev.PlantDrawn: _plain(drawn),
    ev.PlantBoxed: _plain(boxed),
    ev.PlantPutUnder: _plain(
        lambda e: _("plant {plant} went under the stack").format(plant=e.plant)
    ),
    ev.Step3CardBoxed: _plain(lambda e: _("the Step 3 card left the game")),
    ev.StackShuffled: _plain(lambda e: _("the stack was shuffled")),
    ev.StepReached: _plain(lambda e: _("Step {step} began").format(step=e.step)),
    ev.FuelBought: _fuel,
    ev.CityConnected: _city,
    ev.BuildingEnded: lambda told, e: None,
    ev.PlantsRun: _run,
    ev.FuelRefilled: _plain(
        lambda e: _("new fuel came to the market: {fuel}").format(fuel=wording.fuel(e.amounts))
    ),
    ev.GameEnded: Narrator.ended,
    ev.GameAbandoned: _abandoned,
    **PEOPLE,
}
