"""How Step 2 and Step 3 begin (R12, R13)."""

from typing import Literal

from core.game.board.plant_market import (
    box_lowest,
    box_step3_card,
    draw_replacement,
    put_step3_card_back,
    shuffle,
)
from core.game.course import Course
from core.game.events import PlantsOnTop, StepReached
from core.game.state import GameState

Boundary = Literal["phase", "bureaucracy", "round"]
"""Between two phases, before phase 5, between two rounds."""


def step2_earned(state: GameState) -> bool:
    """Is it Step 1, and has somebody the cities that start Step 2, or is no room left (R12.1)?"""
    earned = state.leader_cities >= state.numbers.step2_cities or state.all_built
    return state.ruleset.step2_trigger == "cities" and state.step == 1 and earned


def enter_step2(course: Course) -> None:
    """Step 2 begins: once, the lowest plant is boxed and replaced (R12.1, R12.2, B23)."""
    rules = course.state.ruleset
    at_once = rules.step2_trigger == "deck"
    if at_once:
        course.add(StepReached(2))
    if rules.step2_top_plants:
        course.add(PlantsOnTop(rules.step2_top_plants))
    for _n in range(rules.step2_boxes):
        box_lowest(course, "step-2")
        if rules.step2_replaces:
            draw_replacement(course)
    if not at_once:
        course.add(StepReached(2))


def enter_step2_if_due(course: Course) -> None:
    """Step 2 begins once its card has come (only where a card begins it)."""
    if course.state.step2_due:
        put_step3_card_back(course)
        enter_step2(course)


def enter_step3_if_due(course: Course, boundary: Boundary) -> None:
    """Step 3 begins once its card has been drawn, at the moment that the rules name (B29)."""
    rules = course.state.ruleset
    if not step3_due(course.state):
        return
    moments: dict[str, tuple[Boundary, ...]] = {
        "next_phase": ("phase", "bureaucracy", "round"),
        "phase5": ("bureaucracy", "round"),
        "next_round": ("round",),
    }
    if boundary in moments[rules.step3_start]:
        box_step3_card(course)
        course.add(StepReached(3))
        if rules.step3_reshuffle == "on_step3_start":
            shuffle(course)


def step3_due(state: GameState) -> bool:
    """Has the Step 3 card been drawn while the game is not in Step 3 yet?"""
    return state.step3_drawn and state.step < 3


def box_step3_card_after_phase(course: Course) -> None:
    """At the end of a phase the card leaves the market, unless it stays until Step 3 (B29)."""
    if course.state.ruleset.step3_start != "next_round":
        box_step3_card(course)


def step_of_next_round(state: GameState) -> int:
    """Return the Step of the coming round as far as it is known now (B24 `upcoming`)."""
    if state.step2_due:
        return 2
    if state.step3_drawn:
        return 3
    return 2 if step2_earned(state) else state.step
