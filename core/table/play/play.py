"""A running game in the hands of one transaction.

`Play` holds the locked game, its position, its open turns and its sealed bids, and keeps them in
step: whoever moves, by whichever way, moves through it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, cast

import structlog
from sqlmodel import Session, col, delete, select

from core import bots
from core.game import engine
from core.game.chance import Chance
from core.game.errors import IllegalMove
from core.game.events import Event, MoveForced, MoveOrdered, OrderKind, PhaseBegan, PlantBought
from core.game.evolve import replay
from core.game.moves import Move, amount_bid
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Elektro, Phase, Seat
from core.orders.model import Act, Ask, Verdict
from core.orders.notation import Said
from core.orders.purchase import rest
from core.statuses import ClosedBy, GameStatus
from core.store.tables import Draft, Game, SealedBidRow, User
from core.table.notify import mails
from core.table.record import (
    corpus,
    gamelog,
    ordered_bids,
    results,
    seats,
    standing_orders,
    turns,
)
from core.table.record.around import Around
from core.table.record.deadlines import terms_of
from core.table.record.order_runner import OrderRunner


def ready(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """Note that the seat has no more plans; False if it is not asked for any.

    The game must be locked. The seat may be the last: the sweep takes the game up, also if nobody
    rings for it.
    """
    turn = turns.current_plan(session, game.id, seat)
    if turn is not None:
        turns.close(session, turn, ClosedBy.READY, game.seq, now)
        game.has_automatic_moves = True
        session.add(game)
    return turn is not None


_PLANNED_IN: Final = (Phase.AUCTION, Phase.RESOURCES)

log = structlog.get_logger()


class Play:
    """One transaction's work on one running game. The game must be locked."""

    def __init__(self, session: Session, game: Game, state: GameState, now: datetime) -> None:
        """Take up a game at its present position; see `resume` and `begin`."""
        self.session, self.game, self.state, self.now = session, game, state, now
        self.chance = Chance(game.seed)
        players = seats.players(session, game.id)
        self.rows = {seat: row for seat, (row, _user) in players.items()}
        self.bots = {seat: row.bot for seat, (row, _user) in players.items() if row.bot}
        self.owners = {seat: user for seat, (_row, user) in players.items()}
        waiting = turns.asked(session, game.id)
        self.turns = {Seat(t.seat): t for t in waiting if not t.plan}
        self.plans = {Seat(t.seat): t for t in waiting if t.plan}
        self.orders = OrderRunner(session, game, state.ruleset, self.owners, now)
        self.sealed = self._envelopes()
        self._began = None if game.seq == 0 else (state.round, state.phase)
        self._to_plan = False

    @classmethod
    def resume(cls, session: Session, game: Game, now: datetime) -> "Play":
        """Go on with a game from its log."""
        return cls(session, game, gamelog.load(session, game.id), now)

    @classmethod
    def running(
        cls, session: Session, game_id: int, now: datetime, *, even_stopped: bool = False
    ) -> "Play":
        """Lock a game and go on with it; raise TableError `not-running` where it does not run."""
        game = gamelog.lock(session, game_id)
        gamelog.demand_running(game, even_stopped=even_stopped)
        return cls.resume(session, game, now)

    @classmethod
    def begin(cls, session: Session, game: Game, events: Sequence[Event], now: datetime) -> "Play":
        """Start a game with its first events."""
        gamelog.append(session, game, events, now)
        play = cls(session, game, replay(events), now)
        play._heed(events)
        return play

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.state.phase is Phase.FINISHED

    def machine(self, seat: Seat) -> bool:
        """Return True if a bot plays this seat, for good or as caretaker."""
        return seat in self.bots or self.state.players[seat].caretaker

    @property
    def asleep(self) -> bool:
        """Are all people away? Then nobody moves: the game does not run off without them."""
        people = [seat for seat, user in self.owners.items() if user is not None]
        return bool(people) and all(self.state.players[seat].caretaker for seat in people)

    def sit(self, seat: Seat, user: User | None) -> None:
        """Somebody else plays a seat from now on, as its row says: `user`, or a bot."""
        self.owners[seat] = user
        self.bots.pop(seat, None)
        if user is None:
            self.bots[seat] = self.rows[seat].bot

    def record(self, *events: Event, submission_id: int | None = None) -> None:
        """Let events happen: into the log and into the position."""
        gamelog.append(self.session, self.game, events, self.now, submission_id)
        before, self.state = self.state, replay(events, self.state)
        self.orders.happened(events, before)
        self._heed(events)

    def move(self, seat: Seat, move: Move, by: ClosedBy, submission_id: int | None = None) -> None:
        """Play a move and close the seat's turn; IllegalMove leaves all as it was."""
        events = engine.play(self.state, seat, move, self.chance, self.sealed)
        own = submission_id is not None
        left = rest(self.state, seat, move) if own else None
        self.close(seat, by)
        self.record(*events, submission_id=submission_id)
        if left is not None and seat in self.state.waiting:
            said = Said(left)
            standing_orders.give(self.session, self.game, self.state, seat, said, self.now)
        self._keep_envelopes(seat, move)
        if any(isinstance(event, PlantBought) for event in events):
            machines = {other for other in self.rows if self.machine(other)}
            self.record(*ordered_bids.told(self.session, self.game, machines))

    def close(self, seat: Seat, by: ClosedBy) -> None:
        """Close the seat's open turn, if it has one, before the log grows."""
        turn = self.turns.pop(seat, None)
        if turn is not None:
            turns.close(self.session, turn, by, self.game.seq, self.now)

    def play_automatic(self, moves: int) -> None:
        """Let orders, bots, caretakers and seats without a choice move, at most so many times."""
        for _ in range(moves):
            if self.asleep or self.planning():
                return
            if self.state.auction is not None and self.state.auction.sealed:
                self._ask(engine.to_act(self.state))  # before an order answers: all at once (K3)
            seat = next((s for s in engine.to_act(self.state) if self._automatic(s)), None)
            if seat is None:
                return
            self._move_automatically(seat)

    def planning(self) -> bool:
        """Ask for the plans of the round where they are due; return True while they are waited for.

        All are asked but those who have ordered the whole round; nobody is once somebody has done
        anything in it. Where no plant is left it begins with fuel.
        """
        state = self.state
        begun = len(state.waiting) < len(state.players) or bool(state.auction or state.sold)
        asks = self._to_plan and not begun and state.discarding is None
        if asks and state.phase in _PLANNED_IN:
            people = [seat for seat in state.order if not self.machine(seat)]
            self.ask(*(s for s in people if not self.orders.covers(s, state.round)), plan=True)
        self._to_plan = False
        for seat in [s for s in self.plans if self.over or self.machine(s)]:
            self.close_plan(seat, ClosedBy.ENDED if self.over else ClosedBy.CARETAKER)
        return bool(self.plans)

    def close_plan(self, seat: Seat, by: ClosedBy) -> None:
        """Close the seat's planning call: it is answered, or waits no longer."""
        turns.close(self.session, self.plans.pop(seat), by, self.game.seq, self.now)

    def settle(self) -> None:
        """Bring turns, mails and the game's status in step with the position."""
        acting = () if self.planning() else engine.to_act(self.state)
        for seat in [s for s in self.turns if s not in acting or self.machine(s)]:
            self.close(seat, ClosedBy.ENDED if self.over else ClosedBy.CARETAKER)
        self.game.has_automatic_moves = not self.asleep and any(self._automatic(s) for s in acting)
        self._ask(acting)
        if self.over and self.game.status == GameStatus.RUNNING:
            self._finish()
        self.session.add(self.game)
        if self._began != (self.state.round, self.state.phase):  # once a phase, or when it starts
            corpus.keep(self.session, self.game, self.state, self.now)

    def ask(self, *seats: Seat, plan: bool = False, tell: bool = True) -> None:
        """Ask seats for a move, or for plans, and owe their owners mails unless not to `tell`."""
        if not seats:
            return
        around = Around.of(self.session, self.game, self.now)
        for seat in seats:
            user, row = self.owners[seat], self.rows[seat]
            hours = around.calendar(self.game, user)
            turn = turns.ask(self.session, self.game, row, hours, self.now, plan=plan)
            (self.plans if plan else self.turns)[seat] = turn
            if tell:
                mails.owe_turn(self.session, user, turn, around, self.now)

    def _ask(self, acting: Sequence[Seat]) -> None:
        """Ask those who have to answer themselves, and are not asked yet."""
        people = [seat for seat in acting if not self._automatic(seat)]
        for seat in people:
            self._stop_order(seat)
        self.ask(*(seat for seat in people if seat not in self.turns))

    def _finish(self) -> None:
        revealed = standing_orders.reveal(self.session, self.game, self.now)
        if revealed is not None:
            self.record(revealed)
        self.game.status = GameStatus.ABANDONED if self.state.abandoned else GameStatus.FINISHED
        self.game.ended_at = self.now
        for table in (Draft, SealedBidRow):
            self.session.exec(delete(table).where(col(table.game_id) == self.game.id))
        results.record(self.session, self.game)
        mails.owe_end(self.session, self.game, self.now)

    def _automatic(self, seat: Seat) -> bool:
        """Is nobody to be asked: a bot's seat, one with a single legal move, or one with orders?"""
        if self.machine(seat):
            return True
        if seat not in self.turns and self._forced(seat) is not None:
            return True
        return isinstance(self._ordered(seat), Act)

    def _ordered(self, seat: Seat) -> Verdict:
        """Return what the standing orders of a seat make of its question."""
        return self.orders.verdict(self.state, seat, self.turns.get(seat))

    def _stop_order(self, seat: Seat) -> None:
        """If an order speaks of the question and its condition fails, it says so (M67)."""
        verdict = self._ordered(seat)
        if isinstance(verdict, Ask):
            self.orders.stop(seat, verdict)

    def _forced(self, seat: Seat) -> Move | None:
        offer = engine.options(self.state, seat)
        return offer.default if offer.forced else None

    def _move_automatically(self, seat: Seat) -> None:
        forced = None if self.machine(seat) or seat in self.turns else self._forced(seat)
        ordered = self._ordered(seat)
        if forced is not None:
            self.ask(seat, tell=False)
            self.record(MoveForced(seat))
            self.move(seat, forced, ClosedBy.FORCED)
        elif isinstance(ordered, Act):
            row = self.orders.row(seat, ordered.number)
            if not ordered_bids.is_kept_quiet(self.state, ordered.move):
                self.record(MoveOrdered(seat, cast(OrderKind, row.kind)))
            self.move(seat, ordered.move, ClosedBy.ORDER)
            self.orders.executed(seat, row, ordered)
        else:
            self._stop_order(seat)
            self._move_by_bot(seat)

    def _move_by_bot(self, seat: Seat) -> None:
        bot = bots.bot(self.bots.get(seat, bots.CARETAKER))
        try:
            self.move(seat, bot.move(observe(self.state, seat)), ClosedBy.CARETAKER)
        except IllegalMove as error:  # a bot's mistake must not stop the game
            log.error("bot_erred", game=self.game.id, seat=seat, code=error.code)
            self.move(seat, engine.default_move(self.state, seat), ClosedBy.CARETAKER)

    def _heed(self, events: Sequence[Event]) -> None:
        """Plan a round that begins, where the table agreed on it."""
        if any(isinstance(e, PhaseBegan) and e.phase is Phase.AUCTION for e in events):
            self._to_plan = terms_of(self.game).planning == "round"

    def _envelopes(self) -> dict[Seat, Elektro | None]:
        if self.state.auction is None or not self.state.auction.sealed:
            return {}
        rows = self.session.exec(select(SealedBidRow).where(SealedBidRow.game_id == self.game.id))
        return {Seat(r.seat): None if r.maximum is None else Elektro(r.maximum) for r in rows}

    def _keep_envelopes(self, seat: Seat, move: Move) -> None:
        """Keep a sealed bid until its auction is over; then none of them is kept."""
        auction = self.state.auction
        given = auction.given if auction else ()
        if seat in given:
            amount = amount_bid(move)
            self.sealed[seat] = amount
            self.session.add(SealedBidRow(game_id=self.game.id, seat=seat, maximum=amount))
        elif self.sealed and not given:
            self.sealed = {}
            self.session.flush()
            self.session.exec(delete(SealedBidRow).where(col(SealedBidRow.game_id) == self.game.id))
