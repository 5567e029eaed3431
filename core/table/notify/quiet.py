"""Quiet hours: may a user's mail of some kind go out now, or when (M17).

Asked at the moment of sending, so that a mail which an outage of the mail server made late does
not wake anybody either.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from sqlmodel import Session

from core.mail.kinds import KINDS
from core.store.session import put
from core.store.tables import Presence, Turn, User
from core.when import zone

_DAY: Final = timedelta(days=1)


def when(user: User, kind: str, now: datetime, deadline: datetime | None = None) -> datetime:
    """`now`, or the instant at which the mail may go: at the end of the user's quiet hours.

    If the user says so, a mail about a turn goes before that: as soon as `deadline` is nearer
    than `User.quiet_except_hours`.
    """
    end = None if KINDS[kind].at_night else _quiet_until(user, now)
    if end is None:
        return now
    if deadline is None or not user.quiet_except_hours:
        return end
    return min(end, max(now, deadline - timedelta(hours=user.quiet_except_hours)))


def is_quiet(user: User, minute: int) -> bool:
    """Return True if a minute of the local day lies in the user's quiet hours."""
    start, end = user.quiet_from, user.quiet_to
    if start is None or end is None:
        return False
    return start <= minute < end if start <= end else minute >= start or minute < end


def instant(user: User, day: date, minute: int, fold: int = 0) -> datetime:
    """Return a minute of a local day.

    Compared as instants, a clock that is put back repeats nothing.

    Of one that comes twice it is the first, or with `fold` 1 the second.
    """
    local = datetime.combine(day, time(*divmod(minute, 60), fold=fold), zone(user.zone))
    return local.astimezone(UTC)


def _quiet_until(user: User, now: datetime) -> datetime | None:
    """Return when the quiet hours end in which `now` lies; None outside them.

    They begin and end on the user's clock: an end that comes twice is the second one, a beginning
    that is left out when the clock is put forward comes with that.
    """
    start, end = user.quiet_from, user.quiet_to
    if start is None or end is None or start == end:
        return None
    local = now.astimezone(zone(user.zone))
    today, lies_in = local.date(), is_quiet(user, local.hour * 60 + local.minute)
    for day in (today - _DAY, today):  # those that began yesterday evening may last until now
        last = day if start < end else day + _DAY
        until = max(instant(user, last, end, fold) for fold in (0, 1))
        if now < until and (lies_in or instant(user, day, start) <= now):
            return until
    return None


ACTIVE: Final = timedelta(minutes=5)
"""How long a mail about a question waits for somebody who has its form before them."""
BRIEF: Final = timedelta(seconds=20)
"""How long it waits for the page on which somebody who has just acted sees the form."""
LONGEST: Final = timedelta(minutes=15)
"""How long a mail waits at most for somebody who goes on looking and does not move."""
STEP: Final = timedelta(seconds=5)
"""What is done within this time of the last act is not written down anew."""


def acted(session: Session, game_id: int, user_id: int, now: datetime) -> None:
    """Note that a user has just done something at a table, or opened the form of their turn."""
    put(session, Presence(game_id=game_id, user_id=user_id, at=now))


def is_known(
    session: Session, game_id: int, user_id: int, now: datetime, since: datetime | None = None
) -> bool:
    """Return True if it is written down already that they are here, and were after `since`."""
    row = session.get(Presence, (game_id, user_id))
    if row is None or now - row.at >= STEP:
        return False
    return since is None or row.at >= since


def until(session: Session, asked: Turn, user_id: int, owed: datetime) -> datetime:
    """Return until when a mail about a question, owed since then, waits for its reader.

    Who acted before they were asked has no form before them, but will in a moment, or not at all.
    """
    row = session.get(Presence, (asked.game_id, user_id))
    if row is None:
        return owed
    here = row.at + (ACTIVE if row.at >= asked.asked_at else BRIEF)
    return min(here, owed + LONGEST)
