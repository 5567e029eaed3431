"""Deleting one's account: asked for a word, and only soon after one has signed in."""

from datetime import timedelta
from typing import Final

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.table.acts import deletion
from core.table.people import accounts
from core.table.record.errors import TableError
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.errors import text_of
from webapp.identity import COOKIE, forget, limiter, me, signed_in

pages = Blueprint("leaving", __name__)

FRESH: Final = timedelta(hours=1)
"""How long after signing in somebody may delete the account without a new link."""


@pages.get("/profile/delete")
@signed_in
def ask() -> ResponseReturnValue:
    """Say what goes and what stays, and ask for the word."""
    return _page("")


@pages.post("/profile/delete")
@signed_in
@limiter.limit("20 per hour")
def delete() -> ResponseReturnValue:
    """Delete the account for good, and sign out."""
    if not _fresh():
        return _page(_("You signed in long ago. Ask for a new link first.")), 422
    if text_of("word").strip().casefold() != _word().casefold():
        text = _("Nothing was deleted: please type the word {word}.")
        return _page(text.format(word=_word())), 422
    try:
        with web.writing() as s:
            games = deletion.delete_account(s, me().id, web.now())
    except TableError as error:
        return _page(str(error)), 422
    for game_id in games:
        enqueue.adjudicate(game_id)
    enqueue.deliver()
    response = make_response(redirect(url_for("lobby.index"), 303))
    forget(response)
    flash(_("Your account is deleted. You are welcome to come back as somebody new."), "good")
    return response


def _page(wrong: str) -> str:
    return render_template("profile/delete.html", wrong=wrong, fresh=_fresh(), word=_word())


def _fresh() -> bool:
    with web.reading() as s:
        since = accounts.signed_in_at(s, request.cookies.get(COOKIE, ""))
    return since is not None and web.now() - since <= FRESH


def _word() -> str:
    """What one types; a word of the reader's language."""
    return _("delete")
