"""Where the rules of a log come from: in what they differ from the map and preset they name."""

from dataclasses import fields

from core.game.errors import RulesError
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load


def differing(rules: Ruleset) -> tuple[str, ...] | None:
    """Return the keys in which rules differ from those of their map and preset as they are here.

    None where there is no such map or preset here. What differs was chosen by a host, or is of
    another version of the map or preset, or somebody has changed it: a log cannot tell which.
    """
    try:
        known = load(rules.map.key, rules.variant)
    except RulesError:
        return None
    return tuple(
        one.name for one in fields(Ruleset) if getattr(rules, one.name) != getattr(known, one.name)
    )
