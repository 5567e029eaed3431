"""What calendars, feeds and the API tell: deadlines of a user, and what happened at a table.

Nothing in here is secret: events are those that a spectator may see.
"""

from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from core.channels.feeds import Deadline, Entry, Feed
from core.game.narrate.lines import Narrator
from core.mail.addresses import FeedLink, Links
from core.statuses import GameStatus
from core.store.tables import Game, Turn, User
from core.table.views.table_view import table_view

EVENTS: Final = 50
"""Events that a feed holds."""


def reader(session: Session, links: Links, token: str) -> User | None:
    """Whose secret address a token is; None for one that was replaced, or never given."""
    link = links.read(FeedLink, token)
    user = session.get(User, link.user) if link else None
    if user is None or link is None or user.blocked_at is not None:
        return None
    return user if user.feed_version == link.version else None


def token(links: Links, user: User) -> str:
    """Return the secret part of a user's addresses."""
    return links.url(FeedLink(user.id, user.feed_version)).rpartition("/")[2]


def renew(session: Session, user: User) -> None:
    """Make a user's secret addresses void, so that new ones are given."""
    user.feed_version += 1
    session.add(user)


def deadlines(session: Session, user: User, links: Links) -> list[Deadline]:
    """Return all that a user is asked, the most urgent first."""
    query = (
        select(Turn, Game)
        .join(Game, col(Game.id) == col(Turn.game_id))
        .where(
            Turn.user_id == user.id,
            col(Turn.closed_at).is_(None),
            Game.status == GameStatus.RUNNING,
        )
        .order_by(col(Turn.deadline), col(Turn.id))
    )
    return [
        Deadline(
            table=game.id,
            title=game.title,
            seat=turn.seat,
            turn=turn.turn,
            plan=turn.plan,
            asked_at=turn.asked_at,
            at=turn.deadline,
            url=links.page(f"/games/{game.id}"),
        )
        for turn, game in session.exec(query)
    ]


def table_feed(session: Session, game: Game, links: Links, own: str, now: datetime) -> Feed:
    """Return what last happened at a table, as a spectator may know it; `own`: the feed's path."""
    return Feed(
        title=f"Kraftpost · {game.title}",
        url=links.page(f"/games/{game.id}"),
        own=links.page(own),
        since=game.started_at or game.created_at,
        entries=_entries(session, game, now) if game.started_at else (),
    )


def _entries(session: Session, game: Game, now: datetime) -> tuple[Entry, ...]:
    table = table_view(session, game.id, None, now=now)
    narrator = Narrator(table.view.ruleset, table.names, [e.event for e in table.log])
    told = [(entry, narrator.line(entry.event)) for entry in table.log]
    lines = [Entry(entry.seq, entry.at, line) for entry, line in told if line]
    return tuple(reversed(lines[-EVENTS:]))
