"""Everything the game page shows, gathered from a TableView; the templates compute nothing.

Of a turn it shows the form, and the preview of its move: every choice and price is the question's.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from flask import render_template, request, url_for
from markupsafe import Markup
from sqlmodel import Session, col, select

from core import questions
from core.drawing.board import board
from core.drawing.cards import ladder
from core.drawing.layout import layout
from core.drawing.scene import Scene, city_rows, scene
from core.game.board.fuel_market import price_of_next, tracks_now
from core.game.board.storage import capacity
from core.game.events import CityConnected, Event, GameAbandoned, OrdersRevealed, closing
from core.game.narrate import wording
from core.game.narrate.lines import Narrator
from core.game.narrate.wording import abandoned, victory
from core.game.observe import PlayerView
from core.game.rewind import standing
from core.game.rules.knobs import Track
from core.game.types import STEP_3_CARD, CityId, Phase, Resource, Seat
from core.lists import both
from core.mail import words
from core.mail.page import Page
from core.mail.position import coming
from core.orders.model import LimitOff
from core.orders.notation import Said
from core.orders.notation import text as order_text
from core.orders.words import sentence
from core.questions.building import BuildingQuestion, Priced
from core.questions.effects import Effects
from core.questions.question import Fields, MoveQuestion, one
from core.statuses import OrderStatus
from core.store.tables import Draft, Submission, Turn
from core.table.notify import modes
from core.table.play import chat, submissions
from core.tableview import TableView
from core.text import _, ngettext
from webapp import kept, web
from webapp.access import Access, saw_form, table_of
from webapp.identity import current_user
from webapp.language import locale
from webapp.play import host_acts, open_seats, report
from webapp.play.report import Told

LEADERS_NAMED = 2


@dataclass(frozen=True, slots=True)
class TurnForm:
    """The form of a question, with what was filled in before, and what is `wrong` with it."""

    question: MoveQuestion[Any]
    fields: Fields
    wrong: str = ""

    def one(self, name: str, otherwise: object = "") -> str:
        """Return the value of a text field or a select."""
        return one(self.fields, name) if self.fields.get(name) else str(otherwise)

    def at(self, name: str, place: int) -> str:
        """Return the value of one of several fields of this name; empty if it is missing."""
        return ([*self.fields.get(name, [])[place:], ""])[0]

    def has(self, name: str, value: str) -> bool:
        """Return True if this box is ticked."""
        return value in self.fields.get(name, [])

    def chosen(self, name: str, value: str, otherwise: bool) -> bool:
        """Return True if this radio button is on; `otherwise`: it is the one to begin with."""
        return self.has(name, value) if self.fields.get(name) else otherwise


def given(session: Session, table: TableView, turn: int) -> Fields:
    """Return the draft of the reader's open turn, or what an earlier one says of it."""
    row = session.get(Draft, (table.game_id, table.view.seat))
    if row is None:
        return {}
    if row.turn == turn:
        return row.fields
    question = questions.of(table.view)
    return question.carried(row.fields) if question else {}


def told_sum(priced: Priced) -> str:
    """Return what the ticked cities cost, and what is left."""
    if priced.left < 0:
        text = _("{cost} Elektro: {short} more than you have")
        return text.format(cost=priced.total, short=-priced.left)
    return _("{cost} Elektro, {left} left").format(cost=priced.total, left=priced.left)


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
        question: MoveQuestion[Any],
        tried: submissions.Preview,
        names: tuple[str, ...],
        then: Said | None = None,
    ) -> "Preview":
        """Say what a dry run of an answer did, compared with the position before it."""
        found = Effects.of(question, tried.move, tried.events, tried.view, names)
        lines, sums = list(found.lines), list(found.sums)
        if then is not None and not isinstance(then.order, LimitOff):
            said = sentence(then.order, question.rules)
            lines.append(_("Then, in the building phase: {order}").format(order=said))
        order = "" if then is None else order_text(then.order, question.rules)
        return cls(tried.line, secrets.token_hex(16), lines, sums, tried.events, order)


@dataclass(frozen=True, slots=True)
class Activity:
    """A seat's last act, since when it is waited for, and the tokens that its plants hold."""

    act: Told | None
    since: datetime | None
    room: int


def activity(table: TableView) -> dict[Seat, Activity]:
    """All seats."""
    view, acts = table.view, _last_acts(table)
    since = {asked.seat: asked.since for asked in table.asked}
    return {
        s.seat: Activity(acts.get(s.seat), since.get(s.seat), _room(view, s.seat))
        for s in table.seats
    }


def _last_acts(table: TableView) -> dict[Seat, Told]:
    """Return what each seat did last, looked for from the end: most need not be told."""
    tell = Narrator(table.view.ruleset, table.names)
    acts: dict[Seat, Told] = {}
    for entry in reversed(standing(table.log)):
        seat = getattr(entry.event, "seat", None)
        if seat is None or seat in acts:
            continue
        if text := tell.line(entry.event):
            acts[seat] = Told(entry.seq, entry.at, text)
        if len(acts) == len(table.seats):
            break
    return acts


def _room(view: PlayerView, seat: Seat) -> int:
    pure, hybrid = capacity(view.plants_of(seat))
    return pure.total + hybrid


def race(table: TableView) -> list[str]:
    """Return the numbers in force now (M74)."""
    view, numbers = table.view, table.view.numbers
    facts = [_("end at {n}").format(n=numbers.end_cities)]
    if view.step == 1 and view.ruleset.step2_trigger == "cities":
        facts.insert(0, _("Step 2 at {n} cities").format(n=numbers.step2_cities))
    facts[0] += f" ({_leaders(table)})"
    facts.append(ngettext("{n} house a city", "{n} houses a city", view.step).format(n=view.step))
    facts.append(_("{n} plants each").format(n=numbers.plant_limit))
    facts.append(_refills(view))
    return facts


def _leaders(table: TableView) -> str:
    players = table.view.players
    most = max(len(player.cities) for player in players)
    names = [table.names[p.seat] for p in players if len(p.cities) == most]
    if not most:
        return _("nobody has one")
    if len(names) > LEADERS_NAMED:
        return _("most now {n}").format(n=most)
    return _("{names} {n}").format(names=both(names), n=most)


def _refills(view: PlayerView) -> str:
    """Return the row of this Step and of the next: coal, oil, garbage, uranium."""
    rows = {
        step: "/".join(map(str, view.ruleset.refill(len(view.players), step).counts()))
        for step in (1, 2, 3)
    }
    if view.step == 3 or view.ruleset.step2_trigger == "never":
        return _("refill {now}").format(now=rows[view.step])
    text = _("refill now {now}, in Step {step} {later}")
    return text.format(now=rows[view.step], step=view.step + 1, later=rows[view.step + 1])


def leaving(view: PlayerView) -> str:
    """Which plant the end of the round takes away, as the market lies now (R10.5)."""
    rules = view.ruleset
    if view.phase is Phase.FINISHED:
        return ""
    if rules.market_lifecycle == "two_decks":
        return _leaving_two_decks(view)
    if view.step == 3:
        cards = view.market.cards if rules.step3_rotation == "box_lowest" else ()
        text = _("{plant} leaves the game at the end of the round.")
        return text.format(plant=min(cards)) if cards else ""
    plants = [card for card in view.market.future if card != STEP_3_CARD]
    if not plants:
        return ""
    text = _("{plant} goes under the stack at the end of the round.")
    if rules.rotation != "largest_under_stack":
        text = _("{plant} goes under the stack at the end of the round, unless outgrown ones go.")
    return text.format(plant=max(plants))


def _leaving_two_decks(view: PlayerView) -> str:
    plants = sorted(view.market.cards)
    if view.local.one_row:
        text = _("{plant} leaves the game at the end of the round.")
        return text.format(plant=plants[0]) if plants else ""
    if view.local.decks_used:
        return _("{plant} goes under the stack at the end of the round.").format(plant=plants[-1])
    text = _("{plants} are set aside at the end of the round.")
    return text.format(plants=wording.plants(plants[-2:]))


def now(table: TableView, previewed: Iterable[Event] = (), priced: Priced | None = None) -> Scene:
    """Return the present board: what the reader may build, and their previewed houses dashed.

    With `priced` every price is that behind the cities that are ticked.
    """
    built = [event for event in previewed if isinstance(event, CityConnected)]
    planned = [event.city for event in built]
    drawn = own(
        table,
        scene(table.view, table.seats, planned=planned, paths=[event.path for event in built]),
    )
    if priced is None or planned:
        return drawn
    dear, picked = frozenset(priced.dear), frozenset(priced.chosen)
    return replace(drawn, targets=priced.targets, dear=dear, picked=picked)


def past(table: TableView, changed: Iterable[Event], ringed: Iterable[CityId]) -> Scene:
    """Return a board of the replay: cities that the last events changed ringed, ways drawn."""
    built = [event for event in changed if isinstance(event, CityConnected)]
    drawn = scene(
        table.view,
        table.seats,
        ringed=list(ringed),
        paths=[event.path for event in built],
    )
    return own(table, drawn)


def own(table: TableView, drawn: Scene) -> Scene:
    """Mark the reader's own network, and name the regions while they are drafted."""
    view = table.view
    if view.phase is Phase.REGIONS:
        every = frozenset(region.id for region in view.ruleset.map.regions)
        drawn = replace(drawn, regions=every, drafted=drawn.regions)
    if view.seat is None:
        return drawn
    ways = [
        entry.event.path
        for entry in standing(table.log)
        if isinstance(entry.event, CityConnected) and entry.event.seat == view.seat
    ]
    pairs = (frozenset(pair) for way in ways for pair in pairwise(way))
    return replace(drawn, mine=view.seat, links=frozenset(pairs))


def tall(picture: Scene) -> bool:
    """Is the sheet higher than wide?"""
    sheet = layout(picture.board).sheet
    return sheet.bottom - sheet.top > sheet.right - sheet.left


def urls(game_id: int, token: str = "", *, by_seat: bool = False) -> dict[str, str]:
    """Where the game and its turn form are: by account, by a mail's link, or by what it opened."""
    if by_seat:
        at, table = url_for("turns.seat", game_id=game_id), url_for("game.show", game_id=game_id)
        orders = url_for("orders.seat", game_id=game_id)
        prices = url_for("turns.seat_reckon", game_id=game_id)
        return {"game": at, "turn": at, "table": table, "orders": orders, "prices": prices}
    if token:
        at = url_for("turns.link", token=token)
        table, orders = url_for("game.show", game_id=game_id), url_for("orders.link", token=token)
        prices = url_for("turns.link_reckon", token=token)
        return {"game": at, "turn": at, "table": table, "orders": orders, "prices": prices}
    at, turn = url_for("game.show", game_id=game_id), url_for("turns.act", game_id=game_id)
    orders = url_for("orders.show", game_id=game_id)
    prices = url_for("turns.reckon", game_id=game_id)
    return {"game": at, "turn": turn, "table": at, "orders": orders, "prices": prices}


def page(
    session: Session,
    access: Access,
    *,
    links: dict[str, str] | None = None,
    fields: Fields | None = None,
    wrong: str = "",
    preview: Preview | None = None,
    sent: Submission | int | None = None,
) -> dict[str, Any]:
    """Return the context of ``game/show.html`` for a reader.

    `sent`: what became of the move that they sent, or the event after which the game went on
    without it.
    """
    table = table_of(session, access)
    mine = table.mine
    draft = None
    if fields is None and mine is not None and access.seat is not None:
        fields = kept.turn_fields(access.game.id)
        if not fields:
            draft = session.get(Draft, (table.game_id, table.view.seat))
            fields = given(session, table, mine.turn)
    asked = mine is not None and not mine.automatic
    question = questions.of(table.view) if asked else None
    priced = question.priced(fields or {}) if isinstance(question, BuildingQuestion) else None
    common = shown(table, now(table, preview.events if preview else (), priced))
    verdict = sent if isinstance(sent, Submission) else None
    after = sent if isinstance(sent, int) else verdict.turn if verdict else table.new_from - 1
    news = common["report"].latest(after, table.view.seat)
    return {
        **common,
        "access": access,
        "urls": links or urls(access.game.id),
        "news": news if access.acting is not None and table.log else report.News(),
        "moved": isinstance(sent, int),
        "draft": draft if fields else None,
        "carried": draft is not None and mine is not None and draft.turn != mine.turn,
        "elsewhere": _elsewhere(session, access),
        "asked_at": mine.since if mine is not None else None,
        "question": question,
        "offer": table.view.offer,
        "priced": priced,
        "sum": told_sum(priced) if priced else "",
        "form": TurnForm(question, fields or {}, wrong) if question else None,
        "heard": _heard(session, access),
        "silence": question.silence if question else "",
        "preview": preview,
        "verdict": verdict,
        "absent": open_seats.absent(session, table, web.now()),
        "acts": host_acts.acts(session, access),
        "outcome_of": words.outcome,
        "talk": chat.lines(session, access.game.id) if table.chat else [],
        "table_mode": modes.table_mode(session, access.user, access.game.id)
        if access.user
        else "inherit",
        "mark": chat.mark(session, access.game),
        "note": chat.note(session, access.game.id, access.user) if access.user else "",
        "nonce": secrets.token_hex(16),
    }


def shown_to(access: Access, page: dict[str, Any]) -> str:
    """Write the page of a table; who sees the form of their turn on it needs no mail just now."""
    if page["form"] is not None:
        saw_form(access, page["asked_at"])
    return render_template("game/show.html", **page)


def _elsewhere(session: Session, access: Access) -> tuple[int, int]:
    """Return at how many other tables the signed-in reader is asked, and the most urgent one."""
    user = current_user()
    if user is None:
        return 0, 0
    query = (
        select(Turn.game_id)
        .where(
            Turn.user_id == user.id,
            col(Turn.closed_at).is_(None),
            Turn.game_id != access.game.id,
        )
        .order_by(col(Turn.deadline))
    )
    games = list(dict.fromkeys(session.exec(query)))
    return len(games), games[0] if games else 0


def shown(table: TableView, scene: Scene, told: report.Report | None = None) -> dict[str, Any]:
    """Return what page and replay share: position, board, log (all of it, or as `told`)."""
    view = table.view
    words_of = Page(table, locale())
    end = closing([entry.event for entry in table.log])
    return {
        "table": table,
        "told": words_of,
        "view": view,
        "position": words_of.position,
        "board": Markup(board(scene)),  # noqa: S704 - core.drawing escapes
        "tall": tall(scene),
        "cities": city_rows(scene),
        "markets": markets(view),
        "over": view.phase is Phase.FINISHED,
        "phase": words.phase(view.phase),
        "outcome": _outcome(table),
        "revealed": _revealed(table),
        "seed": end.seed if end else "",
        "ended": _ended(table),
        "report": told or report.merged(table, whose(table)),
        "race": race(table),
        "leaving": leaving(view),
        "activity": activity(table),
        "income": view.ruleset.payment[: view.numbers.end_cities + 3],
        "refills": [view.ruleset.refill(len(view.players), step).counts() for step in (1, 2, 3)],
    }


def markets(view: PlayerView) -> list[dict[str, object]]:
    """Return the fuel markets, drawn and in numbers; the only one has no name."""
    rules = view.ruleset
    parts = zip(
        rules.market_names,
        (tracks_now(view, market) for market in range(len(rules.markets))),
        (view.fuel_market, *view.local.markets), coming(view),
        strict=True,
    )  # fmt: skip
    return [
        {
            "name": name,
            "ladder": Markup(ladder(tracks, left, comes)),  # noqa: S704 - core.drawing escapes
            "fuels": [_fuel_row(r, t, left[r], comes[r]) for r, t in tracks.items()],
        }
        for name, tracks, left, comes in parts
    ]


def _fuel_row(resource: Resource, track: Track, left: int, comes: int) -> dict[str, object]:
    """One fuel in numbers: left, price of the next, what comes, price of the next then."""
    return {
        "key": resource.value,
        "left": left,
        "next": price_of_next(track, left),
        "comes": comes,
        "then": price_of_next(track, left + comes),
    }


def whose(table: TableView) -> Seat | None:
    """Return the player whose lines of the log the reader wants to see alone."""
    wanted = request.args.get("by", "")
    return next((seat.seat for seat in table.seats if str(seat.seat) == wanted), None)


def _heard(session: Session, access: Access) -> str:
    """Say how the reader hears that it is their move; empty for those without a seat."""
    user = access.user
    if user is None or access.row is None:
        return ""
    if user.undeliverable_at is not None:
        return _("Until mail reaches you again, only this page tells when it is your move.")
    return {
        "off": _("No mail tells when it is your move: you have turned these mails off."),
        "digest": _("Your daily digest tells when it is your move."),
    }.get(modes.mode(session, user, access.game.id), _("A mail will come when it is your move."))


def _ended(table: TableView) -> str:
    """Why the game has no winner; empty where it has one, or runs."""
    last = closing([entry.event for entry in table.log])
    return abandoned(last) if isinstance(last, GameAbandoned) else ""


def _revealed(table: TableView) -> list[tuple[str, list[str]]]:
    """Return, once the game is over, each player's name and the orders that they had given."""
    last = table.log[-1].event if table.log else None
    if not isinstance(last, OrdersRevealed):
        return []
    told: dict[str, list[str]] = {}
    for order in last.orders:
        line = _("{line} ({status})").format(
            line=order.text, status=words.order_status(OrderStatus(order.status))
        )
        told.setdefault(table.names[order.seat], []).append(line)
    return list(told.items())


def _outcome(table: TableView) -> str:
    """Who has won, and why; empty while the game runs."""
    view = table.view
    if not view.standings:
        return ""
    return victory(view.standings, view.ruleset.tie_breaks, lambda seat: table.names[seat])
