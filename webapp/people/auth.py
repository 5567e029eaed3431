"""Signing in by a mailed link, and out again.

A link is opened by people and by their mail scanners alike, so opening it changes nothing (M19):
it shows a page with one button, and only that button's POST uses the link up.
"""

from functools import partial

from flask import (
    Blueprint,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from core.table.people import accounts
from core.table.people.guests import is_guest
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.errors import refusals
from webapp.forms import Form, Text, read
from webapp.identity import COOKIE, current_user, forget, limiter, remember
from webapp.seat import close_seats

pages = Blueprint("auth", __name__)


@pages.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Ask for an address."""
    return _page(web.inside(request.args.get("next")), "", "")


class SignInForm(Form):
    """An address to sign in with; `next`: the page that was wanted."""

    email: Text = ""
    next: Text = ""


class LinkForm(Form):
    """The button behind a mailed link."""

    next: Text = ""


@pages.post("/sign-in")
@limiter.limit("10 per 10 minutes")
def ask() -> ResponseReturnValue:
    """Mail a link; the answer is the same whether the address is known or not."""
    form = read(SignInForm)
    wanted = web.inside(form.next)
    with refusals(partial(_page, wanted, form.email)), web.writing() as s:
        own = web.settings()
        accounts.refuse_own(form.email, own.mail_domain, own.mail_from)
        by_invitation = own.registration == "invitation"
        accounts.request_sign_in(s, form.email, web.now(), invited_only=by_invitation)
    enqueue.deliver()
    session["next"] = wanted
    return redirect(url_for("auth.sent"), 303)


@pages.get("/sign-in/sent")
def sent() -> ResponseReturnValue:
    """Say that a mail is on its way."""
    return render_template("auth/sent.html")


@pages.get("/sign-in/<token>")
def link(token: str) -> ResponseReturnValue:
    """Return the page behind a mailed link: one button."""
    return render_template("auth/link.html", token=token, next=web.inside(request.args.get("next")))


@pages.post("/sign-in/<token>")
@limiter.limit("20 per 10 minutes")
def redeem(token: str) -> ResponseReturnValue:
    """Use the link up and sign this browser in."""
    wanted = web.inside(read(LinkForm).next) or web.inside(session.pop("next", None))
    with refusals(partial(_page, wanted, "")), web.writing() as s:
        guest = current_user() if is_guest(current_user()) else None
        user = accounts.redeem(s, token, web.now(), guest)
        secret = accounts.open_session(s, user, web.now())
    if accounts.is_nameless(user):
        session["next"] = wanted  # for when the name is chosen
        wanted = url_for("profile.edit")
        flash(_("Please choose the name that others at the table read."), "good")
    response = make_response(redirect(wanted or url_for("lobby.index"), 303))
    remember(response, secret)
    return response


@pages.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Sign this browser out."""
    if secret := request.cookies.get(COOKIE):
        with web.writing() as s:
            accounts.close_session(s, secret)
    close_seats()
    response = make_response(redirect(url_for("auth.sign_in"), 303))
    forget(response)
    return response


def _page(wanted: str, email: str, wrong: str) -> str:
    return render_template("auth/sign_in.html", next=wanted, wrong=wrong, email=email)
