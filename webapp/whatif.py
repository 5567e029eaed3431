"""A what-if board: any seat's next moves tried on the present position, without leaving a trace.

All that was tried stands in the address; nothing is stored, and nothing on the board comes from
what the reader cannot see (core.orders.whatif).
"""

from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.game import engine
from core.game.chance import Chance
from core.game.commands import commands
from core.game.narrate import Narrator
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Seat
from core.orders.whatif import Tried, possible, try_moves
from core.table import gamelog
from core.table.view import table_view
from core.tableview import TableView
from webapp import gamepage, scenes, web
from webapp.access import as_player
from webapp.identity import signed_in
from webapp.limits import limiter

pages = Blueprint("whatif", __name__)
MOST: Final = 40
"""Moves that can be tried one after the other."""
_LONGEST: Final = 500
_OFFERED: Final = 12


@pages.get("/games/<int:game_id>/whatif")
@signed_in
@limiter.limit("60 per minute")
def show(game_id: int) -> ResponseReturnValue:
    """The board after the moves of the address, and a box for the next."""
    with web.reading() as s:
        access = as_player(s, game_id)
        if access.seat is None or access.game.status != "running":
            raise NotFound
        table = table_view(s, game_id, access.seat, now=web.now())
        state = gamelog.load(s, game_id)
    given = _given(state)
    chance = Chance(f"what-if {game_id} {access.seat}")
    start = possible(state, Seat(access.seat), chance)
    tried = try_moves(start, given, chance)
    return render_template("whatif/show.html", **_page(table, start, given, tried))


@pages.get("/games/<int:game_id>/whatif/next")
@signed_in
def next(game_id: int) -> ResponseReturnValue:
    """One more line, written by hand: on to the address that holds it."""
    seat, line = request.args.get("seat", "0"), request.args.get("line", "")[:_LONGEST]
    tried = [*request.args.getlist("m")[:MOST], f"{seat}:{line}"]
    return redirect(url_for("whatif.show", game_id=game_id, m=tried))


def _given(state: GameState) -> list[tuple[Seat, str]]:
    """Pairs of seat and line: ``m=0:bid 15``; what is no such pair is passed over."""
    found = []
    for one in request.args.getlist("m")[:MOST]:
        seat, _colon, line = one[:_LONGEST].partition(":")
        if seat.isascii() and seat.isdecimal() and int(seat) < len(state.players) and line.strip():
            found.append((Seat(int(seat)), line.strip()))
    return found


def _page(
    table: TableView, start: GameState, given: list[tuple[Seat, str]], tried: Tried
) -> dict[str, Any]:
    state = tried.states[-1] if tried.states else start
    acting = engine.to_act(state)
    tell = Narrator(state.ruleset, table.names)
    told = [
        (seat, line, [text for event in events if (text := tell.line(event))])
        for (seat, line), events in zip(given, tried.events, strict=False)
    ]
    done = [f"{seat}:{line}" for seat, line, _texts in told]
    imagined = replace(table, view=observe(state, table.view.seat), asked=(), orders=(), ordered=())
    wrong = given[len(tried.states)][1] if tried.error else ""
    return {
        **gamepage.shown(imagined, scenes.now(imagined)),
        "told_moves": told,
        "done": done,
        "back": url_for("whatif.show", game_id=table.game_id, m=done[:-1]),
        "error": tried.error,
        "wrong_line": wrong,
        "acting": acting,
        "offered": [(seat, commands(observe(state, seat))[:_OFFERED]) for seat in acting],
    }
