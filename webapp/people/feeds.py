"""Calendars and feeds, for programs that ask again and again: by secret address or for anybody."""

from datetime import datetime

from flask import Blueprint, Response, request
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.channels.feeds import atom, calendar
from core.store.tables import Game, User
from core.table.acts import lobby
from core.table.views import feeds
from core.text import speaking
from core.when import NEVER
from webapp import web
from webapp.access import links, look

pages = Blueprint("feeds", __name__)


@pages.get("/feeds/<token>/turns.ics")
def turns(token: str) -> Response:
    """The deadlines of the user whose address this is."""
    with web.reading() as s:
        user = _reader(s, token)
        found = [one for one in feeds.deadlines(s, user, links()) if one.at < NEVER]
    with speaking(user.locale):
        made = calendar(found, web.settings().mail_domain)
    return _kept(made, "text/calendar; charset=utf-8")


@pages.get("/feeds/<token>/tables/<int:game_id>.atom")
def table(token: str, game_id: int) -> Response:
    """What happened at a table that the user whose address this is may see."""
    with web.reading() as s:
        user = _reader(s, token)
        game = s.get(Game, game_id)
        if game is None or not lobby.may_see(s, game, user):
            raise NotFound
        with speaking(user.locale):
            return _atom(s, game)


@pages.get("/games/<int:game_id>/feed.atom")
def public(game_id: int) -> Response:
    """What happened at a table that the reader may see; programs see the public ones."""
    with web.reading() as s:
        return _atom(s, look(s, game_id).game)


def _reader(session: Session, token: str) -> User:
    user = feeds.reader(session, links(), token)
    if user is None:
        raise NotFound
    return user


def _atom(session: Session, game: Game) -> Response:
    feed = feeds.table_feed(session, game, links(), request.path, web.now())
    return _kept(atom(feed), "application/atom+xml; charset=utf-8", feed.updated)


def _kept(body: bytes, content_type: str, updated: datetime | None = None) -> Response:
    """An answer that its reader may keep, and asks again whether it is still so."""
    response = Response(body, content_type=content_type)
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    # A time to the second cannot tell what happened within it, so it is given once that is past.
    if updated is not None and (web.now() - updated).total_seconds() > 2:
        response.last_modified = updated
    response.add_etag()
    response.make_conditional(request)
    return response
