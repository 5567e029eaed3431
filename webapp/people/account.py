"""A user's account: its address and whether mail reaches it, and deleting it.

Links of mails lead here, too. Opening one changes nothing (M19); a button's POST acts.
"""

from datetime import timedelta
from typing import Final

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.mail.addresses import AddressLink, ReachedLink
from core.store.tables import User
from core.table.acts import deletion
from core.table.people import accounts
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import opened
from webapp.errors import refusal, refusals
from webapp.forms import Form, Text, read
from webapp.identity import COOKIE, forget, limiter, me, remember, signed_in

pages = Blueprint("account", __name__)

FRESH: Final = timedelta(hours=1)
"""How long after signing in somebody may delete the account without a new link."""


class AddressForm(Form):
    """A new mail address."""

    email: Text = ""


@pages.post("/profile/address")
@signed_in
@limiter.limit("20 per hour")
def ask_address() -> ResponseReturnValue:
    """Mail a link to the new address."""
    email = read(AddressForm).email
    with web.writing() as s, refusals():
        accounts.request_change(s, s.get_one(User, me().id), email, web.now())
    enqueue.deliver()
    flash(_("A link is on its way to the new address. Nothing changes before you open it."), "good")
    return redirect(url_for("profile.edit"), 303)


@pages.get("/address/<token>")
def address(token: str) -> ResponseReturnValue:
    """Ask whether mails are to go to the address of the link."""
    text = _("Mails and sign-in links will go to {address}. Every browser is signed out but this.")
    return render_template(
        "mail_links/ask.html",
        heading=_("Use this address?"),
        text=text.format(address=opened(AddressLink, token).new),
        button=_("Use this address"),
    )


@pages.post("/address/<token>")
@limiter.limit("20 per 10 minutes")
def change_address(token: str) -> ResponseReturnValue:
    """Do it, and sign in this browser, whose owner has shown that the address is theirs."""
    with web.writing() as s, refusals():
        user = accounts.change(s, opened(AddressLink, token), web.now())
        secret = accounts.open_session(s, user, web.now())
    enqueue.deliver()
    flash(_("Your mails go to {address} from now on.").format(address=user.email), "good")
    response = make_response(redirect(url_for("profile.edit"), 303))
    remember(response, secret)
    return response


@pages.post("/profile/test-mail")
@signed_in
@limiter.limit("20 per hour")
def send_test_mail() -> ResponseReturnValue:
    """Send the signed-in user a test mail."""
    with web.writing() as s, refusals():
        accounts.owe(s, s.get_one(User, me().id), web.now())
    enqueue.deliver()
    told = _("A test mail is on its way to {address}. Open the link in it once it has come.")
    flash(told.format(address=me().email), "good")
    return redirect(url_for("profile.edit"), 303)


@pages.get("/reached/<token>")
def reached(token: str) -> ResponseReturnValue:
    """Ask whether the test mail has come."""
    email = opened(ReachedLink, token).email
    return render_template(
        "mail_links/ask.html",
        heading=_("Has the test mail reached you?"),
        text=_("Then mails go to {address} as before.").format(address=email),
        button=_("It has reached me"),
    )


@pages.post("/reached/<token>")
@limiter.limit("20 per 10 minutes")
def confirm_reached(token: str) -> ResponseReturnValue:
    """Note that the test mail has come."""
    with web.writing() as s, refusals():
        user = accounts.arrived(s, opened(ReachedLink, token), web.now())
    enqueue.deliver()
    text = _("Mail reaches you. What is still of use of the mails that waited comes now.")
    if user.mail_mode == "off":
        text = _("Mail reaches you. Turn mails are off; your profile can turn them on again.")
    return render_template("mail_links/done.html", text=text, at="")


class DeletionForm(Form):
    """The word that says that the account is to go."""

    word: Text = ""


@pages.get("/profile/delete")
@signed_in
def ask_deletion() -> ResponseReturnValue:
    """Say what goes and what stays, and ask for the word."""
    return _deletion("")


@pages.post("/profile/delete")
@signed_in
@limiter.limit("20 per hour")
def delete() -> ResponseReturnValue:
    """Delete the account for good, and sign out."""
    if not _fresh():
        raise refusal(_("You signed in long ago. Ask for a new link first."), _deletion)
    if read(DeletionForm).word.strip().casefold() != _word().casefold():
        text = _("Nothing was deleted: please type the word {word}.")
        raise refusal(text.format(word=_word()), _deletion)
    with refusals(_deletion), web.writing() as s:
        games = deletion.delete_account(s, me().id, web.now())
    for game_id in games:
        enqueue.adjudicate(game_id)
    enqueue.deliver()
    response = make_response(redirect(url_for("lobby.index"), 303))
    forget(response)
    flash(_("Your account is deleted. You are welcome to come back as somebody new."), "good")
    return response


def _deletion(wrong: str) -> str:
    return render_template("profile/delete.html", wrong=wrong, fresh=_fresh(), word=_word())


def _fresh() -> bool:
    with web.reading() as s:
        since = accounts.signed_in_at(s, request.cookies.get(COOKIE, ""))
    return since is not None and web.now() - since <= FRESH


def _word() -> str:
    """Return what one types; a word of the reader's language."""
    return _("delete")
