"""The shape of a report, and how it grows while a log is read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from core.game import events as ev
from core.game.events import Event
from core.game.evolve import Fold
from core.game.narrate.entries import Auction, Entry, Undone
from core.game.narrate.lines import Narrator, phase_name
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.text import _

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
        self._chapter = _Chapter(number, _round_title(number))
        self._chapters = [self._chapter]
        self._page = self._turn_to(start.phase if start else None)
        self._narrators: dict[int, Narrator] = {}
        self._places: dict[int, tuple[_Chapter, _Page]] = {}
        self.seq = 0

    def turn(self, seq: int, event: Event) -> bool:
        """Fold the event; does it only begin another round or phase?"""
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
        """A player's money, None where the reader may not know it."""
        state = self._fold.state
        if state is None or not (self._open_money or seat == self._viewer):
            return None
        return state.players[seat].elektro

    def entry(self, key: str, make: Callable[[int], E], *seats: Seat) -> E:
        """The entry of this key on the page, made if there is none; the event belongs to it."""
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
        """The next event of this key begins another entry."""
        self._page.by_key.pop(key, None)

    def has(self, key: str) -> bool:
        """Is there an entry of this key on the page?"""
        return key in self._page.by_key

    def is_sold(self) -> bool:
        """Was a plant sold by the auction that is told last on this page?"""
        auction = self._page.by_key.get("auction")
        return isinstance(auction, Auction) and auction.sale is not None

    def new_auction(self, seq: int) -> Auction:
        """An auction; where it was opened before the log begins, the position knows of it."""
        running = self._before.auction if self._before else None
        if running is None:
            return Auction(seq)
        opened = ev.AuctionOpened(
            running.opener, running.plant, running.bid, running.bidders, running.sealed
        )
        bids = {} if running.sealed else {running.leader: running.bid}
        return Auction(seq, opened=opened, bids=bids)

    def finished(self, new_from: int) -> tuple[RoundReport, ...]:
        """The report; rounds and phases in which nothing was told are left out."""
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
            round=_round_title(event.round), step=step, order=self.told.order(event.order)
        )


def _round_title(number: int) -> str:
    return _("Round {number}").format(number=number) if number else _("The table is set")
