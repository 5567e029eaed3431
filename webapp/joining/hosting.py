"""A host's forms about the table itself: link, invitations, title and clock, and a new host."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.statuses import GameStatus
from core.store.tables import User
from core.table.acts import hosting, rematch
from core.table.record import seats
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import as_host, look
from webapp.errors import refusals
from webapp.forms import UNREADABLE, Form, Number, Text, read
from webapp.identity import limiter, me, signed_in

pages = Blueprint("table_hosting", __name__)


class LinkForm(Form):
    """Make a link, or withdraw the one that there is."""

    do: Text = "make"


@pages.post("/games/<int:game_id>/link")
@signed_in
@limiter.limit("30 per hour")
def link(game_id: int) -> ResponseReturnValue:
    """Make an invite link, or make it void."""
    make = read(LinkForm).do == "make"
    with web.writing() as s, refusals():
        game = as_host(s, game_id).game
        if make:
            hosting.give_link(s, game)
        else:
            hosting.withdraw_link(s, game)
    flash(_("The link is made.") if make else _("The link is void."), "good")
    return _back(game_id)


@pages.post("/games/<int:game_id>/rematch")
@signed_in
@limiter.limit("20 per hour")
def again(game_id: int) -> ResponseReturnValue:
    """Open the table of a finished game once more, and ask its people."""
    with web.writing() as s, refusals():
        new = rematch.rematch(s, look(s, game_id).game, me(), web.now()).id
    enqueue.table(new)
    return _back(new)


@pages.get("/come/<token>")
def show(token: str) -> ResponseReturnValue:
    """Show the table to which a link leads, and one button."""
    with web.reading() as s:
        game = hosting.by_link(s, token)
        if game is None:
            raise NotFound
        host = s.get(User, game.host_id)
        rows = seats.seats(s, game.id)
        return render_template(
            "lobby/come.html",
            game=game,
            host=host.name if host else "",
            seated=[row.name for row in rows],
            runs=game.status == GameStatus.RUNNING,
            free=seats.free(s, game) or len(seats.open_seats(s, game.id)),
        )


@pages.post("/come/<token>")
@signed_in
@limiter.limit("30 per hour")
def come(token: str) -> ResponseReturnValue:
    """Take a place by a link."""
    with web.writing() as s, refusals():
        game = hosting.come(s, token, me(), web.now())
        game_id = game.id
    enqueue.table(game_id)
    return _back(game_id)


class SettingsForm(Form):
    """What of a table can be changed before its game begins."""

    title: Text = ""
    turn_hours: Number = UNREADABLE


@pages.post("/games/<int:game_id>/settings")
@signed_in
def change(game_id: int) -> ResponseReturnValue:
    """Change title and time for a turn before the game begins."""
    form = read(SettingsForm)
    with web.writing() as s, refusals():
        hosting.change(s, as_host(s, game_id).game, form.title, form.turn_hours, web.now())
    enqueue.deliver()
    flash(_("Changed. Whoever sits here is told."), "good")
    return _back(game_id)


class SeatForm(Form):
    """Somebody who sits at the table."""

    row: Number = UNREADABLE


@pages.post("/games/<int:game_id>/handover")
@signed_in
def hand_over(game_id: int) -> ResponseReturnValue:
    """Make somebody else the host."""
    row = read(SeatForm).row
    with web.writing() as s, refusals():
        name = hosting.hand_over(s, as_host(s, game_id).game, row).name
    flash(_("{name} is the host now.").format(name=name), "good")
    return _back(game_id)


@pages.post("/games/<int:game_id>/invitations/<int:number>/again")
@signed_in
@limiter.limit("60 per hour")
def ask_again(game_id: int, number: int) -> ResponseReturnValue:
    """Send an invitation once more."""
    with web.writing() as s, refusals():
        sent = hosting.ask_again(s, as_host(s, game_id).game, number, web.now())
    enqueue.deliver()
    at_home = _("No mail goes out: who wants none finds the invitation on this site.")
    flash(_("The invitation is in the post.") if sent else at_home, "good")
    return _back(game_id)


@pages.post("/games/<int:game_id>/invitations/<int:number>/withdraw")
@signed_in
def take_back(game_id: int, number: int) -> ResponseReturnValue:
    """Withdraw an invitation that nobody has answered."""
    with web.writing() as s, refusals():
        hosting.take_back(s, as_host(s, game_id).game, number, web.now())
    flash(_("Withdrawn."), "good")
    return _back(game_id)


def _back(game_id: int) -> ResponseReturnValue:
    return redirect(url_for("game.show", game_id=game_id), 303)
