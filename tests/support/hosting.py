"""What hosts do in many tests, the others agreeing where they must."""

from datetime import datetime
from typing import Any

from sqlmodel import Session

from core.statuses import ProposalStatus
from core.store.tables import User
from core.table.acts import proposals


def agreed(
    session: Session, game: int, host: User, kind: str, body: dict[str, Any], now: datetime
) -> None:
    """Do it as the host; whom it needs agrees."""
    row = proposals.act_as_host(session, game, host, kind, body, now)
    if row is None:
        return
    for seat in proposals.meaning(session, row).voters:
        if seat != row.seat and row.status == ProposalStatus.OPEN:
            proposals.answer(session, game, row.number, seat, agrees=True, now=now)
    assert row.status == ProposalStatus.ACCEPTED


def extend(session: Session, game: int, host: User, hours: int, reason: str, now: datetime) -> None:
    """Give all seats that are asked so many hours more."""
    agreed(session, game, host, "extend", {"hours": hours, "reason": reason}, now)


def end(session: Session, game: int, host: User, reason: str, now: datetime) -> None:
    """End the game before its end."""
    agreed(session, game, host, "end", {"reason": reason}, now)
