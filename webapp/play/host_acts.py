"""The host's tools, and the same by vote where the host is gone: each is looked at, then done."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.game.narrate.lines import Narrator
from core.statuses import GameStatus, ProposalStatus
from core.table.acts import host_acts, proposals, proposed, replace, undo
from core.table.acts.undo import Undo
from core.table.play import pauses
from core.table.play.play import Play
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.table.views.table_view import table_view
from core.tableview import Logged
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access, at_table
from webapp.errors import number_of, refusals, text_of
from webapp.identity import limiter, me, signed_in


@dataclass(frozen=True, slots=True)
class Acts:
    """What the reader may do about the table besides his move.

    `undo`: his last move can be taken back; `redo`: what was taken back can count again.
    `votes`: the host is gone, so that the players decide. `paused`: its clocks stand still.
    """

    undo: Undo | None = None
    redo: bool = False
    proposals: tuple[proposed.Proposed, ...] = ()
    votes: bool = False
    paused: bool = False


def acts(session: Session, access: Access) -> Acts:
    """For a reader of a running game; nothing for spectators."""
    game, seat = access.game, access.seat
    if game.status != GameStatus.RUNNING or not access.belongs:
        return Acts()
    paused = pauses.paused_since(session, game.id) is not None
    if seat is None:
        return Acts(paused=paused)
    return Acts(
        undo=_undo(session, game.id, seat),
        redo=undo.redo_of(session, game.id, seat) is not None,
        proposals=proposed.open_ones(session, game, seat, web.now()),
        votes=host_acts.host_is_gone(session, game, web.now()),
        paused=paused,
    )


def told(session: Session, access: Access, vanish: tuple[Logged, ...]) -> dict[str, Any]:
    """The events that would not count any more, in words, and the table they are about."""
    table = table_view(session, access.game.id, access.seat, now=web.now())
    tell = Narrator(table.view.ruleset, table.names)
    lines = [line for entry in vanish if (line := tell.line(entry.event))]
    return {"table": table, "lines": lines, "access": access}


def _undo(session: Session, game_id: int, seat: int) -> Undo | None:
    try:
        found = undo.look(session, game_id, seat)
    except TableError:
        return None
    return None if undo.asked_before(session, game_id, found) and not found.free else found


pages = Blueprint("hosting", __name__, url_prefix="/games/<int:game_id>/host")

AT_ONCE = ("pause", "resume", "extend")
"""What can be taken back again is done without another question."""


@pages.get("")
@signed_in
def tools(game_id: int) -> ResponseReturnValue:
    """All tools on one page, for the host, or for players who decide by vote."""
    with web.reading() as s:
        access = at_table(s, game_id)
        page = _tools(s, access)
    return render_template("hosting/tools.html", **page)


@pages.post("/<kind>/look")
@signed_in
def look(game_id: int, kind: str) -> ResponseReturnValue:
    """What it would do; nothing is done yet."""
    _known(kind)
    body = _body()
    with web.reading() as s, refusals():
        access = at_table(s, game_id)
        clean = host_acts.checked(s, access.game, kind, body, web.now())
        page = _looked(s, access, kind, clean)
    return render_template("hosting/look.html", kind=kind, body=clean, **page)


@pages.post("/<kind>")
@signed_in
@limiter.limit("60 per hour")
def act(game_id: int, kind: str) -> ResponseReturnValue:
    """Do it as the host, or propose it to the players."""
    _known(kind)
    with web.writing() as s, refusals():
        access = at_table(s, game_id)
        _demand_seen(s, game_id)
        status = _do(s, access, kind, _body())
    flash(_said(status), "good")
    enqueue.adjudicate(game_id)
    enqueue.deliver()
    return redirect(url_for("game.show", game_id=game_id), 303)


def _do(session: Session, access: Access, kind: str, body: dict[str, Any]) -> ProposalStatus:
    """What has become of it: done, or the status of the proposal."""
    game_id = access.game.id
    if access.host:
        host_acts.act(session, game_id, me(), kind, body, web.now())
        return ProposalStatus.ACCEPTED
    seat = -1 if access.seat is None else access.seat
    return proposals.propose(session, game_id, seat, kind, body, web.now()).status


def _said(status: ProposalStatus) -> str:
    if status == ProposalStatus.ACCEPTED:
        return _("Done. Everybody at the table can read it, and is told.")
    return _("It is proposed. The others are asked whether they agree.")


def _known(kind: str) -> None:
    if kind not in host_acts.ACTS:
        raise NotFound


def _body() -> dict[str, Any]:
    """The fields that any of the acts may have."""
    return {
        "reason": text_of("reason"),
        "hours": number_of("hours"),
        "seat": number_of("seat", -1),
        "line": text_of("line"),
    }


def _demand_seen(session: Session, game_id: int) -> None:
    """Where a page has said what would be done, no more may have happened since."""
    if "last" in request.form and number_of("last") != gamelog.find(session, game_id).seq:
        raise undo.moved_on()


def _tools(session: Session, access: Access) -> dict[str, Any]:
    game = access.game
    if game.status != GameStatus.RUNNING:
        raise NotFound
    gone = host_acts.host_is_gone(session, game, web.now())
    table = table_view(session, game.id, access.seat, now=web.now())
    play = Play.resume(session, game, web.now())
    return {
        "access": access,
        "table": table,
        "gone": gone,
        "all_tools": access.host or gone,
        "paused": pauses.paused_since(session, game.id) is not None,
        "asked": [table.seats[a.seat] for a in table.asked if not a.automatic],
        "late": [s for s in table.seats if replace.may_be_replaced(play, s.seat)],
        "offered": [seat for seat, row in play.rows.items() if row.open],
        "people": [s for s in table.seats if not s.bot],
    }


def _looked(session: Session, access: Access, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    if kind != "correct":
        page = told(session, access, ())
        return {**page, "found": None, "whose": "", "instead": []}
    found = host_acts.look(session, access.game, body["seat"], body["line"])
    page = told(session, access, found.vanish)
    names, tell = page["table"].names, Narrator(page["table"].view.ruleset, page["table"].names)
    return {
        **page,
        "found": found,
        "whose": proposed.moves(list(found.whose.items()), [names[s] for s in found.whose]),
        "instead": [line for event in found.events if (line := tell.line(event))],
    }
