"""The clock page of a profile: zone, play window, vacation with its budget and its sitter."""

from datetime import date, datetime
from zoneinfo import available_timezones

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from core.store.tables import User
from core.table.acts import vacation
from core.table.notify import moved_deadlines
from core.text import _
from core.when import zone
from tasks import enqueue
from webapp import web
from webapp.errors import number_of, refusals, text_of
from webapp.identity import limiter, me, signed_in

pages = Blueprint("clockpage", __name__)


@pages.get("/profile/clock")
@signed_in
def show() -> ResponseReturnValue:
    """The forms, filled in."""
    with web.reading() as s:
        return _page(s)


@pages.post("/profile/clock")
@signed_in
def save() -> ResponseReturnValue:
    """Set zone and play window."""
    window = None
    if text_of("window") == "yes":
        window = minute(text_of("from")), minute(text_of("to"))
    with web.writing() as s, refusals():
        moved_deadlines.change(s, s.get_one(User, me().id), text_of("zone"), window, web.now())
    flash(_("Saved. What was left of running turns is kept."), "good")
    return redirect(url_for("clockpage.show"), 303)


@pages.post("/profile/vacation")
@signed_in
@limiter.limit("20 per hour")
def leave() -> ResponseReturnValue:
    """Enter a vacation, from now on or from a day."""
    plan = vacation.Plan(number_of("days"), _day(text_of("first")), text_of("sitter"))
    with web.writing() as s, refusals():
        user = s.get_one(User, me().id)
        vacation.take(s, user, plan, web.now())
        deaf = vacation.deaf_tables(s, user)
    enqueue.deliver()
    flash(_("Your vacation is entered, and your clocks will stand still."), "good")
    if deaf:
        text = _("These tables were opened without vacations, so their clocks run on: {titles}")
        flash(text.format(titles=", ".join(deaf)), "bad")
    return redirect(url_for("clockpage.show"), 303)


@pages.post("/profile/vacation/end")
@signed_in
def come_back() -> ResponseReturnValue:
    """End a vacation, or do not go; the days that are left are kept."""
    with web.writing() as s:
        vacation.end(s, s.get_one(User, me().id), web.now())
    flash(_("Welcome back: your clocks run again."), "good")
    return redirect(url_for("clockpage.show"), 303)


def _page(session: Session) -> str:
    user = session.get_one(User, me().id)
    today = web.now().astimezone(zone(user.zone)).date()
    coming = vacation.coming(session, user, web.now())
    return render_template(
        "profile/clock.html",
        values=user,
        zones=sorted(name for name in available_timezones() if "/" in name or name == "UTC"),
        start=written(user.window_from, "08:00"),
        end=written(user.window_to, "22:00"),
        coming=[
            (row, _sitter(session, row.sitter_id), row.starts_at <= web.now()) for row in coming
        ],
        budget=[
            (year, vacation.days_left(session, user, year)) for year in (today.year, today.year + 1)
        ],
        most=vacation.BUDGET,
        today=today.isoformat(),
        deaf=vacation.deaf_tables(session, user),
    )


def _sitter(session: Session, user_id: int | None) -> str:
    user = session.get(User, user_id) if user_id is not None else None
    return user.name if user else ""


def written(minute: int | None, otherwise: str) -> str:
    """A minute of the day as a form's field takes it: ``08:30``."""
    return otherwise if minute is None else f"{minute // 60:02}:{minute % 60:02}"


def minute(text: str) -> int:
    """Minutes of the day of ``08:30``; -1 for what is no time."""
    try:
        at = datetime.strptime(text.strip()[:5], "%H:%M")  # noqa: DTZ007 (a time of day)
    except ValueError:
        return -1
    return at.hour * 60 + at.minute


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
