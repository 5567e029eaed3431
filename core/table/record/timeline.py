"""A whole log with the position after each of its events, kept between requests.

Positions are frozen and share most of themselves with their neighbours: a game of six with 700
events takes a few megabytes. A log only grows, so that what is kept is good for ever;
what is not committed yet never is.
"""

from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from core.game import engine
from core.game.events import BuildingEnded
from core.game.evolve import Fold
from core.game.state import GameState
from core.store.tables import Game
from core.table.record import gamelog
from core.tableview import Logged


@dataclass(frozen=True, slots=True)
class Timeline:
    """`entries[n - 1]` is event `n`, `states[n - 1]` the position after it."""

    entries: tuple[Logged, ...]
    states: tuple[GameState, ...]

    def asked_at(self, n: int) -> int:
        """Return the last event up to `n` after which somebody had to decide, else the first.

        Between two decisions the rules are at work, and nobody can move.
        """
        last = len(self.entries)
        return next(filter(self._decided, (*range(n, 0, -1), *range(n + 1, last + 1))), last)

    def _decided(self, seq: int) -> bool:
        """Return True if what follows event `seq` is a player's answer, or nothing does."""
        if seq == len(self.entries):
            return True
        event = self.entries[seq].event
        chosen = isinstance(event, (*engine.OWN_RESULTS, BuildingEnded))
        return chosen and getattr(event, "seat", None) in engine.to_act(self.states[seq - 1])


_timelines: Final = gamelog.Kept[Timeline](16)


def timeline(session: Session, game: Game) -> Timeline:
    """Return the game's log and positions up to its last event."""
    known = _timelines.get(game)
    if known is not None and len(known.entries) == game.seq:
        return known
    entries, fold = tuple(gamelog.events(session, game.id)), Fold()
    whole = Timeline(entries, tuple(fold.add(entry.event) for entry in entries))
    _timelines.put(session, game, whole)
    return whole
