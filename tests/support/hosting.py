"""What hosts do in many tests."""

from datetime import datetime

from sqlmodel import Session

from core.store.tables import User
from core.table.acts import host_acts


def extend(session: Session, game: int, host: User, hours: int, reason: str, now: datetime) -> None:
    """Give all seats that are asked so many hours more."""
    host_acts.act(session, game, host, "extend", {"hours": hours, "reason": reason}, now)


def end(session: Session, game: int, host: User, reason: str, now: datetime) -> None:
    """End the game before its end."""
    host_acts.act(session, game, host, "end", {"reason": reason}, now)
