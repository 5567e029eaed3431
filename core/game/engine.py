"""The whole public face of the rules: start, play, preview, to_act, options, default_move.

A move is decided into events, the events are folded, and what happens by itself happens, until a
player must act again.
"""

from typing import Protocol

from core.game.chance import Chance
from core.game.course import Course, SealedBids, demand
from core.game.events import (
    AuctionDeclined,
    AuctionOpened,
    BidPassed,
    BidPlaced,
    CityConnected,
    Event,
    FuelBought,
    GameStarted,
    PhaseBegan,
    PlantDiscarded,
    PlantsRun,
    RegionChosen,
    SealedBidGiven,
)
from core.game.evolve import replay
from core.game.moves import Move
from core.game.offers import Offer
from core.game.phases import auction, building, bureaucracy, regions, resources, setup
from core.game.phases.player_order import begin_round
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Phase, RegionId, Seat
from core.text import _

NO_SEALED_BIDS: SealedBids = {}


class PhaseRules(Protocol):
    """What every module of `core.game.phases` offers."""

    def to_act(self, state: GameState) -> tuple[Seat, ...]:
        """Seats the table waits for; () when the phase goes on by itself."""

    def options(self, state: GameState, seat: Seat) -> Offer:
        """Return what the seat may do, with prices."""

    def decide(self, course: Course, seat: Seat, move: Move) -> None:
        """Turn the move into events; raises IllegalMove."""

    def advance(self, course: Course) -> None:
        """Go on while nobody has to act."""


PHASES: dict[Phase, PhaseRules] = {
    Phase.REGIONS: regions,
    Phase.AUCTION: auction,
    Phase.RESOURCES: resources,
    Phase.BUILDING: building,
    Phase.BUREAUCRACY: bureaucracy,
}

OWN_RESULTS = (
    RegionChosen, AuctionOpened, AuctionDeclined, BidPlaced, BidPassed, SealedBidGiven,
    PlantDiscarded, FuelBought, CityConnected, PlantsRun,
)  # fmt: skip
"""Events that a player causes directly and may see beforehand."""


def start(
    ruleset: Ruleset,
    seats: int,
    chance: Chance,
    chosen_regions: tuple[RegionId, ...] | None = None,
) -> tuple[Event, ...]:
    """Set up a table of 2 to 6 seats and go on to the first decision (R3).

    `chosen_regions` where the host chooses them. RulesError when they, or the seats, do not fit.
    """
    return start_from(setup.set_up(ruleset, seats, chance, chosen_regions), chance)


def start_from(started: GameStarted, chance: Chance) -> tuple[Event, ...]:
    """Go on from a table laid out by hand to the first decision."""
    course = Course(replay([started]), chance)
    course.events.append(started)
    if started.regions:
        begin_round(course)
    else:
        size = course.state.numbers.regions
        turns = tuple(started.order[i % started.seats] for i in range(size))
        course.add(PhaseBegan(Phase.REGIONS, turns))
    return tuple(course.events)


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Seats the table waits for: none when the game is over, several when they act at once."""
    if state.phase is Phase.FINISHED:
        return ()
    return PHASES[state.phase].to_act(state)


def options(state: GameState, seat: Seat) -> Offer:
    """Return what a seat may do in this phase, with prices; what is offered is accepted."""
    return PHASES[state.phase].options(state, seat)


def default_move(state: GameState, seat: Seat) -> Move:
    """Return the move for a missed turn: always legal, never spends more than it must."""
    return options(state, seat).default


def play(
    state: GameState,
    seat: Seat,
    move: Move,
    chance: Chance,
    sealed: SealedBids = NO_SEALED_BIDS,
) -> tuple[Event, ...]:
    """Everything that a move makes happen, up to the next decision. Raises IllegalMove.

    `sealed`: the maxima handed in for the open sealed auction so far. They are in no event before
    all are in, so the caller keeps them, also that of this move, and gives them back here.
    """
    course = Course(state, chance, sealed)
    _decide(course, seat, move)
    while course.state.phase is not Phase.FINISHED and not to_act(course.state):
        PHASES[course.state.phase].advance(course)
    return tuple(course.events)


def preview(state: GameState, seat: Seat, move: Move) -> tuple[Event, ...]:
    """Return what a move would do for its own seat, and nothing that is drawn or secret."""
    course = Course(state, Chance(""))
    _decide(course, seat, move)
    return tuple(e for e in course.events if isinstance(e, OWN_RESULTS))


def _decide(course: Course, seat: Seat, move: Move) -> None:
    demand(seat in to_act(course.state), "not-your-turn", _("It is not your turn."))
    PHASES[course.state.phase].decide(course, seat, move)
