"""For the addresses in ADMIN_MAIL: is all well, what waits, and what is to be done about people.

Whoever signs in has opened a mailed link; what harms asks once more. To everybody else these pages
do not exist.
"""

from typing import Final

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select
from werkzeug.exceptions import NotFound

from core.mail import outbox
from core.statuses import GameStatus
from core.store.tables import Game, Turn
from core.table.people import operator
from core.table.play import stuck
from core.table.views import health
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.errors import refusals
from webapp.forms import Form, Number, Text, Ticked, read
from webapp.identity import current_user, limiter, me

pages = Blueprint("admin", __name__, url_prefix="/admin")
texts = Blueprint("texts", __name__)

ACTS: Final = {
    "block": operator.block,
    "unblock": operator.unblock,
    "bar": operator.bar,
    "unbar": operator.unbar,
}
"""What can be done about a person, by the name of its button."""


def is_operator() -> bool:
    """Tell whether the reader runs this service."""
    user, told = current_user(), web.settings().admin_mail
    return user is not None and user.email in {one.strip().lower() for one in told.split(",")}


@pages.before_request
def _only_operators() -> None:
    if not is_operator():
        raise NotFound


@pages.get("")
def index() -> ResponseReturnValue:
    """Show health, queues, games that stand still, people, and what was done."""
    sought = request.args.get("q", "").strip()
    with web.reading() as s:
        found = operator.find(s, sought) if sought else ()
        return render_template(
            "admin/index.html",
            findings=health.examine(s, web.now()),
            backlog=outbox.backlog(s, web.now()),
            standing=_standing(s),
            sought=sought,
            people=found,
            mails={user.id: operator.mails_of(s, user.email)[:10] for user in found[:5]},
            journal=operator.journal(s),
        )


def _standing(session: Session) -> list[tuple[Game, str]]:
    """Games that the service has stopped, and those whose oldest question is long overdue."""
    stopped = session.exec(select(Game).where(Game.stopped_reason != "")).all()
    late = (
        select(Game)
        .join(Turn, col(Turn.game_id) == col(Game.id))
        .where(
            Game.status == GameStatus.RUNNING,
            Game.stopped_reason == "",
            col(Turn.closed_at).is_(None),
            col(Turn.deadline) < web.now() - health.LATE,
        )
        .distinct()
    )
    overdue = [(game, _("a deadline is over and nobody was missed")) for game in session.exec(late)]
    return [(game, game.stopped_reason) for game in stopped] + overdue


class PersonForm(Form):
    """What is to be done about whom; `sure`: asked once more and agreed."""

    address: Text = ""
    what: Text = ""
    new: Text = ""
    sure: Ticked = False


@pages.post("/people")
@limiter.limit("60 per hour")
def act() -> ResponseReturnValue:
    """Do something about a person; ask once more first."""
    form = read(PersonForm)
    if form.what not in (*ACTS, "readdress"):
        raise NotFound
    if not form.sure:
        return render_template("admin/sure.html", form=form)
    with web.writing() as s, refusals():
        user, by = operator.person(s, form.address), me().email
        if form.what == "readdress":
            operator.readdress(s, user, form.new, by, web.now())
        else:
            ACTS[form.what](s, user, by, web.now())
    enqueue.deliver()
    flash(_("Done, and written down."), "good")
    return redirect(url_for("admin.index", q=form.new or form.address), 303)


class MailForm(Form):
    """A mail to try again."""

    mail: Number = 0


@pages.post("/mails")
@limiter.limit("120 per hour")
def resend() -> ResponseReturnValue:
    """Try a mail again that was given up or waits."""
    form = read(MailForm)
    with web.writing() as s, refusals():
        operator.resend(s, form.mail, me().email, web.now())
    enqueue.deliver()
    flash(_("It goes out in a moment."), "good")
    return redirect(url_for("admin.index"), 303)


class GameForm(Form):
    """A game that was stopped."""

    game: Number = 0


@pages.post("/games")
@limiter.limit("60 per hour")
def release() -> ResponseReturnValue:
    """Let a game go on that the service has stopped."""
    number = read(GameForm).game
    with web.writing() as s, refusals():
        stuck.release(s, number, web.now())
    enqueue.table(number)
    return redirect(url_for("admin.index"), 303)


@texts.get("/imprint")
def imprint() -> ResponseReturnValue:
    """Show who runs the service, from the file imprint.txt in the data directory."""
    return _text("imprint.txt", _("Imprint"))


@texts.get("/privacy")
def privacy() -> ResponseReturnValue:
    """Show what becomes of people's data, from the file privacy.txt in the data directory."""
    return _text("privacy.txt", _("Privacy"))


def _text(name: str, heading: str) -> Response | str:
    path = web.settings().data / name
    if not path.is_file():
        raise NotFound
    told = path.read_text(encoding="utf-8", errors="replace").split("\n\n")
    return render_template("admin/text.html", heading=heading, parts=told)
