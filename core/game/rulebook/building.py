"""The rulebook's building, and the plants that networks outgrow (R9, R11)."""

from core.game.rulebook.model import Chapter, Rule, Told, rule
from core.text import _


def building(told: Told) -> Chapter:
    """Phase 4."""
    rules = told.rules
    first, second, third = rules.house_costs
    begin = {
        True: _("One begins in any city in play that is still empty; there is no connection cost."),
        False: _("One begins in any city in play with a free place; there is no connection cost."),
    }[rules.first_city_must_be_empty]
    through = {
        True: _("A way may lead through any city, empty, full or foreign, for its connections."),
        False: _("A way may lead only through cities in which somebody has a house."),
    }[rules.pass_through_empty]
    return Chapter(
        _("Building (phase 4)"),
        (
            rule(
                "R9.1",
                _("The last in turn order begins. Each builds as much as he likes and can pay."),
            ),
            rule("R9.2", begin, _("Nobody has to build.")),
            rule(
                "R9.3",
                _("A city costs its house and the cheapest way from one's own network."),
                _(
                    "The first house in a city costs {first} Elektro, the second {second}, the "
                    "third {third}."
                ).format(first=first, second=second, third=third),
            ),
            rule(
                "R9.4",
                _("In Step 1 a city has one house, in Step 2 two, in Step 3 three."),
                _("A player builds once in a city."),
            ),
            rule("R9.5", through, _("Connections are paid again each time.")),
            rule(
                "R9.9",
                _("A player has houses for {n} cities.").format(n=rules.houses_per_player),
            ),
        ),
    )


def outgrown(told: Told) -> Chapter:
    """Plants that have become too small."""
    return Chapter(_("Plants that have become too small"), (_outgrown(told),))


def _outgrown(told: Told) -> Rule:
    rules = told.rules
    if rules.obsolete_timing == "off":
        return rule("R11.1", _("No plant becomes too small."))
    cities = {
        "leader": _("the cities of the player who has most"),
        "every_player": _("the cities of the player who has fewest"),
    }[rules.obsolete_scope]
    small = {
        "lte": _("A plant is too small when its number is not above {cities}."),
        "lt": _("A plant is too small when its number is below {cities}."),
    }[rules.obsolete_compare]
    rows = {
        "actual": _("The rule looks at the actual market."),
        "all": _("The rule looks at both rows of the market."),
    }[rules.obsolete_rows]
    when = {
        "always": _("It leaves the game at once, after any house and any card drawn."),
        "phase4": _("It leaves the game at once, but only while houses are built."),
        "phase5_once": _("It leaves the game in the bureaucracy of Steps 1 and 2."),
    }[rules.obsolete_timing]
    return rule(
        "R11.1",
        small.format(cities=cities),
        when,
        rows,
        _("It is replaced. Plants that somebody owns stay."),
    )
