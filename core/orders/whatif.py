"""A what-if board: the game as one seat may imagine it, on which anybody's moves can be tried.

Nothing on it comes from what the seat cannot see: unseen cards are shuffled anew, envelopes are
forgotten, hidden money is plenty.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.game import engine
from core.game.chance import Chance
from core.game.errors import GameError
from core.game.events import Event
from core.game.evolve import replay
from core.game.moves import amount_bid
from core.game.notation import parse, text
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import STEP_3_CARD, Elektro, Phase, PlantNumber, Seat
from core.orders.decide import decide
from core.orders.model import COURSE, Act, Ask, Standing
from core.text import _

PLENTY: Final = Elektro(999)
"""What others have whose money is hidden, in Elektro: enough for whatever is tried."""
UNSEEN_CARDS: Final = "what-if"
"""The purpose for which unseen cards are shuffled."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of some lines: the position and the events after each, and why one did not go.

    `error` is empty where all went; else it is of the first line behind those told here.
    """

    states: tuple[GameState, ...]
    events: tuple[tuple[Event, ...], ...]
    error: str = ""


def possible(state: GameState, seat: Seat, chance: Chance) -> GameState:
    """Return a position that `seat` cannot tell from the true one.

    `chance` is never the game's own.
    """
    stack, boxed = _cards(state, chance)
    players = state.players
    if state.ruleset.hidden_money:
        others = (replace(player, elektro=PLENTY) for player in players)
        players = tuple(players[s] if s == seat else other for s, other in enumerate(others))
    return replace(as_it_was(state), stack=stack, boxed=boxed, players=players)


def as_it_was(state: GameState) -> GameState:
    """Return a position of a game that is over: nothing in it is hidden any more, nor made up.

    Envelopes that were not open yet are handed in again: what was in them is not known.
    """
    return (
        state if state.auction is None else replace(state, auction=replace(state.auction, given=()))
    )


def try_moves(state: GameState, lines: Sequence[tuple[Seat, str]], chance: Chance) -> Tried:
    """Play any seat's next moves on such a board, up to the first that does not go."""
    states: list[GameState] = []
    happened: list[tuple[Event, ...]] = []
    envelopes: dict[Seat, Elektro | None] = {}
    for seat, line in lines:
        try:
            move = parse(line, state.ruleset)
            envelopes[seat] = amount_bid(move)
            events = engine.play(state, seat, move, chance, envelopes)
        except GameError as error:
            return Tried(tuple(states), tuple(happened), str(error))
        state = replay(events, state)
        envelopes = envelopes if state.auction else {}
        states.append(state)
        happened.append(events)
    return Tried(tuple(states), tuple(happened))


def _cards(
    state: GameState, chance: Chance
) -> tuple[tuple[PlantNumber, ...], tuple[PlantNumber, ...]]:
    """Return stack and box with all unseen cards mixed.

    Cards under the Step 3 card were put there before everybody's eyes; once it is gone they are
    all that is left, shuffled unless the rules leave them as they lie (R13). All know the plant on
    top of the first deck until it is drawn. What was put away face down before the game comes
    first in the box (R3.6).
    """
    stack, rules, numbers = state.stack, state.ruleset, state.numbers
    if STEP_3_CARD not in stack:
        kept = rules.step3_reshuffle == "none"
        again = stack if kept else chance.shuffled(sorted(stack), UNSEEN_CARDS)
        return again, state.boxed
    under = stack.index(STEP_3_CARD)
    top = int(rules.deck_setup == "fixed_3_10" and stack[0] == rules.first_plant)
    hidden = stack[top:under]
    unseen = numbers.boxed + (numbers.boxed_low if rules.deck_setup == "shuffled_3_15" else 0)
    mixed = chance.shuffled(sorted((*hidden, *state.boxed[:unseen])), UNSEEN_CARDS)
    boxed = (*mixed[len(hidden) :], *state.boxed[unseen:])
    return (*stack[:top], *mixed[: len(hidden)], *stack[under:]), boxed


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A phase, the move that the orders would make there, None for none, and what to say of it."""

    phase: Phase
    line: str | None
    remark: str


def rehearse(state: GameState, seat: Seat, rows: Sequence[Standing]) -> tuple[Rehearsed, ...]:
    """Return what the orders of a seat would do in each phase still to come in this round.

    Each question is asked on the present position with what the seat itself would have paid and
    bought before; no plant is won, and no other seat moves.
    """
    if state.phase not in COURSE:
        return ()
    told, ahead = [], state
    for phase in COURSE[COURSE.index(state.phase) :]:
        asked = _asked(state, seat) if phase is state.phase else alone(ahead, seat, phase)
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


def alone(state: GameState, seat: Seat, phase: Phase) -> GameState:
    """Return the position in which this phase has come and only this seat is left to act."""
    return replace(state, phase=phase, waiting=(seat,), auction=None, discarding=None)


def _asked(state: GameState, seat: Seat) -> GameState | None:
    """Return the present phase with the seat asked next.

    None where it has nothing more to do in it.
    """
    if state.discarding == seat:
        return state
    auction = None if state.discarding is not None else state.auction
    if auction is not None and seat in auction.bidders:
        done = auction.given if auction.sealed else (auction.leader,)
        if seat not in done:  # the others come in their order behind it
            others = tuple(other for other in auction.bidders if other != seat)
            return replace(state, auction=replace(auction, bidders=(seat, *others)))
    return alone(state, seat, state.phase) if seat in state.waiting else None
