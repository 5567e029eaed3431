"""Before round 1: players add regions to the board in turn (R3.1); only where they draft them."""

from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import RegionChosen
from core.game.moves import ChooseRegion, Move
from core.game.offers import RegionOffer
from core.game.phases.player_order import begin_round
from core.game.rules.choices import region_choices
from core.game.state import GameState
from core.game.types import RegionId, Seat
from core.text import _


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Return the seat whose turn it is to choose."""
    return state.waiting[:1]


def options(state: GameState, seat: Seat) -> RegionOffer:
    """Regions that leave a connected board within reach, in the order of the map."""
    return RegionOffer(tuple(r.id for r in state.ruleset.map.regions if r.id in _possible(state)))


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Add the region."""
    if not isinstance(move, ChooseRegion):
        raise IllegalMove("wrong-moment", _("Now is the time to choose a region."))
    state = course.state
    demand(
        move.region in _possible(state),
        "region-not-connected",
        _("That region is taken already, or not connected with those chosen."),
    )
    course.add(RegionChosen(seat, move.region))


def advance(course: Course) -> None:
    """All regions are chosen: round 1 begins."""
    begin_round(course)


def _possible(state: GameState) -> frozenset[RegionId]:
    chosen = frozenset(state.regions)
    sets = region_choices(state.ruleset, state.numbers.regions)
    return frozenset().union(*(s for s in sets if chosen <= s)) - chosen
