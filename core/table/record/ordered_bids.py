"""Which bids of an auction were ordered: told once its plant is sold, and not before (K3).

While an auction runs its log tells an ordered bid as it tells a typed one: `MoveOrdered` follows
the sale. Nothing is kept for it. A person's bid that no submission brought, and that no other event
announced, was made by an order; the rows of the orders say by which.
"""

from collections.abc import Iterator
from typing import cast

from sqlmodel import Session, col, select

from core.game import events as ev
from core.game.events import Event, MoveOrdered, OrderKind, PlantBought
from core.game.moves import Bid, Move, OpenAuction, Pass
from core.game.rewind import counting
from core.game.state import GameState
from core.game.types import Seat
from core.store.tables import EventRow, Game, StandingOrder
from core.table.record import gamelog, standing_orders
from core.tableview import Logged

_BIDS = (ev.AuctionOpened, ev.BidPlaced, ev.BidPassed, ev.SealedBidGiven)
_ANNOUNCING = (
    ev.TurnMissed, ev.MoveForced, ev.DraftPlayed, ev.TurnSkipped, ev.MoveCorrected,
    ev.MadeBySitter, ev.MoveOrdered,
)  # fmt: skip
_CAME_OR_WENT = (ev.CaretakerAppointed, ev.OwnerReturned, ev.SeatTaken)


def is_kept_quiet(state: GameState, move: Move) -> bool:
    """Return True for a move of an auction whose plant is not sold yet."""
    bids = isinstance(move, OpenAuction | Bid)
    return bids or (isinstance(move, Pass) and state.auction is not None)


def told(session: Session, game: Game, machines: set[Seat]) -> Iterator[MoveOrdered]:
    """Yield what is told of the orders behind the auction that has just ended.

    `machines`: seats that bots play. Of a seat whose player came or went meanwhile nothing is told.
    """
    after = _last(session, game, PlantBought.__name__, before=game.seq + 1)
    log = counting(gamelog.events(session, game.id, after=_last(
        session, game, PlantBought.__name__, before=after
    )))  # fmt: skip
    opened = next((n for n, e in enumerate(log) if isinstance(e.event, ev.AuctionOpened)), None)
    if opened is None:
        return
    opening = log[opened].event
    auction = [entry for entry in log[opened:] if entry.seq < after]
    silent = machines | {e.event.seat for e in auction if isinstance(e.event, _CAME_OR_WENT)}
    sent = _submitted(session, game, auction[0].seq)
    before: Event | None = log[opened - 1].event if opened else None
    for entry in auction:
        event = entry.event
        if (
            isinstance(event, _BIDS)
            and event.seat not in silent
            and entry.seq not in sent
            and not _is_announced(event, before)
        ):
            kind = _kind(session, game, entry, cast(ev.AuctionOpened, opening))
            if kind is not None:
                yield MoveOrdered(event.seat, kind, made=entry.seq)
        before = event


def _is_announced(event: Event, before: Event | None) -> bool:
    """Return True if the event before says why nobody was asked, or is this one's first half."""
    return isinstance(before, _ANNOUNCING) or (
        isinstance(event, ev.SealedBidGiven) and isinstance(before, ev.AuctionOpened)
        and before.seat == event.seat
    )  # fmt: skip


def _last(session: Session, game: Game, kind: str, before: int) -> int:
    """Return the number of the last event of a kind before an event; 0 if there is none."""
    query = (
        select(EventRow.seq)
        .where(
            EventRow.game_id == game.id,
            col(EventRow.seq) < before,
            col(EventRow.body)["type"].as_string() == kind,
        )
        .order_by(col(EventRow.seq).desc())
    )
    return session.exec(query).first() or 0


def _submitted(session: Session, game: Game, start: int) -> set[int]:
    query = select(EventRow.seq).where(
        EventRow.game_id == game.id,
        col(EventRow.seq) >= start,
        col(EventRow.submission_id).is_not(None),
    )
    return set(session.exec(query))


def _kind(
    session: Session, game: Game, entry: Logged, opening: ev.AuctionOpened
) -> OrderKind | None:
    """Return which order spoke: a limit on the plant, else the sheet of the round (`ceiling`)."""
    seat: Seat = entry.event.seat  # type: ignore[attr-defined]
    in_force = [
        row
        for row in standing_orders.rows(session, game.id, seat, active=False)
        if row.given_seq < entry.seq and (row.closed_seq is None or row.closed_seq >= entry.seq)
    ]
    kinds = {row.kind for row in in_force if row.kind == "auction" or _speaks_of(row, opening)}
    if isinstance(entry.event, ev.AuctionOpened):
        kinds.discard("limit")
    return "limit" if "limit" in kinds else "auction" if "auction" in kinds else None


def _speaks_of(row: StandingOrder, opening: ev.AuctionOpened) -> bool:
    return row.kind == "limit" and row.text.split()[1:2] == [str(opening.plant)]
