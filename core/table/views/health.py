"""Is all well that nobody would miss at once: sweeps, deliveries, digests, games (M8)?

The same findings are told by `kraftpost doctor`, counted in the metrics, and mailed once a day to
whoever runs the service, for as long as something is not well.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlmodel import Session, and_, col, exists, func, or_, select

from core.lists import clauses
from core.mail import outbox
from core.mail.kinds import MailKind
from core.statuses import CallStatus, InboundStatus, MailStatus
from core.store import fences
from core.store.session import count
from core.store.tables import (
    Game,
    Heartbeat,
    InboundMail,
    OutboxMail,
    SeatRow,
    TablePreference,
    Turn,
    User,
    Vacation,
    Webhook,
    WebhookCall,
)
from core.table.notify import modes, wall_clock
from core.table.views import reminders
from core.text import _, language
from core.when import exact

IMAP: Final = "imap"
"""Name of the sign of life of who fetches mail."""
SILENT: Final = timedelta(minutes=10)
"""A sweep that has not run for so long does not run."""
LATE: Final = timedelta(minutes=15)
"""What was due so long ago, and not done, is stuck."""
NO_DIGEST: Final = timedelta(hours=26)
"""Longer than any day between two daily digests, whatever the clocks do."""
RECENT: Final = timedelta(days=1)
"""What went wrong for good within this time is told of."""

MANY: Final = 3
"""Addresses that go bad within `RECENT`, and are a tenth of all: then it is us, not they."""


class Finding(NamedTuple):
    """One thing that was looked at: how often it is ill (0: well), and how to mend it."""

    name: str
    ill: int
    told: str
    mend: str


def examine(session: Session, now: datetime) -> tuple[Finding, ...]:
    """Look at everything."""
    checks = (
        _clock, _sweep, _parts, _outbox, _addresses, _digests, _reminders, _hooks, _inbound, _imap,
        _games,
    )  # fmt: skip
    return tuple(check(session, now) for check in checks)


def troubles(session: Session, now: datetime) -> tuple[Finding, ...]:
    """Return what is not well."""
    return tuple(finding for finding in examine(session, now) if finding.ill)


def watch(session: Session, admin: str, now: datetime) -> bool:
    """Owe the admin a mail about what is not well, one a day; True if it is owed now.

    Health mails themselves are no trouble to tell of, so one that cannot be sent brings no other.
    """
    admin = admin.partition(",")[0].strip()  # the first of several
    if not admin or not troubles(session, now):
        return False
    mine, told = OutboxMail.kind == MailKind.HEALTH, OutboxMail.status != MailStatus.DROPPED
    if count(session, mine, told, col(OutboxMail.created_at) > now - RECENT):
        return False
    number = count(session, mine)  # two that look at once count the same, and owe the same mail
    return outbox.owe(session, MailKind.HEALTH, key=f"health:{number}", now=now, address=admin)


def _sweep(session: Session, now: datetime) -> Finding:
    beat = session.get(Heartbeat, "sweep")
    told = _("never ran")
    if beat is not None:
        told = _("ran {n} s ago").format(n=f"{(now - beat.at).total_seconds():.0f}")
    ill = beat is None or not -wall_clock.AHEAD <= now - beat.at <= SILENT
    return Finding("sweep", int(ill), told, _("Start the worker and the clock, or see their logs"))


def _parts(session: Session, now: datetime) -> Finding:
    """Tell which work of the sweep has failed of late; the rest of it was done."""
    found = fences.failures(session).items()
    late = sorted(work for work, row in found if now - row.at <= SILENT)
    told = _("work of the sweep that fails: {n}").format(n=len(late))
    mend = _("See item_failed in the worker's log")
    return Finding("parts", len(late), clauses([told, *late]), mend)


def _clock(session: Session, now: datetime) -> Finding:
    """Tell a wall clock that was set while the service ran: all waits until it is right."""
    leapt = wall_clock.leapt_to(session)
    ahead = wall_clock.count_future(session, now)
    told = _("the clock says {time}")
    if leapt is not None:
        told = _("the clock leapt to {time} while the service ran: all waits")
    elif ahead:
        told = _("the clock says {time}, and {n} heartbeats lie in the future")
    told = told.format(time=f"{leapt or now:%Y-%m-%d %H:%M} UTC", n=ahead)
    mend = _("Set the clock of the machine; if it is right now: kraftpost clock accept")
    return Finding("clock", int(leapt is not None) + ahead, told, mend)


def _outbox(session: Session, now: datetime) -> Finding:
    mine = OutboxMail.kind != MailKind.HEALTH
    tried_in_vain = and_(OutboxMail.error != "", col(OutboxMail.created_at) < now - LATE)
    stuck = and_(
        mine,
        OutboxMail.status == MailStatus.PENDING,
        or_(col(OutboxMail.next_attempt_at) < now - LATE, tried_in_vain),
    )
    lost = and_(
        mine, OutboxMail.status == MailStatus.FAILED, col(OutboxMail.next_attempt_at) > now - RECENT
    )
    waiting, failed = count(session, stuck), count(session, lost)
    reason = session.exec(
        select(OutboxMail.error)
        .where(or_(stuck, lost), OutboxMail.error != "")
        .order_by(col(OutboxMail.next_attempt_at).desc())
    ).first()
    told = _(
        "{waiting} mails have waited for more than {minutes} minutes, {failed} were given up "
        "within a day"
    ).format(waiting=waiting, minutes=LATE.seconds // 60, failed=failed)
    mend = _("See the worker's log")
    if reason:
        mend = _("The last reason was: {reason}").format(reason=reason)
    return Finding("outbox", waiting + failed, told, mend)


def _addresses(session: Session, now: datetime) -> Finding:
    """Users whom no mail reaches: their own affair, until it is many at once (M1)."""
    marked = col(User.undeliverable_at)
    users = count(session, col(User.id).is_not(None))
    unreached = count(session, marked.is_not(None))
    recent = count(session, marked > now - RECENT)
    ill = recent if recent >= MANY and recent * 10 >= users else 0
    told = _("mail to {unreached} of {users} users comes back, to {recent} since yesterday").format(
        unreached=unreached, users=users, recent=recent
    )
    mend = _("So many at once: other servers may take none of our mail; see the mail server's log")
    return Finding("addresses", ill, told, mend)


def _digests(session: Session, now: datetime) -> Finding:
    """Users whose turns have waited for longer than a day, and who got no daily digest."""
    sent = exists().where(
        col(OutboxMail.user_id) == col(User.id),
        col(OutboxMail.kind) == MailKind.DIGEST,
        col(OutboxMail.sent_at) > now - NO_DIGEST,
    )
    away = exists().where(
        col(Vacation.user_id) == col(User.id),
        col(Vacation.starts_at) <= now,
        col(Vacation.ends_at) > now - NO_DIGEST,
    )
    missed = session.exec(
        select(func.count(func.distinct(User.id)))
        .select_from(Turn)
        .join(SeatRow, and_(SeatRow.game_id == Turn.game_id, SeatRow.seat == Turn.seat))
        .join(User, col(User.id) == col(SeatRow.user_id))
        .outerjoin(
            TablePreference,
            and_(TablePreference.game_id == Turn.game_id, TablePreference.user_id == User.id),
        )
        .where(
            col(Turn.closed_at).is_(None),
            col(Turn.asked_at) < now - NO_DIGEST,
            modes.EFFECTIVE == "digest",
            col(User.undeliverable_at).is_(None),
            ~sent,
            ~away,
        )
    ).one()
    told = _("{n} users were sent no daily digest though they have waited for one").format(n=missed)
    mend = _("See the worker's log; the sweep makes the digests")
    return Finding("digests", missed, told, mend)


def _reminders(session: Session, now: datetime) -> Finding:
    """Count turns that nobody has looked at though a reminder may have come due."""
    late = reminders.late(session, now - LATE)
    told = _("{n} turns were not looked at for reminders").format(n=late)
    mend = _("See the worker's log; the sweep makes the reminders")
    return Finding("reminders", late, told, mend)


def _hooks(session: Session, now: datetime) -> Finding:
    disabled = count(session, col(Webhook.disabled_at) > now - RECENT)
    pending = WebhookCall.status == CallStatus.PENDING
    stuck = count(session, pending, col(WebhookCall.next_attempt_at) < now - LATE)
    told = _(
        "{off} webhooks were switched off within a day, {late} calls wait for too long"
    ).format(off=disabled, late=stuck)
    mend = _("Their owners were told; calls that wait are made by the worker: see its log")
    return Finding("hooks", disabled + stuck, told, mend)


def _inbound(session: Session, now: datetime) -> Finding:
    status, mail = InboundMail.status, InboundMail
    waiting = count(session, status == InboundStatus.PENDING, col(mail.received_at) < now - LATE)
    failed = count(session, status == InboundStatus.FAILED, col(mail.processed_at) > now - RECENT)
    told = _(
        "{waiting} mails that came in have not been read, {failed} were given up within a day"
    ).format(waiting=waiting, failed=failed)
    return Finding("answers", waiting + failed, told, _("See the worker's log"))


def _imap(session: Session, now: datetime) -> Finding:
    beat = session.get(Heartbeat, IMAP)  # none where no mailbox was ever looked at
    late = beat is not None and beat.at < now - LATE
    told = _("no mailbox")
    if beat:
        told = _("the mailbox was last looked at {time}").format(
            time=exact(beat.at, "UTC", language())
        )
    mend = _("See inbound's log; look at IMAP_URL, its password, its host")
    return Finding("imap", late, told, mend)


def _games(session: Session, _now: datetime) -> Finding:
    stuck = session.exec(
        select(Game.id, Game.stopped_reason).where(Game.stopped_reason != "")
    ).all()
    told = _("stopped games: {n}").format(n=len(stuck))
    games = (_("game {id}: {flag}").format(id=id_, flag=flag) for id_, flag in stuck)
    mend = _("See the worker's log for why; once it is mended: kraftpost game unflag ID")
    return Finding("games", len(stuck), clauses([told, *games]), mend)
