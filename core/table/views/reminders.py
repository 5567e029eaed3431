"""Reminders of a turn that waits: when half of its time has run, most of it, and before its end.

Each comes at most once a turn, and only if its reader wants it (M18). A turn's row says when to
look next (`Turn.remind_at`), so that what is due is a query; a deadline that moves has it looked at
anew. Time is that of the turn's clock: while it stands still, no reminder comes nearer (M35). What
a reminder says is in templates/email/reminder.html.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select, update

from core.mail import outbox
from core.mail.kinds import MailKind
from core.store.fences import fenced
from core.store.session import count
from core.store.tables import Game, Turn, User
from core.table.notify import modes, sitters
from core.table.notify.modes import STEPS, Step
from core.table.play import pauses
from core.table.record import deadlines
from core.when import NEVER

LAST: Final = 2 * deadlines.HOUR
"""Seconds before the end at which the last reminder comes."""
RETRY: Final = timedelta(hours=1)
"""A turn at which looking failed is looked at again so much later."""
AT_ONCE: Final = 200
"""Turns that one sweep looks at; the next one goes on."""


def owe(session: Session, now: datetime) -> int:
    """Owe the reminders that have come due, each once; return their number."""
    query = (
        select(Turn, Game, User)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .join(User, col(User.id) == col(Turn.user_id))
        .where(col(Turn.closed_at).is_(None), col(Turn.remind_at) <= now)
        .order_by(col(Turn.remind_at))
        .limit(AT_ONCE)
    )
    owed = 0
    for turn, game, user in session.exec(query).all():
        with fenced(session, "reminder", now, game=game.id) as fence:
            owed += _look(session, turn, game, user, now)
        if fence.error:  # it makes room for the others
            turn.remind_at = now + RETRY
            session.add(turn)
    return owed


def stands(session: Session, game: Game, turn: Turn, now: datetime) -> bool:
    """Return True if a question's clock stands still for longer than its owner's night (M35)."""
    if (
        turn.deadline >= NEVER
        or game.stopped_reason
        or pauses.paused_since(session, game.id) is not None
    ):
        return True
    return deadlines.terms_of(game).vacation and bool(sitters.present(session, turn.user_id, now))


def _look(session: Session, turn: Turn, game: Game, user: User, now: datetime) -> bool:
    """Owe the latest step that has passed, and note when to look next."""
    moments = _moments(session, turn, game, user)
    passed = [step for step, at in moments.items() if at <= now]
    following = [at for at in moments.values() if now < at < NEVER]
    session.execute(
        update(Turn)
        .where(
            col(Turn.id) == turn.id,
            col(Turn.remind_at) == turn.remind_at,
            col(Turn.deadline) == turn.deadline,  # if it has moved meanwhile, it is looked at anew
        )
        .values(remind_at=min(following, default=None))
        .execution_options(synchronize_session=False)
    )
    if not passed or turn.deadline <= now or stands(session, game, turn, now):
        return False
    return outbox.owe(
        session,
        MailKind.REMINDER,
        key=f"reminder:{turn.game_id}:{turn.seat}:{turn.turn}:{passed[-1]}",
        now=now,
        user=user,
        game_id=turn.game_id,
        seat=turn.seat,
        turn=turn.turn,
        context={"step": passed[-1]},
    )


def _moments(session: Session, turn: Turn, game: Game, user: User) -> dict[Step, datetime]:
    """Return when each wanted reminder comes, in order of time; none if nothing can be missed."""
    if modes.mode(session, user, game.id) == "off" or turn.deadline >= NEVER:
        return {}
    calendar = deadlines.calendar(session, game, turn.user_id, turn.asked_at)
    whole = turn.allowed_seconds
    seconds: dict[Step, int] = {"half": whole // 2, "most": whole * 4 // 5}
    if whole - LAST > seconds["half"]:  # else the turn is so short that it would come at once
        seconds["last"] = whole - LAST
    wanted = sorted((seconds[step], step) for step in STEPS if step in seconds)
    return {
        step: deadlines.due(game, turn.asked_at, after, calendar)
        for after, step in wanted
        if step in user.reminders
    }


def late(session: Session, before: datetime) -> int:
    """Return how many turns should have been looked at before then, for the doctor."""
    return count(session, col(Turn.closed_at).is_(None), col(Turn.remind_at) < before)
