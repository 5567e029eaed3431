"""Programs that act for a user: tokens of the API, made, listed and revoked."""

from functools import partial

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from core.table.people import tokens
from core.table.people.tokens import Scope
from core.text import _
from webapp import web
from webapp.errors import refusals
from webapp.forms import Form, Text, read
from webapp.identity import limiter, me, signed_in

pages = Blueprint("programs", __name__)


class TokenForm(Form):
    """A token to make: the program's name, and what it may do."""

    name: Text = ""
    scope: tuple[Text, ...] = ()


@pages.get("/profile/programs")
@signed_in
def show() -> ResponseReturnValue:
    """Show a user's tokens, and a form to make one."""
    return _page(TokenForm())


@pages.post("/profile/programs")
@signed_in
@limiter.limit("20 per hour")
def make() -> ResponseReturnValue:
    """Make a token, and show it this once."""
    form = read(TokenForm)
    scopes = {scope for scope in Scope if scope.value in form.scope}
    with refusals(partial(_page, form)), web.writing() as s:
        row, secret = tokens.make(s, me(), form.name, scopes, web.now())
        name = row.name
    return _page(TokenForm(), secret=secret, called=name)


@pages.post("/profile/programs/<int:number>/revoke")
@signed_in
def revoke(number: int) -> ResponseReturnValue:
    """Make a token void."""
    with web.writing() as s, refusals():
        tokens.revoke(s, me(), number)
    flash(_("Revoked. The program cannot do anything for you any more."), "good")
    return redirect(url_for("programs.show"), 303)


def _page(form: TokenForm, wrong: str = "", secret: str = "", called: str = "") -> str:
    with web.reading() as s:
        mine = tokens.of(s, me())
    return render_template(
        "profile/programs.html",
        tokens=mine,
        form=form,
        wrong=wrong,
        secret=secret,
        called=called,
        full=len(mine) >= tokens.MOST,
    )
