"""A table: before its game, the game itself, its chat, notes, and the host's tools."""

from flask import Blueprint, flash, jsonify, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select
from werkzeug.exceptions import NotFound

from core import bots
from core.game.chance import Chance
from core.game.rules.knobs import CHOSEN_ANYWAY
from core.game.types import RegionId
from core.statuses import GameStatus, InvitationStatus
from core.store.tables import Game, Invitation, User
from core.table.acts import absence, expiry, invitations, lobby
from core.table.play import chat
from core.table.record import seats
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access, as_player, at_table, look
from webapp.errors import refusals
from webapp.forms import Form, Text, read
from webapp.identity import limiter, me, signed_in
from webapp.play import game_page, open_seats
from webapp.play.turns import own_submission
from webapp.seat import opened_seat

pages = Blueprint("game", __name__, url_prefix="/games/<int:game_id>")


@pages.get("")
def show(game_id: int) -> ResponseReturnValue:
    """Show the table as it stands now."""
    with web.reading() as s:
        access = look(s, game_id)
        if access.game.status in (GameStatus.OPEN, GameStatus.CANCELLED):
            return render_template("lobby/table.html", **_before(s, access))
        page = game_page.page(s, access, sent=own_submission(s, access))
    return game_page.shown_to(access, page)


@pages.get("/pulse")
@limiter.exempt
def pulse(game_id: int) -> ResponseReturnValue:
    """Return a mark that changes with the table, for a page that lies open and asks for it often.

    To tell such pages instead would hold one of the few threads for each.
    """
    with web.reading() as s:
        game = s.get(Game, game_id) if opened_seat(game_id) else look(s, game_id).game
        if game is None:
            raise NotFound
        return jsonify(mark=chat.mark(s, game))


class ChatForm(Form):
    """A line to say to the table; `nonce` tells two sendings of one form from two lines."""

    text: Text = ""
    nonce: Text = ""


class NoteForm(Form):
    """A player's private notes."""

    text: Text = ""


@pages.post("/chat")
@signed_in
@limiter.limit("30 per minute")
def say(game_id: int) -> ResponseReturnValue:
    """Say a line to the table."""
    form = read(ChatForm)
    with web.writing() as s, refusals():
        access = at_table(s, game_id)
        chat.say(s, access.game, me(), form.text, f"web:{form.nonce[:64]}", web.now())
    enqueue.deliver()
    return redirect(url_for("game.show", game_id=game_id, _anchor="chat"), 303)


@pages.post("/note")
@signed_in
def note(game_id: int) -> ResponseReturnValue:
    """Keep one's private notes."""
    text = read(NoteForm).text
    with web.writing() as s:
        access = look(s, game_id)
        chat.save_note(s, access.game.id, me(), text, web.now())
    flash(_("Your notes are kept."), "good")
    return redirect(url_for("game.show", game_id=game_id, _anchor="note"), 303)


@pages.post("/back")
@signed_in
def back(game_id: int) -> ResponseReturnValue:
    """Give a seat back from its caretaker to its owner."""
    with web.writing() as s, refusals():
        access = as_player(s, game_id)
        returned = access.seat is not None and absence.return_owner(
            s, game_id, access.seat, web.now()
        )
    flash(_("Welcome back: the seat is yours.") if returned else _("The seat is yours."), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


def _before(session: Session, access: Access) -> dict[str, object]:
    game = access.game
    taken = seats.seats(session, game.id)
    rules = lobby.ruleset(game)
    mine = invitations.invitation_for(session, game, access.user.email) if access.user else None
    host = session.get(User, game.host_id)
    return {
        "game": game,
        "access": access,
        "seats": taken,
        "free": game.players - len(taken),
        "fingerprint": Chance(game.seed).commitment() if game.seed else "",
        "drafted": rules.region_choice == "draft",
        "regions": [_(rules.region[RegionId(r)].name) for r in game.regions],
        "invitation": mine
        if mine and mine.status == InvitationStatus.PENDING and not access.row
        else None,
        "host_name": host.name if host else "",
        "invited": _invited(session, game.id) if access.host else [],
        "bot": bots.CARETAKER,
        "may_begin": lobby.may_begin(session, game, access.user, web.now()),
        "records": open_seats.records(session, [row.user_id for row in taken], web.now()),
        "closes_at": expiry.closes_at(game),
        "timed_out": expiry.timed_out(game),
        "changed": [(k, v) for k, v in game.options.items() if k not in CHOSEN_ANYWAY],
    }


def _invited(session: Session, game_id: int) -> list[tuple[str, str, int, bool]]:
    """Return names, answers, numbers and whether they wait, for the host.

    Those who accepted sit at the table already.
    """
    words = {
        InvitationStatus.PENDING: _("invited, no answer yet"),
        InvitationStatus.DECLINED: _("declined"),
        InvitationStatus.WITHDRAWN: _("sent away"),
    }
    rows = session.exec(
        select(Invitation)
        .where(Invitation.game_id == game_id, Invitation.status != InvitationStatus.ACCEPTED)
        .order_by(col(Invitation.id))
    )
    waits = InvitationStatus.PENDING
    return [(r.name or r.email, words[r.status], r.id, r.status == waits) for r in rows]
