"""Webhooks of users, and the calls that they are owed (M24).

A call is owed in the transaction that gives the reason for it, as a mail is;
`outgoing.calls` makes it.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select
from sqlmodel import Session, col

from core.channels import http_caller
from core.channels.http_caller import Unfit
from core.channels.webhook_text import KINDS
from core.store.session import put_new
from core.store.tables import Turn, User, Webhook, WebhookCall
from core.table.record.errors import TableError
from core.text import _

MOST: Final = 5
"""Webhooks of one user."""


def of(session: Session, user: User) -> list[Webhook]:
    """Return the webhooks of a user, oldest first."""
    query = select(Webhook).where(col(Webhook.user_id) == user.id).order_by(col(Webhook.id))
    return list(session.scalars(query))


def add(session: Session, user: User, kind: str, url: str, now: datetime) -> Webhook:
    """Tell a user of their turns at this address, too; TableError if it is none to call."""
    if kind not in KINDS:
        raise TableError("hook-kind", _("Choose what kind of service it is."))
    if len(of(session, user)) >= MOST:
        raise TableError(
            "hook-many", _("{n} webhooks are the most: remove one first.").format(n=MOST)
        )
    url = url.strip()
    try:
        http_caller.check(url)
    except Unfit as reason:
        raise TableError("hook-address", str(reason)) from reason
    hook = Webhook(
        user_id=user.id, kind=kind, url=url, secret=secrets.token_hex(32), created_at=now
    )
    session.add(hook)
    session.flush()
    return hook


def find(session: Session, user: User, hook_id: int) -> Webhook:
    """Return a user's own webhook; TableError if there is none."""
    hook = session.get(Webhook, hook_id)
    if hook is None or hook.user_id != user.id:
        raise TableError("no-such-hook", _("This webhook has been removed."))
    return hook


def remove(session: Session, user: User, hook_id: int) -> None:
    """Forget a webhook and what it was still owed."""
    hook = find(session, user, hook_id)
    session.execute(delete(WebhookCall).where(col(WebhookCall.webhook_id) == hook.id))
    session.delete(hook)


def owe_turn(session: Session, hooks: Sequence[int], asked: Turn, now: datetime) -> None:
    """Tell the owner of a seat at these webhooks of theirs that they are asked, once a turn."""
    for number in hooks:
        call = WebhookCall(
            webhook_id=number,
            game_id=asked.game_id,
            key=f"turn:{asked.game_id}:{asked.seat}:{asked.turn}:{number}",
            body={"seat": asked.seat, "turn": asked.turn},
            created_at=now,
            next_attempt_at=now,
        )
        put_new(session, call, "key")
