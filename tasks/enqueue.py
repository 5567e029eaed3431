"""The doorbell: tells the workers that there is something to do, after the commit, best effort.

A ring that is lost costs a few seconds, until the tick finds the work in the database.
"""

import time
from typing import Any, Final

import structlog

from tasks.app import celery

AFTERWARDS: Final = 6
"""Redis serves low numbers first: moves are judged before mails, which take longer, are written."""

AGAIN: Final = 2.0
"""Seconds for which nothing is sent to a broker that has just failed: no page waits twice."""

LAST: Final = 9
"""Pictures can wait for everything else."""

log = structlog.get_logger()
_silent = {"until": 0.0}


def adjudicate(game_id: int) -> None:
    """Ring for a game: a move was submitted, it started, or bots have more to do."""
    _send("adjudicate", game_id)


def table(game_id: int) -> None:
    """Ring for a table that somebody has changed: judge what follows, and send what it owes."""
    adjudicate(game_id)
    deliver()


def process_mail(inbound_id: int) -> None:
    """Ring for a mail that came in."""
    _send("process_mail", inbound_id)


def deliver() -> None:
    """Ring for the outbox, which owes a mail."""
    _send("deliver")


def draw() -> None:
    """Ring for pictures that are owed."""
    _send("draw")


def again(task: str, seconds: float, *args: object, **options: object) -> None:
    """Ring for work that the tick has found; nobody needs it once the next tick has come."""
    _send(task, *args, expires=seconds, kwargs=options)


def _send(task: str, *args: object, **sending: Any) -> None:
    """Send a task; a broker that cannot be reached breaks nothing, and is left alone for a while.

    Whatever goes wrong in its library when it dies under several threads: the tick finds the work.
    """
    if time.monotonic() < _silent["until"]:
        return
    try:
        priority = {"deliver": AFTERWARDS, "call_hooks": AFTERWARDS, "draw": LAST}.get(task, 0)
        celery.send_task(task, args, retry=False, priority=priority, **sending)
    except Exception as error:
        _silent["until"] = time.monotonic() + AGAIN
        log.warning("doorbell_lost", task=task, error=type(error).__name__)
