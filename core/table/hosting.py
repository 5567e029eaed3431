"""What the host of a running game may do: each act is an event with its reason (M77)."""

from datetime import datetime
from typing import Final

from sqlmodel import Session

from core.game.events import DeadlineExtended, GameAbandoned
from core.store.tables import User
from core.table import deadlines, gamelog
from core.table.errors import TableError
from core.table.play import Play
from core.text import _

HOURS: Final = range(1, 14 * 24 + 1)
"""Hours by which a host may extend the open turns at once."""
_REASON_LENGTH: Final = 200


def extend(
    session: Session, game_id: int, host: User, hours: int, reason: str, now: datetime
) -> None:
    """Give all seats that are asked so many hours more."""
    if hours not in HOURS:
        text = _("Give {least} to {most} hours more.")
        raise TableError("hours-out-of-range", text.format(least=HOURS[0], most=HOURS[-1]))
    play = _hosted(session, game_id, host, now)
    play.record(DeadlineExtended(hours, _clean(reason)))
    for turn in play.turns.values():
        deadlines.give(session, play.game, turn, hours)
    play.settle()


def end(session: Session, game_id: int, host: User, reason: str, now: datetime) -> None:
    """End the game before its end; it has no winner (M48)."""
    play = _hosted(session, game_id, host, now)
    play.record(GameAbandoned(_clean(reason), play.game.seed))
    play.settle()


def _hosted(session: Session, game_id: int, host: User, now: datetime) -> Play:
    game = gamelog.lock(session, game_id)
    if game.host_id != host.id:
        raise TableError("not-the-host", _("Only the host of this table can do that."))
    if game.status != "running":
        raise TableError("not-running", _("This game is not running."))
    return Play.resume(session, game, now)


def _clean(reason: str) -> str:
    """A reason on one line; the log needs one."""
    line = " ".join(reason.split())[:_REASON_LENGTH]
    if not line:
        raise TableError("reason-missing", _("Please say why; everybody at the table can read it."))
    return line
