"""A table as one reader may see it: what pages and mails are made from."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlmodel import Session

from core.game import engine
from core.game.events import SeatTaken
from core.game.narrate.lines import names_before
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Seat
from core.statuses import GAME_OVER, GameStatus, OrderStatus
from core.store.tables import Game, SeatRow, Turn
from core.table.notify import sitters
from core.table.play import pauses
from core.table.record import deadlines, gamelog, seats, standing_orders, turns
from core.table.record.telling import as_told, opening, without_times
from core.table.record.timeline import timeline
from core.table.views.terms import times
from core.tableview import Asked, AwaySeen, ClockSeen, Logged, OrderSeen, SeatSeen, TableView
from core.when import NEVER


def clock_seen(session: Session, game: Game, now: datetime) -> ClockSeen:
    """Return the clocks as they stand; those of a game that is over stand still (M35)."""
    rows = seats.seats(session, game.id)
    over = game.status != GameStatus.RUNNING
    return ClockSeen(
        times="" if game.imported else times(game, sum(not row.bot for row in rows)),
        paused=None if over else pauses.paused_since(session, game.id),
        banks=tuple(_banks(session, game, rows, now)),
        away=() if over else _away(session, game, now),
        misses=deadlines.terms_of(game).deadlines_enforced,
    )


def _banks(session: Session, game: Game, rows: list[SeatRow], now: datetime) -> list[int | None]:
    """Seconds in the bank of each seat; None for bots and where no banks are."""
    terms = deadlines.terms_of(game)
    if terms.clock != "bank":
        return []
    asked = {turn.seat: turn for turn in turns.asked(session, game.id)}
    return [
        None
        if row.bot
        else deadlines.left(session, game, asked[row.seat], now)
        if row.seat in asked
        else deadlines.bank(terms, row)
        for row in rows
    ]


def _without_banks(clock: ClockSeen, place: Seat | None) -> ClockSeen:
    """Hide what is left to others: it tells how long each of them has thought of a bid (K3)."""
    banks = (left if seat == place else None for seat, left in enumerate(clock.banks))
    return replace(clock, banks=tuple(banks))


def _away(session: Session, game: Game, now: datetime) -> tuple[AwaySeen, ...]:
    away = sorted(sitters.away(session, game, now).items())
    helpers = [sitters.sitter(session, game, row.user_id, now) for _seat, row in away]
    return tuple(
        AwaySeen(seat, row.ends_at, helper.name if helper else "")
        for (seat, row), helper in zip(away, helpers, strict=True)
    )


_TOLD: Final = (OrderStatus.ACTIVE, OrderStatus.DONE, OrderStatus.FAILED, OrderStatus.LAPSED)
"""Orders of which there is news; of one that they took back themselves the owner knows."""


def table_view(
    session: Session,
    game_id: int,
    seat: int | None,
    *,
    now: datetime,
    upto: int | None = None,
    then: bool = False,
) -> TableView:
    """Return a started game as `seat` (None: a spectator) sees it now, or after event `upto`.

    Secrets of a past position stay secret until the game is over, and with `then` for ever: that
    is how the seat saw it when it was played.
    """
    game = gamelog.find(session, game_id)
    place = None if seat is None else Seat(seat)
    present = upto is None or upto >= game.seq
    whole: Sequence[Logged]
    if upto is None:
        whole, state = gamelog.events(session, game.id), gamelog.load(session, game.id)
    else:
        shown = timeline(session, game)
        whole, state = shown.entries, shown.states[min(upto, game.seq) - 1]
    opened = None
    if then or game.status == GameStatus.RUNNING:
        opened, whole = opening(whole), as_told(whole)
    log = whole[:upto]  # cut last: what an auction tells is known with its sale
    asked = _asked(session, game, state, log[-1].at) if present else ()
    clock = clock_seen(session, game, now)
    if opened is not None:
        asked = tuple(a if a.seat == place else without_times(a, opened) for a in asked)
        clock = _without_banks(clock, place)
    over = game.status in GAME_OVER
    view = observe(state, place, revealed=over and not then)
    if any(a.plan for a in asked):
        view = replace(view, offer=None)  # nobody is asked for a move while all plan
    since = 0 if place is None else turns.last_answer(session, game_id, place)
    own = _orders(session, game, state, place, since, log) if present and place is not None else ()
    return TableView(
        game_id=game.id,
        title=game.title,
        status=game.status,
        flag=game.stopped_reason,
        host_id=game.host_id,
        turn_hours=game.turn_hours,
        private=game.private,
        chat=game.chat,
        players=game.players,
        length=game.seq,
        seats=_seats(session, game, state, len(log), present),
        asked=asked,
        log=tuple(log),
        new_from=0 if place is None else since + 1,
        view=view,
        now=now,
        imported=game.imported,
        orders=tuple(order for order in own if order.status == OrderStatus.ACTIVE),
        clock=clock,
        ordered=tuple(o for o in own if o.reason and o.status in _TOLD),
    )


def _seats(
    session: Session, game: Game, state: GameState, upto: int, present: bool
) -> tuple[SeatSeen, ...]:
    """Return the seats with the names of the time: they may have changed hands since."""
    rows = seats.seats(session, game.id)
    later = [] if present else gamelog.handovers(session, game.id, upto)
    names = names_before([row.name for row in rows], later)
    return tuple(
        SeatSeen(
            seat=Seat(n),
            name=name,
            letter=row.letter,
            colour=row.colour,
            bot=bool(row.bot),
            caretaker=state.players[n].caretaker,
            user_id=row.user_id,
            open=row.open,
        )
        for n, (row, name) in enumerate(zip(rows, names, strict=True))
    )


def _asked(session: Session, game: Game, state: GameState, last: datetime) -> tuple[Asked, ...]:
    """Who is waited for, next first; a bot since the last event."""
    waiting = turns.asked(session, game.id)
    plans = [t for t in waiting if t.plan]
    if plans:
        return tuple(Asked(Seat(t.seat), t.turn, t.asked_at, _until(t), True) for t in plans)
    open_turns = {t.seat: t for t in waiting}
    return tuple(
        Asked(seat, turn.turn, turn.asked_at, _until(turn))
        if (turn := open_turns.get(seat))
        else Asked(seat, state.seq, last, None, automatic=True)
        for seat in engine.to_act(state)
    )


def _until(turn: Turn) -> datetime | None:
    """Return the deadline of a turn; None while its clock stands still."""
    return turn.deadline if turn.deadline < NEVER else None


def _orders(
    session: Session, game: Game, state: GameState, seat: Seat, since: int, log: Sequence[Logged]
) -> tuple[OrderSeen, ...]:
    """Return the seat's own orders: those in force, and those of which there is news.

    What a former owner had ordered its present one is not told.
    """
    taken = (e.seq for e in log if isinstance(e.event, SeatTaken) and e.event.seat == seat)
    mine = max(taken, default=0)
    return tuple(
        standing_orders.seen(row, state.ruleset)
        for row in standing_orders.rows(session, game.id, seat, active=False)
        if row.given_seq >= mine
        and (row.status == OrderStatus.ACTIVE or (row.closed_seq or 0) > since)
    )
