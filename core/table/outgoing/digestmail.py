"""What a digest says, and the mail in which several that were held go out as one."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import singledispatch
from typing import Final

from sqlmodel import Session, col, select

from core.mail import letter as letters
from core.mail import words
from core.mail.letter import Topic
from core.mail.outbox import NotWanted
from core.mail.summary import Also, Digest, Waiting
from core.store.tables import Game, OutboxMail, Turn, User
from core.table.outgoing import digests, turnmail
from core.table.view import table_view
from core.text import _, ngettext
from core.when import NEVER

SHOWN: Final = 50
"""Tables that are named one by one; of the others the number is told (M9)."""
Write = Callable[[OutboxMail], Topic]
"""What a mail of another kind would have said."""


def daily(session: Session, row: OutboxMail, user: User | None, now: datetime) -> Topic:
    """The digest of a day: all that waits, as it stands now; of a single table all there is."""
    if user is None:
        raise NotWanted("nobody to tell")
    found = digests.waiting(session, user, but=())
    if not found:
        raise NotWanted("nothing waits any more")
    if len(found) == 1:
        return turnmail.question(session, found[0][0], now)
    return Digest(*_listed(session, found, now, set()), daily=True)


def together(
    session: Session, row: OutboxMail, user: User | None, now: datetime, write: Write
) -> Topic:
    """All that was held, and whatever else waits; a single thing as its own mail would say it."""
    rows = session.exec(
        select(OutboxMail)
        .where(col(OutboxMail.id).in_(row.context.get("rows", ())))
        .order_by(col(OutboxMail.id))
    ).all()
    if user is None:
        raise NotWanted("nobody to tell")
    asked = {(r.game_id, r.seat, r.turn) for r in rows if r.kind in ("turn", "reminder")}
    found = digests.waiting(session, user, but=("digest",))
    fresh = {t.id for t, _game in found if (t.game_id, t.seat, t.turn) in asked}
    others = _topics([r for r in rows if r.kind not in ("turn", "reminder")], write)
    if not fresh and not others:
        raise NotWanted("answered meanwhile")
    if len(fresh) == 1 and not others:
        return turnmail.question(session, next(t for t, _game in found if t.id in fresh), now)
    if len(others) == 1 and not fresh:
        return others[0]
    listed = _listed(session, found if fresh else [], now, fresh)
    return Digest(*listed, also=tuple(map(_also, others)))


def _topics(rows: Sequence[OutboxMail], write: Write) -> list[Topic]:
    """What mails of other kinds say; those that nobody wants any more say nothing."""
    found = []
    for row in rows:
        try:
            found.append(write(row))
        except NotWanted:
            continue
    return found


def _listed(
    session: Session, found: list[tuple[Turn, Game]], now: datetime, fresh: set[int]
) -> tuple[tuple[Waiting, ...], int]:
    """The nearest deadlines, and how many more wait."""
    nearest, mark = found[:SHOWN], 0 < len(fresh) < len(found)
    listed = (_one(session, t, g, now, mark and t.id in fresh) for t, g in nearest)
    return tuple(listed), len(found[SHOWN:])


def _one(session: Session, asked: Turn, game: Game, now: datetime, fresh: bool) -> Waiting:
    table = table_view(session, game.id, asked.seat, now=now)
    offer = None if asked.plan else table.view.offer
    return Waiting(
        game=game.id,
        title=game.title,
        seat=asked.seat,
        turn=asked.turn,
        what=" · ".join((words.round_of(table), words.doing(offer) if offer else _("your plan"))),
        deadline=asked.deadline if asked.deadline < NEVER else None,
        moved=turnmail.moved(asked),
        fresh=fresh,
    )


@singledispatch
def _also(topic: object) -> Also:
    raise TypeError(f"no words for {type(topic).__name__} among others")


@_also.register
def _notice(topic: letters.Notice) -> Also:
    path = f"/games/{topic.table.game_id}"
    return Also(topic.table.title, topic.heading, (topic.text,), path)


@_also.register
def _start(topic: letters.Start) -> Also:
    heading = _("The game has begun")
    names = words.both(topic.table.names)
    return Also(topic.table.title, heading, (*topic.rules, names), f"/games/{topic.table.game_id}")


@_also.register
def _chat(topic: letters.Chat) -> Also:
    count = len(topic.lines)
    heading = ngettext("{n} new line at the table", "{n} new lines at the table", count)
    lines = tuple(f"{line.name}: {line.text}" for line in topic.lines)
    return Also(topic.title, heading.format(n=count), lines, f"/games/{topic.game}")


@_also.register
def _memo(topic: letters.Memo) -> Also:
    return Also("", topic.heading, topic.lines, topic.path)
