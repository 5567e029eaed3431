"""The rulebook's bureaucracy, Steps and end (R10, R12 to R15)."""

from core.game.rulebook.model import Chapter, Grid, Rule, Told, rule
from core.text import _


def bureaucracy(told: Told) -> Chapter:
    """Phase 5."""
    rules = told.rules
    less = {
        True: _("Plants may stay off, and fuel be kept."),
        False: _("One runs plants for as many cities as one can."),
    }[rules.may_underpower]
    grid = Grid(
        (_("cities powered"), *map(str, range(len(rules.payment)))),
        ((_("Elektro"), *map(str, rules.payment)),),
    )
    return Chapter(
        _("Bureaucracy (phase 5)"),
        (
            rule("R10.1", _("All at once say which of their plants run."), less),
            rule(
                "R10.2",
                _("One is paid for cities that are powered, at most one's own."),
                grid=grid,
            ),
            rule("R10.5", _rotation(told), _late_rotation(told)),
        ),
    )


def _rotation(told: Told) -> str:
    return {
        "largest_under_stack": _(
            "In Steps 1 and 2 the largest future plant goes under the stack and is replaced."
        ),
        "obsolete_else_largest": _(
            "In Steps 1 and 2 plants that have become too small leave; only if there is none, "
            "the largest future plant goes under the stack and is replaced."
        ),
    }[told.rules.rotation]


def _late_rotation(told: Told) -> str:
    return {
        "box_lowest": _("In Step 3 the smallest plant leaves the game and is replaced."),
        "none": _("In Step 3 the plant market stays as it is."),
    }[told.rules.step3_rotation]


def steps(told: Told) -> Chapter:
    """Step 2 and Step 3."""
    rules = told.rules
    begins = {
        "before_phase5": _(
            "Step 2 begins after the building phase in which somebody reaches {n} cities."
        ),
        "immediate": _("Step 2 begins with the house with which somebody reaches {n} cities."),
        "next_round": _("Step 2 begins with the round after somebody has reached {n} cities."),
    }[rules.step2_start]
    costs = {
        True: _("The smallest plant of the market then leaves the game and is replaced."),
        False: _("The market stays as it is."),
    }[rules.step2_boxes_lowest]
    third = {
        "next_phase": _("Step 3 begins with the phase after the one in which its card is drawn."),
        "phase5": _("Step 3 begins with the bureaucracy after its card is drawn."),
        "next_round": _("Step 3 begins with the round after its card is drawn."),
    }[rules.step3_start]
    return Chapter(
        _("Steps"),
        (
            rule(
                "R12.1",
                begins.format(n=told.of("step2_cities")),
                costs,
                _("If Step 3 has begun before, there is no Step 2."),
            ),
            rule("R13.1", third),
            rule("R13.2", _card_in_auctions(told), _shuffle(told)),
            rule("R13.3", *_card_later(told)),
        ),
    )


def _card_in_auctions(told: Told) -> str:
    if told.rules.step3_start == "next_round":
        return _("Until then it lies in the market as its highest card.")
    return _(
        "Drawn in the auctions, it lies in the market as its highest card until they are over."
    )


def _card_later(told: Told) -> tuple[str, str]:
    gone = _("When it leaves, the smallest plant leaves with it, and six plants are left.")
    if told.rules.step3_start == "next_round":
        return _("It leaves the market when Step 3 begins."), gone
    moment = {
        "immediate": _("Drawn later, it leaves the market at once."),
        "end_of_phase": _(
            "Drawn while houses are built, it leaves the market when all have built; drawn in "
            "the bureaucracy, at once."
        ),
    }[told.rules.step3_cleanup_p4]
    return moment, gone


def _shuffle(told: Told) -> str:
    return {
        "on_draw": _("The stack is shuffled when the card is drawn."),
        "on_step3_start": _("The stack is shuffled when Step 3 begins."),
        "none": _("The stack is not shuffled again."),
    }[told.rules.step3_reshuffle]


def end(told: Told) -> Chapter:
    """Who wins, and what is hidden until then."""
    over = {
        "after_phase4": _(
            "The game ends with the building phase in which somebody reaches {n} cities; all "
            "still build in it."
        ),
        "immediate": _("The game ends with the very house with which somebody reaches {n} cities."),
    }[told.rules.end_timing]
    money = {
        True: _("Money is hidden: everybody sees only his own, until the game is over."),
        False: _("Everybody sees everybody's money."),
    }[told.rules.hidden_money]
    return Chapter(
        _("The end"),
        (
            rule(
                "R14.1",
                over.format(n=told.of("end_cities")),
                _("Nothing is paid any more."),
            ),
            _winner(told),
            rule(
                "R15.1",
                money,
                _("Plants, fuel and cities are open; the stack is not."),
            ),
        ),
    )


def _winner(told: Told) -> Rule:
    words = {"money": _("to most money"), "cities": _("to most cities")}
    ties = [words[measure] for measure in told.rules.tie_breaks if measure in words]
    broken = _("A tie goes {measures}.").format(measures=_(", then ").join(ties))
    return rule(
        "R14.2",
        _("Who can power most cities with the fuel he has wins."),
        broken if ties else "",
        _("Who is still equal shares the place."),
    )
