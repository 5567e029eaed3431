"""A small JSON API, read only: how a table stands, and what one is asked. See docs/channels.md."""

from typing import Any

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import HTTPException, NotFound, Unauthorized

from core.channels.webhook_text import instant
from core.store.tables import Game, User
from core.table.record import seats
from core.table.views import feeds
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.terms import Terms
from core.when import NEVER
from webapp import web
from webapp.access import links, may_see
from webapp.identity import current_user

pages = Blueprint("api", __name__, url_prefix="/api")


@pages.errorhandler(HTTPException)
def wrong(error: HTTPException) -> ResponseReturnValue:
    """Tell programs what went wrong as JSON, too."""
    return jsonify(error=error.name, description=error.description), error.code or 500


@pages.get("/tables/<int:game_id>")
def table(game_id: int) -> ResponseReturnValue:
    """Return how a table stands, to those who may see it: what a spectator knows."""
    with web.reading() as s:
        game = s.get(Game, game_id)
        if game is None or not may_see(s, game, _reader(s)):
            raise NotFound("There is no such table, or it is not for you to see.")
        seen = table_view(s, game.id, None, now=web.now()) if game.started_at else None
        players = [row.name for row in seats.seats(s, game.id)]
    return jsonify(_table(game, players) | _position(seen))


@pages.get("/me/turns")
def turns() -> ResponseReturnValue:
    """Return what the reader is asked at all their tables, the most urgent first."""
    with web.reading() as s:
        user = _reader(s)
        if user is None:
            raise Unauthorized("Sign in, or add ?feed= and the secret of your feed addresses.")
        found = feeds.deadlines(s, user, links())
    told = [
        {
            "table": one.table,
            "title": one.title,
            "seat": one.seat,
            "turn": one.turn,
            "plan": one.plan,
            "since": instant(one.asked_at),
            "deadline": instant(one.at) if one.at < NEVER else None,
            "url": one.url,
        }
        for one in found
    ]
    return jsonify(turns=told)


def _reader(session: Session) -> User | None:
    """Return who asks: by the secret of their feeds, or signed in; a void secret is refused."""
    token = request.args.get("feed")
    if token is None:
        return current_user()
    user = feeds.reader(session, links(), token)
    if user is None:
        raise Unauthorized("This secret is void: take the present one from your channels.")
    return user


def _table(game: Game, players: list[str]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "url": links().page(f"/games/{game.id}"),
        "status": game.status,
        "map": game.map,
        "variant": game.variant,
        "places": game.players,
        "players": players,
        "seq": game.seq,
        "terms": {
            "turn_hours": game.turn_hours,
            **Terms.model_validate(game.terms).model_dump(by_alias=True),
        },
        "round": None,
        "phase": None,
        "step": None,
        "asked": [],
    }


def _position(table: TableView | None) -> dict[str, Any]:
    """Of a game that has begun: where it stands, and who is asked until when."""
    if table is None:
        return {}
    asked = [
        {
            "seat": one.seat,
            "name": table.names[one.seat],
            "turn": one.turn,
            "since": instant(one.since),
            "deadline": instant(one.deadline) if one.deadline else None,
        }
        for one in table.asked
    ]
    view = table.view
    return {"round": view.round, "phase": view.phase.value, "step": view.step, "asked": asked}
