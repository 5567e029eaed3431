"""The daily digest: one mail a day that names every table which waits for its reader (M5, M9).

It is owed from the user's digest hour on, for the rest of their own day, until it is: a sweep that
comes late, twice or in two processes at once makes one (M7). It is for turns that were asked by
that hour; what it says is what waits when it is sent.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from sqlmodel import Session, and_, col, func, select

from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import GameStatus
from core.store.session import put_new
from core.store.tables import Digest, Game, OutboxMail, TablePreference, Turn, User
from core.table.notify import modes, quiet, sitters
from core.table.record.deadlines import terms_of
from core.when import zone

_DAY: Final = timedelta(days=1)


def day_of(user: User, now: datetime) -> date:
    """Return the user's own day."""
    return now.astimezone(zone(user.zone)).date()


def moment(user: User, day: date) -> datetime:
    """Return when the digest of a local day is due: at its hour, or at the end of quiet hours."""
    minute = user.digest_hour * 60
    if quiet.is_quiet(user, minute) and user.quiet_to is not None:
        minute = user.quiet_to
    return quiet.instant(user, day, minute)


def following(user: User, now: datetime) -> datetime:
    """Return when the next digest is due after `now`."""
    today = day_of(user, now)
    return next(at for n in range(3) if (at := moment(user, today + n * _DAY)) > now)


def due(session: Session, now: datetime) -> list[int]:
    """Return users to whom a digest of today is owed and not made yet."""
    query = (
        select(User, func.min(Turn.asked_at))
        .select_from(Turn)
        .join(User, col(User.id) == col(Turn.user_id))
        .outerjoin(TablePreference, _PREFERRED)
        .where(col(Turn.closed_at).is_(None), modes.EFFECTIVE == "digest")
        .group_by(col(User.id))
        .order_by(col(User.id))
    )
    found = [
        user
        for user, first in session.exec(query)
        if user.undeliverable_at is None and first <= moment(user, day_of(user, now)) <= now
    ]
    lately = select(Digest).where(
        col(Digest.user_id).in_([user.id for user in found]),
        col(Digest.local_date) >= now.date() - 2 * _DAY,  # whatever the zone
    )
    made = {(row.user_id, row.local_date) for row in session.exec(lately)}
    return [
        user.id
        for user in found
        if (user.id, day_of(user, now)) not in made and not _rests(session, user, now)
    ]


def owe(session: Session, user_id: int, now: datetime) -> bool:
    """Owe a user the digest of their day; return False if it was owed already."""
    query = select(User).where(User.id == user_id).with_for_update(key_share=True)
    user = session.exec(query).one()
    day = day_of(user, now)
    if not put_new(session, Digest(user_id=user_id, local_date=day, at=now)):
        return False
    context = {"day": day.isoformat()}
    key = f"digest:{user_id}:{day.isoformat()}"
    outbox.owe(session, MailKind.DIGEST, key=key, now=now, user=user, context=context)
    return True


def is_over(row: OutboxMail, user: User, now: datetime) -> bool:
    """Return True if the day of a digest ended before it was sent."""
    return bool(row.context["day"] != day_of(user, now).isoformat())


def waiting(session: Session, user: User, *, but: Sequence[str]) -> list[tuple[Turn, Game]]:
    """Return the questions that are open for a user, the nearest deadline first.

    `but`: not those of tables whose mails they want in one of these ways.
    """
    query = (
        select(Turn, Game)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .join(User, col(User.id) == col(Turn.user_id))
        .outerjoin(TablePreference, _PREFERRED)
        .where(
            Turn.user_id == user.id,
            col(Turn.closed_at).is_(None),
            Game.status == GameStatus.RUNNING,
            Game.stopped_reason == "",  # nobody can answer, and it may not even be readable
            modes.EFFECTIVE.not_in((*but, "off", "mute")),
        )
        .order_by(col(Turn.deadline), col(Turn.id))
    )
    return list(session.exec(query).all())


def _rests(session: Session, user: User, now: datetime) -> bool:
    """Return True if they are on vacation, and all that waits stands still meanwhile."""
    if sitters.present(session, user.id, now) is None:
        return False
    found = waiting(session, user, but=("instant", "always", "batched"))
    return all(terms_of(game).vacation for _turn, game in found)


_PREFERRED: Final = and_(
    col(TablePreference.game_id) == col(Turn.game_id),
    col(TablePreference.user_id) == col(User.id),
)
