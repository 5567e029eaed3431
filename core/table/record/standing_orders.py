"""Standing orders as rows: given, listed, cancelled, and closed when they are over (M67 to M70).

They are private to their seat and outside the log. The list that the owner sees and the executor
(core.table.record.order_runner) read the same rows.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from sqlmodel import Session, col, func, select

from core.game.events import OrdersRevealed, RevealedOrder
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Phase, Seat
from core.orders.model import Kind, Limit, LimitOff, Order, Standing, kind
from core.orders.notation import Said, parse, text
from core.orders.words import in_full
from core.statuses import GameStatus, OrderStatus
from core.store.tables import Game, StandingOrder
from core.table.record import prepared
from core.table.record.errors import TableError
from core.tableview import OrderSeen
from core.text import _

MOST: Final = 60
"""Orders that a seat may have in force at once."""
EVER: Final = 2000
"""Orders that a seat may give in one game: all of them are told when it is over."""


_PHASES: Final = (Phase.REGIONS, Phase.AUCTION, Phase.RESOURCES, Phase.BUILDING, Phase.BUREAUCRACY)
_PHASE_OF: Final[dict[Kind, Phase]] = {
    "auction": Phase.AUCTION,
    "fuel": Phase.RESOURCES,
    "build": Phase.BUILDING,
    "power": Phase.BUREAUCRACY,
}


def rows(
    session: Session, game_id: int, seat: Seat | None = None, *, active: bool = True
) -> list[StandingOrder]:
    """Return orders of a game or one seat by number; those in force, or all that were given."""
    if seat is None and active:
        return list(session.scalars(prepared.ORDERS, {"game_id": game_id}))
    query = select(StandingOrder).where(StandingOrder.game_id == game_id)
    if seat is not None:
        query = query.where(StandingOrder.seat == seat)
    if active:
        query = query.where(StandingOrder.status == OrderStatus.ACTIVE)
    return list(session.exec(query.order_by(col(StandingOrder.seat), col(StandingOrder.number))))


def standing(row: StandingOrder, rules: Ruleset) -> Standing:
    """Return what a row orders, as `core.orders` reads it."""
    return Standing(row.number, _order(row.text, _Rules(rules)), row.round)


def give(
    session: Session, game: Game, state: GameState, seat: Seat, said: Said, now: datetime
) -> StandingOrder | None:
    """Put an order in force, in place of an earlier one on the same thing; None: only taken back.

    It is for the round whose question it can still answer: this one or the next. It may answer one
    at once, so the sweep takes the game up, also if nobody rings for it. The game must be locked.
    Raise TableError where nothing can come of it.
    """
    if game.status != GameStatus.RUNNING:
        raise TableError("not-running", _("This game is not running; no order would be executed."))
    order, mine = said.order, rows(session, game.id, seat)
    when = None if said.every_round or isinstance(order, Limit) else round_for(state, seat, order)
    for old in _replaced(mine, order, when, state.ruleset):
        close(
            session, old, OrderStatus.CANCELLED, _("Another order takes its place."), game.seq, now
        )
    if isinstance(order, LimitOff):
        return None
    sold = {plant for player in state.players for plant in player.plants}
    if isinstance(order, Limit) and order.plant in sold:
        text_ = _("Plant {plant} is sold already; set a limit on one that is still to come.")
        raise TableError("plant-gone", text_.format(plant=order.plant))
    if len(mine) >= MOST:
        text_ = _("You have {count} orders in force; cancel one first.")
        raise TableError("too-many-orders", text_.format(count=len(mine)))
    here = StandingOrder.game_id == game.id, StandingOrder.seat == seat
    last = session.exec(select(func.max(StandingOrder.number)).where(*here)).one()
    number = (last or 0) + 1
    if number > EVER:
        text_ = _("You have given {count} orders in this game; that is all.")
        raise TableError("too-many-orders", text_.format(count=EVER))
    row = StandingOrder(
        game_id=game.id,
        seat=seat,
        number=number,
        kind=kind(order),
        text=text(order, state.ruleset),
        round=when,
        given_seq=game.seq,
        given_at=now,
    )
    game.has_automatic_moves = True
    session.add_all((row, game))
    session.flush()
    return row


def cancel(session: Session, game: Game, seat: Seat, number: int, now: datetime) -> StandingOrder:
    """Take an order back by its number; TableError `no-such-order` if it is not in force."""
    row = next((r for r in rows(session, game.id, seat) if r.number == number), None)
    if row is None:
        raise TableError("no-such-order", unknown(number))
    close(session, row, OrderStatus.CANCELLED, _("You cancelled it."), game.seq, now)
    return row


def unknown(number: int) -> str:
    """Say that no order of this number is in force, and how to find those that are."""
    return _("You have no order {number} in force; “orders” lists them.").format(number=number)


def close(
    session: Session, row: StandingOrder, status: OrderStatus, reason: str, seq: int, now: datetime
) -> None:
    """End an order; it is kept, to be revealed when the game is over."""
    row.status, row.reason, row.closed_seq, row.closed_at = status, reason, seq, now
    session.add(row)


def reveal(session: Session, game: Game, now: datetime) -> OrdersRevealed | None:
    """Return all orders of a game that is over, for its last event; None if nobody gave any."""
    for row in rows(session, game.id):
        close(session, row, OrderStatus.ENDED, "", game.seq, now)
    session.flush()
    told = tuple(
        RevealedOrder(Seat(r.seat), line(r), r.given_seq, r.closed_seq or game.seq, r.status.value)
        for r in rows(session, game.id, active=False)
    )
    return OrdersRevealed(told) if told else None


def round_for(state: GameState, seat: Seat, order: Order | LimitOff) -> int | None:
    """Return the round for whose question an order that is given now can be; None for limits."""
    if isinstance(order, Limit | LimitOff):
        return None
    phase = _PHASE_OF[kind(order)]
    if state.phase not in _PHASES:
        return state.round
    late = _PHASES.index(state.phase) - _PHASES.index(phase)
    done = late == 0 and seat not in state.waiting and seat != state.discarding
    return state.round + 1 if late > 0 or done or not state.round else state.round


def seen(row: StandingOrder, rules: Ruleset) -> OrderSeen:
    """Return an order as its owner reads it."""
    return OrderSeen(
        number=row.number,
        line=line(row),
        words=in_full(standing(row, rules), rules),
        status=row.status,
        reason=row.reason,
    )


def line(row: StandingOrder) -> str:
    """Return the order as its owner would write it."""
    every = row.kind != "limit" and row.round is None
    return f"{row.text} every round" if every else row.text


def _replaced(
    mine: Sequence[StandingOrder], order: Order | LimitOff, when: int | None, rules: Ruleset
) -> list[StandingOrder]:
    """Return the orders that this one replaces: on the same plant, or of its kind and round."""
    if isinstance(order, Limit | LimitOff):
        found = [(row, standing(row, rules).order) for row in mine]
        return [r for r, old in found if isinstance(old, Limit) and old.plant == order.plant]
    return [row for row in mine if row.kind == kind(order) and row.round == when]


class _Rules:
    """A ruleset as a key: two are the same only if they are one object."""

    __slots__ = ("rules",)

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and other.rules is self.rules


@lru_cache(maxsize=2048)
def _order(line: str, rules: _Rules) -> Order:
    said = parse(line, rules.rules).order
    if isinstance(said, LimitOff):
        raise TypeError("no order to keep")
    return said
