"""The entries of a report while they grow: several events become one line."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from core.game import events as ev
from core.game.narrate import wording
from core.game.narrate.lines import Narrator
from core.game.narrate.outcome import sealed_reason
from core.game.types import Elektro, Fuel, Seat
from core.text import _


@dataclass
class Entry(ABC):
    """Events `first` to `last` of the log, told in one line; `seats` took part, the actor first."""

    first: int
    last: int = 0
    seats: list[Seat] = field(default_factory=list)

    @abstractmethod
    def text(self, told: Narrator) -> str:
        """The line."""

    def take(self, seq: int, *seats: Seat) -> None:
        """One more event belongs here."""
        self.last = max(seq, self.first)
        self.seats += [seat for seat in seats if seat not in self.seats]


@dataclass
class Told(Entry):
    """A line that is ready."""

    line: str = ""

    def text(self, told: Narrator) -> str:
        """The line."""
        return self.line


@dataclass
class Undone(Told):
    """A line that was taken back; it is told alone, so that what counts is told as it counts."""

    def text(self, told: Narrator) -> str:
        """The line, and that it does not count."""
        return _("Taken back: {line}").format(line=self.line)


@dataclass
class Joined(Entry):
    """Things of one kind in one line, like all incomes of a round."""

    frame: str = ""
    parts: list[str] = field(default_factory=list)

    def text(self, told: Narrator) -> str:
        """The parts in their frame, which has a place for `parts`."""
        return self.frame.format(parts="; ".join(self.parts))


@dataclass
class Together(Entry):
    """Several players did the same, like passing."""

    frame: str = ""

    def text(self, told: Narrator) -> str:
        """The players in their frame, which has a place for `names`."""
        return self.frame.format(names=told.names(self.seats))


@dataclass
class Auction(Entry):
    """One auction from the first bid to the plant that fills the gap."""

    opened: ev.AuctionOpened | None = None
    bids: dict[Seat, Elektro] = field(default_factory=dict)
    given: list[Seat] = field(default_factory=list)
    envelopes: tuple[ev.SealedBid, ...] = ()
    sale: ev.PlantBought | None = None
    purse: Elektro | None = None
    given_up: list[str] = field(default_factory=list)
    market: list[str] = field(default_factory=list)

    def text(self, told: Narrator) -> str:
        """The sale with all that hangs on it, or how far the bidding has got."""
        head = self._sold(told, self.sale) if self.sale else self._running(told)
        return _("{sentence}.").format(sentence="; ".join([head, *self.given_up, *self.market]))

    def _sold(self, told: Narrator, sale: ev.PlantBought) -> str:
        text = _("{name} bought plant {plant} for {price}").format(
            name=told.name(sale.seat), plant=sale.plant, price=sale.price
        )
        if self.envelopes:
            reason = sealed_reason(sale, self.envelopes, told.name)
            text = _("{sale} ({reason}; sealed bids: {bids})").format(
                sale=text, reason=reason, bids=told.envelopes(self.envelopes)
            )
        elif rivals := self._bidders(told, but=sale.seat):
            text = _("{sale} against {rivals}").format(sale=text, rivals=wording.both(rivals))
        return with_purse(text, self.purse)

    def _running(self, told: Narrator) -> str:
        if self.opened is None:
            return ""
        text = _("{name} put up plant {plant} at {bid}").format(
            name=told.name(self.opened.seat), plant=self.opened.plant, bid=self.opened.bid
        )
        if self.given:
            return _("{opened}; sealed bids are in from {names}").format(
                opened=text, names=told.names(self.given)
            )
        bids = ", ".join(self._bidders(told, but=None))
        return _("{opened}; bids so far: {bids}").format(opened=text, bids=bids)

    def _bidders(self, told: Narrator, but: Seat | None) -> list[str]:
        return [
            _("{name} ({amount})").format(name=told.name(seat), amount=amount)
            for seat, amount in sorted(self.bids.items(), key=lambda bid: -bid[1])
            if seat != but
        ]


@dataclass
class Building(Entry):
    """One player's houses of a round."""

    houses: list[ev.CityConnected] = field(default_factory=list)
    purse: Elektro | None = None

    def text(self, told: Narrator) -> str:
        """Each city with its price, and the sum."""
        cities = wording.both(
            _("{city} ({price})").format(
                city=told.city(h.city), price=h.house_cost + h.connection_cost
            )
            for h in self.houses
        )
        total = sum(h.house_cost + h.connection_cost for h in self.houses)
        text = _("{name} built in {cities}").format(name=told.name(self.seats[0]), cities=cities)
        if len(self.houses) > 1:
            text = _("{built} for {total}").format(built=text, total=total)
        return _("{sentence}.").format(sentence=with_purse(text, self.purse))


def with_purse(text: str, purse: Elektro | None) -> str:
    """A purchase, and what is left where the reader may know it."""
    return (
        text if purse is None else _("{sentence}, has {purse}").format(sentence=text, purse=purse)
    )


def discarded(event: ev.PlantDiscarded) -> str:
    """A plant that was given up, as the end of a sentence."""
    if event.lost == Fuel():
        return _("gave up plant {plant}").format(plant=event.plant)
    return _("gave up plant {plant} and lost {fuel}").format(
        plant=event.plant, fuel=wording.fuel(event.lost)
    )
