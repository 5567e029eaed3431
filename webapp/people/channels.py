"""Ways to be told besides by mail: webhooks, a calendar, secret addresses for feeds."""

from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from core.store.tables import User
from core.table.notify import modes, webhooks
from core.table.record.errors import TableError
from core.table.views import feeds, webhook_calls
from core.text import _
from webapp import web
from webapp.access import links
from webapp.errors import refusals, text_of
from webapp.identity import limiter, me, signed_in

pages = Blueprint("channels", __name__, url_prefix="/profile/channels")
NAMED: Final = 12
"""Tables whose feeds are shown; those of others differ in the table's number."""


@pages.get("")
@signed_in
def show() -> ResponseReturnValue:
    """All channels of a user, and forms to change them."""
    return _page()


@pages.post("")
@signed_in
@limiter.limit("20 per hour")
def add() -> ResponseReturnValue:
    """Add a webhook."""
    kind, url = text_of("kind"), text_of("url")
    try:
        with web.writing() as s:
            webhooks.add(s, me(), kind, url, web.now())
    except TableError as error:
        return _page(wrong=str(error), kind=kind, url=url), 422
    flash(_("Added. Test it, so that you see it work."), "good")
    return _back()


@pages.post("/<int:hook_id>/test")
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


@pages.post("/<int:hook_id>/remove")
@signed_in
def remove(hook_id: int) -> ResponseReturnValue:
    """Forget a webhook."""
    with web.writing() as s, refusals():
        webhooks.remove(s, me(), hook_id)
    flash(_("Removed."), "good")
    return _back()


@pages.post("/addresses")
@signed_in
def renew() -> ResponseReturnValue:
    """Make new secret addresses; the old ones are void at once."""
    with web.writing() as s:
        feeds.renew(s, s.get_one(User, me().id))
    flash(_("These are new addresses; the old ones show nothing any more."), "good")
    return _back()


def _back() -> ResponseReturnValue:
    return redirect(url_for("channels.show"), 303)


def _page(wrong: str = "", kind: str = "slack", url: str = "") -> str:
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
        kind=kind,
        url=url,
    )
