"""A test mail, asked for by a button on any page, and the page behind its link."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.mail.addresses import ReachedLink
from core.store.tables import User
from core.table.people import accounts
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import links
from webapp.errors import refusals
from webapp.identity import limiter, me, signed_in

pages = Blueprint("testmail", __name__)


@pages.post("/profile/test-mail")
@signed_in
@limiter.limit("20 per hour")
def ask() -> ResponseReturnValue:
    """Send the signed-in user a test mail."""
    with web.writing() as s, refusals():
        accounts.owe(s, s.get_one(User, me().id), web.now())
    enqueue.deliver()
    told = _("A test mail is on its way to {address}. Open the link in it once it has come.")
    flash(told.format(address=me().email), "good")
    return redirect(url_for("profile.edit"), 303)


@pages.get("/reached/<token>")
def link(token: str) -> ResponseReturnValue:
    """Ask whether the test mail has come."""
    return render_template(
        "letters/ask.html",
        heading=_("Has the test mail reached you?"),
        text=_("Then mails go to {address} as before.").format(address=_read(token).email),
        button=_("It has reached me"),
    )


@pages.post("/reached/<token>")
@limiter.limit("20 per 10 minutes")
def arrived(token: str) -> ResponseReturnValue:
    """Believe it."""
    with web.writing() as s, refusals():
        user = accounts.arrived(s, _read(token), web.now())
    enqueue.deliver()
    text = _("Mail reaches you. What is still of use of the mails that waited comes now.")
    if user.mail_mode == "off":
        text = _("Mail reaches you. Turn mails are off; your profile can turn them on again.")
    return render_template("letters/done.html", text=text, at="")


def _read(token: str) -> ReachedLink:
    found = links().read(ReachedLink, token)
    if found is None:
        raise NotFound
    return found
