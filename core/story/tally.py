"""A finished game in a few numbers, from its log alone: what results and statistics are made of.

Nobody is named here: whose seat it was, the table knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median_low
from typing import Final

from core.game import engine
from core.game import events as ev
from core.game.errors import LogError
from core.game.events import Event, GameEnded, GameStarted, SeatMoved, Standing, closing
from core.game.evolve import Fold
from core.game.rewind import taken_back
from core.game.state import GameState
from core.game.types import Seat
from core.tableview import Logged

A_CITY: Final = 1000
"""What one city more, powered at the end, counts in `closeness`; Elektro count less than it."""

_NOT_CHOSEN = (ev.MoveForced,)
_BY_OTHERS = (ev.TurnMissed, ev.TurnSkipped, ev.MoveCorrected, ev.MadeBySitter)
_BEFOREHAND = (ev.MoveOrdered, ev.DraftPlayed)
_MARKS = (*_NOT_CHOSEN, *_BY_OTHERS, *_BEFOREHAND)
"""Each is followed by the move that it is about …"""
_UNMARKS = (ev.SeatOpened, ev.SeatTaken, ev.OwnerReturned, ev.Rewound)
"""… but for these, behind which the seat is asked anew."""


@dataclass(slots=True)
class SeatTally:
    """One seat: its move counts are those of its last holder where that is said.

    `place`: from 1; None where nobody has won. `first`: place in the turn order of round 1, from 1.
    `turns`: moves that somebody had to choose; `own_turns`: those that the last holder made, or
    had ordered. `missed`: deadlines that they let pass. `answers`: seconds that they took, by the
    calendar, only of games that were played to their end.
    """

    place: int | None = None
    powered: int = 0
    elektro: int = 0
    cities: int = 0
    first: int = 1
    turns: int = 0
    own_turns: int = 0
    missed: int = 0
    answers: list[int] = field(default_factory=list)

    @property
    def median_seconds(self) -> int | None:
        """The middle of the answers' times; None where there were none."""
        return median_low(self.answers) if self.answers else None


@dataclass(frozen=True, slots=True)
class Tally:
    """A game that is over. `turns`: all moves; `seconds`: from the first event to the last."""

    map: str
    variant: str
    auction: str
    rounds: int
    events: int
    turns: int
    seconds: int
    ended_at: datetime
    step: int
    abandoned: bool
    closeness: int | None
    seats: tuple[SeatTally, ...]


def tally(log: Sequence[Logged]) -> Tally:
    """Count a whole log; LogError unless it begins with the start of a game, and is closed."""
    started, end = log[0].event if log else None, closing([entry.event for entry in log])
    if not isinstance(started, GameStarted) or end is None:
        raise LogError("A finished game's log goes from GameStarted to GameEnded.")
    counter = _Counter(started.seats)
    answers = _Answers() if isinstance(end, GameEnded) else None
    gone = taken_back(log)
    for n, entry in enumerate(log):
        counter.take(entry, answers, counts=entry.seq not in gone)
        if answers is not None:
            rests = n + 1 == len(log) or log[n + 1].at != entry.at
            answers.take(entry, rests=rests)
    standings = end.standings if isinstance(end, GameEnded) else ()
    for standing in standings:
        counter.seats[standing.seat].place = standing.place
        counter.seats[standing.seat].powered = standing.powered
        counter.seats[standing.seat].elektro = standing.elektro
        counter.seats[standing.seat].cities = standing.cities
    return Tally(
        map=started.ruleset.map.key,
        variant=started.ruleset.variant,
        auction=started.ruleset.auction,
        rounds=counter.round,
        events=len(log),
        turns=counter.moves,
        seconds=int((log[-1].at - log[0].at).total_seconds()),
        ended_at=log[-1].at,
        step=counter.step,
        abandoned=not standings,
        closeness=closeness(standings),
        seats=tuple(counter.seats),
    )


def closeness(standings: Sequence[Standing]) -> int | None:
    """Return how far the first was ahead of the second.

    The smaller, the closer. None without a winner.

    >>> first, second = Standing(Seat(0), 1, 15, 40, 17), Standing(Seat(1), 2, 15, 33, 17)
    >>> closeness([first, second])
    7
    >>> closeness([first, Standing(Seat(1), 2, 13, 90, 17)])
    2000
    """
    if len(standings) < 2:
        return None
    first, second = standings[:2]
    cities = first.powered - second.powered
    if cities:
        return A_CITY * cities
    return min(max(first.elektro - second.elektro, 0), A_CITY - 1)


class _Counter:
    """Counts moves, and whose they were."""

    def __init__(self, seats: int) -> None:
        self.seats = [SeatTally() for _ in range(seats)]
        self.round, self.step, self.moves = 0, 1, 0
        self._away: set[Seat] = set()
        self._mark: Event | None = None

    def take(self, entry: Logged, answers: "_Answers | None", *, counts: bool) -> None:
        event = entry.event
        if isinstance(event, _MARKS):
            self._mark = None if isinstance(event, ev.MoveOrdered) and event.made else event
        elif isinstance(event, _UNMARKS):
            self._mark = None
        elif isinstance(event, SeatMoved) and not _is_half(event):
            seconds = answers.answered(event.seat, entry.at) if answers else None
            if counts:
                self._move(event.seat, seconds)
            self._mark = None
        self._count(event, counts=counts)

    def _count(self, event: Event, *, counts: bool) -> None:
        match event:
            case ev.RoundBegan() if counts:
                self._round(event)
            case ev.StepReached(step=step) if counts:
                self.step = step
            case ev.TurnMissed(seat=seat):
                self.seats[seat].missed += 1
            case ev.CaretakerAppointed(seat=seat):
                self._away.add(seat)
            case ev.OwnerReturned(seat=seat):
                self._away.discard(seat)
            case ev.SeatTaken(seat=seat):
                self._away.discard(seat)
                tally = self.seats[seat]
                tally.own_turns, tally.missed, tally.answers = 0, 0, []

    def _round(self, event: ev.RoundBegan) -> None:
        self.round = event.round
        if event.round == 1:
            for place, seat in enumerate(event.order, 1):
                self.seats[seat].first = place

    def _move(self, seat: Seat, seconds: int | None) -> None:
        self.moves += 1
        if isinstance(self._mark, _NOT_CHOSEN):
            return
        tally = self.seats[seat]
        tally.turns += 1
        if seat in self._away or isinstance(self._mark, _BY_OTHERS):
            return
        tally.own_turns += 1
        if self._mark is None and seconds is not None:
            tally.answers.append(seconds)


class _Answers:
    """Since when each seat has been asked; it is asked where the log comes to rest."""

    def __init__(self) -> None:
        self._fold = Fold()
        self._since: dict[Seat, datetime] = {}

    def take(self, entry: Logged, *, rests: bool) -> None:
        state = self._fold.add(entry.event)
        if rests:
            self._rest(state, entry.at)

    def answered(self, seat: Seat, at: datetime) -> int | None:
        """Whole seconds that a seat has taken; None where it was not asked, or not waited for."""
        since = self._since.pop(seat, at)
        return int((at - since).total_seconds()) if at > since else None

    def _rest(self, state: GameState, at: datetime) -> None:
        acting = engine.to_act(state)
        self._since = {seat: self._since.get(seat, at) for seat in acting}


def _is_half(event: Event) -> bool:
    """Return True for the second event of opening a sealed auction: the opener's own bid."""
    return isinstance(event, ev.AuctionOpened) and event.sealed
