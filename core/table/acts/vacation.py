"""Vacations: a user is away, their clocks stand still, and somebody may sit in for them.

A user has thirty days in each calendar year of their zone. The end is computed from the row, never
scheduled: after it the clocks run, whether or not anything has run since (M31).
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from sqlalchemy import update
from sqlmodel import Session, col, select

from core.game.events import VacationBegan
from core.game.types import Seat
from core.statuses import GameStatus
from core.store.fences import fenced
from core.store.tables import Game, SeatRow, User, Vacation
from core.table.notify import moved_deadlines, sitters
from core.table.people.accounts import clean_address
from core.table.play.play import Play
from core.table.record import deadlines, seats
from core.table.record.errors import TableError
from core.text import _, ngettext
from core.when import zone

BUDGET: Final = 30
"""Days of vacation a calendar year."""
LEAD: Final = 366
"""Days ahead that a vacation can be entered at most."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """A vacation as it is asked for: so many days, from now on or from a local day."""

    days: int
    first: date | None = None
    sitter: str = ""
    """Mail address of who may move meanwhile; empty for nobody."""


def take(session: Session, user: User, plan: Plan, now: datetime) -> Vacation:
    """Enter a vacation; clocks of running turns are set at once.

    TableError: it is too long, overlaps another one, or is beyond the budget; the sitter is
    unknown.
    """
    games = moved_deadlines.games_of(session, user.id)  # locked before the user, as everywhere
    session.exec(select(User).where(User.id == user.id).with_for_update(key_share=True)).one()
    row = _planned(session, user, plan, now)
    _check(session, user, row, now)
    session.add(row)
    session.flush()
    for game in games:
        moved_deadlines.renew(session, game)
    announce(session, now, user)
    return row


def end(session: Session, user: User, now: datetime) -> bool:
    """Come back early, or do not go: what is left of the days is kept. False if there is none.

    Who is back from one vacation keeps those that they have entered for later.
    """
    games = moved_deadlines.games_of(session, user.id)
    later = coming(session, user, now)
    rows = [row for row in later if row.starts_at <= now] or later
    for row in rows:
        if row.starts_at > now:
            session.delete(row)
        else:
            row.ends_at = now
            session.add(row)
    session.flush()
    for game in games:
        moved_deadlines.renew(session, game)
    return bool(rows)


def announce(session: Session, now: datetime, user: User | None = None) -> int:
    """Tell the games of everybody whose vacation has begun, of all or of one user, once."""
    begun = select(Vacation).where(
        col(Vacation.announced_at).is_(None),
        col(Vacation.starts_at) <= now,
        col(Vacation.ends_at) > now,
    )
    if user is not None:
        begun = begun.where(Vacation.user_id == user.id)
    told = 0
    for row in session.exec(begun).all():
        with fenced(session, "vacation", now, user=row.user_id):
            told += _announce(session, row, now)
    return told


def tell_new(session: Session, game: Game, now: datetime) -> None:
    """Tell the log of a game that begins which of its players are away."""
    for row in sitters.away(session, game, now).values():
        if row.announced_at is not None:  # else the sweep tells all their games
            _tell(session, game, row, now)


def coming(session: Session, user: User, now: datetime) -> list[Vacation]:
    """Return the vacations of a user that are not over, first one first."""
    query = select(Vacation).where(Vacation.user_id == user.id, col(Vacation.ends_at) > now)
    return list(session.exec(query.order_by(col(Vacation.starts_at))))


def days_left(session: Session, user: User, year: int) -> int:
    """Whole days of a calendar year that a user has not yet taken."""
    return (BUDGET * _DAY - _used(session, user, year)) // _DAY


def deaf_tables(session: Session, user: User) -> list[str]:
    """Titles of the user's running games that no vacation stops (M28)."""
    query = (
        select(Game)
        .join(SeatRow, col(SeatRow.game_id) == col(Game.id))
        .where(SeatRow.user_id == user.id, Game.status == GameStatus.RUNNING)
        .order_by(col(Game.id))
    )
    return [game.title for game in session.exec(query) if not deadlines.terms_of(game).vacation]


def _planned(session: Session, user: User, plan: Plan, now: datetime) -> Vacation:
    """From now, or from the first local midnight on, the same time of day `days` later."""
    local = zone(user.zone)
    start = now.astimezone(local)
    if plan.first is not None and plan.first > start.date() + LEAD * _DAY:
        raise TableError("too-far-ahead", _("Enter a vacation a year ahead at most."))
    if plan.first is not None and plan.first > start.date():
        start = datetime.combine(plan.first, time(), tzinfo=local)
    days = min(max(plan.days, 0), LEAD)
    ends = datetime.combine(start.date() + days * _DAY, start.timetz())
    return Vacation(
        user_id=user.id,
        sitter_id=_sitter(session, user, plan.sitter),
        starts_at=start,
        ends_at=ends,
        created_at=now,
    )


def _sitter(session: Session, user: User, address: str) -> int | None:
    if not address.strip():
        return None
    known = session.exec(select(User).where(User.email == clean_address(address))).first()
    if known is None or known.id == user.id:
        text = _("Nobody else here has that address; who is to sit in for you must sign in once.")
        raise TableError("sitter-unknown", text)
    return known.id


def _check(session: Session, user: User, row: Vacation, now: datetime) -> None:
    local = zone(user.zone)
    first, last = row.starts_at.astimezone(local), row.ends_at.astimezone(local)
    if not 1 <= (last.date() - first.date()).days <= BUDGET:
        text = _("A vacation has 1 to {most} days.")
        raise TableError("days-out-of-range", text.format(most=BUDGET))
    if row.starts_at > now + LEAD * _DAY:
        raise TableError("too-far-ahead", _("Enter a vacation a year ahead at most."))
    others = coming(session, user, now)
    if any(o.starts_at < row.ends_at and row.starts_at < o.ends_at for o in others):
        text = _("You have a vacation at that time already; end it first.")
        raise TableError("vacation-overlaps", text)
    for year in range(first.year, last.year + 1):
        if _used(session, user, year) + _within(row, user, year) > BUDGET * _DAY:
            rest = days_left(session, user, year)
            text = ngettext(
                "You have {n} day of vacation left in {year}.",
                "You have {n} days of vacation left in {year}.",
                rest,
            )
            raise TableError("budget-spent", text.format(n=rest, year=year))


def _used(session: Session, user: User, year: int) -> timedelta:
    rows = session.exec(select(Vacation).where(Vacation.user_id == user.id))
    return sum((_within(row, user, year) for row in rows), timedelta())


def _within(row: Vacation, user: User, year: int) -> timedelta:
    """How much of a vacation lies in a year, by the user's own calendar: days are whole days."""
    local = zone(user.zone)
    start = row.starts_at.astimezone(local).replace(tzinfo=None)
    end = row.ends_at.astimezone(local).replace(tzinfo=None)
    first, last = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 (local times)
    return max(min(end, last) - max(start, first), timedelta())


def _announce(session: Session, row: Vacation, now: datetime) -> bool:
    """Tell the games of one vacation, unless another sweep is as fast."""
    games = moved_deadlines.games_of(session, row.user_id)
    taken = session.execute(
        update(Vacation)
        .where(col(Vacation.id) == row.id, col(Vacation.announced_at).is_(None))
        .values(announced_at=now)
        .returning(col(Vacation.id))
        .execution_options(synchronize_session=False)
    ).first()
    if taken is None:
        return False
    for game in games:
        with fenced(session, "vacation", now, game=game.id):
            if deadlines.terms_of(game).vacation and not game.stopped_reason:
                _tell(session, game, row, now)
    return True


def _tell(session: Session, game: Game, row: Vacation, now: datetime) -> None:
    place = seats.seat_of(session, game.id, row.user_id)
    if place is None or place.seat is None:
        return
    sitter = session.get(User, row.sitter_id) if row.sitter_id is not None else None
    if sitter is not None and seats.seat_of(session, game.id, sitter.id) is not None:
        sitter = None  # nobody plays two seats
    days = max(round((row.ends_at - now) / _DAY), 1)
    play = Play.resume(session, game, now)
    play.record(VacationBegan(Seat(place.seat), days, sitter.name if sitter else ""))
    if sitter is not None:
        sitters.owe_word(session, game, Seat(place.seat), sitter, row, now)
