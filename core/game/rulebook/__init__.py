"""The rules of a table in our own words, every sentence chosen or filled by its ruleset.

A rulebook has no HTML and knows no reader: pages lay it out, mails can quote it. Since it is made
from the ruleset that the engine plays by, it cannot say anything else than what is played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from core.game.rulebook import chapters, special
from core.game.rulebook.model import Chapter, Grid, Rule, Told
from core.game.rules.knobs import Ruleset

__all__ = ["RULE_OF", "Chapter", "Grid", "Rule", "rule_behind", "rulebook", "special_rules"]

RULE_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "auction-open": "R7.5",
        "bid-too-high": "R7.5",
        "bid-too-low": "R7.5",
        "city-full": "R9.4",
        "city-not-in-play": "R3.1",
        "city-too-expensive": "R9.3",
        "first-city-taken": "R9.2",
        "fuel-choice": "R7.12",
        "fuel-too-expensive": "R8.1",
        "game-over": "R14.1",
        "must-buy": "R7.8",
        "must-discard": "R7.11",
        "must-power": "R10.1",
        "negative": "R8.3",
        "no-auction": "R7.3",
        "no-discard": "R7.11",
        "no-houses": "R9.9",
        "no-path": "R9.5",
        "no-storage": "R8.2",
        "not-enough-fuel": "R5.2",
        "not-on-plant": "R8.2",
        "not-your-plant": "R10.1",
        "not-your-turn": "R7.1",
        "own-city": "R9.4",
        "plant-not-discardable": "R7.11",
        "plant-not-on-market": "R6.1",
        "plant-twice": "R5.2",
        "region-not-connected": "R3.1",
        "sold-out": "R8.3",
        "uranium-region": "R7.3",
        "wrong-fuel": "R5.2",
        "wrong-moment": "R7.1",
    }
)
"""A rule that every rulebook has, for every code that the engine refuses a move with."""


_CHAPTERS = (
    chapters.numbers,
    chapters.start,
    chapters.plants,
    chapters.market,
    chapters.order,
    chapters.auctions,
    chapters.buying,
    chapters.building,
    chapters.outgrown,
    chapters.bureaucracy,
    chapters.steps,
    chapters.end,
)


def rulebook(rules: Ruleset, players: int | None = None) -> tuple[Chapter, ...]:
    """The rules, with the numbers for so many players, or for 2 to 6 where that is open."""
    told = Told(rules, players)
    more: dict[str, list[str]] = {}
    for number, says in special.special(told):
        more.setdefault(number, []).append(says)
    return tuple(_joined(chapter(told), more) for chapter in _CHAPTERS)


def _joined(chapter: Chapter, more: Mapping[str, Sequence[str]]) -> Chapter:
    """A chapter with the sentences that the rules of some maps add."""
    rules = (replace(r, sentences=(*r.sentences, *more.get(r.number, ()))) for r in chapter.rules)
    return replace(chapter, rules=tuple(rules))


def special_rules(rules: Ruleset, players: int | None = None) -> tuple[str, ...]:
    """Return what these rules have beside the printed ones, a sentence each."""
    return tuple(says for _number, says in special.special(Told(rules, players)))


def rule_behind(code: str, rules: Ruleset, players: int) -> Rule | None:
    """The rule that forbids what was refused with this code; None for what no rule forbids."""
    told = (rule for chapter in rulebook(rules, players) for rule in chapter.rules)
    return next((rule for rule in told if rule.number == RULE_OF.get(code)), None)
