"""As printed: what leaves is replaced at once, and each round one plant goes (R7.7, R10.5)."""

from core.game.board.plant_market import (
    box_lowest,
    draw_replacement,
    plant_to_rotate,
    remove_outgrown,
    without,
)
from core.game.course import Course
from core.game.events import PlantPutUnder


def replace(course: Course) -> None:
    """Draw a card."""
    draw_replacement(course)


def nothing(course: Course) -> None:
    """Leave the market as it is."""


def renew(course: Course) -> None:
    """R10.5 and B25, B32, B42."""
    rules = course.state.ruleset
    before = len(course.events)
    if course.state.step == 3:
        if rules.step3_rotation == "obsolete_else_lowest":
            remove_outgrown(course)
        if rules.step3_rotation != "none" and len(course.events) == before:
            box_lowest(course, "rotation")
            draw_replacement(course)
        return
    if rules.obsolete_timing == "phase5_once":
        remove_outgrown(course)
    if rules.rotation_boxes_lowest and not course.state.local.token_boxed:
        box_lowest(course, "each-round")
        draw_replacement(course)
        before = len(course.events)
    if rules.rotation != "obsolete_else_largest" or len(course.events) == before:
        for _n in range(rules.rotated_plants[course.state.step - 1]):
            put_highest_under(course)


def put_highest_under(course: Course) -> None:
    """Put the highest plant to come under the stack and draw a card."""
    plant = plant_to_rotate(course.state)
    if plant is not None:
        course.add(PlantPutUnder(plant, without(course.state, plant)))
        draw_replacement(course)
