"""Standing orders at the table: what they make of a question, in the transaction that asks it.

An executed order is an ordinary move behind the event MoveOrdered. One whose condition fails does
nothing: its seat is asked, and told why (M67).
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Final

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
    PhaseBegan,
    PlantBought,
    PlantBoxed,
    PlantsRun,
    RoundBegan,
    SeatTaken,
)
from core.game.moves import BuildCities, Move
from core.game.observe import PlayerView, observe, position
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.mail import words
from core.orders.bids import fast_forward
from core.orders.decide import decide, ending
from core.orders.model import Act, Ask, BuildOrder, Nothing, Standing, Verdict
from core.orders.notation import Said
from core.orders.whatif import alone, rehearse
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
        """Return what the seat's orders make of its question.

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

    def row(self, seat: Seat, number: int) -> StandingOrder:
        """Return an order that is in force."""
        return next(row for row in self._rows[seat] if row.number == number)

    def executed(self, seat: Seat, row: StandingOrder, act: Act) -> None:
        """Note on an order what came of its move."""
        with self._speaking(seat):
            done = notation.text(act.move, self._rules)
            self._note(row, f"{done}. {act.remark}".removesuffix(". ") if act.remark else done)

    def stop(self, seat: Seat, ask: Ask) -> None:
        """End an order whose condition fails, or let it wait for the next round (M67)."""
        row = self.row(seat, ask.number)
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
            for seat in tuple(self._rows) if isinstance(event, _ENDING) else ():
                for row, order in zip(tuple(self._rows[seat]), self._standing(seat), strict=True):
                    how = ending(order, seat, event, round_)
                    if how is not None:
                        self._over(seat, row, how, seq)
            if isinstance(event, RoundBegan):
                round_ = event.round

    def void(self, seat: Seat, why: str) -> None:
        """End all orders of a seat: who plays it from now on does not do what its owner meant."""
        for row in list(self._rows.get(seat, ())):
            self._end(seat, row, OrderStatus.CANCELLED, why)

    def covers(self, seat: Seat, round_: int) -> bool:
        """Return True if the seat's orders speak of every phase of a round."""
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
        found: Verdict | None = None
        if state.auction is not None and state.auction.bidders[:1] == (seat,):
            # Where all who bid have limits, the bids between are left out (M68).
            theirs = {s: self._standing(s) for s in state.auction.bidders}
            found = fast_forward(state, theirs | {seat: mine})
        found = found or decide(observe(state, seat), mine)
        if isinstance(found, Act):
            try:  # an order's mistake must not stop the game: what the rules refuse is asked (M67)
                engine.preview(state, seat, found.move)
            except IllegalMove as error:
                return Ask(str(error), found.number)
        return found

    def _standing(self, seat: Seat) -> list[Standing]:
        return [standing_orders.standing(row, self._rules) for row in self._rows.get(seat, ())]

    def _note(self, row: StandingOrder, what: str) -> None:
        """Say on an order what it last did or why it stopped; `closed_seq` says when."""
        row.reason, row.closed_seq = what, self._game.seq
        self._session.add(row)

    def _over(self, seat: Seat, row: StandingOrder, how: OrderStatus, seq: int) -> None:
        """Time has ended an order; one that has acted has done what it was for."""
        worked = row.closed_seq is not None
        with self._speaking(seat):
            why = row.reason if worked else _("Its time has passed.")
            if how == OrderStatus.DONE and not worked:  # by hand, by default, without a choice
                why = _("Your move was made without it.")
        how = OrderStatus.DONE if worked and how == OrderStatus.LAPSED else how
        self._end(seat, row, how, why, seq)

    def _end(
        self, seat: Seat, row: StandingOrder, how: OrderStatus, why: str, seq: int | None = None
    ) -> None:
        self._rows[seat].remove(row)
        at = self._game.seq if seq is None else seq
        standing_orders.close(self._session, row, how, why, at, self._now)
        self._verdicts.pop(seat, None)

    def _speaking(self, seat: Seat) -> AbstractContextManager[None]:
        user = self._owners.get(seat)
        return speaking(user.locale if user else SOURCE)


def then_build(move: Move, after: PlayerView) -> Said:
    """Return the order of a building turn given with the purchase before it: at today's prices.

    `after`: the view with the purchase made. Raise IllegalMove where it would not go even now.
    """
    if after.seat is None or not isinstance(move, BuildCities):
        raise TypeError("only a player builds")
    built = engine.preview(alone(position(after), after.seat, Phase.BUILDING), after.seat, move)
    price = sum(e.house_cost + e.connection_cost for e in built if isinstance(e, CityConnected))
    if not move.cities:
        return Said(BuildOrder(()))
    return Said(BuildOrder(move.cities, budget=Elektro(price), exact=True, jumps=move.jumps))


def dry_run(state: GameState, seat: Seat, orders: Sequence[Standing]) -> list[str]:
    """Return what the orders would do if it were the seat's turn now, a line a phase."""
    said, silent = _("{phase}: {line}. {remark}"), _("{phase}: {remark}")
    return [
        (silent if step.line is None else said)
        .format(phase=words.phase(step.phase), line=step.line, remark=step.remark)
        .rstrip()
        for step in rehearse(state, seat, orders)
    ]
