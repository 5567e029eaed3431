"""Clocks: which games somebody has to look at now, without anybody visiting them (M34, M75).

Due work is a question to the database, asked every few seconds; no task waits anywhere for its
time to come.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select, union

from core.store.tables import Game, Submission, Turn

PATIENCE: Final = timedelta(seconds=3)
"""Age of a pending submission from which its doorbell counts as lost."""


def sweep(session: Session, now: datetime) -> list[int]:
    """Games to adjudicate: overdue turns, moves that wait too long, bots that have not finished."""
    overdue = select(col(Turn.game_id)).where(
        col(Turn.closed_at).is_(None), col(Turn.deadline) <= now
    )
    waiting = select(col(Submission.game_id)).where(
        Submission.status == "pending", col(Submission.created_at) <= now - PATIENCE
    )
    restless = select(col(Game.id)).where(col(Game.restless).is_(True))
    found = session.scalars(union(overdue, waiting, restless)).all()
    healthy = select(Game.id).where(col(Game.id).in_(found), Game.flag == "")
    return sorted(session.exec(healthy))
