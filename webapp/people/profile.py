"""A user's name, zone and language, his record, his address."""

from zoneinfo import available_timezones

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.store.tables import User
from core.table.notify import moved_deadlines
from core.table.people import accounts, reliability
from core.table.record import deadlines
from core.table.record.errors import TableError
from core.text import SOURCE, _
from webapp import web
from webapp.identity import forget, me, signed_in
from webapp.language import languages

pages = Blueprint("profile", __name__)


@pages.get("/profile")
@signed_in
def edit() -> ResponseReturnValue:
    """The form, filled in."""
    return _form(me(), wrong="")


@pages.post("/profile")
@signed_in
def save() -> ResponseReturnValue:
    """Store the choices."""
    form = request.form
    chosen = accounts.Profile(
        name=form.get("name", ""),
        zone=form.get("zone", ""),
        locale=form["locale"] if form.get("locale") in languages() else SOURCE,
        share_private="share_private" in form,
    )
    try:
        with web.writing() as s:
            user = s.get_one(User, me().id)
            moved_deadlines.change(s, user, chosen.zone, deadlines.window(user), web.now())
            accounts.change_profile(s, user, chosen)
    except TableError as error:
        return _form(chosen, wrong=str(error)), 422
    flash(_("Saved."), "good")
    return redirect(url_for("profile.edit"), 303)


@pages.post("/profile/sign-out-everywhere")
@signed_in
def sign_out_everywhere() -> ResponseReturnValue:
    """End every session of this user, this one too."""
    with web.writing() as s:
        accounts.sign_out_everywhere(s, me())
    response = make_response(redirect(url_for("auth.sign_in"), 303))
    forget(response)
    flash(_("You are signed out in every browser."), "good")
    return response


def _form(values: User | accounts.Profile, wrong: str) -> str:
    zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
    with web.reading() as s:
        record = reliability.record(s, me().id, web.now())
    return render_template(
        "profile/edit.html",
        record=record,
        barred=reliability.barred_until(me(), web.now()),
        values=values,
        zones=zones,
        languages=languages(),
        wrong=wrong,
    )
