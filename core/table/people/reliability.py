"""Who answers in time: the record of a user, and where it lets them sit down (M44)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, case, col, false, func, not_, or_, select

from core.game.errors import LogError
from core.statuses import ClosedBy, GameStatus
from core.store.session import count
from core.store.tables import Game, SeatRow, Turn, User
from core.table.notify import mails
from core.table.people.guests import is_guest
from core.table.record import gamelog
from core.table.record.deadlines import terms_of
from core.table.record.errors import TableError
from core.table.record.telling import opening
from core.text import _
from core.when import exact

TURNS: Final = 100
"""So many of a user's last turns count."""
MEMORY: Final = timedelta(days=365)
"""Older turns do not."""
ENOUGH: Final = 10
"""With fewer turns than these nobody is refused for their record: it says too little."""
HABIT: Final = timedelta(days=60)
"""Turns that were missed within this time make a habit of the next one."""
BARRED: Final = timedelta(days=7)
"""For so long whoever has left a game finds no place at a new table."""
_ANSWERED: Final = (ClosedBy.MOVE, ClosedBy.DRAFT, ClosedBy.ORDER)


@dataclass(frozen=True, slots=True)
class Record:
    """Turns that a user was asked for, of late, and how many they answered in time."""

    asked: int
    answered: int

    @property
    def percent(self) -> int:
        """Return the percent in time, rounded down; 100 where the user was never asked."""
        return 100 * self.answered // self.asked if self.asked else 100

    def keeps(self, least: int) -> bool:
        """Return True if it is good enough for a table that wants so many percent."""
        return self.asked < ENOUGH or self.percent >= least


def records(
    session: Session, users: Collection[int], now: datetime, *, public: bool = False
) -> dict[int, Record]:
    """Return the records of users; forced moves and planning calls are no turns.

    `public`: answers in a running auction do not count before its sale; a bid that was typed is
    an answer, and one that was ordered is none (K3).
    """
    opened = _opened(session, users).items() if public else ()
    not_yet = or_(
        false(), *(and_(Turn.game_id == game, col(Turn.closed_seq) >= seq) for game, seq in opened)
    )
    newest = func.row_number().over(
        partition_by=col(Turn.user_id), order_by=(col(Turn.closed_at).desc(), col(Turn.id).desc())
    )
    turn = (
        select(Turn.user_id, Turn.closed_by, newest.label("n"))
        .where(
            col(Turn.user_id).in_(users),
            col(Turn.plan).is_(False),
            col(Turn.closed_by).in_((*_ANSWERED, ClosedBy.MISSED)),
            col(Turn.closed_at) > now - MEMORY,
            not_(not_yet),
        )
        .subquery()
    )
    answered = func.sum(case((turn.c.closed_by == ClosedBy.MISSED, 0), else_=1))
    found = session.exec(
        select(turn.c.user_id, func.count(), answered)
        .where(turn.c.n <= TURNS)
        .group_by(turn.c.user_id)
    )
    known = {user: Record(asked, in_time) for user, asked, in_time in found}
    return {user: known.get(user, Record(0, 0)) for user in users}


def _opened(session: Session, users: Collection[int]) -> dict[int, int]:
    """Return the games of users in which an auction runs, with the log position before it."""
    query = (
        select(Game.id)
        .join(SeatRow, col(SeatRow.game_id) == col(Game.id))
        .where(Game.status == GameStatus.RUNNING, col(SeatRow.user_id).in_(users))
        .distinct()
    )
    found = {}
    for game_id in session.exec(query).all():
        try:
            if gamelog.load(session, game_id).auction is not None:
                opened = opening(gamelog.events(session, game_id))
                found[game_id] = opened.seq - 1 if opened else 0
        except LogError:
            found[game_id] = 0  # nobody knows what is secret in it
    return found


def record(session: Session, user_id: int, now: datetime) -> Record:
    """Return the record of one user."""
    return records(session, (user_id,), now)[user_id]


def misses(session: Session, user_id: int, now: datetime) -> int:
    """Return how many turns a user has missed of late: one is no habit (H5)."""
    return count(
        session,
        Turn.user_id == user_id,
        Turn.closed_by == ClosedBy.MISSED,
        col(Turn.closed_at) > now - HABIT,
    )


def lift(session: Session, user: User) -> bool:
    """Let a barred user sit down again, as the operator; False if they were not barred."""
    was, user.barred_at = user.barred_at is not None, None
    session.add(user)
    return was


def bar(session: Session, user: User, now: datetime) -> None:
    """Bar a user who has left a game from new tables for some days."""
    user.barred_at = now
    session.add(user)


def barred_until(user: User, now: datetime) -> datetime | None:
    """Until when no new table takes a user; None where all do."""
    until = user.barred_at + BARRED if user.barred_at else None
    return until if until and until > now else None


def admit(session: Session, user: User, now: datetime, game: Game | None = None) -> None:
    """Check that a user may sit down at a new table, and at `game`, whose terms ask a record.

    Raises:
        TableError: `guest` for a guest, whom others could not reach; `barred` after they have left
            a game, `unreliable` for a record that is too low; each says how it ends.
    """
    if game is not None and is_guest(user):
        text = _("Sign in with your address first: the others must be able to reach you.")
        raise TableError("guest", text)
    until = barred_until(user, now)
    if until is not None:
        text = _(
            "You have left a game, or missed turns until others could take your seat. Tables of "
            "others are closed to you until {when}; you can open your own, and the games that you "
            "play in are not touched by this."
        )
        raise TableError("barred", text.format(when=exact(until, user.zone, user.locale)))
    least = terms_of(game).least_reliability if game else 0
    kept = record(session, user.id, now)
    if not kept.keeps(least):
        text = _(
            "This table asks for {least} % of turns answered in time, and you have answered "
            "{answered} of your last {asked} ({percent} %). Every turn that you answer in time "
            "raises it, turns older than a year do not count, and the host can invite you."
        )
        raise TableError("unreliable", text.format(
            least=least, answered=kept.answered, asked=kept.asked, percent=kept.percent
        ))  # fmt: skip


def withdraw(session: Session, game: Game, now: datetime) -> None:
    """Free the places of barred users at a table that has not begun; its host is told."""
    query = select(SeatRow, User).join(User, col(SeatRow.user_id) == col(User.id))
    here = SeatRow.game_id == game.id, User.id != (game.host_id or 0)  # one's own table stays
    for row, user in session.exec(query.where(*_given_up(now), *here)).all():
        session.delete(row)
        mails.notify_host(session, game, mails.UserNotice.WITHDRAWN, user, now)


def due(session: Session, now: datetime) -> set[int]:
    """Return tables that have not begun, at which barred users sit."""
    query = (
        select(SeatRow.game_id)
        .join(User, col(SeatRow.user_id) == col(User.id))
        .join(Game, col(SeatRow.game_id) == col(Game.id))
        .where(
            Game.status == GameStatus.OPEN,
            col(Game.host_id).is_distinct_from(col(User.id)),
            *_given_up(now),
        )
    )
    return set(session.exec(query))


def _given_up(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Select those who sat down before they were barred, and are barred."""
    return (col(User.barred_at) > now - BARRED, col(SeatRow.joined_at) <= col(User.barred_at))
