"""The calls of webhooks: made as things stand now, tried again, given up (M24).

What a call says is made when it is sent, and a turn that has been answered by then is not told
of. A webhook that has only failed for a day is switched off, and its owner gets a mail.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, cast

import structlog
from sqlalchemy import Engine, update
from sqlmodel import Session, col

from core import questions
from core.channels import webhook_text
from core.channels.http_caller import Caller, Failed, Unfit
from core.channels.webhook_text import Kind, Told
from core.mail import outbox, words
from core.mail.addresses import Links
from core.mail.kinds import MailKind
from core.statuses import CallStatus
from core.store.leases import Queue
from core.store.session import count, read, write
from core.store.tables import User, Webhook, WebhookCall
from core.table.notify import modes, quiet
from core.table.record import turns
from core.table.views.table_view import table_view
from core.text import _, speaking
from core.when import NEVER, exact

QUEUE: Final = Queue(
    WebhookCall,
    waits=CallStatus.PENDING,
    since="next_attempt_at",
    lease=timedelta(minutes=1),
    round=timedelta(seconds=3),
    first_pause=timedelta(minutes=1),
)
PATIENCE: Final = timedelta(hours=24)
"""How long a webhook may do nothing but fail."""
TRIES: Final = 3
"""Failures of one call before a webhook can be switched off: a bad minute is no bad day."""

log = structlog.get_logger()


def tried(session: Session, hook_id: int, error: str, now: datetime) -> None:
    """Keep what a test has shown; one that went well switches the webhook on again."""
    hook = session.get(Webhook, hook_id)
    if hook is None:
        return
    hook.last_error = error[:300]
    if not error:
        hook.failing_since = hook.disabled_at = None
    elif hook.failing_since is None:
        hook.failing_since = now
    session.add(hook)


def try_out(call: Caller, hook: Webhook, links: Links, now: datetime) -> str:
    """Call a webhook at once; empty if that went well, else why not. Not inside a transaction."""
    told = Told(
        event="test",
        table=None,
        title="Kraftpost",
        text=_("This is a test. Here you will be told when it is your turn."),
        url=links.page("/profile/channels"),
        id=secrets.token_hex(8),
    )
    return _send(call, hook, told, now)


def due(session: Session, now: datetime) -> int:
    """Return how many calls are due."""
    return count(session, QUEUE.due(now))


def claim(session: Session, now: datetime) -> list[WebhookCall]:
    """Take the next call that is due."""
    order = (col(WebhookCall.next_attempt_at), col(WebhookCall.id))
    return QUEUE.claim(session, now, QUEUE.due(now), order, most=1)


def deliver(engine: Engine, call: Caller, links: Links, clock: Callable[[], datetime]) -> int:
    """Make the calls that are due, for some seconds; return how many arrived."""
    claims = QUEUE.claims(engine, clock, claim)
    return sum(_attempt(engine, row, call, links, clock) for (row,) in claims)


def _attempt(
    engine: Engine, row: WebhookCall, call: Caller, links: Links, clock: Callable[[], datetime]
) -> bool:
    """Make one call and keep what became of it."""
    with read(engine) as session:
        hook = session.get(Webhook, row.webhook_id)
        if hook is None:  # removed meanwhile, and its calls with it
            return False
        told = _told(session, row, hook, links, clock())
    if isinstance(told, datetime):
        with write(engine) as session:
            QUEUE.mark(session, [row], next_attempt_at=told, attempts=row.attempts - 1)
        return False
    if told is None or hook.disabled_at is not None:
        with write(engine) as session:
            QUEUE.mark(session, [row], status=CallStatus.DROPPED)
        return False
    error = _send(call, hook, told, clock())
    with write(engine) as session:
        _keep(session, row, error, clock())
    return not error


def _told(
    session: Session, row: WebhookCall, hook: Webhook, links: Links, now: datetime
) -> Told | datetime | None:
    """Return what to say of a turn now; None if nothing, a later time in quiet hours."""
    user = session.get(User, hook.user_id)
    if row.game_id is None or user is None:
        return None
    seat, turn = row.body["seat"], row.body["turn"]
    open_ = (t for t in turns.asked(session, row.game_id) if (t.seat, t.turn) == (seat, turn))
    asked = next(open_, None)
    if asked is None or asked.user_id != user.id:
        return None
    if modes.table_mode(session, user, row.game_id) == "mute":
        return None
    deadline = asked.deadline if asked.deadline < NEVER else None
    if (later := quiet.when(user, "turn", now, deadline)) > now:
        return later
    with speaking(user.locale):
        table = table_view(session, row.game_id, asked.seat, now=now)
        question = None if asked.plan else questions.of(table.view)
        text = _("{round} · your turn: {doing} (due {when})").format(
            round=words.round_of(table),
            doing=question.doing if question else _("orders for the round"),
            when=exact(asked.deadline, user.zone, user.locale),
        )
    return Told(
        event="turn",
        table=table.game_id,
        title=table.title,
        text=text,
        url=links.page(f"/games/{table.game_id}"),
        turn=asked.turn,
        deadline=deadline,
        id=_name(row),
    )


def _name(row: WebhookCall) -> str:
    """Return what stays the same over all attempts; a number would count others' calls (K3)."""
    return f"call-{sha256(row.key.encode()).hexdigest()[:16]}"


def _send(call: Caller, hook: Webhook, told: Told, now: datetime) -> str:
    kind = cast(Kind, hook.kind)
    sent = webhook_text.body(kind, told)
    try:
        call.post(hook.url, sent, webhook_text.headers(kind, sent, hook.secret, now))
    except (Unfit, Failed) as reason:
        return str(reason)
    return ""


def _keep(session: Session, row: WebhookCall, error: str, now: datetime) -> None:
    """Write down how a call went; after a failure all calls of its webhook wait for a while."""
    hook = session.get(Webhook, row.webhook_id, with_for_update=True)
    if hook is None:
        return
    hook.last_error = error[:300]
    session.add(hook)
    if not error:
        hook.failing_since = None
        QUEUE.mark(session, [row], status=CallStatus.SENT, error="")
        return
    hook.failing_since = hook.failing_since or now
    QUEUE.mark(session, [row], error=error[:300])
    until = now + QUEUE.pause(row.attempts)
    session.execute(
        update(WebhookCall)
        .where(
            col(WebhookCall.webhook_id) == hook.id,
            col(WebhookCall.status) == CallStatus.PENDING,
            col(WebhookCall.next_attempt_at) < until,
        )
        .values(next_attempt_at=until)
    )
    if now - hook.failing_since >= PATIENCE and row.attempts >= TRIES:
        _disable(session, hook, now)


def _disable(session: Session, hook: Webhook, now: datetime) -> None:
    """Switch a webhook off and tell its owner; what it was owed is dropped."""
    if hook.disabled_at is not None:
        return
    hook.disabled_at = now
    session.execute(
        update(WebhookCall)
        .where(
            col(WebhookCall.webhook_id) == hook.id, col(WebhookCall.status) == CallStatus.PENDING
        )
        .values(status=CallStatus.DROPPED)
    )
    outbox.owe(
        session,
        MailKind.WEBHOOK_OFF,
        key=f"hook:{hook.id}:{now.isoformat()}",
        now=now,
        user=session.get_one(User, hook.user_id),
        context={"hook": hook.id},
    )
    log.info("hook_disabled", hook=hook.id)
