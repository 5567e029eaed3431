"""The plant market as cards on the table: taking one away, laying one down (R6, B14)."""

from typing import Literal

from core.game.board.actual_row import actual_row
from core.game.chance import SIDE_PILE, STEP_2, STEP_2_CARD, STEP_3
from core.game.course import Course
from core.game.events import (
    BoxedBecause,
    PlantBoxed,
    PlantDrawn,
    PlantMarket,
    PlantPutUnder,
    StackShuffled,
    StackUsedUp,
    Step3CardBack,
    Step3CardBoxed,
    TokenRemoved,
)
from core.game.rules.knobs import Bans, Ruleset
from core.game.state import GameState
from core.game.types import STEP_3_CARD, Phase, PlantNumber

Row = Literal["market", "actual"]


def sorted_market(
    rules: Ruleset, cards: tuple[PlantNumber, ...], *, one_row: bool = False
) -> PlantMarket:
    """Return all cards in order: the lowest four or so can be bought, in one row all can."""
    ordered = tuple(sorted(cards))
    if one_row:
        return PlantMarket(ordered, ())
    row = actual_row(rules, ordered)
    return PlantMarket(ordered[:row], ordered[row:])


def one_row_at_start(rules: Ruleset) -> bool:
    """Return True where all plants on show can be bought from the beginning."""
    return rules.market_lifecycle == "supply_after_building"


def without(state: GameState, card: PlantNumber) -> PlantMarket:
    """Return the market once a card is gone.

    Where new cards go to the future row first, the gap stays for the next card to be filled,
    as long as there is one in the stack (B14).
    """
    market = state.market
    if state.ruleset.market_insert == "full_sort" or state.one_row:
        cards = tuple(c for c in market.cards if c != card)
        return sorted_market(state.ruleset, cards, one_row=state.one_row)
    actual = tuple(c for c in market.actual if c != card)
    future = tuple(c for c in market.future if c != card)
    return PlantMarket(actual, future) if state.stack else _gap_filled(state, actual, future)


def with_card(state: GameState, card: PlantNumber) -> PlantMarket:
    """Return the market once a card has been drawn to it (R6.2d)."""
    market = state.market
    if state.ruleset.market_insert == "full_sort" or state.one_row:
        return sorted_market(state.ruleset, (*market.cards, card), one_row=state.one_row)
    return _gap_filled(state, market.actual, tuple(sorted((*market.future, card))))


def without_step3_card(state: GameState) -> PlantMarket:
    """One row of all plants, once the Step 3 card is boxed (R13)."""
    cards = tuple(c for c in state.market.cards if c != STEP_3_CARD)
    return sorted_market(state.ruleset, cards, one_row=True)


def plant_to_rotate(state: GameState) -> PlantNumber | None:
    """Return the plant that goes under the stack (R10.5, B25), None if there is none.

    It is the highest of the future market. Where wind plants stay, it is the highest plant that
    burns something or is the last of the deck, of the future market or else of the actual one.
    The Step 3 card is no plant and stays.
    """
    future = [c for c in state.market.future if c != STEP_3_CARD]
    if state.ruleset.rotation != "largest_but_wind":
        return max(future, default=None)

    def may_go(card: PlantNumber) -> bool:
        return card != STEP_3_CARD and not state.ruleset.ecological(card)

    return max(filter(may_go, future), default=None) or max(
        filter(may_go, state.market.actual), default=None
    )


def _gap_filled(
    state: GameState, actual: tuple[PlantNumber, ...], future: tuple[PlantNumber, ...]
) -> PlantMarket:
    row = actual_row(state.ruleset, tuple(sorted(actual + future)))
    while len(actual) < row and future and future[0] != STEP_3_CARD:
        actual, future = (*actual, future[0]), future[1:]
    return PlantMarket(tuple(sorted(actual)), future)


def draw_replacement(course: Course) -> None:
    """Take cards from the stack until one stays on the market (R6.2).

    Where new plants queue in the future row (B14), the draw may bring an outgrown one up from
    there, so the actual row is looked at after every draw (R11.1).
    """
    _draw(course)
    remove_banned(course)
    if course.state.ruleset.obsolete_timing == "always":
        remove_outgrown(course)


def turn_pile_over(course: Course) -> None:
    """Where the rules have a second stack, begin it, or the last row, once there is no card."""
    state = course.state
    if state.stack or state.one_row or state.ruleset.market_lifecycle != "two_decks":
        return
    stack = course.chance.shuffled(state.local.side_pile, SIDE_PILE)
    market = sorted_market(state.ruleset, state.market.cards, one_row=not stack)
    course.add(StackUsedUp(stack, market))


def _draw(course: Course) -> None:
    turn_pile_over(course)
    while course.state.stack:
        state, card = course.state, course.state.stack[0]
        if card == STEP_3_CARD:
            _draw_step3_card(course)
            return
        if _rule_active(state) and _outgrown(state, card):
            course.add(PlantBoxed(card, "too-small", state.market, from_stack=True))
        elif state.token is not None and card < state.token:
            course.add(
                PlantBoxed(card, "below-token", state.market, from_stack=True), TokenRemoved()
            )
        else:
            course.add(PlantDrawn(card, with_card(state, card)))
            return


def remove_banned(course: Course) -> None:
    """Take kinds that wait for Step 2 out of the actual market, lowest first, and replace them.

    Some leave the game, the others go under the stack, each at most once.
    """
    bans, gone = course.state.ruleset.step1_bans, set[PlantNumber]()
    if bans is None:
        return
    while (plant := _lowest_banned(course.state, bans)) is not None and plant not in gone:
        gone.add(plant)
        if plant in bans.boxed:
            box(course, plant, "banned")
        else:
            course.add(PlantPutUnder(plant, without(course.state, plant)))
        _draw(course)


def _lowest_banned(state: GameState, bans: Bans) -> PlantNumber | None:
    if state.step > 1 or state.one_row:
        return None
    plants = (n for n in state.market.actual if n != STEP_3_CARD)
    kinds = set(bans.kinds)
    return min((n for n in plants if kinds & {*state.ruleset.plant[n].fuels}), default=None)


def box(course: Course, plant: PlantNumber, because: BoxedBecause) -> None:
    """Remove a plant of the market from the game."""
    course.add(PlantBoxed(plant, because, without(course.state, plant)))


def box_lowest(course: Course, because: BoxedBecause, row: Row = "market") -> None:
    """Remove the lowest plant of the market, or of its actual row, if there is one."""
    market = course.state.market
    cards = market.actual if row == "actual" else market.cards
    plant = min((c for c in cards if c != STEP_3_CARD), default=None)
    if plant is not None:
        box(course, plant, because)


def box_step3_card(course: Course) -> None:
    """Remove the Step 3 card from the market, and the lowest plant with it (R13.2)."""
    if course.state.card_in_market:
        course.add(Step3CardBoxed(without_step3_card(course.state)))
        box_lowest(course, "step-3")


def put_step3_card_back(course: Course) -> None:
    """Shuffle the stack, lay the Step 3 card under it and draw a card in its place."""
    state = course.state
    stack = (*course.chance.shuffled(state.stack, STEP_2), STEP_3_CARD)
    cards = tuple(c for c in state.market.cards if c != STEP_3_CARD)
    course.add(Step3CardBack(stack, sorted_market(state.ruleset, cards)))
    draw_replacement(course)


def shuffle(course: Course, purpose: str = STEP_3) -> None:
    """Shuffle the stack; with fewer than two cards there is nothing to shuffle."""
    stack = course.state.stack
    if len(stack) > 1:
        course.add(StackShuffled(course.chance.shuffled(stack, purpose)))


def _draw_step3_card(course: Course) -> None:
    """R13.2 to R13.4: in phase 2 it stays as the highest card, later it goes at once."""
    state, rules = course.state, course.state.ruleset
    for_step2 = rules.step2_trigger == "deck" and state.step == 1
    stays = (
        for_step2
        or state.phase is Phase.AUCTION
        or rules.step3_start == "next_round"
        or (state.phase is Phase.BUILDING and rules.step3_cleanup_p4 == "end_of_phase")
    )
    if stays:
        course.add(PlantDrawn(STEP_3_CARD, with_card(state, STEP_3_CARD)))
    else:
        course.add(Step3CardBoxed(without_step3_card(state), from_stack=True))
        box_lowest(course, "step-3")
    if for_step2:
        if state.phase is Phase.AUCTION:  # else it is shuffled at once, when the card goes back
            shuffle(course, STEP_2_CARD)
    elif rules.step3_reshuffle == "on_draw":
        shuffle(course)


def remove_outgrown(course: Course) -> None:
    """Box plants that a network has outgrown and replace them, lowest first (R11.1)."""
    while (plant := _lowest_outgrown(course.state)) is not None:
        box(course, plant, "obsolete")
        draw_replacement(course)


def _lowest_outgrown(state: GameState) -> PlantNumber | None:
    every_row = state.ruleset.obsolete_rows == "all"
    cards = state.market.cards if every_row else state.market.actual
    return min((c for c in cards if _outgrown(state, c)), default=None)


def _outgrown(state: GameState, plant: PlantNumber) -> bool:
    """Is the number at most (or below) the count that matters (B18, B20)?"""
    rules = state.ruleset
    counts = [len(p.cities) for p in state.players]
    count = max(counts) if rules.obsolete_scope == "leader" else min(counts)
    return plant < count if rules.obsolete_compare == "lt" else plant <= count


def _rule_active(state: GameState) -> bool:
    """Return True if the rule of outgrown plants works in this phase (B19)."""
    when = {
        "always": True,
        "draws_only": True,
        "phase4": state.phase is Phase.BUILDING,
        "phase5_once": state.phase is Phase.BUREAUCRACY,
        "off": False,
    }
    return when[state.ruleset.obsolete_timing]
