"""The story of a game in numbers: plots with tables, accounts, auctions, turning points."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from core.drawing import plots as drawings
from core.game.narrate.wording import fuel_letter, fuel_name
from core.statuses import GameStatus
from core.story.accounts import ACCOUNTS, account, ledger, spending
from core.story.course import (
    RoundThen,
    SeatThen,
    course,
    decision,
    decisive,
    lead_change,
    lead_changes,
    transitions,
)
from core.story.insight import Insight, insight
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from webapp import web
from webapp.access import look
from webapp.errors import NotYours

pages = Blueprint("story", __name__, url_prefix="/games/<int:game_id>/story")

_DEAREST = 6
"""Auctions and connections that are told one by one."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture and the same numbers as a table: a head, and a row for each round."""

    key: str
    title: str
    note: str
    picture: Markup
    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@pages.get("")
def show(game_id: int) -> ResponseReturnValue:
    """Show the numbers of a game: all when it is over, until then what may be known."""
    with web.reading() as s:
        access = look(s, game_id)
        if access.game.started_at is None:
            raise NotYours(_("The story begins when the game does."))
        table = table_view(s, game_id, access.seat, now=web.now())
    if table.status == GameStatus.RUNNING and table.view.ruleset.hidden_money:
        raise NotYours(_("Money is hidden at this table: its story is told when the game is over."))
    return render_template("story/show.html", access=access, **told(table))


def told(table: TableView) -> dict[str, Any]:
    """Return everything the page shows."""
    log = tuple(transitions(entry.event for entry in table.log))
    rounds, entries, known = course(log), ledger(log), insight(log)
    standings = table.view.standings
    winner = next((s.seat for s in standings if s.place == 1), None)
    changes = lead_changes(rounds)
    return {
        "table": table,
        "view": table.view,
        "plots": plots(table, rounds),
        "accounts": [account(one) for one in ACCOUNTS],
        "spending": [(seat, list(sums.values())) for seat, sums in spending(entries).items()],
        "insight": known,
        "dear": _dearest(known),
        "changes": [(point.seq, lead_change(point, table.names)) for point in changes],
        "decision": decision(decisive(rounds, standings), winner, table.names),
    }


def plots(table: TableView, rounds: Sequence[RoundThen]) -> list[Plot]:
    """Return the plots of a game, in the order in which they are read."""
    return [
        _of_seats(table, rounds, "worth", _("Net worth"),
                  _("Elektro, plants and houses at what they cost, fuel at the market's price."),
                  lambda seat: seat.worth),
        _of_seats(table, rounds, "elektro", _("Elektro"), _("At the end of each round."),
                  lambda seat: seat.elektro),
        _of_seats(table, rounds, "cities", _("Cities"), _("On the board."),
                  lambda seat: seat.cities),
        _of_seats(table, rounds, "capacity", _("Capacity"),
                  _("Cities that all plants could power."), lambda seat: seat.capacity),
        _of_seats(table, rounds, "powered", _("Cities powered"), "", lambda seat: seat.powered),
        _of_seats(table, rounds, "highest", _("Highest plant"), "",
                  lambda seat: max(seat.plants, default=None)),
        _of_fuels(rounds),
    ]  # fmt: skip


def _of_seats(
    table: TableView,
    rounds: Sequence[RoundThen],
    key: str,
    title: str,
    note: str,
    value: Callable[[SeatThen], int | None],
) -> Plot:
    lines = [
        drawings.Line(
            s.letter, s.name, s.colour, tuple(value(then.seats[s.seat]) for then in rounds)
        )
        for s in table.seats
    ]
    return _plot(key, title, note, rounds, lines)


def _of_fuels(rounds: Sequence[RoundThen]) -> Plot:
    kinds = list(rounds[0].prices) if rounds else []
    lines = [
        drawings.Line(
            fuel_letter(kind),
            fuel_name(kind),
            kind.value,
            tuple(then.prices[kind] for then in rounds),
        )
        for kind in kinds
    ]
    note = _("Elektro for the next token at the end of each round; none when sold out.")
    return _plot("prices", _("Fuel prices"), note, rounds, lines)


def _plot(
    key: str, title: str, note: str, rounds: Sequence[RoundThen], lines: Sequence[drawings.Line]
) -> Plot:
    numbers = [then.round for then in rounds]
    picture = drawings.plots(_("{title} by round").format(title=title), numbers, lines)
    rows = tuple(
        (number, tuple(_shown(line.values[n]) for line in lines))
        for n, number in enumerate(numbers)
    )
    heads = tuple(line.name for line in lines)
    return Plot(key, title, note, Markup(picture), heads, rows)  # noqa: S704 - escaped there


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _dearest(known: Insight) -> dict[str, list[Any]]:
    sales = sorted(known.sales, key=lambda sale: (-sale.above, sale.seq))[:_DEAREST]
    ways = sorted(known.connections, key=lambda house: (-house.connection, house.seq))[:_DEAREST]
    return {"sales": [s for s in sales if s.above], "ways": [w for w in ways if w.connection]}
