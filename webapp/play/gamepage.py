"""Everything the game page shows, gathered from a TableView; the templates compute nothing."""

import secrets
from typing import Any

from flask import request, url_for
from markupsafe import Markup
from sqlmodel import Session

from core.drawing.board import board
from core.drawing.cards import ladder
from core.drawing.scene import Scene
from core.drawing.summary import rows as city_rows
from core.game import engine, notation
from core.game.board.fuel_market import price_of_next
from core.game.events import GameAbandoned, OrdersRevealed, closing
from core.game.narrate.wording import abandoned, victory
from core.game.observe import PlayerView
from core.game.types import Fuel, Phase, Seat
from core.mail import words
from core.mail.page import Page
from core.store.tables import Submission
from core.table.notify import modes
from core.table.play import chat
from core.table.record import gamelog
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import Access, table_of
from webapp.language import locale
from webapp.play import drafts, forecast, openseats, report, scenes, tableacts
from webapp.play.moves import Fields
from webapp.play.previews import Preview
from webapp.play.turnform import turn_form


def urls(game_id: int, token: str = "") -> dict[str, str]:
    """Where the game and its turn form are: for a signed-in player, or by a mail's link."""
    if token:
        at = url_for("turns.link", token=token)
        table, orders = url_for("game.show", game_id=game_id), url_for("orders.link", token=token)
        return {"game": at, "turn": at, "table": table, "orders": orders}
    at, turn = url_for("game.show", game_id=game_id), url_for("turns.act", game_id=game_id)
    orders = url_for("orders.show", game_id=game_id)
    return {"game": at, "turn": turn, "table": at, "orders": orders}


def page(
    session: Session,
    access: Access,
    *,
    links: dict[str, str] | None = None,
    fields: Fields | None = None,
    wrong: str = "",
    preview: Preview | None = None,
    verdict: Submission | None = None,
) -> dict[str, Any]:
    """The context of ``game/show.html`` for a reader."""
    table = table_of(session, access)
    view = table.view
    given = fields
    if given is None and table.mine is not None and access.seat is not None:
        given = drafts.given(session, table, table.mine.turn)
    mine = table.mine
    asked = mine is not None and not mine.automatic and view.offer is not None
    return {
        **shown(table, scenes.now(table, preview.events if preview else ())),
        "access": access,
        "urls": links or urls(access.game.id),
        "form": turn_form(view, given or {}, wrong) if asked else None,
        "heard": _heard(session, access),
        "silence": _silence(session, access) if asked else "",
        "preview": preview,
        "verdict": verdict,
        "absent": openseats.absent(session, table, web.now()),
        "acts": tableacts.acts(session, access),
        "outcome_of": words.outcome,
        "talk": chat.lines(session, access.game.id) if table.chat else [],
        "table_mode": modes.table_mode(session, access.user, access.game.id)
        if access.user
        else "inherit",
        "note": chat.note(session, access.game.id, access.user) if access.user else "",
        "nonce": secrets.token_hex(16),
    }


def shown(table: TableView, scene: Scene, told: report.Report | None = None) -> dict[str, Any]:
    """What page and replay share: the position, the board, the log (all of it, or as `told`)."""
    view = table.view
    words_of = Page(table, locale())
    coming = Fuel(*(row.refill for row in words_of.position.fuels))
    end = closing([entry.event for entry in table.log])
    return {
        "table": table,
        "told": words_of,
        "view": view,
        "offer": view.offer,
        "position": words_of.position,
        "board": Markup(board(scene)),  # noqa: S704 - core.drawing escapes
        "tall": scenes.tall(scene),
        "cities": city_rows(scene),
        "ladder": Markup(ladder(view.ruleset.tracks, view.fuel_market, coming)),  # noqa: S704
        "fuels": fuels(view, coming),
        "over": view.phase is Phase.FINISHED,
        "phase": words.phase(view.phase),
        "outcome": _outcome(table),
        "revealed": _revealed(table),
        "seed": end.seed if end else "",
        "ended": _ended(table),
        "report": told or report.merged(table, whose(table)),
        "race": forecast.race(table),
        "leaving": forecast.leaving(view),
        "activity": forecast.activity(table),
        "income": view.ruleset.payment[: view.numbers.end_cities + 3],
        "refills": [view.ruleset.refill(len(view.players), step).counts() for step in (1, 2, 3)],
    }


def fuels(view: PlayerView, coming: Fuel) -> list[dict[str, object]]:
    """The fuel market in numbers: left, price of the next, what comes, price of the next then."""
    return [
        {
            "key": resource.value,
            "left": view.fuel_market[resource],
            "next": price_of_next(track, view.fuel_market[resource]),
            "comes": coming[resource],
            "then": price_of_next(track, view.fuel_market[resource] + coming[resource]),
        }
        for resource, track in view.ruleset.tracks.items()
    ]


def whose(table: TableView) -> Seat | None:
    """The player whose lines of the log the reader wants to see alone."""
    wanted = request.args.get("by", "")
    return next((seat.seat for seat in table.seats if str(seat.seat) == wanted), None)


def _heard(session: Session, access: Access) -> str:
    """How the reader hears that it is his move; empty for whoever has no seat."""
    user = access.user
    if user is None or access.row is None:
        return ""
    if user.undeliverable_at is not None:
        return _("Until mail reaches you again, only this page tells when it is your move.")
    return {
        "off": _("No mail tells when it is your move: you have turned these mails off."),
        "digest": _("Your daily digest tells when it is your move."),
    }.get(modes.mode(session, user, access.game.id), _("A mail will come when it is your move."))


def _silence(session: Session, access: Access) -> str:
    """What happens if the reader does not answer in time."""
    state = gamelog.load(session, access.game.id)
    move = engine.default_move(state, Seat(access.acting or 0))
    return notation.text(move, state.ruleset)


def _ended(table: TableView) -> str:
    """Why the game has no winner; empty where it has one, or runs."""
    last = closing([entry.event for entry in table.log])
    return abandoned(last) if isinstance(last, GameAbandoned) else ""


def _revealed(table: TableView) -> list[tuple[str, list[str]]]:
    """Once the game is over: each player's name and the orders that he had given."""
    last = table.log[-1].event if table.log else None
    if not isinstance(last, OrdersRevealed):
        return []
    told: dict[str, list[str]] = {}
    for order in last.orders:
        line = _("{line} ({status})").format(
            line=order.text, status=words.order_status(order.status)
        )
        told.setdefault(table.names[order.seat], []).append(line)
    return list(told.items())


def _outcome(table: TableView) -> str:
    """Who has won, and why; empty while the game runs."""
    view = table.view
    if not view.standings:
        return ""
    return victory(view.standings, view.ruleset.tie_breaks, lambda seat: table.names[seat])
