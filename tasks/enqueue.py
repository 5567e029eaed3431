"""The doorbell: tells the workers that there is something to do, after the commit, best effort.

A ring that is lost costs a few seconds, until the tick finds the work in the database.
"""

from typing import Any, Final

import structlog
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from tasks.app import celery

AFTERWARDS: Final = 6
"""Redis serves low numbers first: moves are judged before mails, which take longer, are written."""

LAST: Final = 9
"""Pictures can wait for everything else."""

log = structlog.get_logger()


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
    """Send a task; a broker that cannot be reached breaks nothing."""
    try:
        priority = {"deliver": AFTERWARDS, "call_hooks": AFTERWARDS, "draw": LAST}.get(task, 0)
        celery.send_task(task, args, retry=False, priority=priority, **sending)
    except (KombuError, RedisError, OSError) as error:
        log.warning("doorbell_lost", task=task, error=type(error).__name__)
