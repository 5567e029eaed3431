"""Users whom no mail reaches: marked, and given what has waited once it is mended (M1).

What a marked user is owed is not lost: mails about tables go out once he can be reached again, as
things stand then. The rest would be out of date and is dropped.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, and_, col, exists, select, update

from core.mail.reports import WHY_LENGTH
from core.store.tables import OutboxMail, Turn, User

ALWAYS: Final = frozenset({"signin", "address", "moved", "test"})
"""Kinds that are sent all the same: they show whether an address works, or let one change it."""
KEPT: Final = frozenset(
    {"turn", "together", "start", "end", "invite", "notice", "word", "hook", "sitter"}
)
"""Kinds that wait for the user; all others are of the moment."""
UNREACHED: Final = "unreached"
"""Status of mails that wait for their user."""
COMPLAINT: Final = "complaint"
"""What `User.undeliverable_why` says where a mail of ours was reported as unwanted."""
WAITS: Final = timedelta(days=5)
"""How long a mail waits for its user: as long as a mail server would have tried.

A turn's own mail comes for as long as the turn is open.
"""
_WITHOUT_CONTEXT: Final = ("turn", "start", "end")


class Unreached(Exception):
    """Mails to the user of this mail come back. `status`: what becomes of it."""

    def __init__(self, kind: str) -> None:
        super().__init__("mail to this user comes back")
        self.status = UNREACHED if kind in KEPT else "dropped"


def check(session: Session, row: OutboxMail) -> None:
    """Return if a mail may go out; Unreached while mails to its user come back."""
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is not None and user.undeliverable_at is not None and row.kind not in ALWAYS:
        raise Unreached(row.kind)


def came_back(session: Session, row: OutboxMail, why: str, now: datetime) -> bool:
    """Mark the user whose mail came back for good; False if it is not his address, or no user's.

    The mail itself waits with the others where it can still be written.
    """
    user = session.get(User, row.user_id) if row.user_id is not None else None
    if user is None or row.address != user.email:
        return False
    mark(session, user, why, now)
    sent = row.status == "sent"
    if row.kind in KEPT and (not sent or row.kind in _WITHOUT_CONTEXT):
        _set(session, row, UNREACHED, why)
    elif not sent:
        _set(session, row, "dropped", why)
    return True


def mark(session: Session, user: User, why: str, now: datetime) -> None:
    """No mails to this user from now on; the first reason stands, until he is reached again."""
    if user.undeliverable_at is None:
        user.undeliverable_at, user.undeliverable_why = now, why[:WHY_LENGTH]
        session.add(user)


def lift(session: Session, user: User, now: datetime) -> None:
    """He is reached again: take the mark away and let go what waited and is still of use."""
    user.undeliverable_at, user.undeliverable_why = None, ""
    session.add(user)
    mine = update(OutboxMail).where(col(OutboxMail.user_id) == user.id)
    mine = mine.execution_options(synchronize_session=False)
    waits = and_(
        OutboxMail.user_id == user.id,
        OutboxMail.status == UNREACHED,
        col(OutboxMail.created_at) > now - WAITS,
    )
    gathered = session.exec(select(OutboxMail).where(OutboxMail.kind == "together", waits))
    told = [number for row in gathered for number in row.context["rows"]]
    again = {"status": "pending", "held": False, "attempts": 0, "error": "", "created_at": now,
             "next_attempt_at": now}  # fmt: skip
    asked = exists().where(
        col(Turn.game_id) == col(OutboxMail.game_id),
        col(Turn.seat) == col(OutboxMail.seat),
        col(Turn.turn) == col(OutboxMail.turn),
        col(Turn.user_id) == user.id,
        col(Turn.closed_at).is_(None),
    )
    # Also a turn that was told in a digest, or with others: that may be what came back.
    turns = mine.where(col(OutboxMail.kind) == "turn", asked, col(OutboxMail.id).not_in(told))
    session.exec(turns.values(**again))
    session.exec(mine.where(waits).values(**again))
    session.exec(mine.where(col(OutboxMail.status) == UNREACHED).values(status="dropped"))


def _set(session: Session, row: OutboxMail, status: str, error: str) -> None:
    values = {"status": status, "error": error, "lease_until": None}
    session.exec(update(OutboxMail).where(col(OutboxMail.id) == row.id).values(**values))
