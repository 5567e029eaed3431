"""Standing orders on pages: an envelope to fill in, a dry run, an explicit save (M69, M70).

What the envelope says are lines of `core.orders.notation`, the same words as in a mail: limits,
and the auction, fuel, building and powering, each only where something is filled in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.game.errors import InvalidMove
from core.game.observe import PlayerView
from core.game.offers import BuildTarget
from core.game.phases import building
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import STEP_3_CARD, Phase, PlantNumber, Seat
from core.lists import series
from core.mail.commands import GiveOrder, read_command
from core.orders.model import Limit, LimitOff, Standing
from core.orders.notation import Said, parse
from core.orders.words import in_full
from core.questions.question import Fields, one
from core.statuses import GameStatus
from core.table.play import play
from core.table.record import gamelog, standing_orders
from core.table.record.order_runner import dry_run
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access
from webapp.errors import refusals
from webapp.forms import Form, Number, Text, read
from webapp.identity import limiter, signed_in
from webapp.play import game_page
from webapp.play.turns import TurnSource, begin, open_source

pages = Blueprint("orders", __name__)
_NEW: Final = 10_000
"""Numbers of orders that are not given yet stand behind all others."""
WISHES: Final = 4
"""Plants that the form's sheet has room for; a typed line has more."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Orders that are not given yet: their lines and rounds, what they say, what they would do."""

    lines: list[tuple[str, str]]
    words: list[str]
    tried: list[str]


@pages.get("/games/<int:game_id>/orders")
@signed_in
def show(game_id: int) -> ResponseReturnValue:
    """Show the seat's orders, and an envelope to fill in."""
    return _show(TurnSource(game_id))


@pages.post("/games/<int:game_id>/orders")
@signed_in
@limiter.limit("60 per minute")
def act(game_id: int) -> ResponseReturnValue:
    """Try, save or cancel orders."""
    return _act(TurnSource(game_id))


@pages.get("/turn/<token>/orders")
def link(token: str) -> ResponseReturnValue:
    """Show the same behind a turn mail's link; opening it changes nothing."""
    return _show(TurnSource(0, token))


@pages.post("/turn/<token>/orders")
@limiter.limit("60 per minute")
def link_act(token: str) -> ResponseReturnValue:
    """Try, save or cancel orders by a mail's link."""
    return _act(TurnSource(0, token))


@pages.get("/seat/<int:game_id>/orders")
def seat(game_id: int) -> ResponseReturnValue:
    """Show the same to the seat that a mail's link has opened here."""
    return _show(TurnSource(game_id, by_seat=True))


@pages.post("/seat/<int:game_id>/orders")
@limiter.limit("60 per minute")
def seat_act(game_id: int) -> ResponseReturnValue:
    """Try, save or cancel orders of the seat that is open here."""
    return _act(TurnSource(game_id, by_seat=True))


def _show(source: TurnSource) -> ResponseReturnValue:
    with web.reading() as s:
        return render_template("orders/edit.html", **_page(s, source, {}))


class OrdersForm(Form):
    """What is to be done with an envelope: its other fields are the orders to try.

    `line`, `round`: orders to save, and for which round each was shown. `number`: the order to
    cancel.
    """

    do: Text = ""
    line: tuple[Text, ...] = ()
    round: tuple[Text, ...] = ()
    number: Number = 0


def _act(source: TurnSource) -> ResponseReturnValue:
    form = read(OrdersForm)
    begin(source)
    match form.do:
        case "save" | "save-ready":
            return _save(source, form.line, form.round, done=form.do == "save-ready")
        case "ready":
            return _save(source, (), (), done=True)
        case "cancel":
            return _cancel(source, form.number)
        case _:
            return _try(source)


def _try(source: TurnSource) -> ResponseReturnValue:
    """Say what the form would order, and what that would do now; nothing is kept (M70)."""
    fields = {name: request.form.getlist(name)[:40] for name in request.form}
    with web.reading() as s:
        access = _enter(s, source)
        table = table_view(s, access.game.id, access.seat, now=web.now())
        lines = order_lines(fields, table.view)
        try:
            said = _read(lines, table.view.ruleset)
        except InvalidMove as error:
            page = _page(s, source, fields, wrong=str(error))
            return render_template("orders/edit.html", **page), 422
        if not said:
            page = _page(s, source, fields, wrong=_("Nothing is filled in yet."))
            return render_template("orders/edit.html", **page), 422
        trial = _trial(s, access, lines, said)
        return render_template("orders/edit.html", **_page(s, source, fields, trial=trial))


def _save(
    source: TurnSource, lines: Sequence[str], shown: Sequence[str], *, done: bool
) -> ResponseReturnValue:
    with web.writing() as s, refusals():
        access = _enter(s, source)
        game, seat = gamelog.lock(s, access.game.id), _seat(access)
        state = gamelog.load(s, game.id)
        try:
            orders = _read(lines, state.ruleset)
            _demand_as_shown(state, seat, orders, shown)
            for said in orders:
                standing_orders.give(s, game, state, seat, said, web.now())
        except InvalidMove as error:
            page = _page(s, source, {"lines": ["\n".join(lines)]}, wrong=str(error))
            s.rollback()
            return render_template("orders/edit.html", **page), 422
        if done:
            play.ready(s, game, seat, web.now())
        game_id = game.id
    enqueue.adjudicate(game_id)
    if lines:
        flash(_("Your orders are in force. Only you can see them."), "good")
    else:
        flash(_("Thank you: nobody waits for your plans any more."), "good")
    return redirect(source.onward().urls()["game"], 303)


def _cancel(source: TurnSource, number: int) -> ResponseReturnValue:
    with web.writing() as s, refusals():
        access = _enter(s, source)
        game = gamelog.lock(s, access.game.id)
        standing_orders.cancel(s, game, _seat(access), number, web.now())
    flash(_("Order {number} is cancelled.").format(number=number), "good")
    return redirect(_here(source, game.id), 303)


def _read(lines: Sequence[str], rules: Ruleset) -> list[Said]:
    """All lines, or InvalidMove for the first that is no order."""
    return [parse(line, rules) for line in lines]


def _demand_as_shown(
    state: GameState, seat: Seat, orders: list[Said], shown: Sequence[str]
) -> None:
    """InvalidMove where an order is for another round than the one that was shown.

    It may have been done meanwhile, sent twice by a double click: then it is not for the next one.
    """
    for said, told in zip(orders, shown, strict=False):
        new = _new(state, seat, said, _NEW)
        if new is not None and _round(new) != told:
            raise InvalidMove(_(
                "The game has moved on since you looked: this would be for round {round} now. "
                "Look again what you would order."
            ).format(round=new.round))  # fmt: skip


def _round(row: Standing | None) -> str:
    return "" if row is None or row.round is None else str(row.round)


def _trial(session: Session, access: Access, lines: list[str], said: list[Said]) -> Trial:
    state, seat = gamelog.load(session, access.game.id), _seat(access)
    rules = state.ruleset
    new = [_new(state, seat, one, _NEW + n) for n, one in enumerate(said)]
    given = [row for row in new if row is not None]
    off = {one.order.plant for one in said if isinstance(one.order, LimitOff)}
    old = (
        standing_orders.standing(row, rules)
        for row in standing_orders.rows(session, access.game.id, seat)
    )
    kept = [row for row in old if not (isinstance(row.order, Limit) and row.order.plant in off)]
    words = [in_full(row, rules) for row in given]
    words += [_("No limit on plant {plant} any more.").format(plant=plant) for plant in sorted(off)]
    shown = list(zip(lines, map(_round, new), strict=True))
    return Trial(shown, words, dry_run(state, seat, [*kept, *given]))


def _new(state: GameState, seat: Seat, said: Said, number: int) -> Standing | None:
    if isinstance(said.order, LimitOff):
        return None
    when = None if said.every_round else standing_orders.round_for(state, seat, said.order)
    return Standing(number, said.order, when)


def _page(
    session: Session,
    source: TurnSource,
    fields: Fields,
    *,
    wrong: str = "",
    trial: Trial | None = None,
) -> dict[str, Any]:
    access = _enter(session, source)
    table = table_view(session, access.game.id, access.seat, now=web.now())
    reach = _reach(session, access)
    prices = {target.city: target.total for target in reach}
    return {
        **game_page.shown(table, replace(game_page.now(table), targets=prices)),
        "reach": reach,
        "open_part": _open_part(table, fields),
        "form": form(table, fields),
        "fields": fields,
        "wrong": wrong,
        "trial": trial,
        "now": [] if trial else _now(session, access),
        "here": _here(source, access.game.id),
        "plan": table.mine is not None and table.mine.plan,
    }


def _reach(session: Session, access: Access) -> list[BuildTarget]:
    """Return the cities that the seat could build next, at the prices of now, cheapest first."""
    state = gamelog.load(session, access.game.id)
    if state.phase is Phase.REGIONS:
        return []
    found = building.targets(state, _seat(access))
    return sorted((one for one in found if not one.jump), key=lambda one: (one.total, one.city))


def _open_part(table: TableView, fields: Fields) -> str:
    """Return which part of the envelope is open: what is filled in, else the phase of now."""
    if fields:
        parts = {"auction": "auction", "fuel": "fuel", "build": "build", "power": "power"}
        return next((part for name, part in parts.items() if _one(fields, name)), "limits")
    phases = {Phase.RESOURCES: "fuel", Phase.BUILDING: "build", Phase.BUREAUCRACY: "power"}
    return phases.get(table.view.phase, "limits")


def _now(session: Session, access: Access) -> list[str]:
    """Return what the orders in force would do if it were the seat's turn now."""
    state, seat = gamelog.load(session, access.game.id), _seat(access)
    rows = standing_orders.rows(session, access.game.id, seat)
    return (
        dry_run(state, seat, [standing_orders.standing(r, state.ruleset) for r in rows])
        if rows
        else []
    )


def _enter(session: Session, source: TurnSource) -> Access:
    access = open_source(session, source)
    if access.seat is None or access.game.status != GameStatus.RUNNING:
        raise NotFound
    return access


def _here(source: TurnSource, game_id: int) -> str:
    if source.token:
        return url_for("orders.link", token=source.token)
    return url_for("orders.seat" if source.by_seat else "orders.show", game_id=game_id)


def _seat(access: Access) -> Seat:
    if access.seat is None:
        raise NotFound
    return Seat(access.seat)


def order_lines(fields: Fields, view: PlayerView) -> list[str]:
    """All lines that a filled form stands for, in the order of the round."""
    every = " every round" if _one(fields, "every") else ""
    kinds = (_auction(fields), _fuel(fields), _build(fields), _power(fields))
    typed = map(_typed, _one(fields, "lines").splitlines())
    written = (*_limits(fields, view), *(f"{line}{every}" for line in kinds if line), *typed)
    return [line for line in written if line]


def _typed(line: str) -> str:
    """Return a line as a mail's is read; empty if there is nothing but a comment."""
    command = read_command(line)
    return command.text if isinstance(command, GiveOrder) else line.strip() if command else ""


def form(table: TableView, fields: Fields) -> dict[str, Any]:
    """Return what the template shows: plants with limits, own plants, what was filled in."""
    view = table.view
    known = {o.line.split()[1]: o.line.split()[-1] for o in table.orders if o.line[:5] == "limit"}
    plants: list[dict[str, Any]] = [
        {
            "plant": view.ruleset.plant[number],
            "name": f"limit-{number}",
            "most": _one(fields, f"limit-{number}") if fields else known.get(str(number), ""),
            "future": number in view.market.future,
        }
        for number in on_show(view)
    ]
    mine = [] if view.seat is None else [p.number for p in view.plants_of(view.seat)]
    limits = series(f"{row['name'][6:]}: {row['most']}" for row in plants if row["most"])
    return {
        "plants": plants,
        "mine": mine,
        "wishes": range(1, WISHES + 1),
        "known": known,
        "told_limits": limits,
    }


def on_show(view: PlayerView) -> list[PlantNumber]:
    """Return the plants of both markets."""
    return [number for number in view.market.cards if number != STEP_3_CARD]


def _limits(fields: Fields, view: PlayerView) -> list[str]:
    """Return a limit for each number given; one that is emptied is taken back."""
    found = []
    for number in on_show(view):
        most, before = _one(fields, f"limit-{number}"), _one(fields, f"was-{number}")
        if most and most != before:
            found.append(f"limit {number} to {most}")
        elif before and not most:
            found.append(f"limit {number} off")
    return found


def _auction(fields: Fields) -> str:
    if _one(fields, "auction") == "pass":
        return _clauses("order auction nothing", fields, "auction", ())
    given = ((_one(fields, f"wish-{n}"), _one(fields, f"most-{n}")) for n in range(1, WISHES + 1))
    others = _one(fields, "auction-others")
    wishes = [f"{plant} to {most or plant}" for plant, most in given if plant]
    wishes += [f"others to {others}"] if others else []
    if not wishes or _one(fields, "auction") != "wishes":
        return ""
    said = ", ".join(wishes)
    return _clauses(f"order auction {said}", fields, "auction", ("keep", "discard"))


def _fuel(fields: Fields) -> str:
    how = _one(fields, "fuel")
    if how == "nothing":
        return "order fuel nothing"
    if how not in ("once", "twice"):
        return ""
    plants = " ".join(fields.get("fuel-plant", ())) or "all"
    market, until = _one(fields, "fuel-market"), _one(fields, "fuel-until")
    filled = f"up to {until}" if until else plants
    source = f" from {market}" if market else ""
    line = f"order fuel {filled}{source}" + (" twice" if how == "twice" and not until else "")
    return _clauses(line, fields, "fuel", ("at most {} each", "at most {} in all", "keep"))


def _build(fields: Fields) -> str:
    how, cities = _one(fields, "build"), _one(fields, "cities")
    if how == "nothing":
        return "order build nothing"
    if how != "cities" or not cities:
        return ""
    line = _clauses(
        f"order build {cities}", fields, "build", ("at most {} each", "at most {} in all", "keep")
    )
    stop = _one(fields, "build-stop")
    parts = (line, f"stop at {stop}" if stop else "", *fields.get("build-how", ()))
    return " ".join(part for part in parts if part)


def _power(fields: Fields) -> str:
    how, plants = _one(fields, "power"), " ".join(fields.get("power-plant", ()))
    if how in ("all", "nothing"):
        return f"order power {how}"
    return f"order power {plants}" if how == "these" and plants else ""


_NAMES: Final = {"at most {} each": "each", "at most {} in all": "total"}


def _clauses(line: str, fields: Fields, kind: str, forms: tuple[str, ...]) -> str:
    """Return the line with the conditions that have a number: ``fuel-each``, ``build-keep``."""
    said = [line]
    for words in forms:
        value = _one(fields, f"{kind}-{_NAMES.get(words, words)}")
        if value:
            said.append(words.format(value) if "{}" in words else f"{words} {value}")
    return " ".join(said)


def _one(fields: Fields, name: str) -> str:
    return one(fields, name).strip()
