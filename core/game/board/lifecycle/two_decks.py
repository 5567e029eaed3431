"""No Steps: the highest plants are set aside and become the stack once it is used up.

While the first stack lasts, the two highest plants to come go aside each round; of the second one
the highest goes under it. When that is used up, too, all plants lie in one row, and the smallest
leaves each round. `core.game.board.plant_market` turns the pile over when a draw finds no card.
"""

from typing import Final

from core.game.board.lifecycle.steps import put_highest_under
from core.game.board.plant_market import box_lowest, draw_replacement, turn_pile_over, without
from core.game.course import Course
from core.game.events import PlantSetAside

_SET_ASIDE: Final = 2
"""Plants that go to the pile in each round of the first stack."""


def renew(course: Course) -> None:
    """Set two aside, or put one under the stack, and fill up; in the last row box the smallest."""
    state = course.state
    if state.one_row:
        box_lowest(course, "rotation")
        return
    if state.local.decks_used:
        put_highest_under(course)
    else:
        for plant in sorted(state.market.future)[: -_SET_ASIDE - 1 : -1]:
            course.add(PlantSetAside(plant, without(course.state, plant)))
    while course.state.stack and len(course.state.market.cards) < sum(state.ruleset.market_rows):
        draw_replacement(course)
    turn_pile_over(course)
