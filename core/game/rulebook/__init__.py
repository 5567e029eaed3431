"""The rules of a table in our own words, every sentence chosen or filled by its ruleset.

A rulebook has no HTML and knows no reader: pages lay it out, mails can quote it. Since it is made
from the ruleset that the engine plays by, it cannot say anything else than what is played.
"""

from core.game.rulebook import building, ending, fuel, rounds, setup
from core.game.rulebook.model import Chapter, Grid, Rule, Told
from core.game.rulebook.refusals import RULE_OF
from core.game.rules.model import Ruleset

__all__ = ["RULE_OF", "Chapter", "Grid", "Rule", "rule_behind", "rulebook"]

_CHAPTERS = (
    setup.numbers, setup.start, setup.plants, fuel.market, rounds.order, rounds.auctions,
    fuel.buying, building.building, building.outgrown, ending.bureaucracy, ending.steps,
    ending.end,
)  # fmt: skip


def rulebook(rules: Ruleset, players: int | None = None) -> tuple[Chapter, ...]:
    """The rules, with the numbers for so many players, or for 2 to 6 where that is open."""
    told = Told(rules, players)
    return tuple(chapter(told) for chapter in _CHAPTERS)


def rule_behind(code: str, rules: Ruleset, players: int) -> Rule | None:
    """The rule that forbids what was refused with this code; None for what no rule forbids."""
    told = (rule for chapter in rulebook(rules, players) for rule in chapter.rules)
    return next((rule for rule in told if rule.number == RULE_OF.get(code)), None)
