"""How users want their turn mails: one setting of their own, and one for a table that beats it.

`core.table.notify.sending` reads them when a mail is sent, so that a change holds at once, also for
mails that wait.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast, get_args

from sqlmodel import Session, col, func, select, update

from core.mail import outbox
from core.mail.addresses import Scope
from core.mail.kinds import MailKind
from core.statuses import GameStatus, MailStatus
from core.store.session import put
from core.store.tables import Game, OutboxMail, SeatRow, TablePreference, Turn, User
from core.table.record.errors import TableError
from core.text import _

Mode = Literal["instant", "always", "batched", "digest", "off"]
TableMode = Literal["inherit", "instant", "always", "batched", "digest", "mute"]
Step = Literal["half", "most", "last"]
MODES: Final[tuple[Mode, ...]] = ("instant", "always", "batched", "digest", "off")
"""Always: at once even to who has the form before them, for an open tab is no reader."""
TABLE_MODES: Final[tuple[TableMode, ...]] = get_args(TableMode)
STEPS: Final[tuple[Step, ...]] = ("half", "most", "last")
"""Reminders: when half of a turn's time has run, when four fifths have, 2 hours before its end."""
BATCHES: Final = range(5, 12 * 60 + 1)
"""Minutes for which turns may be gathered."""
DIGEST_HOURS: Final = range(22)
"""Hours at which a digest may be wanted; a late one still reaches its own day."""
EXEMPT_HOURS: Final = range(25)
_DAY: Final = 24 * 60

EFFECTIVE: Final[Any] = func.coalesce(func.nullif(TablePreference.mode, "inherit"), User.mail_mode)
"""The mode that holds for a user at a table, in a query that outer-joins `TablePreference`."""


@dataclass(frozen=True, slots=True)
class MailSettings:
    """What a user chooses on the mail page. `quiet`: minutes of the user's day, or None."""

    mode: str
    batch_minutes: int
    digest_hour: int
    quiet: tuple[int, int] | None
    quiet_except_hours: int
    reminders: tuple[str, ...]
    games: bool
    chat: bool


def mode(session: Session, user: User, game_id: int | None) -> Mode:
    """Return how a user wants the turn mails of a table now; a muted table's are off (M6)."""
    own = table_mode(session, user, game_id)
    found: str = user.mail_mode if own == "inherit" else own
    return "off" if found == "mute" else cast(Mode, found)


def table_mode(session: Session, user: User, game_id: int | None) -> TableMode:
    """Return what the user has chosen for one table."""
    row = session.get(TablePreference, (game_id, user.id)) if game_id is not None else None
    return cast(TableMode, row.mode) if row else "inherit"


def choose(session: Session, user: User, game_id: int, chosen: str, now: datetime) -> None:
    """Set the mode of one table; raise TableError `mode-unknown`."""
    if chosen not in TABLE_MODES:
        raise TableError("mode-unknown", _("Choose one of the ways that are offered."))
    put(session, TablePreference(game_id=game_id, user_id=user.id, mode=chosen))
    look_again(session, user, now)


def change(session: Session, user: User, chosen: MailSettings, now: datetime) -> None:
    """Store all settings, or none.

    Raises:
        TableError: `mode-unknown`, `batch-out-of-range`, `hour-out-of-range`, `quiet-invalid`,
            `exempt-out-of-range`; each says what would do.
    """
    _check(chosen)
    user.mail_mode, user.batch_minutes = chosen.mode, chosen.batch_minutes
    user.digest_hour = chosen.digest_hour
    user.quiet_from, user.quiet_to = chosen.quiet or (None, None)
    user.quiet_except_hours = chosen.quiet_except_hours
    user.reminders = [step for step in STEPS if step in chosen.reminders]
    user.mail_games, user.mail_chat = chosen.games, chosen.chat
    session.add(user)
    look_again(session, user, now)


def settings_of(user: User, quiet: tuple[int, int] | None) -> MailSettings:
    """Return what a user has chosen, with these quiet hours."""
    return MailSettings(
        mode=user.mail_mode,
        batch_minutes=user.batch_minutes,
        digest_hour=user.digest_hour,
        quiet=quiet,
        quiet_except_hours=user.quiet_except_hours,
        reminders=tuple(user.reminders),
        games=user.mail_games,
        chat=user.mail_chat,
    )


def no_turns(session: Session, user: User, now: datetime, *, told: bool = True) -> None:
    """End all turn mails of a user, also those of tables with a mode of their own (RFC 8058).

    Not `told`: no mail says so, since they have complained of mails.
    """
    user.mail_mode = "off"
    session.add(user)
    session.execute(
        update(TablePreference)
        .where(col(TablePreference.user_id) == user.id, col(TablePreference.mode) != "mute")
        .values(mode="inherit")
    )
    look_again(session, user, now)
    if told:
        tell_stopped(session, user, "turns", now)


def unsubscribe(session: Session, user: User, scope: Scope, now: datetime) -> None:
    """End the mails of one scope, and no others; one mail says what goes on without them."""
    if scope == "turns":
        no_turns(session, user, now)
        return
    setattr(user, f"mail_{scope}", False)
    session.add(user)
    tell_stopped(session, user, scope, now)


def all_on(session: Session, user: User, mode: str, now: datetime) -> None:
    """Turn all mails on again, turns in this mode."""
    user.mail_mode = mode
    user.mail_games = user.mail_answers = user.mail_notices = True
    session.add(user)
    look_again(session, user, now)


def tell_stopped(session: Session, user: User, scope: Scope, now: datetime) -> None:
    """Owe the one mail that says what goes on without these mails, and how they come back."""
    outbox.owe(
        session,
        MailKind.STOPPED,
        key=f"off:{scope}:{user.id}:{now.isoformat()}",
        now=now,
        user=user,
        context={"scope": scope},
    )


def look_again(session: Session, user: User, now: datetime) -> None:
    """Have all that waits for this user decided anew, by their new settings."""
    session.flush()
    session.execute(
        update(OutboxMail)
        .where(
            col(OutboxMail.user_id) == user.id,
            col(OutboxMail.status) == MailStatus.PENDING,
            col(OutboxMail.held).is_(True),
        )
        .values(next_attempt_at=now)
    )
    session.execute(
        update(Turn)
        .where(col(Turn.user_id) == user.id, col(Turn.closed_at).is_(None))
        .values(remind_at=now)
    )


def tables(session: Session, user: User) -> Sequence[tuple[Game, TableMode]]:
    """Return the tables at which a user sits that are not over, and their mode for each."""
    query = (
        select(Game, func.coalesce(TablePreference.mode, "inherit"))
        .join(SeatRow, col(SeatRow.game_id) == col(Game.id))
        .outerjoin(
            TablePreference,
            (col(TablePreference.game_id) == col(Game.id))
            & (col(TablePreference.user_id) == col(SeatRow.user_id)),
        )
        .where(
            SeatRow.user_id == user.id, col(Game.status).in_((GameStatus.OPEN, GameStatus.RUNNING))
        )
        .order_by(col(Game.id))
    )
    return [(game, cast(TableMode, own)) for game, own in session.exec(query)]


def _check(chosen: MailSettings) -> None:
    if chosen.mode not in MODES or not set(chosen.reminders) <= set(STEPS):
        raise TableError("mode-unknown", _("Choose one of the ways that are offered."))
    if chosen.batch_minutes not in BATCHES:
        text = _("Turns can be gathered for {least} to {most} minutes.")
        raise TableError("batch-out-of-range", text.format(least=BATCHES[0], most=BATCHES[-1]))
    if chosen.digest_hour not in DIGEST_HOURS:
        text = _("A digest can be sent at {least} to {most} o'clock.")
        raise TableError(
            "hour-out-of-range", text.format(least=DIGEST_HOURS[0], most=DIGEST_HOURS[-1])
        )
    if chosen.quiet_except_hours not in EXEMPT_HOURS:
        text = _("Deadlines nearer than {least} to {most} hours can break the quiet hours.")
        raise TableError("exempt-out-of-range", text.format(least=0, most=EXEMPT_HOURS[-1]))
    if chosen.quiet is not None:
        _check_quiet(chosen.quiet)


def _check_quiet(quiet: tuple[int, int]) -> None:
    if not all(0 <= minute < _DAY for minute in quiet):
        text = _("Give both ends of the quiet hours as times of day, such as 22:00 and 07:00.")
        raise TableError("quiet-invalid", text)
    if quiet[0] == quiet[1]:
        text = _("The quiet hours begin and end at the same time: choose two, or none at all.")
        raise TableError("quiet-invalid", text)
