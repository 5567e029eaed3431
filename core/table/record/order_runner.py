"""Standing orders at the table: what they make of a question, in the transaction that asks it.

An executed order is an ordinary move behind the event MoveOrdered. One whose condition fails does
nothing: its seat is asked, and told why (M67).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import Final, cast

from sqlmodel import Session

from core.game import engine, notation
from core.game.errors import IllegalMove
from core.game.events import (
    BuildingEnded,
    CityConnected,
    Event,
    FuelBought,
    GameAbandoned,
    GameEnded,
    MoveOrdered,
    OrderKind,
    PhaseBegan,
    PlantBought,
    PlantBoxed,
    PlantsRun,
    RoundBegan,
    SeatTaken,
)
from core.game.moves import BuildCities, Move
from core.game.observe import PlayerView, observe
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.mail import words
from core.orders.decide import decide, ending
from core.orders.fast_auction import fast_forward
from core.orders.model import Act, Ask, BuildOrder, Nothing, Standing, Verdict
from core.orders.notation import Said
from core.orders.position import position
from core.orders.whatif import rehearse
from core.statuses import OrderStatus
from core.store.tables import Game, StandingOrder, Turn, User
from core.table.record import standing_orders
from core.text import SOURCE, _, speaking

Owners = Mapping[Seat, User | None]
_ENDING: Final = (
    GameEnded, GameAbandoned, PlantBought, PlantBoxed, FuelBought, BuildingEnded, PlantsRun,
    PhaseBegan, RoundBegan,
)  # fmt: skip
"""Events that can end an order (core.orders.decide); to ask of others would be in vain."""


class OrderRunner:
    """The orders of one game within one transaction; the game must be locked."""

    def __init__(
        self, session: Session, game: Game, rules: Ruleset, owners: Owners, now: datetime
    ) -> None:
        """Read what is in force now."""
        self._session, self._game, self._owners, self._now = session, game, owners, now
        self._rules = rules
        self._rows: dict[Seat, list[StandingOrder]] = {}
        for row in standing_orders.rows(session, game.id):
            self._rows.setdefault(Seat(row.seat), []).append(row)
        self._verdicts: dict[Seat, tuple[GameState, Verdict]] = {}

    def verdict(self, state: GameState, seat: Seat, asked: Turn | None) -> Verdict:
        """What the seat's orders make of its question.

        Once a seat was asked only what it has ordered since can answer: what stood before has been
        found wanting, or not to speak of it.
        """
        known = self._verdicts.get(seat)
        if known is not None and known[0] is state:
            return known[1]
        with self._speaking(seat):
            found = self._decide(state, seat, asked)
        self._verdicts[seat] = (state, found)
        return found

    def move(self, seat: Seat, act: Act, play: Callable[[MoveOrdered, Move], None]) -> None:
        """Make the move of an order by `play`, and note on the order what came of it."""
        row = self._row(seat, act.number)
        play(MoveOrdered(seat, cast(OrderKind, row.kind)), act.move)
        with self._speaking(seat):
            done = notation.text(act.move, self._rules)
            self._note(row, f"{done}. {act.remark}".removesuffix(". ") if act.remark else done)

    def stop(self, seat: Seat, ask: Ask) -> None:
        """An order's condition fails: it is over, or waits for the next round (M67)."""
        row = self._row(seat, ask.number)
        if row.round is not None or row.kind == "limit":
            self._end(seat, row, OrderStatus.FAILED, ask.reason)
        else:
            self._note(row, ask.reason)

    def happened(self, events: Sequence[Event], before: GameState) -> None:
        """Close the orders that these events end, whatever made them happen (M68)."""
        round_, seq = before.round, before.seq
        for event in events:
            seq += 1
            if isinstance(event, SeatTaken):
                self.void(event.seat, _("The seat has changed hands."))
            for seat, row, order in self._all() if isinstance(event, _ENDING) else ():
                how = ending(order, seat, event, round_)
                if how is not None:
                    self._over(seat, row, how, seq)
            if isinstance(event, RoundBegan):
                round_ = event.round

    def void(self, seat: Seat, why: str) -> None:
        """Who takes a seat over, or plays it for who has left, does not do what he had in mind."""
        for row in list(self._rows.get(seat, ())):
            self._end(seat, row, OrderStatus.CANCELLED, why)

    def covers(self, seat: Seat, round_: int) -> bool:
        """Do the seat's orders speak of every phase of a round, so that it need not be asked?"""
        mine = self._rows.get(seat, ())
        kinds = {row.kind for row in mine if row.round in (None, round_)}
        return kinds >= {"auction", "fuel", "build", "power"}

    def _decide(self, state: GameState, seat: Seat, asked: Turn | None) -> Verdict:
        mine = self._standing(seat)
        if asked is not None:
            since = {r.number for r in self._rows.get(seat, ()) if r.given_seq >= asked.turn}
            mine = [order for order in mine if order.number in since]
        if not mine:
            return Nothing()
        found = self._jump(state, seat, mine) or decide(observe(state, seat), mine)
        return _legal(state, seat, found) if isinstance(found, Act) else found

    def _jump(self, state: GameState, seat: Seat, mine: list[Standing]) -> Act | None:
        """Where all who bid have limits, the bids between are left out; `mine` can answer (M68)."""
        if state.auction is None or state.auction.bidders[:1] != (seat,):
            return None
        return fast_forward(
            state, {s: self._standing(s) for s in state.auction.bidders} | {seat: mine}
        )

    def _standing(self, seat: Seat) -> list[Standing]:
        return [standing_orders.standing(row, self._rules) for row in self._rows.get(seat, ())]

    def _all(self) -> list[tuple[Seat, StandingOrder, Standing]]:
        return [
            (seat, row, standing_orders.standing(row, self._rules))
            for seat, rows in self._rows.items()
            for row in rows
        ]

    def _row(self, seat: Seat, number: int) -> StandingOrder:
        return next(row for row in self._rows[seat] if row.number == number)

    def _note(self, row: StandingOrder, what: str) -> None:
        """Say on an order what it last did or why it stopped; `closed_seq` says when."""
        row.reason, row.closed_seq = what, self._game.seq
        self._session.add(row)

    def _over(self, seat: Seat, row: StandingOrder, how: OrderStatus, seq: int) -> None:
        """Time has ended an order; one that has acted has done what it was for."""
        worked = row.closed_seq is not None
        with self._speaking(seat):
            why = row.reason if worked else _("Its time has passed.")
            if (
                how == OrderStatus.DONE and not worked
            ):  # by hand, by default, or for want of a choice
                why = _("Your move was made without it.")
        self._end(
            seat, row, OrderStatus.DONE if worked and how == OrderStatus.LAPSED else how, why, seq
        )

    def _end(
        self,
        seat: Seat,
        row: StandingOrder,
        how: OrderStatus,
        why: str,
        seq: int | None = None,
    ) -> None:
        self._rows[seat].remove(row)
        at = self._game.seq if seq is None else seq
        standing_orders.close(self._session, row, how, why, at, self._now)
        self._verdicts.pop(seat, None)

    def _speaking(self, seat: Seat) -> AbstractContextManager[None]:
        user = self._owners.get(seat)
        return speaking(user.locale if user else SOURCE)


def _legal(state: GameState, seat: Seat, act: Act) -> Verdict:
    """An order's mistake must not stop the game: what the rules refuse is asked (M67)."""
    try:
        engine.preview(state, seat, act.move)
    except IllegalMove as error:
        return Ask(str(error), act.number)
    return act


def then_build(move: Move, after: PlayerView) -> Said:
    """A building turn given with the purchase before it: all of it at today's prices, or ask.

    `after`: the view with the purchase made. Raises IllegalMove where it would not go even now.
    """
    if after.seat is None or not isinstance(move, BuildCities):
        raise TypeError("only a player builds")
    alone = replace(
        position(after),
        phase=Phase.BUILDING,
        waiting=(after.seat,),
        auction=None,
        discarding=None,
    )
    built = engine.preview(alone, after.seat, move)
    price = sum(e.house_cost + e.connection_cost for e in built if isinstance(e, CityConnected))
    if not move.cities:
        return Said(BuildOrder(()))
    return Said(BuildOrder(move.cities, budget=Elektro(price), exact=True))


def dry_run(state: GameState, seat: Seat, orders: Sequence[Standing]) -> list[str]:
    """What the orders would do if it were the seat's turn now, a line a phase."""
    lines = []
    for step in rehearse(state, seat, orders):
        phase = words.phase(step.phase)
        if step.line is None:
            lines.append(_("{phase}: {remark}").format(phase=phase, remark=step.remark))
        else:
            text = _("{phase}: {line}. {remark}").format(
                phase=phase, line=step.line, remark=step.remark
            )
            lines.append(text.rstrip())
    return lines
