"""A game to be taken away: as a text file, and as pages for a printer."""

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from core.store.tables import Game
from core.table.record.game_text import written
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import links, look
from webapp.errors import NotYours
from webapp.language import locale, zone
from webapp.limits import limiter
from webapp.records import printing

pages = Blueprint("takeaway", __name__, url_prefix="/games/<int:game_id>")


@pages.get("/report.txt")
def text(game_id: int) -> Response:
    """The report as plain text; of a running game, what the reader may know."""
    with web.reading() as s:
        _game, table = _table(s, game_id)
    told = written(table, links().page(f"/games/{game_id}"), zone(), locale())
    name = f"inline; filename=kraftpost-{game_id}.txt"
    return Response(
        told, content_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
    )


@pages.get("/print")
@limiter.limit("30 per minute")
def paper(game_id: int) -> ResponseReturnValue:
    """The game on paper, one round a sheet."""
    with web.reading() as s:
        game, table = _table(s, game_id)
        page = printing.printed(s, game, table)
    return render_template("takeaway/print.html", **page)


def _table(session: Session, game_id: int) -> tuple[Game, TableView]:
    """The table as its reader sees it, once its game has begun."""
    access = look(session, game_id)
    if not access.game.seq:
        raise NotYours(_("There is nothing to take away yet: the game has not begun."))
    return access.game, table_view(session, game_id, access.seat, now=web.now())
