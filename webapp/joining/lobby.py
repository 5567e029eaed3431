"""The lobby: your tables, tables to join or to watch, and a table before its game begins."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from core.table.acts import invitations, lobby
from core.table.record.errors import TableError
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import as_host, look
from webapp.errors import refusals, text_of
from webapp.identity import current_user, limiter, me, signed_in
from webapp.joining import new_table, table_lists

pages = Blueprint("lobby", __name__)


@pages.get("/")
def index() -> ResponseReturnValue:
    """Your tables, invitations, tables to join and to watch."""
    with web.reading() as s:
        return render_template("lobby/index.html", lobby=table_lists.lobby(s, current_user()))


@pages.get("/tables/new")
@signed_in
def new() -> ResponseReturnValue:
    """The form for a new table, every setting explained."""
    return render_template("lobby/new.html", form=new_table.blank(me()), wrong="")


@pages.post("/tables/new")
@signed_in
@limiter.limit("20 per hour")
def create() -> ResponseReturnValue:
    """Open the table, seat bots and ask friends to it."""
    form = new_table.filled()
    if text_of("do") == "reckon":
        return render_template("lobby/new.html", form=form, wrong="")
    try:
        with web.writing() as s:
            game = new_table.open_table(s, me(), form)
    except TableError as error:
        return render_template("lobby/new.html", form=form, wrong=str(error)), 422
    _ring(game.id)
    return redirect(url_for("game.show", game_id=game.id), 303)


@pages.post("/tables/new/length")
@signed_in
@limiter.limit("120 per minute")
def reckon() -> ResponseReturnValue:
    """How long a game by the form's settings will take, for the form's script."""
    return new_table.filled().length


@pages.post("/games/<int:game_id>/join")
@signed_in
def join(game_id: int) -> ResponseReturnValue:
    """Take a place."""
    with web.writing() as s, refusals():
        lobby.join(s, look(s, game_id).game, me(), web.now())
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/leave")
@signed_in
def leave(game_id: int) -> ResponseReturnValue:
    """Give one's place up."""
    with web.writing() as s, refusals():
        lobby.leave(s, look(s, game_id).game, me())
    flash(_("You have left the table."), "good")
    return redirect(url_for("lobby.index"), 303)


@pages.post("/games/<int:game_id>/decline")
@signed_in
def decline(game_id: int) -> ResponseReturnValue:
    """Say no to an invitation."""
    with web.writing() as s, refusals():
        invitation = invitations.invitation_for(s, look(s, game_id).game, me().email)
        if invitation is not None:
            invitations.decline(s, invitation, web.now())
    flash(_("You have declined."), "good")
    return redirect(url_for("lobby.index"), 303)


@pages.post("/games/<int:game_id>/bots")
@signed_in
def add_bot(game_id: int) -> ResponseReturnValue:
    """Seat a bot."""
    with web.writing() as s, refusals():
        lobby.add_bot(s, as_host(s, game_id).game, text_of("bot"), web.now())
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/seats/<int:row_id>/remove")
@signed_in
def remove(game_id: int, row_id: int) -> ResponseReturnValue:
    """Free a place."""
    with web.writing() as s, refusals():
        lobby.remove_seat(s, as_host(s, game_id).game, row_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/invitations")
@signed_in
@limiter.limit("60 per hour")
def invite(game_id: int) -> ResponseReturnValue:
    """Ask somebody to the table by mail."""
    with web.writing() as s, refusals():
        game = as_host(s, game_id).game
        row = invitations.invite(s, game, text_of("email"), text_of("name"), web.now())
        by_mail = invitations.posted(s, row)
    enqueue.deliver()
    at_home = _("Invited. No mail goes out: who wants none finds the invitation on this site.")
    flash(_("The invitation is in the post.") if by_mail else at_home, "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/start")
@signed_in
def start(game_id: int) -> ResponseReturnValue:
    """Begin the game."""
    with web.writing() as s, refusals():
        lobby.start(s, as_host(s, game_id).game, web.now())
    _ring(game_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/cancel")
@signed_in
def cancel(game_id: int) -> ResponseReturnValue:
    """Close a table whose game has not begun."""
    with web.writing() as s, refusals():
        lobby.cancel(s, as_host(s, game_id).game, web.now())
    enqueue.deliver()
    flash(_("The table is closed."), "good")
    return redirect(url_for("lobby.index"), 303)


def _ring(game_id: int) -> None:
    enqueue.adjudicate(game_id)
    enqueue.deliver()
