"""What is told of the log of a game that still runs: no secrets, and of an auction no times (K3).

A standing order answers in the moment in which it is asked. So while an auction runs, all in it is
told at the time of the move that opened it; once its plant is sold, everything has its own time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from core.game import events as ev
from core.game.log.redact import as_running
from core.tableview import Asked, Logged

_HOUR: Final = timedelta(hours=1)
_ENDING: Final = (ev.PlantBought, ev.PhaseBegan, ev.AuctionDeclined, ev.GameEnded, ev.GameAbandoned)


def as_told(log: Sequence[Logged]) -> list[Logged]:
    """Return a log, from its first event on, as everybody may be told of it while the game runs."""
    opened, shown = opening(log), as_running([entry.event for entry in log])
    told = [Logged(e.seq, e.at, event) for e, event in zip(log, shown, strict=True)]
    if opened is None:
        return told
    within = (Logged(e.seq, opened.at, _without_times(e.event)) for e in told[opened.seq :])
    return [*told[: opened.seq], *within]


def opening(log: Sequence[Logged]) -> Logged | None:
    """Return the event that put up a plant which is not sold yet.

    Where it was taken back and put up anew, the first time counts.
    """
    found = None
    for entry in reversed(log):
        if isinstance(entry.event, _ENDING):
            break
        if isinstance(entry.event, ev.AuctionOpened):
            found = entry
    return found


def without_times(asked: Asked, opened: Logged) -> Asked:
    """Return how others see who is asked in an auction: the deadline by the hour."""
    due = by_the_hour(asked.deadline) if asked.deadline else None
    return replace(asked, turn=opened.seq, since=opened.at, deadline=due)


def by_the_hour(due: datetime) -> datetime:
    """Return a deadline as others are told it: it shows since when somebody is asked (K3)."""
    hour = due.replace(minute=0, second=0, microsecond=0)
    return hour if hour == due else hour + _HOUR


def _without_times(event: ev.Event) -> ev.Event:
    """Return the deadlines that moved tell since when a seat is asked."""
    return replace(event, turns=()) if isinstance(event, ev.DeadlineExtended) else event
