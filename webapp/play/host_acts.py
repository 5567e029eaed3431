"""The host's tools, and the same by vote where the host is gone: each is looked at, then done."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.game.narrate.lines import Narrator
from core.game.types import Seat
from core.statuses import GameStatus, ProposalStatus
from core.table.acts import host_acts, proposals, undo
from core.table.acts.host_acts import HOST_ACTS, Correct, HostAct
from core.table.acts.proposals import Proposed
from core.table.acts.undo import Undo
from core.table.play import pauses
from core.table.play.play import Play
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.table.views.table_view import table_view
from core.tableview import Logged
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access, at_table
from webapp.errors import refusals
from webapp.forms import UNREADABLE, Form, Number, Text, read
from webapp.identity import limiter, me, signed_in


@dataclass(frozen=True, slots=True)
class Acts:
    """What the reader may do about the table besides their move.

    `undo`: their last move can be taken back; `redo`: what was taken back can count again.
    `votes`: the host is gone, so that the players decide. `paused`: its clocks stand still.
    """

    undo: Undo | None = None
    redo: bool = False
    proposals: tuple[Proposed, ...] = ()
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
        proposals=proposals.open_ones(session, game, seat, web.now()),
        votes=host_acts.host_is_gone(session, game, web.now()),
        paused=paused,
    )


def told(session: Session, access: Access, vanish: tuple[Logged, ...]) -> dict[str, Any]:
    """Return the events that would not count any more, in words, and the table they are about."""
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


@dataclass(frozen=True, slots=True)
class Tool:
    """The form of an act: the names of its fields, and the seats that it may be about."""

    act: type[HostAct]
    fields: frozenset[str]
    seats: list[Seat]


pages = Blueprint("hosting", __name__, url_prefix="/games/<int:game_id>/host")


class ActForm(Form):
    """The fields that any of the acts may have.

    `last`: the log position at which a page has said what would be done.
    """

    reason: Text = ""
    hours: Number = 0
    seat: Number = UNREADABLE
    line: Text = ""
    last: Number | None = None

    @property
    def body(self) -> dict[str, Any]:
        """What the act is to be done with."""
        return self.model_dump(exclude={"last"})


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
    """Show what an act would do; nothing is done yet."""
    _known(kind)
    body = read(ActForm).body
    with web.reading() as s, refusals():
        access = at_table(s, game_id)
        page = _looked(s, access, host_acts.checked(s, access.game, kind, body, web.now()))
    return render_template("hosting/look.html", **page)


@pages.post("/<kind>")
@signed_in
@limiter.limit("60 per hour")
def act(game_id: int, kind: str) -> ResponseReturnValue:
    """Do it as the host, or propose it to the players."""
    _known(kind)
    form = read(ActForm)
    with web.writing() as s, refusals():
        access = at_table(s, game_id)
        if form.last is not None and form.last != gamelog.find(s, game_id).seq:
            raise undo.moved_on()
        status = _do(s, access, kind, form.body)
    flash(_said(status), "good")
    enqueue.table(game_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _do(session: Session, access: Access, kind: str, body: dict[str, Any]) -> ProposalStatus:
    """Act; return what has become of it: done, or the status of the proposal."""
    game_id = access.game.id
    if access.host:
        asked = proposals.act_as_host(session, game_id, me(), kind, body, web.now())
        return asked.status if asked else ProposalStatus.ACCEPTED
    return proposals.propose(session, game_id, access.place, kind, body, web.now()).status


def _said(status: ProposalStatus) -> str:
    if status == ProposalStatus.ACCEPTED:
        return _("Done. Everybody at the table can read it, and is told.")
    return _("It is proposed. The others are asked whether they agree.")


def _known(kind: str) -> None:
    if kind not in HOST_ACTS:
        raise NotFound


def _tools(session: Session, access: Access) -> dict[str, Any]:
    game = access.game
    if game.status != GameStatus.RUNNING:
        raise NotFound
    gone = host_acts.host_is_gone(session, game, web.now())
    play = Play.resume(session, game, web.now())
    known = [
        a
        for a in HOST_ACTS.values()
        if (a.always or access.host or gone) and (a.even_stopped or not game.stopped_reason)
    ]
    return {
        "access": access,
        "table": table_view(session, game.id, access.seat, now=web.now()),
        "gone": gone,
        "open_seats": [row.name for row in seats.open_seats(session, game.id)],
        "link": _link(game.invite_link) if access.host else "",
        "tools": [_tool(a, found) for a in known if (found := a.seats(play))],
    }


def _link(token: str) -> str:
    return url_for("table_hosting.show", token=token, _external=True) if token else ""


def _tool(act: type[HostAct], places: list[Seat]) -> Tool:
    return Tool(act, frozenset(field.name for field in fields(act)), places)


def _looked(session: Session, access: Access, what: HostAct) -> dict[str, Any]:
    found = None
    if isinstance(what, Correct):
        found = host_acts.look(session, access.game, what.seat, what.line)
    page = told(session, access, found.vanish if found else ())
    page |= {"act": what, "body": asdict(what), "found": found}
    if found is None:
        return page
    tell = Narrator(page["table"].view.ruleset, page["table"].names)
    return {
        **page,
        "whose": undo.moves(found.whose.items(), page["table"].names),
        "instead": [line for event in found.events if (line := tell.line(event))],
    }
