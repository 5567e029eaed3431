"""A user's profile: name and record, clock and vacations, which mails come and when."""

from functools import partial
from zoneinfo import available_timezones

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
from pydantic import Field
from sqlmodel import Session

from core.lists import series
from core.store.tables import User
from core.table.acts import vacation
from core.table.notify import digests, modes, moved_deadlines
from core.table.notify.modes import MailSettings
from core.table.people import accounts, reliability
from core.table.record import deadlines
from core.text import SOURCE, _
from core.when import exact, zone
from tasks import enqueue
from webapp import web
from webapp.access import as_player
from webapp.errors import refusals
from webapp.forms import UNREADABLE, Day, Form, Minute, Number, Text, Ticked, read, time_of_day
from webapp.identity import forget, limiter, me, signed_in
from webapp.language import languages, locale

pages = Blueprint("profile", __name__)


class ProfileForm(Form):
    """What a user chooses about themselves."""

    name: Text = ""
    zone: Text = ""
    locale: Text = SOURCE
    share_private: Ticked = False


@pages.get("/profile")
@signed_in
def edit() -> ResponseReturnValue:
    """Show the form, filled in."""
    return _profile(me(), "")


@pages.post("/profile")
@signed_in
def save() -> ResponseReturnValue:
    """Store name, zone, language, and what to show."""
    form = read(ProfileForm)
    chosen = accounts.Profile(
        name=form.name,
        zone=form.zone,
        locale=form.locale if form.locale in languages() else SOURCE,
        share_private=form.share_private,
    )
    first = accounts.is_nameless(me())
    with refusals(partial(_profile, chosen)), web.writing() as s:
        user = s.get_one(User, me().id)
        moved_deadlines.change(s, user, chosen.zone, deadlines.window(user), web.now())
        accounts.change_profile(s, user, chosen)
    flash(_("Saved."), "good")
    onward = session.pop("next", None) or url_for("lobby.index")
    return redirect(onward if first else url_for("profile.edit"), 303)


class LanguageForm(Form):
    """The language that somebody chooses, and the page on which they are."""

    locale: Text = ""
    page: Text = ""


@pages.post("/profile/language")
@signed_in
def speak() -> ResponseReturnValue:
    """Keep the language of pages and mails."""
    form = read(LanguageForm)
    if form.locale in languages():
        with web.writing() as s:
            s.get_one(User, me().id).locale = form.locale
    return redirect(web.inside(form.page) or url_for("lobby.index"), 303)


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


def _profile(values: User | accounts.Profile, wrong: str) -> str:
    with web.reading() as s:
        record = reliability.record(s, me().id, web.now())
    return render_template(
        "profile/edit.html",
        record=record,
        barred=reliability.barred_until(me(), web.now()),
        values=values,
        zones=_zones(),
        wrong=wrong,
    )


def _zones() -> list[str]:
    return sorted(name for name in available_timezones() if "/" in name or name == "UTC")


class ClockForm(Form):
    """A user's zone and play window."""

    zone: Text = ""
    window: Ticked = False
    start: Minute = Field(UNREADABLE, alias="from")
    end: Minute = Field(UNREADABLE, alias="to")


class VacationForm(Form):
    """A vacation as it is asked for."""

    days: Number = 0
    first: Day = None
    sitter: Text = ""


@pages.get("/profile/clock")
@signed_in
def clock() -> ResponseReturnValue:
    """Show zone, play window, and vacations with their budget."""
    with web.reading() as s:
        user = s.get_one(User, me().id)
        today = web.now().astimezone(zone(user.zone)).date()
        return render_template(
            "profile/clock.html",
            values=user,
            zones=_zones(),
            start=time_of_day(user.window_from, "08:00"),
            end=time_of_day(user.window_to, "22:00"),
            coming=[
                (row, _name(s, row.sitter_id), row.starts_at <= web.now())
                for row in vacation.coming(s, user, web.now())
            ],
            budget=[
                (year, vacation.days_left(s, user, year)) for year in (today.year, today.year + 1)
            ],
            most=vacation.BUDGET,
            today=today.isoformat(),
            deaf=vacation.deaf_tables(s, user),
        )


def _name(session: Session, user_id: int | None) -> str:
    user = session.get(User, user_id) if user_id is not None else None
    return user.name if user else ""


@pages.post("/profile/clock")
@signed_in
def save_clock() -> ResponseReturnValue:
    """Set zone and play window."""
    form = read(ClockForm)
    window = (form.start, form.end) if form.window else None
    with web.writing() as s, refusals():
        moved_deadlines.change(s, s.get_one(User, me().id), form.zone, window, web.now())
    flash(_("Saved. What was left of running turns is kept."), "good")
    return redirect(url_for("profile.clock"), 303)


@pages.post("/profile/vacation")
@signed_in
@limiter.limit("20 per hour")
def leave() -> ResponseReturnValue:
    """Enter a vacation, from now on or from a day."""
    form = read(VacationForm)
    with web.writing() as s, refusals():
        user = s.get_one(User, me().id)
        vacation.take(s, user, vacation.Plan(form.days, form.first, form.sitter), web.now())
        deaf = vacation.deaf_tables(s, user)
    enqueue.deliver()
    flash(_("Your vacation is entered, and your clocks will stand still."), "good")
    if deaf:
        text = _("These tables were opened without vacations, so their clocks run on: {titles}")
        flash(text.format(titles=series(deaf)), "bad")
    return redirect(url_for("profile.clock"), 303)


@pages.post("/profile/vacation/end")
@signed_in
def come_back() -> ResponseReturnValue:
    """End a vacation, or do not go; the days that are left are kept."""
    with web.writing() as s:
        vacation.end(s, s.get_one(User, me().id), web.now())
    flash(_("Welcome back: your clocks run again."), "good")
    return redirect(url_for("profile.clock"), 303)


class MailForm(Form):
    """Which mails come, and when."""

    mode: Text = ""
    batch: Number = UNREADABLE
    hour: Number = UNREADABLE
    quiet: Ticked = False
    start: Minute = Field(UNREADABLE, alias="from")
    end: Minute = Field(UNREADABLE, alias="to")
    quiet_except: Number = Field(UNREADABLE, alias="except")
    remind: tuple[Text, ...] = ()
    games: Ticked = False
    chat: Ticked = False


class TableMailForm(Form):
    """How the turn mails of one table come."""

    mode: Text = ""


@pages.get("/profile/mail")
@signed_in
def mail() -> ResponseReturnValue:
    """Show the mail settings, filled in."""
    user = me()
    start, end = user.quiet_from, user.quiet_to
    settings = MailSettings(
        mode=user.mail_mode,
        batch_minutes=user.batch_minutes,
        digest_hour=user.digest_hour,
        quiet=None if start is None or end is None else (start, end),
        quiet_except_hours=user.quiet_except_hours,
        reminders=tuple(user.reminders),
        games=user.mail_games,
        chat=user.mail_chat,
    )
    return _mail(settings, "")


@pages.post("/profile/mail")
@signed_in
def save_mail() -> ResponseReturnValue:
    """Store the settings; they hold at once, also for mails that wait."""
    form = read(MailForm)
    chosen = MailSettings(
        mode=form.mode,
        batch_minutes=form.batch,
        digest_hour=form.hour,
        quiet=(form.start, form.end) if form.quiet else None,
        quiet_except_hours=form.quiet_except,
        reminders=form.remind,
        games=form.games,
        chat=form.chat,
    )
    with refusals(partial(_mail, chosen)), web.writing() as s:
        modes.change(s, s.get_one(User, me().id), chosen, web.now())
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("profile.mail"), 303)


@pages.post("/profile/mail/tables")
@signed_in
def save_tables() -> ResponseReturnValue:
    """Store what was chosen for each table."""
    with web.writing() as s, refusals():
        user = s.get_one(User, me().id)
        for game, own in modes.tables(s, user):
            chosen = request.form.get(f"table-{game.id}") or own
            if chosen != own:
                modes.choose(s, user, game.id, chosen, web.now())
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("profile.mail", _anchor="tables"), 303)


@pages.post("/games/<int:game_id>/mail")
@signed_in
def save_table(game_id: int) -> ResponseReturnValue:
    """Store what was chosen on the page of a table."""
    mode = read(TableMailForm).mode
    with web.writing() as s, refusals():
        access = as_player(s, game_id)
        modes.choose(s, s.get_one(User, me().id), access.game.id, mode, web.now())
    enqueue.deliver()
    flash(_("Saved."), "good")
    return redirect(url_for("game.show", game_id=game_id, _anchor="mail"), 303)


def _mail(values: MailSettings, wrong: str) -> str:
    with web.reading() as s:
        user = s.get_one(User, me().id)
        tables = modes.tables(s, user)
    start, end = values.quiet or (None, None)
    following = digests.following(user, web.now())
    return render_template(
        "profile/mail.html",
        values=values,
        tables=tables,
        start=time_of_day(start, "22:00"),
        end=time_of_day(end, "07:00"),
        hours=modes.DIGEST_HOURS,
        batches=sorted({15, 30, 60, 120, 240, 480, values.batch_minutes} & {*modes.BATCHES}),
        zone=user.zone,
        next_digest=exact(following, user.zone, locale()) if user.mail_mode == "digest" else "",
        wrong=wrong,
    )
