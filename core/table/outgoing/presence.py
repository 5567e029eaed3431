"""Who is at a table just now: mails about it wait a moment for him, and no longer (M2, M3).

Only what somebody does counts: a form that is sent, the game's page opened by hand. A page that
lies open asks how long the log is, and that is nobody's doing.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from core.store.tables import Presence
from core.store.upsert import put

ACTIVE: Final = timedelta(minutes=5)
"""How long somebody counts as present after he did something."""
LONGEST: Final = timedelta(minutes=15)
"""How long a mail waits at most for somebody who goes on looking and does not move."""
STEP: Final = timedelta(seconds=30)
"""What is done within this time of the last act is not written down anew."""


def acted(session: Session, game_id: int, user_id: int, now: datetime) -> None:
    """A user has just done something at a table."""
    put(session, Presence(game_id=game_id, user_id=user_id, at=now))


def is_known(session: Session, game_id: int, user_id: int, now: datetime) -> bool:
    """Is it written down already that he is here?"""
    row = session.get(Presence, (game_id, user_id))
    return row is not None and now - row.at < STEP


def until(session: Session, game_id: int, user_id: int, owed: datetime) -> datetime:
    """The instant up to which a mail about a table, owed since then, waits for its reader."""
    row = session.get(Presence, (game_id, user_id))
    return owed if row is None else min(row.at + ACTIVE, owed + LONGEST)
