"""A game to be taken away: as a text file, and as pages for a printer."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlmodel import Session

from core.drawing.board import board
from core.drawing.scene import scene
from core.game.narrate.wording import victory
from core.game.observe import observe
from core.game.types import Seat
from core.mail.position import Position, position
from core.statuses import GameStatus
from core.store.tables import Game
from core.story.accounts import ACCOUNTS, FLOWS, SeatSums, account, ledger, spending
from core.story.course import course, transitions
from core.table.record.game_text import Chapter, chapters, written
from core.table.record.timeline import timeline
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import links, look
from webapp.errors import NotYours
from webapp.identity import limiter
from webapp.language import locale, zone
from webapp.play import game_page
from webapp.records import story

_PLOTTED = ("worth", "cities")
"""The plots that the last sheet shows."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A round: what happened in it, and the table at its end; `tall`: so is its board."""

    chapter: Chapter
    table: TableView
    position: Position
    board: Markup
    tall: bool
    sums: dict[Seat, SeatSums]


def printed(session: Session, game: Game, table: TableView) -> dict[str, Any]:
    """Return what goes on paper, as the reader of `table` may see it."""
    told = chapters(table)
    view = table.view
    return {
        "table": table,
        "view": view,
        "before": [chapter for chapter in told if chapter.last is None],
        "sheets": list(_sheets(session, game, table, told)),
        "flows": [account(one) for one in FLOWS],
        "outcome": victory(view.standings, view.ruleset.tie_breaks, lambda s: table.names[s])
        if view.standings
        else "",
        **(_whole(table) if table.status != GameStatus.RUNNING else {}),
    }


def _sheets(
    session: Session, game: Game, table: TableView, told: tuple[Chapter, ...]
) -> Iterator[Sheet]:
    states, over = timeline(session, game).states, table.status != GameStatus.RUNNING
    for chapter in told:
        if chapter.last is None:
            continue
        view = observe(states[chapter.last - 1], table.view.seat, revealed=over)
        then = replace(
            table, view=replace(view, offer=None), asked=(), seats=_named(table, chapter)
        )
        picture = scene(then.view, then.seats)
        drawn = board(picture, ids=f"round-{chapter.round}")
        yield Sheet(
            chapter=chapter,
            table=then,
            position=position(then),
            board=Markup(drawn),  # noqa: S704 - core.drawing escapes
            tall=game_page.tall(picture),
            sums={one.seat: one for one in chapter.sums},
        )


def _named(table: TableView, chapter: Chapter) -> tuple[Any, ...]:
    """Return the seats with the names of the time."""
    pairs = zip(table.seats, chapter.names, strict=True)
    return tuple(replace(seat, name=name) for seat, name in pairs)


def _whole(table: TableView) -> dict[str, Any]:
    """Return the sums and plots of a game that is over."""
    log = tuple(transitions(entry.event for entry in table.log))
    return {
        "accounts": [account(one) for one in ACCOUNTS],
        "spending": [(s, list(sums.values())) for s, sums in spending(ledger(log)).items()],
        "plots": [p for p in story.plots(table, course(log)) if p.key in _PLOTTED],
    }


pages = Blueprint("exporting", __name__, url_prefix="/games/<int:game_id>")


@pages.get("/report.txt")
def text(game_id: int) -> Response:
    """Return the report as plain text; of a running game, what the reader may know."""
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
    """Show the game on paper, one round a sheet."""
    with web.reading() as s:
        game, table = _table(s, game_id)
        page = printed(s, game, table)
    return render_template("records/print.html", **page)


def _table(session: Session, game_id: int) -> tuple[Game, TableView]:
    """Return the table as its reader sees it; refuse it before its game has begun."""
    access = look(session, game_id)
    if not access.game.seq:
        raise NotYours(_("There is nothing to take away yet: the game has not begun."))
    return access.game, table_view(session, game_id, access.seat, now=web.now())
