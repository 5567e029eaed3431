"""One sentence for each event."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

from core.game import events as ev
from core.game.events import Event, SeatTaken
from core.game.narrate import wording
from core.game.narrate.wording import sealed_reason, victory
from core.game.rules.knobs import Ruleset
from core.game.types import CityId, Phase, Seat
from core.lists import both, clauses, sentences, series
from core.text import _, ngettext


class Names(Protocol):
    """What knows the players' names."""

    def name(self, seat: Seat) -> str:
        """Return the player of a seat."""


Tell = Callable[[Any, Any], str | None]


def _who(by: ev.Authority) -> str:
    """Return who acts: begins the sentence."""
    return {
        "host": _("The host"),
        "vote": _("A majority of the players"),
        "service": _("The service"),
    }[by]


def _acted(text: Callable[[], str]) -> Tell:
    def tell(told: Names, event: Any) -> str:
        seat = getattr(event, "seat", None)
        name = "" if seat is None else told.name(seat)
        return text().format(who=_who(event.by), name=name, reason=event.reason)

    return tell


def _extended(told: Names, event: ev.DeadlineExtended) -> str:
    text = ngettext(
        "{who} gave one hour more: {reason}",
        "{who} gave {hours} hours more: {reason}",
        event.hours,
    ).format(who=_who(event.by), hours=event.hours, reason=event.reason)
    moved = [
        _("{name}: due {after}, before it was {before}").format(
            name=told.name(turn.seat), before=_instant(turn.before), after=_instant(turn.after)
        )
        for turn in event.turns
    ]
    return (
        _("{sentence} ({deadlines})").format(sentence=text, deadlines=clauses(moved))
        if moved
        else text
    )


def _instant(iso: str) -> str:
    """Return an instant of an event as people read it; a log has no reader's zone, so it is UTC."""
    return f"{iso[:16].replace('T', ' ')} UTC"


def _grace(told: Names, event: ev.GraceGiven) -> str:
    return ngettext(
        "{name} was late and has one hour more.",
        "{name} was late and has {count} hours more.",
        event.hours,
    ).format(name=told.name(event.seat), count=event.hours)


def _vacation(told: Names, event: ev.VacationBegan) -> str:
    text = ngettext(
        "{name} is away for one day.", "{name} is away for {count} days.", event.days
    ).format(name=told.name(event.seat), count=event.days)
    if not event.sitter:
        return text
    return _("{sentence} {sitter} may move meanwhile.").format(sentence=text, sitter=event.sitter)


def _sitter(told: Names, event: ev.MadeBySitter) -> str:
    return _("{sitter} moved for {name}.").format(sitter=event.sitter, name=told.name(event.seat))


def _seat_opened(told: Names, event: ev.SeatOpened) -> str:
    text = _("The seat of {name} is free for somebody else.").format(name=told.name(event.seat))
    if event.by == "service":
        return text
    if event.by == "player":
        left = _("{name} has left the game.").format(name=told.name(event.seat))
        return sentences([left, text, event.reason])
    decided = _("{who} decided: {sentence}").format(who=_who(event.by), sentence=text)
    return sentences([decided, event.reason])


def _taken(_told: Names, event: ev.SeatTaken) -> str:
    text = _("{name} plays in place of {former}.").format(name=event.name, former=event.former)
    if event.bot:
        text = _("A bot, {name}, plays in place of {former}.").format(
            name=event.name, former=event.former
        )
    if event.by in ("host", "vote"):
        text = _("{who} decided: {sentence}").format(who=_who(event.by), sentence=text)
    return sentences([text, event.reason])


def _rewound(told: Names, event: ev.Rewound) -> str:
    name = "" if event.seat is None else told.name(event.seat)
    if event.again:
        return _("{name} thought better of it: what was taken back counts again.").format(name=name)
    if event.by == "player":
        return _("{name} took back the last move.").format(name=name)
    if event.by == "consent":
        return _("A move of {name} was taken back; all who are affected agreed.").format(name=name)
    who = _who("host" if event.by == "host" else "vote")
    if event.seat is None:
        return _("{who} took moves back: {reason}").format(who=who, reason=event.reason)
    return _("{who} took back a move of {name}: {reason}").format(
        who=who, name=name, reason=event.reason
    )


def _ordered(told: Names, event: ev.MoveOrdered) -> str:
    if event.made:
        text = _("{name} had ordered move {n} ahead.")
        return text.format(name=told.name(event.seat), n=event.made)
    return _("{name} had ordered the next move ahead.").format(name=told.name(event.seat))


def _named(text: Callable[[], str]) -> Tell:
    return lambda told, event: text().format(name=told.name(event.seat))


PEOPLE: Final[dict[type[ev.Event], Tell]] = {
    ev.TurnMissed: _named(lambda: _("{name} missed the turn.")),
    ev.MoveForced: lambda told, event: None,
    ev.MoveOrdered: _ordered,
    ev.DraftPlayed: _named(lambda: _("{name} was late: the move that was saved is played.")),
    ev.CaretakerAppointed: _named(lambda: _("A bot plays for {name} from now on.")),
    ev.OwnerReturned: _named(lambda: _("{name} plays again.")),
    ev.DeadlineExtended: _extended,
    ev.GraceGiven: _grace,
    ev.VacationBegan: _vacation,
    ev.MadeBySitter: _sitter,
    ev.SeatOpened: _seat_opened,
    ev.SeatTaken: _taken,
    ev.GamePaused: _acted(lambda: _("{who} paused the game: {reason}")),
    ev.GameResumed: _acted(lambda: _("{who} let the game go on: {reason}")),
    ev.TurnSkipped: _acted(lambda: _("{who} skipped the turn of {name}: {reason}")),
    ev.MoveCorrected: _acted(lambda: _("{who} corrected a move of {name}: {reason}")),
    ev.Rewound: _rewound,
    ev.OrdersRevealed: lambda told, event: _("All standing orders of the game can be read now."),
}
"""Sentences by kind of event."""


def names_before(names: Sequence[str], events: Iterable[Event]) -> tuple[str, ...]:
    """Return the names before these events happened, of those after them.

    >>> names_before(["Anna", "Dora"], [SeatTaken(1, "Cleo", "Ben"), SeatTaken(1, "Dora", "Cleo")])
    ('Anna', 'Ben')
    """
    former: dict[int, str] = {}
    for event in events:
        if isinstance(event, SeatTaken):
            former.setdefault(event.seat, event.former)
    return tuple(former.get(seat, name) for seat, name in enumerate(names))


def names_after(names: Sequence[str], event: SeatTaken) -> tuple[str, ...]:
    """Return the names from this event on."""
    return tuple(event.name if seat == event.seat else name for seat, name in enumerate(names))


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
        """Return what happened, in the reader's language; None where there is nothing to tell."""
        told = _TELL[type(event)](self, event)
        self._envelopes = event if isinstance(event, ev.SealedBidsOpened) else None
        if isinstance(event, ev.SeatTaken):
            self._names = names_after(self._names, event)
        return told

    def after(self, event: ev.SeatTaken) -> "Narrator":
        """Tells what comes when a seat has changed hands."""
        return Narrator(self.ruleset, names_after(self._names, event))

    def name(self, seat: Seat) -> str:
        """Return the player of a seat."""
        return self._names[seat]

    def names(self, seats: Sequence[Seat]) -> str:
        """Return ``Anna, Ben and Clara``."""
        return both(self.name(seat) for seat in seats)

    def city(self, city: CityId) -> str:
        """Return a city's name."""
        return self.ruleset.city[city].name

    def order(self, seats: Sequence[Seat]) -> str:
        """Return ``Anna, Ben, Clara``, as they come."""
        return series(self.name(seat) for seat in seats)

    def bought(self, event: ev.PlantBought) -> str:
        """Return the purchase, and why it cost so much if envelopes decided it."""
        sentence = _("{name} bought plant {plant} for {price}").format(
            name=self.name(event.seat), plant=event.plant, price=event.price
        )
        if self._envelopes is None:
            return _("{sentence}.").format(sentence=sentence)
        reason = sealed_reason(event, self._envelopes.bids, self.name)
        return _("{sentence}: {reason}.").format(sentence=sentence, reason=reason)

    def envelopes(self, bids: Sequence[ev.SealedBid]) -> str:
        """Return ``Anna 15, Ben 10, Clara passed``."""
        given = [
            _("{name} {amount}").format(name=self.name(b.seat), amount=b.maximum)
            for b in bids
            if b.maximum is not None
        ]
        hidden = [_("{name} the most").format(name=self.name(b.seat)) for b in bids if b.hidden]
        passed = [
            _("{name} passed").format(name=self.name(b.seat))
            for b in bids
            if b.maximum is None and not b.hidden
        ]
        return series(hidden + given + passed)

    def ended(self, event: ev.GameEnded) -> str:
        """Return who has won, and why."""
        return victory(event.standings, self.ruleset.tie_breaks, self.name)


def phase_name(phase: Phase) -> str:
    """Return a phase in the reader's language."""
    return {
        Phase.REGIONS: _("Choosing regions"),
        Phase.AUCTION: _("Auction"),
        Phase.RESOURCES: _("Buying fuel"),
        Phase.BUILDING: _("Building"),
        Phase.BUREAUCRACY: _("Bureaucracy"),
        Phase.FINISHED: _("The end"),
    }[phase]


def boxed(event: ev.PlantBoxed) -> str:
    """Return why a plant left the game."""
    reasons = {
        "obsolete": _("plant {plant} has become too small and left the market"),
        "too-small": _("plant {plant} was drawn and was too small already"),
        "no-sale": _("nobody bought a plant, so plant {plant} left the market"),
        "step-2": _("plant {plant} left the market with the beginning of Step 2"),
        "step-3": _("plant {plant} left the market with the Step 3 card"),
        "rotation": _("plant {plant} left the market as the lowest"),
        "below-token": _("plant {plant} was drawn below the discount token and left the game"),
        "unsold-token": _("plant {plant} left the market unsold with the discount token"),
        "first-decline": _("plant {plant} left the market with the first who declined to open"),
        "banned": _("plant {plant} is not for sale in Step 1 and left the game"),
        "surplus": _("plant {plant} left the market, which had more than are planned"),
        "each-round": _("plant {plant} left the market as the lowest of the round"),
    }
    return reasons[event.because].format(plant=event.plant)


def on_top(event: ev.PlantsOnTop) -> str:
    """Return which plants lie on top of the stack now."""
    text = _("plants {plants} came on top of the stack")
    return text.format(plants=series(event.plants))


def drawn(event: ev.PlantDrawn) -> str:
    """Return a card came to the market."""
    return _("{card} came to the market").format(card=wording.card(event.plant))


def _started(told: Narrator, event: ev.GameStarted) -> str:
    rules = event.ruleset
    if not event.regions:
        return _("The game began on the map {map}; players choose the regions.").format(
            map=_(rules.map.name)
        )
    return _("The game began on the map {map}, regions {regions}.").format(
        map=_(rules.map.name), regions=both(_(rules.region[r].name) for r in event.regions)
    )


def _region(told: Narrator, event: ev.RegionChosen) -> str:
    return _("{name} added the region {region}.").format(
        name=told.name(event.seat), region=_(told.ruleset.region[event.region].name)
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
        text = _("{name} bought no fuel.")
        if told.ruleset.buy_order == "one_token_in_turn":
            text = _("{name} buys no more fuel in this round.")
        return text.format(name=told.name(event.seat))
    text = _("{name} bought {fuel} for {cost}.")
    if event.market:
        text = _("{name} bought {fuel} for {cost} from the market {market}.")
    if event.from_storage:
        text = _("{name} bought {fuel} for {cost}; {stored} coal came from the storage.")
    return text.format(
        name=told.name(event.seat), fuel=wording.fuel(event.amounts), cost=event.cost,
        market=event.market, stored=event.from_storage,
    )  # fmt: skip


def set_aside(event: ev.PlantSetAside) -> str:
    """Return that a plant waits beside the stack."""
    return _("plant {plant} was set aside").format(plant=event.plant)


def used_up(event: ev.StackUsedUp) -> str:
    """Return what follows the last card of a stack."""
    if event.stack:
        return _("the stack is used up: the plants set aside were shuffled to be the next one")
    return _("the last stack is used up: all plants lie in one row")


def card_back(_event: ev.Step3CardBack) -> str:
    """Return that the Step 3 card has come once."""
    return _("the Step 3 card begins Step 2 and went under the shuffled stack")


def refilled(rules: Ruleset, event: ev.FuelRefilled) -> str:
    """Return what came, market by market where there are several: ``2 coal; North: 1 oil``."""
    others = zip(rules.market_names[1:], event.others, strict=True)
    return "; ".join((
        wording.fuel(event.amounts),
        *(_("{market}: {fuel}").format(market=name, fuel=wording.fuel(a)) for name, a in others),
    ))  # fmt: skip


def _city(told: Narrator, event: ev.CityConnected) -> str:
    values = {
        "name": told.name(event.seat),
        "city": told.city(event.city),
        "price": event.house_cost + event.connection_cost,
        "house": event.house_cost,
        "way": event.connection_cost,
    }
    if event.jump:
        return _("{name} built in {city} for {price}, by the free jump.").format(**values)
    if len(event.path) < 2:
        return _("{name} built in {city} for {price}.").format(**values)
    return _("{name} built in {city} for {price} (house {house}, {way} by way of {path}).").format(
        path=series(told.city(city) for city in event.path[:-1]), **values
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
    return wording.abandoned(event)


def _by_name(text: Callable[[], str]) -> Callable[[Narrator, Any], str]:
    return lambda told, event: text().format(name=told.name(event.seat))


def _plain(text: Callable[[Any], str]) -> Callable[[Narrator, Any], str]:
    """Return a sentence that needs no name: its first letter is made large."""

    def tell(_told: Narrator, event: Any) -> str:
        words = text(event)
        return _("{sentence}.").format(sentence=words[:1].upper() + words[1:])

    return tell


_TELL: Final[dict[type[Event], Callable[[Narrator, Any], str | None]]] = {
    ev.GameStarted: _started,
    ev.RegionChosen: _region,
    ev.RoundBegan: _round,
    ev.OrderChanged: _order,
    ev.CitiesBlocked: lambda told, e: _("Nobody builds in {cities}.").format(
        cities=both(told.city(city) for city in e.cities)
    ),
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
    ev.PlantsOnTop: _plain(on_top),
    ev.PlantSetAside: _plain(set_aside),
    ev.StackUsedUp: _plain(used_up),
    ev.Step3CardBack: _plain(card_back),
    ev.Step3CardBoxed: _plain(lambda e: _("the Step 3 card left the game")),
    ev.StackShuffled: _plain(lambda e: _("the stack was shuffled")),
    ev.StepReached: _plain(lambda e: _("Step {step} began").format(step=e.step)),
    ev.FuelBought: _fuel,
    ev.CityConnected: _city,
    ev.BuildingEnded: lambda told, e: None,
    ev.PlantsRun: _run,
    ev.FuelRefilled: lambda told, e: _("New fuel came to the market: {fuel}.").format(
        fuel=refilled(told.ruleset, e)
    ),
    ev.MinesSold: lambda told, e: _("{name} sold uranium at {price} and was paid {income}.").format(
        name=told.name(e.seat), price=e.price, income=e.income
    ),
    ev.MineTokensRemoved: lambda told, e: ngettext(
        "The mines’ track lost {n} token.", "The mines’ track lost {n} tokens.", e.tokens
    ).format(n=e.tokens),
    ev.LastIncome: lambda told, e: _("After the outage all were paid once more: {incomes}.").format(
        incomes=series(f"{told.name(Seat(n))} {paid}" for n, paid in enumerate(e.incomes))
    ),
    ev.GameEnded: Narrator.ended,
    ev.GameAbandoned: _abandoned,
    **PEOPLE,
}
