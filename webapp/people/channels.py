"""Ways to be told besides by mail: webhooks, and a calendar and feeds at secret addresses."""

from datetime import datetime
from functools import partial
from typing import Final

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.channels import feeds as feed_text
from core.store.tables import Game, User
from core.table.notify import modes, webhooks
from core.table.views import feeds, webhook_calls
from core.text import _, speaking
from core.when import NEVER
from webapp import web
from webapp.access import links, look, may_see
from webapp.errors import refusals
from webapp.forms import Form, Text, read
from webapp.identity import limiter, me, signed_in

pages = Blueprint("channels", __name__)
NAMED: Final = 12
"""Tables whose feeds are shown; those of others differ in the table's number."""


class WebhookForm(Form):
    """A webhook to add: its kind and its address."""

    kind: Text = ""
    url: Text = ""


@pages.get("/profile/channels")
@signed_in
def show() -> ResponseReturnValue:
    """Return all channels of a user, and forms to change them."""
    return _page(WebhookForm(kind="slack"))


@pages.post("/profile/channels")
@signed_in
@limiter.limit("20 per hour")
def add() -> ResponseReturnValue:
    """Add a webhook."""
    form = read(WebhookForm)
    with refusals(partial(_page, form)), web.writing() as s:
        webhooks.add(s, me(), form.kind, form.url, web.now())
    flash(_("Added. Test it, so that you see it work."), "good")
    return _back()


@pages.post("/profile/channels/<int:hook_id>/test")
@signed_in
@limiter.limit("6 per minute")
def test(hook_id: int) -> ResponseReturnValue:
    """Call a webhook now, and say what came of it; no transaction is open meanwhile."""
    with web.reading() as s, refusals():
        hook = webhooks.find(s, me(), hook_id)
    error = webhook_calls.try_out(web.services().caller, hook, links(), web.now())
    with web.writing() as s:
        webhook_calls.tried(s, hook_id, error, web.now())
    if error:
        flash(_("The test did not arrive. {reason}").format(reason=error), "bad")
    else:
        flash(_("The test has arrived."), "good")
    return _back()


@pages.post("/profile/channels/<int:hook_id>/remove")
@signed_in
def remove(hook_id: int) -> ResponseReturnValue:
    """Forget a webhook."""
    with web.writing() as s, refusals():
        webhooks.remove(s, me(), hook_id)
    flash(_("Removed."), "good")
    return _back()


@pages.post("/profile/channels/addresses")
@signed_in
def renew() -> ResponseReturnValue:
    """Make new secret addresses; the old ones are void at once."""
    with web.writing() as s:
        feeds.renew(s, s.get_one(User, me().id))
    flash(_("These are new addresses; the old ones show nothing any more."), "good")
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for("channels.show"), 303)


def _page(form: WebhookForm, wrong: str = "") -> str:
    with web.reading() as s:
        mine, tables = webhooks.of(s, me()), modes.tables(s, me())
    return render_template(
        "profile/channels.html",
        hooks=mine,
        full=len(mine) >= webhooks.MOST,
        most=webhooks.MOST,
        tables=[game for game, _own in tables[:NAMED]],
        secret=links().page(f"/feeds/{feeds.token(links(), me())}"),
        api=links().page("/api"),
        wrong=wrong,
        kind=form.kind,
        url=form.url,
    )


@pages.get("/feeds/<token>/turns.ics")
def calendar(token: str) -> Response:
    """Return the deadlines of the user whose address this is."""
    with web.reading() as s:
        user = _reader(s, token)
        found = [one for one in feeds.deadlines(s, user, links()) if one.at < NEVER]
    with speaking(user.locale):
        made = feed_text.calendar(found, web.settings().mail_domain)
    return _kept(made, "text/calendar; charset=utf-8")


@pages.get("/feeds/<token>/tables/<int:game_id>.atom")
def feed(token: str, game_id: int) -> Response:
    """Return what happened at a table that the user whose address this is may see."""
    with web.reading() as s:
        user = _reader(s, token)
        game = s.get(Game, game_id)
        if game is None or not may_see(s, game, user):
            raise NotFound
        with speaking(user.locale):
            return _atom(s, game)


@pages.get("/games/<int:game_id>/feed.atom")
def public_feed(game_id: int) -> Response:
    """Return what happened at a table that the reader may see; programs see the public ones."""
    with web.reading() as s:
        return _atom(s, look(s, game_id).game)


def _reader(session: Session, token: str) -> User:
    user = feeds.reader(session, links(), token)
    if user is None:
        raise NotFound
    return user


def _atom(session: Session, game: Game) -> Response:
    found = feeds.table_feed(session, game, links(), request.path, web.now())
    return _kept(feed_text.atom(found), "application/atom+xml; charset=utf-8", found.updated)


def _kept(body: bytes, kind: str, updated: datetime | None = None) -> Response:
    """Return a feed; no search engine shall find it."""
    response = web.kept(body, kind, updated=updated)
    response.headers["X-Robots-Tag"] = "noindex"
    return response
