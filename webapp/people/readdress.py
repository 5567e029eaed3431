"""Changing one's mail address: asked for here, confirmed by a button behind a mailed link."""

from flask import Blueprint, flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.mail.addresses import AddressLink
from core.store.tables import User
from core.table.people import accounts
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import links
from webapp.errors import refusals, text_of
from webapp.identity import limiter, me, remember, signed_in

pages = Blueprint("readdress", __name__)


@pages.post("/profile/address")
@signed_in
@limiter.limit("20 per hour")
def ask() -> ResponseReturnValue:
    """Mail a link to the new address."""
    with web.writing() as s, refusals():
        accounts.request_change(s, s.get_one(User, me().id), text_of("email"), web.now())
    enqueue.deliver()
    flash(_("A link is on its way to the new address. Nothing changes before you open it."), "good")
    return redirect(url_for("profile.edit"), 303)


@pages.get("/address/<token>")
def link(token: str) -> ResponseReturnValue:
    """Ask whether mails are to go to the address of the link."""
    text = _("Mails and sign-in links will go to {address}. Every browser is signed out but this.")
    return render_template(
        "letters/ask.html",
        heading=_("Use this address?"),
        text=text.format(address=_read(token).new),
        button=_("Use this address"),
    )


@pages.post("/address/<token>")
@limiter.limit("20 per 10 minutes")
def change(token: str) -> ResponseReturnValue:
    """Do it, and sign in this browser, whose owner has shown that the address is his."""
    with web.writing() as s, refusals():
        user = accounts.change(s, _read(token), web.now())
        secret = accounts.open_session(s, user, web.now())
    enqueue.deliver()
    flash(_("Your mails go to {address} from now on.").format(address=user.email), "good")
    response = make_response(redirect(url_for("profile.edit"), 303))
    remember(response, secret)
    return response


def _read(token: str) -> AddressLink:
    found = links().read(AddressLink, token)
    if found is None:
        raise NotFound
    return found
