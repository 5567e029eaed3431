"""Plants come as planned: some after each building phase, none when one is bought, before Step 3.

There is one row from the start. The Step 3 card begins Step 3 as soon as it is drawn.
"""

from typing import Final

from core.game.board.plant_market import box_lowest, draw_replacement
from core.game.course import Course

PLANNED: Final = (1, 1, 2, 2, 3)
"""Plants that come each round for 2 to 6 players, whatever is still on offer."""
_IN_STEP_3: Final = 4
"""Plants on offer from Step 3 on."""


def replace(course: Course) -> None:
    """Only in Step 3 a plant that was bought is replaced."""
    if course.state.step == 3:
        draw_replacement(course)


def supply(course: Course) -> None:
    """Bring the plants of the next round: as planned, but one for every player but one at least.

    What is more than that leaves again, the smallest first. Once the Step 3 card has come, there
    are four instead.
    """
    if course.state.step == 3:
        return
    players = len(course.state.players)
    least = max(2, players - 1)
    comes = max(PLANNED[players - 2], least - len(course.state.market.cards))
    for _n in range(comes):
        if not course.state.step3_drawn:
            draw_replacement(course)
    while course.state.step3_drawn and _fewer_than(course, _IN_STEP_3) and course.state.stack:
        draw_replacement(course)
    most = _IN_STEP_3 if course.state.step3_drawn else least
    while not _fewer_than(course, most + 1):
        box_lowest(course, "surplus")


def renew(course: Course) -> None:
    """In Step 3 the smallest plant leaves each round and is replaced."""
    if course.state.step == 3:
        box_lowest(course, "rotation")
        draw_replacement(course)


def _fewer_than(course: Course, number: int) -> bool:
    return len(course.state.market.cards) < number
