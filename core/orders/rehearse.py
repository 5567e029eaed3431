"""A dry run: what would happen if it were my turn now, phase by phase of this round.

It asks `engine.options` and `engine.preview` alone, so nothing is drawn and nothing revealed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.game import engine
from core.game.evolve import replay
from core.game.notation import text
from core.game.observe import observe
from core.game.state import Auction, GameState
from core.game.types import Phase, Seat
from core.orders.desk import decide
from core.orders.model import COURSE, Standing
from core.orders.verdict import Act, Ask
from core.text import _


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A phase, the move that the orders would make there, None for none, and what to say of it."""

    phase: Phase
    line: str | None
    remark: str


def rehearse(state: GameState, seat: Seat, rows: Sequence[Standing]) -> tuple[Rehearsed, ...]:
    """What the orders of a seat would do in each phase still to come in this round.

    Each question is asked on the present position with what the seat itself would have paid and
    bought before; no plant is won, and no other seat moves.
    """
    if state.phase not in COURSE:
        return ()
    told, ahead = [], state
    for phase in COURSE[COURSE.index(state.phase) :]:
        asked = _asked(state, seat) if phase is state.phase else _alone(ahead, seat, phase)
        if asked is None:
            continue
        verdict = decide(observe(asked, seat), rows)
        if isinstance(verdict, Act):
            ahead = replay(engine.preview(asked, seat, verdict.move), asked)
            line = text(verdict.move, state.ruleset)
            told.append(Rehearsed(phase, line, verdict.remark))
        else:
            why = verdict.reason if isinstance(verdict, Ask) else _("No order: you are asked.")
            told.append(Rehearsed(phase, None, why))
    return tuple(told)


def _alone(state: GameState, seat: Seat, phase: Phase) -> GameState:
    """The position in which this phase has come and only this seat is left to act."""
    return replace(state, phase=phase, waiting=(seat,), auction=None, discarding=None)


def _asked(state: GameState, seat: Seat) -> GameState | None:
    """The present phase with the seat asked next; None where it has nothing more to do in it."""
    if state.discarding == seat:
        return state
    auction = None if state.discarding is not None else state.auction
    if auction is not None and _may_answer(auction, seat):
        return replace(state, auction=_next(auction, seat))
    return _alone(state, seat, state.phase) if seat in state.waiting else None


def _may_answer(auction: Auction, seat: Seat) -> bool:
    done = auction.given if auction.sealed else (auction.leader,)
    return seat in auction.bidders and seat not in done


def _next(auction: Auction, seat: Seat) -> Auction:
    """The auction in which this seat answers next, the others in their order behind it."""
    others = tuple(other for other in auction.bidders if other != seat)
    return replace(auction, bidders=(seat, *others))
