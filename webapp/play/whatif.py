"""A what-if board: any seat's next moves tried on a position of a game, without leaving a trace.

All that was tried stands in the address; nothing is stored. While the game runs nothing on the
board comes from what the reader cannot see (core.orders.whatif); once it is over nothing is hidden.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core import questions
from core.game import engine
from core.game.chance import Chance
from core.game.events import closing
from core.game.narrate.lines import Narrator
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Seat
from core.orders.whatif import Tried, as_it_was, possible, try_moves
from core.statuses import GAME_OVER, GameStatus
from core.table.record.timeline import Timeline, timeline
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import Access, look
from webapp.errors import NotYours
from webapp.forms import whole
from webapp.identity import limiter, signed_in
from webapp.play import game_page

pages = Blueprint("whatif", __name__)
MOST: Final = 40
"""Moves that can be tried one after the other."""
_LONGEST: Final = 500
_OFFERED: Final = 12


@dataclass(frozen=True, slots=True)
class _Board:
    """Where one begins to try: `at` is the event after which, None for the present of a game.

    `over`: the game is, so that nothing is hidden.
    """

    table: TableView
    start: GameState
    chance: Chance
    at: int | None
    over: bool


@pages.get("/games/<int:game_id>/whatif")
@signed_in
@limiter.limit("60 per minute")
def show(game_id: int) -> ResponseReturnValue:
    """Show the board after the moves of the address, and a box for the next."""
    with web.reading() as s:
        board = _board(s, look(s, game_id))
    given = _given(board.start)
    tried = try_moves(board.start, given, board.chance)
    return render_template("whatif/show.html", **_page(board, given, tried))


@pages.get("/games/<int:game_id>/whatif/next")
@signed_in
def next(game_id: int) -> ResponseReturnValue:
    """One more line, written by hand: on to the address that holds it."""
    seat, line = request.args.get("seat", "0"), request.args.get("line", "")[:_LONGEST]
    tried = [*request.args.getlist("m")[:MOST], f"{seat}:{line}"]
    at = request.args.get("at")
    return redirect(url_for("whatif.show", game_id=game_id, at=at, m=tried))


def _board(session: Session, access: Access) -> _Board:
    """While a game runs its players try with what they can see; afterwards everybody with all."""
    game = access.game
    over = game.status in GAME_OVER
    if not over and access.row is None:
        raise NotYours(_("Only the players of this table can do that."))
    if not over and game.status != GameStatus.RUNNING:
        raise NotFound
    shown = timeline(session, game)
    at = _at(shown, over)
    table = table_view(session, game.id, access.seat, now=web.now(), upto=at, then=not over)
    state = shown.states[(at or 0) - 1]
    if over:
        end = closing([entry.event for entry in shown.entries])
        return _Board(table, as_it_was(state), Chance(end.seed if end else ""), at, over)
    chance = Chance(f"what-if {game.id} {access.seat}")
    return _Board(table, possible(state, Seat(access.seat or 0), chance), chance, at, over)


def _at(shown: Timeline, over: bool) -> int | None:
    """Return the last question before the event of the address; None for the present."""
    wanted, last = request.args.get("at", ""), len(shown.entries)
    if not wanted and not over:
        return None
    n = whole(wanted) if wanted else last
    if n is None or not 1 <= n <= last:
        raise NotFound
    return None if n == last and not over else shown.asked_at(n)


def _given(state: GameState) -> list[tuple[Seat, str]]:
    """Pairs of seat and line: ``m=0:bid 15``; what is no such pair is passed over."""
    found = []
    for one in request.args.getlist("m")[:MOST]:
        who, _colon, line = one[:_LONGEST].partition(":")
        seat = whole(who)
        if seat is not None and seat < len(state.players) and line.strip():
            found.append((Seat(seat), line.strip()))
    return found


def _page(board: _Board, given: list[tuple[Seat, str]], tried: Tried) -> dict[str, Any]:
    table, state = board.table, tried.states[-1] if tried.states else board.start
    acting = engine.to_act(state)
    tell = Narrator(state.ruleset, table.names)
    told = [
        (seat, line, [text for event in events if (text := tell.line(event))])
        for (seat, line), events in zip(given, tried.events, strict=False)
    ]
    done = [f"{seat}:{line}" for seat, line, _texts in told]
    view = observe(state, table.view.seat, revealed=board.over)
    imagined = replace(table, view=view, asked=(), orders=(), ordered=())
    return {
        **game_page.shown(imagined, game_page.now(imagined)),
        "told_moves": told,
        "done": done,
        "at": board.at,
        "known": board.over,
        "back": url_for("whatif.show", game_id=table.game_id, at=board.at, m=done[:-1]),
        "error": tried.error,
        "wrong_line": given[len(tried.states)][1] if tried.error else "",
        "acting": acting,
        "offered": [
            (seat, question.commands()[:_OFFERED])
            for seat in acting
            if (question := questions.of(observe(state, seat)))
        ],
    }
