"""The mail page of a profile: which mails, when, and how for each table."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.store.tables import User
from core.table.notify import digests, modes
from core.table.notify.modes import MailSettings
from core.table.record.errors import TableError
from core.text import _
from core.when import exact
from tasks import enqueue
from webapp import web
from webapp.access import as_player
from webapp.errors import every, number_of, refusals, text_of
from webapp.identity import me, signed_in
from webapp.language import locale
from webapp.people.clocks import minute, written

pages = Blueprint("mailpage", __name__)


@pages.get("/profile/mail")
@signed_in
def show() -> ResponseReturnValue:
    """The settings, filled in."""
    return _page(_of(me()))


@pages.post("/profile/mail")
@signed_in
def save() -> ResponseReturnValue:
    """Store the settings; they hold at once, also for mails that wait."""
    chosen = _given()
    try:
        with web.writing() as s:
            modes.change(s, s.get_one(User, me().id), chosen, web.now())
    except TableError as error:
        return _page(chosen, wrong=str(error)), 422
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("mailpage.show"), 303)


@pages.post("/profile/mail/tables")
@signed_in
def save_tables() -> ResponseReturnValue:
    """Store what was chosen for each table."""
    with web.writing() as s, refusals():
        user = s.get_one(User, me().id)
        for game, own in modes.tables(s, user):
            chosen = text_of(f"table-{game.id}") or own
            if chosen != own:
                modes.choose(s, user, game.id, chosen, web.now())
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("mailpage.show", _anchor="tables"), 303)


@pages.post("/games/<int:game_id>/mail")
@signed_in
def save_table(game_id: int) -> ResponseReturnValue:
    """Store what was chosen on the page of a table."""
    with web.writing() as s, refusals():
        access = as_player(s, game_id)
        user = s.get_one(User, me().id)
        modes.choose(s, user, access.game.id, text_of("mode"), web.now())
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("game.show", game_id=game_id, _anchor="mail"), 303)


def _given() -> MailSettings:
    quiet = None
    if text_of("quiet") == "yes":
        quiet = minute(text_of("from")), minute(text_of("to"))
    return MailSettings(
        mode=text_of("mode"),
        batch_minutes=number_of("batch", -1),
        digest_hour=number_of("hour", -1),
        quiet=quiet,
        quiet_except_hours=number_of("except", -1),
        reminders=tuple(every("remind")),
        games="games" in request.form,
        chat="chat" in request.form,
    )


def _of(user: User) -> MailSettings:
    start, end = user.quiet_from, user.quiet_to
    return MailSettings(
        mode=user.mail_mode,
        batch_minutes=user.batch_minutes,
        digest_hour=user.digest_hour,
        quiet=None if start is None or end is None else (start, end),
        quiet_except_hours=user.quiet_except_hours,
        reminders=tuple(user.reminders),
        games=user.mail_games,
        chat=user.mail_chat,
    )


def _page(values: MailSettings, wrong: str = "") -> str:
    with web.reading() as s:
        user = s.get_one(User, me().id)
        tables = modes.tables(s, user)
    start, end = values.quiet or (None, None)
    following = digests.following(user, web.now())
    return render_template(
        "profile/mail.html",
        values=values,
        tables=tables,
        start=written(start, "22:00"),
        end=written(end, "07:00"),
        hours=modes.DIGEST_HOURS,
        batches=sorted({15, 30, 60, 120, 240, 480, values.batch_minutes} & {*modes.BATCHES}),
        zone=user.zone,
        next_digest=exact(following, user.zone, locale()) if user.mail_mode == "digest" else "",
        wrong=wrong,
    )
