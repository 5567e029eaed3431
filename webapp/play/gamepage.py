"""Everything the game page shows, gathered from a TableView; the templates compute nothing."""

import secrets
from dataclasses import dataclass
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
from core.game.events import Event, GameAbandoned, OrdersRevealed, SealedBidGiven
from core.game.log.closing import closing
from core.game.moves import Bid, OpenAuction
from core.game.narrate import Narrator
from core.game.narrate.outcome import abandoned, victory
from core.game.observe import PlayerView
from core.game.offers import BidOffer, OpeningOffer
from core.game.phases.player_order import turn_order
from core.game.types import Elektro, Fuel, Phase, PlantNumber, Seat
from core.mail import words
from core.mail.page import Page
from core.mail.position import powered
from core.orders.model import LimitOff
from core.orders.notation import Said
from core.orders.notation import text as order_text
from core.orders.words import sentence
from core.store.tables import Submission
from core.table import chat, gamelog, submit
from core.table.outgoing import modes
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import Access, table_of
from webapp.language import locale
from webapp.play import drafts, forecast, openseats, report, scenes, tableacts
from webapp.play.moves import Fields
from webapp.play.turnform import power, turn_form


@dataclass(frozen=True, slots=True)
class Preview:
    """A move tried out: its line, what it would do in words and sums, the events of it.

    `then`: the order for the building turn that is given with a purchase, if there is one.
    """

    line: str
    nonce: str
    lines: list[str]
    sums: list[str]
    events: tuple[Event, ...]
    then: str = ""

    @classmethod
    def of(
        cls,
        before: PlayerView,
        tried: submit.Preview,
        names: tuple[str, ...],
        then: Said | None = None,
    ) -> "Preview":
        """What a dry run says, compared with the position before it."""
        tell = Narrator(before.ruleset, names)
        bid = _bid(before, tried.line)
        lines = [
            text
            for event in tried.events
            if (text := _envelope(*bid) if isinstance(event, SealedBidGiven) else tell.line(event))
        ]
        sums = [*_sums(before, tried.view, names), *_stake(before, tried.view, *bid)]
        if then is not None and not isinstance(then.order, LimitOff):
            said = sentence(then.order, before.ruleset)
            lines.append(_("Then, in the building phase: {order}").format(order=said))
        order = "" if then is None else order_text(then.order, before.ruleset)
        return cls(tried.line, secrets.token_hex(16), lines, sums, tried.events, order)


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


def _sums(before: PlayerView, after: PlayerView, names: tuple[str, ...]) -> list[str]:
    """Before → after, for what changes."""
    old, new = before.me, after.me
    if old is None or new is None:
        return []
    pairs = [
        (_("Elektro {a} → {b}"), old.elektro, new.elektro),
        (_("cities {a} → {b}"), len(old.cities), len(new.cities)),
        (_("fuel for {a} → {b} cities"), _ready(before), _ready(after)),
    ]
    sums = [text.format(a=a, b=b) for text, a, b in pairs if a != b]
    if before.step == 1 and len(new.cities) >= before.numbers.step2_cities > len(old.cities):
        sums.append(_("starts Step 2"))
    if len(new.cities) >= before.numbers.end_cities > len(old.cities):
        sums.append(_("ends the game after this round"))
    passed = [names[seat] for seat in _passed(before, after, old.seat)]
    if passed:
        sums.append(_("passes {names} in turn order").format(names=words.both(passed)))
    return sums


def _bid(view: PlayerView, line: str) -> tuple[PlantNumber, Elektro | None]:
    """The plant that a move bids for, and how much; no amount where it bids nothing."""
    offer = view.offer
    if isinstance(offer, OpeningOffer | BidOffer):
        match notation.parse(line, view.ruleset):
            case OpenAuction(plant, bid):
                return plant, bid
            case Bid(amount) if isinstance(offer, BidOffer):
                return offer.plant, amount
    return (offer.plant if isinstance(offer, BidOffer) else PlantNumber(0)), None


def _envelope(plant: PlantNumber, bid: Elektro | None) -> str:
    """What a sealed bid says; the log keeps it to itself until all are in."""
    if bid is None:
        return _("You leave plant {plant} to the others, for good.").format(plant=plant)
    return _("You would pay up to {most} for plant {plant}.").format(most=bid, plant=plant)


def _stake(
    before: PlayerView, after: PlayerView, plant: PlantNumber, bid: Elektro | None
) -> list[str]:
    """What a bid would leave and power if it wins; nothing where it has won already."""
    old, new = before.me, after.me
    if bid is None or not (old and new) or old.elektro is None or old.elektro != new.elektro:
        return []
    sealed = isinstance(before.offer, OpeningOffer | BidOffer) and before.offer.sealed
    text = _("if you win at {bid}: {left} Elektro left")
    if sealed:
        text = _("if you win: at least {left} Elektro left")
    change = power(before, before.ruleset.plant[plant])
    left = text.format(bid=bid, left=old.elektro - bid)
    return [left, _("plants {change}").format(change=change)]


def _passed(before: PlayerView, after: PlayerView, mine: Seat) -> list[Seat]:
    """Whom a seat overtakes in the order of the next round, as things stand (R7.2)."""
    old, new = turn_order(before), turn_order(after)
    return [seat for seat in old[: old.index(mine)] if seat not in new[: new.index(mine)]]


def _ready(view: PlayerView) -> int:
    me = view.me
    return powered(view.plants_of(me.seat), me.fuel) if me else 0


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
