"""Seats that somebody else may take, and tables that would close by themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select
from werkzeug.exceptions import NotFound

from core.game.errors import StaleMove
from core.statuses import GameStatus
from core.store.tables import Game, SeatRow, User
from core.table.acts import absence, expiry, lobby, replace
from core.table.people import reliability
from core.table.people.reliability import Record
from core.table.record import gamelog
from core.tableview import SeatSeen, TableView
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import as_player, look, table_of
from webapp.errors import refusals
from webapp.forms import Form, Number, Text, read
from webapp.identity import limiter, me, signed_in
from webapp.play import report

pages = Blueprint("open_seats", __name__, url_prefix="/games/<int:game_id>")


@pages.post("/seats/<int:seat>/take")
@signed_in
@limiter.limit("20 per hour")
def take(game_id: int, seat: int) -> ResponseReturnValue:
    """Play on for somebody who is away."""
    with web.writing() as s, refusals():
        replace.take(s, look(s, game_id).game.id, seat, me(), web.now())
    enqueue.table(game_id)
    flash(_("The seat is yours. Whenever it is asked you have the full time."), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.get("/resign")
@signed_in
def ask(game_id: int) -> ResponseReturnValue:
    """Say what becomes of the seat, the game and one's record before a player leaves."""
    with web.reading() as s:
        access = as_player(s, game_id)
        if access.game.status != GameStatus.RUNNING:
            raise NotFound
        table = table_of(s, access)
    others = [
        seat
        for seat in table.seats
        if seat.user_id is not None and not seat.caretaker and seat.seat != access.seat
    ]
    days = {"barred": reliability.BARRED.days, "patience": absence.PATIENCE.days}
    return render_template("game/resign.html", table=table, access=access, others=others, days=days)


class ResignForm(Form):
    """Why a player leaves; `last`: the log position at which they were asked."""

    reason: Text = ""
    last: Number = 0


@pages.post("/resign")
@signed_in
@limiter.limit("20 per hour")
def resign(game_id: int) -> ResponseReturnValue:
    """Leave a running game; if people have come or gone since one was asked, say so (409)."""
    form = read(ResignForm)
    try:
        with web.writing() as s, refusals():
            seat = as_player(s, game_id).place
            absence.resign(s, game_id, seat, form.reason, web.now(), since=form.last)
    except StaleMove:
        return _overtaken(game_id, form.last), 409
    enqueue.table(game_id)
    flash(_("You have left the game."), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


def _overtaken(game_id: int, last: int) -> str:
    with web.reading() as s:
        table = table_of(s, as_player(s, game_id))
    urls = {"game": url_for("game.show", game_id=game_id)}
    news = report.events(table, after=last)
    return render_template("game/moved_on.html", table=table, news=news, kept=(), urls=urls)


@pages.post("/refresh")
@signed_in
def refresh(game_id: int) -> ResponseReturnValue:
    """Say that the table is still wanted."""
    with web.writing() as s, refusals():
        expiry.refresh(s, look(s, game_id).game, me(), web.now())
    flash(_("The table stays open."), "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


@dataclass(frozen=True, slots=True)
class Absent:
    """Who is away from a running game. `ends_at`: when it ends if nobody comes back."""

    seats: tuple[SeatSeen, ...]
    mine: SeatSeen | None
    ends_at: datetime | None
    records: Mapping[int, Record]


def absent(session: Session, table: TableView, now: datetime) -> Absent:
    """Return what the game page says of those who are away, and of everybody's record."""
    running = table.status == GameStatus.RUNNING
    people = [seat for seat in table.seats if seat.user_id is not None]
    asleep = running and bool(people) and all(seat.open and seat.caretaker for seat in people)
    free = tuple(seat for seat in table.seats if seat.open and running)
    return Absent(
        seats=free,
        mine=next((seat for seat in free if seat.seat == table.view.seat), None),
        ends_at=_last(session, table) + absence.PATIENCE if asleep else None,
        records=records(session, [seat.user_id for seat in people], now),
    )


def _last(session: Session, table: TableView) -> datetime:
    """When the last event happened; what a table tells of a running auction has other times."""
    return gamelog.events(session, table.game_id, after=table.length - 1)[-1].at


def records(session: Session, seats: Sequence[int | None], now: datetime) -> dict[int, Record]:
    """Return the records of the users who sit somewhere, by user, as anybody may know them."""
    users = {number for number in seats if number is not None}
    return reliability.records(session, users, now, public=True) if users else {}


def vacant(session: Session, user: User | None, most: int) -> list[Game]:
    """Return running games with a free seat that this user may take."""
    wanted = select(SeatRow.game_id).where(SeatRow.open)
    mine = select(SeatRow.game_id).where(SeatRow.user_id == (user.id if user else None))
    games = session.exec(
        select(Game)
        .where(
            Game.status == GameStatus.RUNNING, col(Game.id).in_(wanted), col(Game.id).not_in(mine)
        )
        .order_by(col(Game.id).desc())
        .limit(most)
    )
    return [game for game in games if lobby.may_see(session, game, user)]
