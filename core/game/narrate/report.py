"""The log as a report: round, phase, player; what belongs together in one line.

The report is plain data. Pages, mails and text files render the same one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from core.game import events as ev
from core.game.events import Event, closing
from core.game.evolve import Fold
from core.game.narrate import wording
from core.game.narrate.lines import (
    Narrator,
    boxed,
    card_back,
    drawn,
    on_top,
    phase_name,
    refilled,
    set_aside,
    used_up,
)
from core.game.narrate.wording import sealed_reason
from core.game.rewind import Numbered, taken_back
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Phase, Seat
from core.lists import both, clauses, series
from core.text import _, ngettext


@dataclass
class Entry(ABC):
    """Events `first` to `last` of the log, told in one line; `seats` took part, the actor first."""

    first: int
    last: int = 0
    seats: list[Seat] = field(default_factory=list)

    @abstractmethod
    def text(self, told: Narrator) -> str:
        """Return the line."""

    def take(self, seq: int, *seats: Seat) -> None:
        """Take one more event into this entry."""
        self.last = max(seq, self.first)
        self.seats += [seat for seat in seats if seat not in self.seats]


@dataclass
class Told(Entry):
    """A line that is ready."""

    line: str = ""

    def text(self, told: Narrator) -> str:
        """Return the line."""
        return self.line


@dataclass
class Undone(Told):
    """A line that was taken back; it is told alone, so that what counts is told as it counts."""

    def text(self, told: Narrator) -> str:
        """Return the line, and that it does not count."""
        return _("Taken back: {line}").format(line=self.line)


@dataclass
class Joined(Entry):
    """Things of one kind in one line, like all incomes of a round."""

    frame: str = ""
    parts: list[str] = field(default_factory=list)

    def text(self, told: Narrator) -> str:
        """Return the parts in their frame, which has a place for `parts`."""
        return self.frame.format(parts=clauses(self.parts))


@dataclass
class Together(Entry):
    """Several players did the same, like passing."""

    frame: Callable[[int], str] = str

    def text(self, told: Narrator) -> str:
        """Return the players in their frame for so many, which has a place for `names`."""
        return self.frame(len(self.seats)).format(names=told.names(self.seats))


@dataclass
class Auction(Entry):
    """One auction from the first bid to the plant that fills the gap."""

    opened: ev.AuctionOpened | None = None
    bids: dict[Seat, Elektro] = field(default_factory=dict)
    given: list[Seat] = field(default_factory=list)
    envelopes: tuple[ev.SealedBid, ...] = ()
    sale: ev.PlantBought | None = None
    purse: Elektro | None = None
    passed: list[Seat] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    market: list[str] = field(default_factory=list)

    def text(self, told: Narrator) -> str:
        """Return the sale with all that hangs on it, or how far the bidding has got."""
        head = self._sold(told, self.sale) if self.sale else self._running(told)
        return _("{sentence}.").format(sentence=clauses([head, *self.given_up, *self.market]))

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
            text = _("{sale} against {rivals}").format(sale=text, rivals=both(rivals))
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
        bids = series(self._bidders(told, but=None))
        text = _("{opened}; bids so far: {bids}").format(opened=text, bids=bids)
        if not self.passed:
            return text
        passed = ngettext("{bids}; {names} passed", "{bids}; {names} passed", len(self.passed))
        return passed.format(bids=text, names=told.names(self.passed))

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
        """Return each city with its price, and the sum."""
        cities = both(
            (_("{city} ({price}, free jump)") if h.jump else _("{city} ({price})")).format(
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
    """Return a purchase, and what is left where the reader may know it."""
    return (
        text if purse is None else _("{sentence}, has {purse}").format(sentence=text, purse=purse)
    )


def discarded(event: ev.PlantDiscarded) -> str:
    """Return a plant that was given up, as the end of a sentence."""
    if event.lost == Fuel():
        return _("gave up plant {plant}").format(plant=event.plant)
    return _("gave up plant {plant} and lost {fuel}").format(
        plant=event.plant, fuel=wording.fuel(event.lost)
    )


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report: it tells the events `first` to `last`; `seats` took part.

    `new`: it tells of something that the reader has not seen yet. `undone`: it was taken back.
    """

    text: str
    seats: tuple[Seat, ...]
    first: int
    last: int
    new: bool
    undone: bool = False


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The lines of a phase; `phase` is None for what stands outside of any."""

    phase: Phase | None
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A round with its turn order; number 0 is what happened before the first."""

    number: int
    title: str
    phases: tuple[PhaseReport, ...]


class _Page:
    """The entries of a phase in the order of their first event."""

    def __init__(self, phase: Phase | None) -> None:
        self.phase = phase
        self.entries: list[Entry] = []
        self.by_key: dict[str, Entry] = {}


class _Chapter:
    """A round's pages."""

    def __init__(self, number: int, title: str) -> None:
        self.number = number
        self.title = title
        self.pages: list[_Page] = []


class Pages:
    """A report while it grows: the position, and a page for each phase."""

    def __init__(
        self, told: Narrator, viewer: Seat | None, open_money: bool, start: GameState | None
    ) -> None:
        self.told = told
        self._fold = Fold(start)
        self._viewer = viewer
        self._open_money = open_money
        self._before = start
        number = start.round if start else 0
        self._chapter = _Chapter(number, round_title(number))
        self._chapters = [self._chapter]
        self._page = self._turn_to(start.phase if start else None)
        self._narrators: dict[int, Narrator] = {}
        self._places: dict[int, tuple[_Chapter, _Page]] = {}
        self.seq = 0

    def turn(self, seq: int, event: Event) -> bool:
        """Fold the event; return True if it only begins another round or phase."""
        self.seq = seq
        self._before = self._fold.state
        self._fold.add(event)
        alone = self._turn(event)
        self._places[seq] = (self._chapter, self._page)
        return alone

    def _turn(self, event: Event) -> bool:
        match event:
            case ev.RoundBegan():
                self._chapter = _Chapter(event.round, self._title(event))
                self._chapters.append(self._chapter)
                return True
            case ev.PhaseBegan(phase=phase):
                self._page = self._turn_to(phase)
                return True
            case ev.Rewound(to=to):
                self._chapter, self._page = self._places.get(to, (self._chapter, self._page))
            case ev.SeatTaken():
                self.told = self.told.after(event)
            case ev.GameEnded() | ev.GameAbandoned():
                self._page = self._turn_to(Phase.FINISHED)
        return False

    def purse(self, seat: Seat) -> Elektro | None:
        """Return a player's money, None where the reader may not know it."""
        state = self._fold.state
        if state is None or not (self._open_money or seat == self._viewer):
            return None
        return state.players[seat].elektro

    def entry(self, key: str, make: Callable[[int], E], *seats: Seat) -> E:
        """Return the entry of this key on the page, made if there is none.

        The event belongs to it.
        """
        found = self._page.by_key.get(key)
        if found is None:
            found = make(self.seq)
            self._page.entries.append(found)
            self._narrators[found.first] = self.told
            if key:
                self._page.by_key[key] = found
        found.take(self.seq, *seats)
        return cast(E, found)

    def close(self, key: str) -> None:
        """Let the next event of this key begin another entry."""
        self._page.by_key.pop(key, None)

    def has(self, key: str) -> bool:
        """Return True if there is an entry of this key on the page."""
        return key in self._page.by_key

    def is_sold(self) -> bool:
        """Return True if a plant was sold by the auction that is told last on this page."""
        auction = self._page.by_key.get("auction")
        return isinstance(auction, Auction) and auction.sale is not None

    def new_auction(self, seq: int) -> Auction:
        """Return an auction.

        Where it was opened before the log begins, the position knows of it.
        """
        running = self._before.auction if self._before else None
        if running is None:
            return Auction(seq)
        opened = ev.AuctionOpened(
            running.opener, running.plant, running.bid, running.bidders, running.sealed
        )
        bids = {} if running.sealed else {running.leader: running.bid}
        return Auction(seq, opened=opened, bids=bids)

    def finished(self, new_from: int) -> tuple[RoundReport, ...]:
        """Return the report; rounds and phases in which nothing was told are left out."""
        rounds = [
            RoundReport(c.number, c.title, tuple(self._phases(c, new_from))) for c in self._chapters
        ]
        return tuple(r for r in rounds if r.phases)

    def _phases(self, chapter: _Chapter, new_from: int) -> Iterator[PhaseReport]:
        for page in chapter.pages:
            lines = tuple(
                Line(
                    e.text(self._narrators[e.first]),
                    tuple(e.seats),
                    e.first,
                    e.last,
                    e.last >= new_from,
                    isinstance(e, Undone),
                )
                for e in page.entries
            )
            if lines:
                title = phase_name(page.phase) if page.phase else _("Before the game")
                yield PhaseReport(page.phase, title, lines)

    def _turn_to(self, phase: Phase | None) -> _Page:
        page = _Page(phase)
        self._chapter.pages.append(page)
        return page

    def _title(self, event: ev.RoundBegan) -> str:
        step = self._fold.state.step if self._fold.state else 1
        return _("{round} · Step {step} · {order}").format(
            round=round_title(event.round), step=step, order=self.told.order(event.order)
        )


def round_title(number: int) -> str:
    """Return ``Round 5``, or what comes before the first."""
    return _("Round {number}").format(number=number) if number else _("The table is set")


def tell(pages: Pages, event: Event) -> None:
    """Lay an event into the line that it belongs to."""
    _REPORT.get(type(event), _as_it_is)(pages, event)


def tell_undone(pages: Pages, event: Event) -> None:
    """Lay an event that was taken back into a line of its own."""
    line = pages.told.line(event)
    if line is not None:
        seat = getattr(event, "seat", None)
        pages.entry("", lambda seq: Undone(seq, line=line), *(() if seat is None else (seat,)))


def _as_it_is(pages: Pages, event: Event) -> None:
    """Tell an event in a line of its own."""
    line = pages.told.line(event)
    if line is not None:
        seat = getattr(event, "seat", None)
        seats = () if seat is None else (seat,)
        pages.entry("", lambda seq: Told(seq, line=line), *seats)


def _opened(pages: Pages, event: ev.AuctionOpened) -> None:
    pages.close("auction")
    auction = pages.entry("auction", pages.new_auction, event.seat)
    auction.opened = event
    if not event.sealed:
        auction.bids[event.seat] = event.bid


def _bid(pages: Pages, event: ev.BidPlaced) -> None:
    pages.entry("auction", pages.new_auction, event.seat).bids[event.seat] = event.amount


def _given(pages: Pages, event: ev.SealedBidGiven) -> None:
    pages.entry("auction", pages.new_auction, event.seat).given.append(event.seat)


def _envelopes(pages: Pages, event: ev.SealedBidsOpened) -> None:
    pages.entry("auction", pages.new_auction).envelopes = event.bids


def _sold(pages: Pages, event: ev.PlantBought) -> None:
    auction = pages.entry("auction", pages.new_auction, event.seat)
    auction.sale, auction.purse = event, pages.purse(event.seat)
    auction.seats.sort(key=lambda seat: seat != event.seat)


def _dropped(pages: Pages, event: ev.BidPassed) -> None:
    pages.entry("auction", pages.new_auction, event.seat).passed.append(event.seat)


def _declined(pages: Pages, event: ev.AuctionDeclined) -> None:
    def frame(n: int) -> str:
        return ngettext("{names} passed.", "{names} passed.", n)

    pages.entry("passed", lambda seq: Together(seq, frame=frame), event.seat)


def _ordered(pages: Pages, event: ev.MoveOrdered) -> None:
    def frame(_n: int) -> str:
        return _("By standing order: {names}.")

    pages.entry("ordered", lambda seq: Together(seq, frame=frame), event.seat)


def _discarded(pages: Pages, event: ev.PlantDiscarded) -> None:
    pages.entry("auction", pages.new_auction, event.seat).given_up.append(discarded(event))


def _market(pages: Pages, text: str) -> None:
    """Tell a move of the plant market with the sale that caused it, or in a line of its own."""
    if pages.is_sold():
        pages.entry("auction", pages.new_auction).market.append(text)
        return
    frame = _("Market: {parts}.")
    pages.entry("market", lambda seq: Joined(seq, frame=frame)).parts.append(text)


def _fuel(pages: Pages, event: ev.FuelBought) -> None:
    if not event.amounts:
        one_by_one = pages.told.ruleset.buy_order == "one_token_in_turn"

        def frame(n: int) -> str:
            if one_by_one:
                return _("{names}: no more fuel.")
            return ngettext("{names} bought no fuel.", "{names} bought no fuel.", n)

        pages.entry("no fuel", lambda seq: Together(seq, frame=frame), event.seat)
        return
    text = _("{name} bought {fuel} for {cost}")
    if event.market:
        text = _("{name} bought {fuel} for {cost} from the market {market}")
    if event.from_storage:
        text = _("{name} bought {fuel} for {cost}, {stored} coal from the storage")
    text = text.format(
        name=pages.told.name(event.seat), fuel=wording.fuel(event.amounts), cost=event.cost,
        market=event.market, stored=event.from_storage,
    )  # fmt: skip
    line = _("{sentence}.").format(sentence=with_purse(text, pages.purse(event.seat)))
    pages.entry("", lambda seq: Told(seq, line=line), event.seat)


def _house(pages: Pages, event: ev.CityConnected) -> None:
    building = pages.entry(f"houses {event.seat}", Building, event.seat)
    building.houses.append(event)
    building.purse = pages.purse(event.seat)


def _built(pages: Pages, event: ev.BuildingEnded) -> None:
    if not pages.has(f"houses {event.seat}"):

        def frame(n: int) -> str:
            return ngettext("{names} built nothing.", "{names} built nothing.", n)

        pages.entry("no house", lambda seq: Together(seq, frame=frame), event.seat)


def _run(pages: Pages, event: ev.PlantsRun) -> None:
    text = _("{name} {income} for {cities}").format(
        name=pages.told.name(event.seat),
        income=event.income,
        cities=wording.cities(event.powered),
    )
    if event.burned:
        text = _("{income} with {fuel}").format(income=text, fuel=wording.fuel(event.burned))
    frame = _("Income: {parts}.")
    income = pages.entry("income", lambda seq: Joined(seq, frame=frame), event.seat)
    income.parts.append(with_purse(text, pages.purse(event.seat)))


def _mines(pages: Pages, event: ev.MinesSold) -> None:
    text = _("{name} {income} at {price}").format(
        name=pages.told.name(event.seat), income=event.income, price=event.price
    )
    frame = _("Mines sold: {parts}.")
    sales = pages.entry("mines", lambda seq: Joined(seq, frame=frame), event.seat)
    sales.parts.append(with_purse(text, pages.purse(event.seat)))


_REPORT: Final[dict[type[Event], Callable[[Pages, Any], None]]] = {
    ev.AuctionOpened: _opened,
    ev.BidPlaced: _bid,
    ev.BidPassed: _dropped,
    ev.SealedBidGiven: _given,
    ev.SealedBidsOpened: _envelopes,
    ev.PlantBought: _sold,
    ev.PlantDiscarded: _discarded,
    ev.AuctionDeclined: _declined,
    ev.MoveOrdered: _ordered,
    ev.PlantDrawn: lambda pages, e: _market(pages, drawn(e)),
    ev.PlantBoxed: lambda pages, e: _market(pages, boxed(e)),
    ev.PlantPutUnder: lambda pages, e: _market(
        pages, _("plant {plant} went under the stack").format(plant=e.plant)
    ),
    ev.PlantsOnTop: lambda pages, e: _market(pages, on_top(e)),
    ev.PlantSetAside: lambda pages, e: _market(pages, set_aside(e)),
    ev.StackUsedUp: lambda pages, e: _market(pages, used_up(e)),
    ev.Step3CardBack: lambda pages, e: _market(pages, card_back(e)),
    ev.Step3CardBoxed: lambda pages, e: _market(pages, _("the Step 3 card left the game")),
    ev.StackShuffled: lambda pages, e: _market(pages, _("the stack was shuffled")),
    ev.FuelRefilled: lambda pages, e: _market(
        pages, _("new fuel: {fuel}").format(fuel=refilled(pages.told.ruleset, e))
    ),
    ev.FuelBought: _fuel,
    ev.CityConnected: _house,
    ev.BuildingEnded: _built,
    ev.PlantsRun: _run,
    ev.MinesSold: _mines,
}


def report(
    log: Iterable[Numbered],
    names: Sequence[str],
    viewer: Seat | None = None,
    new_from: int = 1,
    start: GameState | None = None,
) -> tuple[RoundReport, ...]:
    """Tell a log from its first event on, or go on from the position `start`.

    `names` are those at the end of the log; what happened before a seat changed hands is told with
    the former one. Money in hand is told where the reader may know it: `viewer`'s own, everybody's
    when the game is over or plays with open money. Events before `new_from` were seen before.
    Events that were taken back stay where they happened, each in a line that says so.
    """
    entries = list(log)
    if not entries:
        return ()
    rules = _rules(entries[0].event, start)
    over = closing([entry.event for entry in entries]) is not None
    narrator = Narrator(rules, names, [entry.event for entry in entries])
    pages = Pages(narrator, viewer, over or not rules.hidden_money, start)
    undone = taken_back(entries)
    for entry in entries:
        if not pages.turn(entry.seq, entry.event):
            (tell_undone if entry.seq in undone else tell)(pages, entry.event)
    return pages.finished(new_from)


def _rules(first: Event, start: GameState | None) -> Ruleset:
    if isinstance(first, ev.GameStarted):
        return first.ruleset
    if start is None:
        raise ValueError("a log that does not begin with GameStarted needs its position")
    return start.ruleset
