"""Was the simulated month right? Everything is reckoned anew here, minute by minute.

Nothing of what the service uses to reckon is used: local times come from `zoneinfo` alone, what
stopped the clocks from the journal of who stopped them, and mails from the server they came to.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import pairwise
from zoneinfo import ZoneInfo

from core.game.events import (
    CaretakerAppointed,
    Event,
    GraceGiven,
    OwnerReturned,
    PhaseBegan,
    SeatOpened,
    SeatTaken,
)
from core.game.evolve import replay
from core.game.log.validate import problem
from core.store.tables import EventRow, Game, SeatRow, Submission, Turn
from core.terms import Terms
from core.when import NEVER
from tests.support.month.life import TICK, Life
from tests.support.month.world import BEGIN, END

MINUTE = timedelta(minutes=1)
HORIZON = 75 * 24 * 60
"""Minutes from the beginning in which every clock has run out that ever does."""


def minute(at: datetime) -> int:
    """Minutes since the beginning; all that happens, happens at a whole one."""
    whole, rest = divmod(at - BEGIN, MINUTE)
    assert not rest, at
    return whole


@cache
def local_minutes(zone: str) -> list[tuple[int, int]]:
    """Day of the week (from Monday, 0) and minute of the day, at each minute from the beginning."""
    local = ZoneInfo(zone)
    times = ((BEGIN + n * MINUTE).astimezone(local) for n in range(HORIZON))
    return [(at.weekday(), at.hour * 60 + at.minute) for at in times]


@cache
def open_minutes(zone: str, window: tuple[int, int] | None, weekends_off: bool) -> list[bool]:
    """At which minutes a clock may run by its owner's own hours."""

    def runs(day: int, at: int) -> bool:
        first, last = window or (0, 24 * 60)
        inside = first <= at < last if first < last else at >= first or at < last
        return inside and not (weekends_off and day >= 5)

    return [runs(day, at) for day, at in local_minutes(zone)]


@dataclass
class Clocked:
    """A question, and what its clock should have shown."""

    turn: Turn
    allowed: int
    """Minutes."""
    deadline: datetime


class Audit:
    """Looks at all rows and mails that the month has left."""

    def __init__(self, life: Life) -> None:
        self.life, self.journal, self.house = life, life.journal, life.house
        self.games = {game.id: game for game in self.house.all(Game)}
        self.events = self._events()
        self.turns = sorted(self.house.all(Turn), key=lambda t: t.id)
        self.mails = self.house.mails()

    def _events(self) -> dict[int, list[tuple[datetime, Event]]]:
        return {
            number: list(
                zip(
                    [row.at for row in self._rows(number)],
                    self.house.events(number),
                    strict=True,
                )
            )
            for number in self.games
        }

    def _rows(self, game: int) -> list[EventRow]:
        return sorted(self.house.all(EventRow, game_id=game), key=lambda row: row.seq)

    @cached_property
    def clocked(self) -> list[Clocked]:
        """Every question, with its time reckoned anew."""
        banks: dict[tuple[int, int], int] = {}
        return [self._reckon(turn, banks) for turn in self.turns]

    def _reckon(self, turn: Turn, banks: dict[tuple[int, int], int]) -> Clocked:
        game, key = self.games[turn.game_id], (turn.game_id, turn.seat)
        terms = Terms.model_validate(game.terms)
        runs = self._running(turn, terms)
        if terms.clock == "bank":
            if self._fresh(turn):
                banks[key] = terms.bank_hours * 60
            more = terms.increment_hours * 60
            allowed = min(banks[key] + more, terms.cap_hours * 60)
            if self._again(turn):  # a bank grows once a phase
                allowed = max(banks[key], more)
        else:
            allowed = game.turn_hours * 60
        allowed += self._given(turn, game, terms)
        start = minute(turn.asked_at)
        if terms.clock == "bank" and turn.closed_at is not None:
            used = sum(runs[start : minute(turn.closed_at)])
            banks[key] = max(allowed - used, 0)
        if not terms.deadlines_enforced:
            return Clocked(turn, allowed, NEVER)
        return Clocked(turn, allowed, _due(runs, start, allowed))

    def _fresh(self, turn: Turn) -> bool:
        """Is it the first question to whoever holds the seat?"""
        before = [t for t in self.turns if t.id < turn.id and t.game_id == turn.game_id]
        mine = [t for t in before if t.seat == turn.seat]
        return not mine or mine[-1].user_id != turn.user_id

    def _again(self, turn: Turn) -> bool:
        """Was its holder asked for a move before in the same phase?"""
        log = enumerate((event for _, event in self.events[turn.game_id]), 1)
        began = [n for n, e in log if isinstance(e, PhaseBegan) and n <= turn.turn]
        return not turn.plan and any(
            t.id < turn.id and t.turn >= max(began, default=0) and not t.plan
            for t in self.turns
            if (t.game_id, t.seat, t.user_id) == (turn.game_id, turn.seat, turn.user_id)
        )

    def _given(self, turn: Turn, game: Game, terms: Terms) -> int:
        """Minutes that the log gives the seat while it is asked: graces, and a no-show's offer."""
        hours = game.turn_hours if terms.clock == "turn" else terms.increment_hours
        end = turn.closed_at or END
        log = [e for at, e in self.events[game.id] if turn.asked_at < at <= end]
        given = sum(isinstance(e, GraceGiven) and e.seat == turn.seat for e in log)
        offered = turn.closed_by != "missed" or not any(
            isinstance(e, CaretakerAppointed) and e.seat == turn.seat for e in log
        )
        opened = sum(isinstance(e, SeatOpened) and e.seat == turn.seat for e in log) * offered
        return given * min(hours, 24) * 60 + opened * min(game.turn_hours, 48) * 60

    def _running(self, turn: Turn, terms: Terms) -> list[bool]:
        """At which minutes the clock of a question runs, as far as was known when it was closed."""
        known = turn.closed_at or END
        person = self.life.people.get(turn.user_id or 0)
        zone, window = ("UTC", None) if person is None else (person.user.zone, person.window)
        own = open_minutes(zone, window if terms.windows else None, terms.weekends_off)
        runs = own.copy()
        for start, end in self._stops(turn, terms, known):
            first, last = max(minute(start), 0), min((end - BEGIN) // MINUTE, HORIZON)
            runs[first:last] = [False] * (last - first)
        return runs

    def _stops(
        self, turn: Turn, terms: Terms, known: datetime
    ) -> Iterator[tuple[datetime, datetime]]:
        yield from ((a, b) for a, b in self.journal.outages if b <= known)
        told = [(at, a, b) for at, game, a, b in self.journal.pauses if game == turn.game_id]
        if terms.vacation:
            told += [(at, a, b) for at, who, a, b in self.journal.vacations if who == turn.user_id]
        last = {start: (start, end) for at, start, end in sorted(told) if at <= known}
        yield from last.values()

    def wrong_deadlines(self) -> list[Clocked]:
        return [
            c
            for c in self.clocked
            if c.turn.user_id
            and (c.deadline != c.turn.deadline or c.allowed * 60 != c.turn.allowed_seconds)
        ]

    def wrongly_missed(self) -> list[Clocked]:
        """Missed before the time was over, though answered in time, or long after."""
        return [c for c in self.clocked if c.turn.closed_by in ("missed", "draft") and self._bad(c)]

    def _bad(self, c: Clocked) -> bool:
        assert c.turn.closed_at is not None
        answered = self.journal.answers.get((c.turn.game_id, c.turn.seat, c.turn.turn), NEVER)
        return answered < c.deadline or not c.deadline <= c.turn.closed_at <= c.deadline + TICK

    def stalled(self) -> list[tuple[int, str, datetime]]:
        """Games in which nobody was asked beyond the next sweep, or that somebody had to stop."""
        found = []
        for game in self.games.values():
            end = game.ended_at or END
            if game.stopped_reason or game.has_automatic_moves:
                found.append((game.id, game.stopped_reason or "has_automatic_moves", end))
            asked = [(t.asked_at, t.closed_at or end) for t in self.turns if t.game_id == game.id]
            assert game.started_at is not None
            since = game.started_at
            for start, closed in sorted(asked):
                if start > self._swept(since) and not self._all_away(game, since):
                    found.append((game.id, "nobody is asked", since))
                since = max(since, closed)
            if self._swept(since) < end and not self._all_away(game, since):
                found.append((game.id, "nobody is asked", since))
        return found

    def _swept(self, at: datetime) -> datetime:
        """When the next sweep took up what had lost its ring."""
        sweep = BEGIN + ((at - BEGIN) // TICK + 1) * TICK
        return next((end for start, end in self.journal.outages if start < sweep < end), sweep)

    def _all_away(self, game: Game, at: datetime) -> bool:
        """Had caretakers taken over for everybody by then, so that the game waits for them?"""
        rows = [row for row in self.house.all(SeatRow, game_id=game.id) if row.user_id]
        away: set[int] = set()
        for when, event in self.events[game.id]:
            if when <= at and isinstance(event, CaretakerAppointed):
                away.add(event.seat)
            if when <= at and isinstance(event, OwnerReturned | SeatTaken):
                away.discard(event.seat)
        return all(row.seat in away for row in rows)

    def unsound(self) -> list[tuple[int, str]]:
        """Games whose log does not fold to what their row says, by positions that can be."""
        return [(number, told) for number in self.games if (told := self._unsound(number))]

    def _unsound(self, number: int) -> str | None:
        state = None
        for _at, event in self.events[number]:
            before, state = state, replay([event], state)
            if told := problem(before, event, state):
                return told
        rows = self._rows(number)
        whole = [row.seq for row in rows] == list(range(1, self.games[number].seq + 1))
        ordered = all(a.at <= b.at for a, b in pairwise(rows))
        return None if whole and ordered else "the log has holes, or goes back in time"

    def refused(self) -> list[Submission]:
        """Moves that were offered and yet not taken, though the question was open."""
        moves = self.house.all(Submission)
        return [m for m in moves if m.status not in ("accepted", "stale") or self._was_open(m)]

    def _was_open(self, move: Submission) -> bool:
        """Was a move called stale that came before its question was closed?"""
        key = (move.game_id, move.seat, move.turn)
        turn = next(t for t in self.turns if (t.game_id, t.seat, t.turn) == key)
        closed = turn.closed_at or END
        return move.status == "stale" and (turn.closed_by != "move" or move.created_at < closed)

    def overdue(self) -> list[Clocked]:
        """Still open at the end, though the time was over."""
        return [c for c in self.clocked if c.turn.closed_at is None and c.deadline < END - TICK]


def _due(runs: list[bool], start: int, allowed: int) -> datetime:
    """When a clock that begins to run out at a minute has run for so many; NEVER if it does not."""
    for number in range(start, len(runs)):
        allowed -= runs[number]
        if not allowed:
            return BEGIN + (number + 1) * MINUTE
    return NEVER
