"""A whole log with the position after each of its events, kept between requests.

Positions are frozen and share most of themselves with their neighbours: a game of six with 700
events takes a few megabytes. A log only grows, so that a film is good for ever; what is not
committed yet is never kept.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from sqlmodel import Session

from core.game import engine
from core.game.events import BuildingEnded
from core.game.evolve import Fold
from core.game.state import GameState
from core.store.tables import Game
from core.table.record import gamelog
from core.tableview import Logged

_KEPT: Final = 16
"""Films that a process remembers."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`entries[n - 1]` is event `n`, `states[n - 1]` the position after it."""

    entries: tuple[Logged, ...]
    states: tuple[GameState, ...]

    def asked_at(self, n: int) -> int:
        """The last event up to `n` after which somebody had to decide; the first one of all else.

        Between two decisions the rules are at work, and nobody can move.
        """
        last = len(self.entries)
        candidates: list[int] = [*range(n, 0, -1), *range(n + 1, last + 1)]
        for seq in candidates:
            if self._decided(seq):
                return seq
        return last

    def _decided(self, seq: int) -> bool:
        """Is the event behind event `seq` what a player made of a question, or none there?"""
        if seq == len(self.entries):
            return True
        event = self.entries[seq].event
        chosen = isinstance(event, (*engine.OWN_RESULTS, BuildingEnded))
        return chosen and getattr(event, "seat", None) in engine.to_act(self.states[seq - 1])


_EMPTY: Final = Timeline((), ())
_films: OrderedDict[tuple[int, str, int], Timeline] = OrderedDict()
_lock = Lock()


def timeline(session: Session, game: Game) -> Timeline:
    """The game's film up to its last event."""
    key = (
        game.id,
        game.digest or game.seed,
        game.edition,
    )  # the same number elsewhere is another game
    with _lock:
        known = _films.get(key, _EMPTY)
    if len(known.entries) == game.seq:
        return known
    if len(known.entries) > game.seq:
        known = _EMPTY
    whole = _shot(session, game, known)
    if not gamelog.is_writing(session, game.id):
        with _lock:
            _films[key] = whole
            _films.move_to_end(key)
            while len(_films) > _KEPT:
                _films.popitem(last=False)
    return whole


def _shot(session: Session, game: Game, known: Timeline) -> Timeline:
    new = gamelog.events(session, game.id, game.seq, after=len(known.entries))
    entries, fold = (*known.entries, *new), Fold()
    return Timeline(entries, tuple(fold.add(entry.event) for entry in entries))
