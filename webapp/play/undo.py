"""Taking a move back, and what players propose to each other, on pages that ask before they act."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from core.statuses import ProposalStatus
from core.table.acts import proposals, undo
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import as_player
from webapp.errors import refusals
from webapp.forms import Form, Number, Ticked, read
from webapp.identity import limiter, signed_in
from webapp.play import host_acts

pages = Blueprint("undo", __name__, url_prefix="/games/<int:game_id>")


class UndoForm(Form):
    """A move to take back; `last`: the log position at which one was told what would vanish."""

    last: Number = 0


class AnswerForm(Form):
    """Yes or no to a proposal."""

    agrees: Ticked = False


@pages.get("/undo")
@signed_in
def ask(game_id: int) -> ResponseReturnValue:
    """Say what would vanish, and whose moves, before anything is taken back (M59)."""
    with web.reading() as s, refusals():
        access = as_player(s, game_id)
        found = undo.look(s, game_id, access.place)
        page = host_acts.told(s, access, found.vanish)
    whose = undo.moves(found.whose.items(), page["table"].names)
    return render_template("undo/ask.html", found=found, whose=whose, **page)


@pages.post("/undo")
@signed_in
@limiter.limit("30 per hour")
def take_back(game_id: int) -> ResponseReturnValue:
    """Take the last move back, or ask those who must agree."""
    last = read(UndoForm).last
    with web.writing() as s, refusals():
        seat = as_player(s, game_id).place
        row = proposals.ask_to_undo(s, game_id, seat, last, web.now())
    if row is None:
        flash(_("Your move is taken back: you are asked again."), "good")
    else:
        flash(_("The others are asked whether they agree; you hear of it."), "good")
    return _rung(game_id)


@pages.post("/redo")
@signed_in
def redo(game_id: int) -> ResponseReturnValue:
    """Let what was taken back count again."""
    with web.writing() as s, refusals():
        undo.redo(s, game_id, as_player(s, game_id).place, web.now())
    flash(_("Your move counts again."), "good")
    return _rung(game_id)


@pages.post("/proposals/<int:number>/answer")
@signed_in
def answer(game_id: int, number: int) -> ResponseReturnValue:
    """Say yes or no to a proposal."""
    agrees = read(AnswerForm).agrees
    with web.writing() as s, refusals():
        seat = as_player(s, game_id).place
        row = proposals.answer(s, game_id, number, seat, agrees=agrees, now=web.now())
        status = row.status
    words = {
        ProposalStatus.ACCEPTED: _("Enough have agreed: it is done."),
        ProposalStatus.REFUSED: _("You said no, so it is not done."),
    }
    flash(words.get(status, _("Your word counts. Others are still asked.")), "good")
    return _rung(game_id)


@pages.post("/proposals/<int:number>/withdraw")
@signed_in
def withdraw(game_id: int, number: int) -> ResponseReturnValue:
    """Take a proposal of one's own back."""
    with web.writing() as s, refusals():
        seat = as_player(s, game_id).place
        proposals.withdraw(s, game_id, number, seat, web.now())
    flash(_("The proposal is withdrawn."), "good")
    return _rung(game_id)


def _rung(game_id: int) -> Response:
    enqueue.table(game_id)
    return redirect(url_for("game.show", game_id=game_id), 303)
