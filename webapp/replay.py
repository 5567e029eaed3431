"""The replay: each position of a game has an address and is a plain page."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from core.game.events import RoundBegan, StepReached
from core.table.view import table_view
from core.tableview import TableView
from core.text import _
from webapp import gamepage, report, scenes, web
from webapp.access import look

pages = Blueprint("replay", __name__, url_prefix="/games/<int:game_id>/at")


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on the way: a round or a Step begins after event `seq`."""

    seq: int
    label: str


@dataclass(frozen=True, slots=True)
class Way:
    """Where one can go from event `n`; None where there is nothing."""

    first: int
    previous: int | None
    next: int | None
    last: int
    round_back: int | None
    round_on: int | None
    ticks: tuple[Tick, ...]


@pages.get("")
def slide(game_id: int) -> ResponseReturnValue:
    """Where the slider was let go."""
    number = request.args.get("n", "1")
    n = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 1
    return redirect(url_for("replay.at", game_id=game_id, n=n), 303)


@pages.get("/<int:n>")
def at(game_id: int, n: int) -> ResponseReturnValue:
    """The position after event `n`, as the reader may see it; no secret of that moment."""
    with web.reading() as s:
        access = look(s, game_id)
        if not 1 <= n <= access.game.seq:
            raise NotFound
        whole = table_view(s, game_id, access.seat, now=web.now())
        table = table_view(s, game_id, access.seat, now=web.now(), upto=n)
    told = [line.seq for line in report.events(whole)]
    since = max((seq for seq in told if seq < n), default=0)
    changed = [entry for entry in table.log if entry.seq > since]
    return render_template(
        "replay/at.html",
        **gamepage.shown(table, scenes.past(table, [entry.event for entry in changed])),
        n=n,
        way=_way(whole, told, n),
        changed=report.events(table, after=since),
        happened=table.log[-1].at,
        access=access,
    )


def _way(whole: TableView, told: list[int], n: int) -> Way:
    ticks = _ticks(whole)
    starts = [tick.seq for tick in ticks]
    return Way(
        first=told[0],
        previous=_before(told, n),
        next=_after(told, n),
        last=told[-1],
        round_back=_before(starts, n),
        round_on=_after(starts, n),
        ticks=ticks,
    )


def _ticks(whole: TableView) -> tuple[Tick, ...]:
    ticks = []
    for entry in whole.log:
        match entry.event:
            case RoundBegan(round=number):
                ticks.append(Tick(entry.seq, str(number)))
            case StepReached(step=step):
                ticks.append(Tick(entry.seq, _("Step {n}").format(n=step)))
    return tuple(ticks)


def _before(sorted_numbers: list[int], n: int) -> int | None:
    at = bisect_left(sorted_numbers, n)
    return sorted_numbers[at - 1] if at else None


def _after(sorted_numbers: list[int], n: int) -> int | None:
    at = bisect_right(sorted_numbers, n)
    return sorted_numbers[at] if at < len(sorted_numbers) else None
