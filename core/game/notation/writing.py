"""A move as one line of text."""

from typing import assert_never

from core.game.moves import (
    Bid,
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerAll,
    PowerPlants,
    Run,
)
from core.game.rules.model import Ruleset
from core.game.types import Fuel


def text(move: Move, ruleset: Ruleset) -> str:
    """Write a move so that `parse` reads it back."""
    match move:
        case ChooseRegion(region):
            return f"region {ruleset.region[region].name}"
        case BuyResources(amounts):
            return f"buy {fuel_text(amounts)}"
        case BuildCities(cities):
            names = ", ".join(ruleset.city[city].name for city in cities)
            return f"build {names or 'nothing'}"
        case PowerPlants(runs):
            return f"power {_runs(runs)}"
        case PowerAll():
            return "power all"
        case _:
            return _auction(move)


def fuel_text(fuel: Fuel) -> str:
    """Tokens in words: ``3 coal 1 oil``, or ``nothing``."""
    return " ".join(f"{n} {name}" for name, n in fuel.items()) or "nothing"


def _auction(move: OpenAuction | Bid | Pass | DiscardPlant) -> str:
    match move:
        case OpenAuction(plant, bid):
            return f"auction {plant} for {bid}"
        case Bid(amount):
            return f"bid {amount}"
        case Pass():
            return "pass"
        case DiscardPlant(plant, keep):
            return f"discard {plant}" + ("" if keep is None else f" keep {fuel_text(keep)}")
        case _:
            assert_never(move)


def _runs(runs: tuple[Run, ...]) -> str:
    if any(run.burn is not None for run in runs):
        return ", ".join(_run(run) for run in runs)
    return " ".join(_run(run) for run in runs) or "nothing"


def _run(run: Run) -> str:
    return f"{run.plant}" if run.burn is None else f"{run.plant} with {fuel_text(run.burn)}"
