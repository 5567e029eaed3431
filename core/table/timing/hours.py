"""A user's own hours: his zone, and the play window in which alone his clocks run (M46)."""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from core.store.tables import Game, Turn, User
from core.table.errors import TableError
from core.table.timing import clocks, deadlines
from core.table.timing.calendar import charged
from core.text import _
from core.when import zone

LEAST_WINDOW: Final = 8 * 60
"""Minutes a day that a play window has at least, so that every turn ends some day (M29)."""
PATIENCE: Final = timedelta(days=1)
"""A change of hours makes running turns later once in so long."""
_DAY: Final = 24 * 60


def change(
    session: Session, user: User, name: str, window: tuple[int, int] | None, now: datetime
) -> None:
    """Set zone and window. What is left of a running turn is kept, to the second, and runs anew.

    TableError: the window is shorter than eight hours; or running turns would get later again
    within a day, so that nobody can push his deadlines before him.
    """
    if (
        window is not None
        and (window[1] - window[0]) % _DAY < LEAST_WINDOW
        and window[0] != window[1]
    ):
        text = _("A play window has eight hours or more; your clocks would hardly run.")
        raise TableError("window-too-short", text)
    if not _sound(name, window):
        raise TableError("hours-unknown", _("Choose a zone and whole minutes of a day."))
    before = [
        (game, turn, turn.deadline, clocks.left(session, game, turn, now))
        for game in deadlines.games_of(session, user.id)
        if (turn := deadlines.turn_of(session, game, user.id)) is not None
    ]
    user.zone = name
    user.window_from, user.window_to = window or (None, None)
    session.add(user)
    session.flush()
    later = [_carry(session, game, turn, left, now) > was for game, turn, was, left in before]
    if any(later):
        _once_a_day(user, now)


def _carry(session: Session, game: Game, turn: Turn, left: int, now: datetime) -> datetime:
    """Give a turn what it had left, by the new calendar; its new deadline."""
    hours = clocks.calendar(session, game, turn.user_id, turn.asked_at)
    used = charged(turn.asked_at, now, hours) // timedelta(seconds=1)
    turn.allowed_seconds = used + left
    deadlines.renew_one(session, game, turn)
    return turn.deadline


def _once_a_day(user: User, now: datetime) -> None:
    last = user.window_set_at
    if last is not None and now - last < PATIENCE:
        text = _("Your running turns have got later by a change today; change it again tomorrow.")
        raise TableError("hours-changed-today", text)
    user.window_set_at = now


def _sound(name: str, window: tuple[int, int] | None) -> bool:
    known = name == "UTC" or getattr(zone(name), "key", None) == name
    return known and all(0 <= minute < _DAY for minute in window or ())
