"""Twins of a running game: the same to all that a reader may know, another in every secret.

    with twin(house, game_id, keep=seat, number=3):
        ...  # what that seat is shown in here must equal, byte by byte, what it is shown outside

Secret are the unseen cards (their order, and which of them were put away), the seed, envelopes,
what winners of sealed auctions would have paid, standing orders, moves as they were sent, drafts
and notes of other seats, and, where the rules hide money, what others have. The rows are put back
when the block ends.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from sqlmodel import Session, SQLModel, select

from core.game import evolve
from core.game.chance import Chance
from core.game.events import Event, GameStarted, PlantBought, SealedBidsOpened, StackShuffled
from core.game.log import codec
from core.game.state import GameState
from core.game.types import Elektro, PlantNumber, Seat
from core.orders.whatif import possible
from core.store.tables import (
    Draft,
    EventRow,
    Game,
    Note,
    SealedBidRow,
    SeatRow,
    StandingOrder,
    Submission,
)
from core.table.record import gamelog
from tests.support.site import Visitor
from tests.support.table import House

_RANDOM = re.compile(rb'(name="(?:csrf_token|nonce)" value=")[^"]+')
_PASSING_HEADERS = {"Date", "Set-Cookie"}


@contextmanager
def twin(house: House, game_id: int, *, keep: int | None, number: int = 1) -> Iterator[None]:
    """Make every secret but those of seat `keep` another; each `number` gives another twin."""
    state = house.state(game_id)
    with pytest.MonkeyPatch.context() as patch:
        with house.write() as session:
            kept = _Kept(session)
            game = session.get_one(Game, game_id)
            kept.change(game, seed=_seed(game.seed, keep, number))
            _mix_cards(kept, game_id, state, number)
            _raise_maxima(kept, game_id, keep, number)
            _change_rows(kept, game_id, keep, number)
        gamelog.forget()  # it was read while it was changed
        if state.ruleset.hidden_money:
            _change_money(patch, keep, number)
        try:
            yield
        finally:
            with house.write() as session:
                kept.put_back(session)


def mixed(log: Sequence[Event], state: GameState, number: int) -> list[Event]:
    """A log whose unseen cards lie otherwise; `state` is the position at its end."""
    other = possible(state, Seat(0), Chance(f"twin {number}"))
    before = (*state.stack, *state.boxed)
    cards = dict(zip(before, (*other.stack, *other.boxed), strict=True))
    again = any(isinstance(event, StackShuffled) for event in log)
    return [_mixed(event, cards, again) for event in log]


def read(visitor: Visitor, path: str) -> bytes:
    """An answer with its headers, without what is new in every answer: tokens, nonces, the date."""
    answer = visitor.get(path)
    heads = sorted(f"{k}: {v}" for k, v in answer.headers if k not in _PASSING_HEADERS)
    body = _RANDOM.sub(rb"\1", answer.get_data())
    return b"\n".join((str(answer.status_code).encode(), "\n".join(heads).encode(), body))


def _seed(seed: str, keep: int | None, number: int) -> str:
    """No two twins have one, of whatever games: caches know a game by its seed."""
    return sha256(f"twin {number} of {keep} of {seed}".encode()).hexdigest()


class _Kept:
    """Rows with the values that they had, and rows that were not there."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._old: list[tuple[type[SQLModel], Any, dict[str, Any]]] = []
        self._new: list[tuple[type[SQLModel], Any]] = []

    def rows(self, table: type[Any], **where: object) -> list[Any]:
        return list(self.session.exec(select(table).filter_by(**where)))

    def change(self, row: Any, **values: object) -> None:
        mapper = type(row).__mapper__
        self._old.append((
            type(row), mapper.primary_key_from_instance(row),
            {name: getattr(row, name) for name in values},
        ))  # fmt: skip
        for name, value in values.items():
            setattr(row, name, value)

    def add(self, row: Any) -> None:
        self.session.add(row)
        self.session.flush()
        self._new.append((type(row), row.id))

    def put_back(self, session: Session) -> None:
        for table, key in self._new:
            session.delete(session.get_one(table, key))
        for table, key, values in self._old:
            row = session.get_one(table, tuple(key))
            for name, value in values.items():
                setattr(row, name, value)


def _mix_cards(kept: _Kept, game_id: int, state: GameState, number: int) -> None:
    log = [entry.event for entry in gamelog.events(kept.session, game_id)]
    for seq, (old, new) in enumerate(zip(log, mixed(log, state, number), strict=True), 1):
        if old != new:
            kept.change(kept.session.get_one(EventRow, (game_id, seq)), body=codec.encode(new))


def _raise_maxima(kept: _Kept, game_id: int, keep: int | None, number: int) -> None:
    """Whoever has won a sealed auction would have paid more (K4)."""
    log = gamelog.events(kept.session, game_id)
    for entry, sale in pairwise(log):
        if isinstance(entry.event, SealedBidsOpened) and isinstance(sale.event, PlantBought):
            seat = sale.event.seat
            if seat != keep:
                bids = tuple(
                    replace(bid, maximum=Elektro((bid.maximum or 0) + 3 * number))
                    if bid.seat == seat
                    else bid
                    for bid in entry.event.bids
                )
                row = kept.session.get_one(EventRow, (game_id, entry.seq))
                kept.change(row, body=codec.encode(replace(entry.event, bids=bids)))


def _mixed(event: Event, cards: dict[PlantNumber, PlantNumber], again: bool) -> Event:
    """Once the stack was shuffled again, no card of the first one is unseen any more."""
    match event:
        case StackShuffled(stack=stack):
            return replace(event, stack=tuple(cards.get(card, card) for card in stack))
        case GameStarted(stack=stack, boxed=boxed) if not again:
            return replace(
                event,
                stack=tuple(cards.get(card, card) for card in stack),
                boxed=tuple(cards.get(card, card) for card in boxed),
            )
    return event


def _change_rows(kept: _Kept, game_id: int, keep: int | None, number: int) -> None:
    owner = next((r.user_id for r in kept.rows(SeatRow, game_id=game_id) if r.seat == keep), None)
    others = [seat for seat in range(len(kept.rows(SeatRow, game_id=game_id))) if seat != keep]
    for seat in others:
        for bid in kept.rows(SealedBidRow, game_id=game_id, seat=seat):
            kept.change(bid, maximum=(bid.maximum or 0) + 7 * number)
        for sent in kept.rows(Submission, game_id=game_id, seat=seat):
            kept.change(sent, text=f"bid {90_000 + number}")
        for draft in kept.rows(Draft, game_id=game_id, seat=seat):
            kept.change(draft, fields={"act": "bid", "amount": str(80_000 + number)})
        _change_orders(kept, game_id, seat, number)
    for note in kept.rows(Note, game_id=game_id):
        if note.user_id != owner:
            kept.change(note, text=f"secret note {number}")


def _change_orders(kept: _Kept, game_id: int, seat: int, number: int) -> None:
    """Whoever has ordered has ordered something else, and whoever has not has."""
    game = kept.session.get_one(Game, game_id)
    given = kept.rows(StandingOrder, game_id=game_id, seat=seat)
    for row in given:
        kept.change(row, kind="limit", text=f"limit 50 to {70_000 + number}", round=None)
    if not given:
        order = StandingOrder(
            game_id=game_id, seat=seat, number=1, kind="limit", text=f"limit 50 to {number}",
            given_seq=game.seq, given_at=game.started_at,
        )  # fmt: skip
        kept.add(order)


def _change_money(patch: pytest.MonkeyPatch, keep: int | None, number: int) -> None:
    """Others began with more, so that they have more in every position of every fold."""
    started = evolve._started

    def richer(event: GameStarted) -> GameState:
        state = started(event)
        for seat in state.seats:
            if seat != keep:
                player = state.players[seat]
                more = Elektro(player.elektro + 10_000 * number + seat)
                state = state.with_player(seat, replace(player, elektro=more))
        return state

    patch.setattr(evolve, "_started", richer)
