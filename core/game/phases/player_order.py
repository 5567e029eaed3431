"""Phase 1: turn order; and with it the beginning of a round (R7.2)."""

from collections.abc import Sequence
from typing import Protocol

from core.game.board.blocked import block_places
from core.game.board.plant_market import remove_banned
from core.game.course import Course
from core.game.events import PhaseBegan, RoundBegan, TokenPlaced
from core.game.phases.steps import enter_step2, enter_step3_if_due, step2_earned, step3_due
from core.game.rules.knobs import Ruleset
from core.game.types import CityId, Phase, PlantNumber, Seat


class Company(Protocol):
    """What decides a seat's rank."""

    @property
    def plants(self) -> tuple[PlantNumber, ...]:
        """Its plants."""

    @property
    def cities(self) -> tuple[CityId, ...]:
        """Its cities."""


class Companies(Protocol):
    """A position, or what one reader sees of it."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""

    @property
    def order(self) -> tuple[Seat, ...]:
        """The turn order of this round."""

    @property
    def players(self) -> Sequence[Company]:
        """Everybody, by seat."""


def begin_round(course: Course) -> None:
    """Start the next round: Steps that begin with a round, turn order, then the auctions."""
    if not course.state.round:
        remove_banned(course)
        block_places(course)
    late_step2 = course.state.ruleset.step2_start == "next_round"
    if late_step2 and step2_earned(course.state) and not step3_due(course.state):
        enter_step2(course)
    enter_step3_if_due(course, "round")
    state = course.state
    kept = state.round == 0 or state.ruleset.turn_order_set == "after_auction"
    order = state.order if kept else turn_order(state)
    course.add(RoundBegan(state.round + 1, order), PhaseBegan(Phase.AUCTION, order))
    if state.ruleset.discount_token and state.market.actual:
        course.add(TokenPlaced(min(state.market.actual)))


def turn_order(state: Companies) -> tuple[Seat, ...]:
    """Return most cities first; a tie goes to the highest plant, or to more plants (B9).

    Players without a plant keep their order (R7.2).
    """

    def rank(seat: Seat) -> tuple[int, int, int]:
        player = state.players[seat]
        by_count = state.ruleset.order_tiebreak == "plant_count"
        count = len(player.plants) if by_count else 0
        return (-len(player.cities), -count, -max(player.plants, default=0))

    return tuple(sorted(state.order, key=rank))
