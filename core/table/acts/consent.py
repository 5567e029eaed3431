"""Who must agree before a host may act: nobody alone holds the others up, or gains by it.

What touches a player's moves needs that player; what holds all up, or gives time to who asks,
needs more than half of the people. Bots agree, but for nobody's gain: where only bots are touched,
more than half of the people stand in for them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from core.game.events import GamePaused, GameResumed
from core.game.types import Seat
from core.store.tables import Game
from core.table.record import gamelog, seats
from core.text import _

LONGEST_PAUSE: Final = timedelta(days=14)
"""A pause ends by itself after so long; so much in all a host may pause a game without asking."""


@dataclass(frozen=True, slots=True)
class Consent:
    """People who are asked, the asker among them, and how many of them must agree."""

    seats: frozenset[Seat]
    needed: int


FREE: Final = Consent(frozenset(), 0)
"""Nobody has to agree."""


def majority(session: Session, game: Game) -> Consent:
    """Return the consent of more than half of the people who are here; free for one alone."""
    people = seats.present(session, game.id)
    return Consent(people, len(people) // 2 + 1) if len(people) > 1 else FREE


def of_all(session: Session, game: Game, touched: Collection[Seat], by: Seat | None) -> Consent:
    """Return the consent of all people who are touched; if none but the asker is, of a majority."""
    people = seats.present(session, game.id)
    others = frozenset(touched) & people - {by}
    if not others or not frozenset(touched) <= people:
        most = majority(session, game)
        return most if not others else Consent(people, len(people))
    asked = others | {by} if by is not None else others
    return Consent(frozenset(asked), len(asked))


def paused_by_host(session: Session, game: Game, now: datetime) -> timedelta:
    """Return for how long the host has paused the game so far, without asking anybody."""
    total, since = timedelta(), None
    for entry in gamelog.events(session, game.id):
        if isinstance(entry.event, GamePaused) and entry.event.by == "host":
            since = entry.at
        elif isinstance(entry.event, GameResumed) and since is not None:
            total, since = total + (entry.at - since), None
    return total + (now - since if since is not None else timedelta())


def told_beforehand() -> str:
    """Return what a host is told before they ask for what others must agree to."""
    return _("The others must agree: each is asked, by page and mail.")
