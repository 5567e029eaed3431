"""Lines for bureaucracy: the best choice first, then every other that saves something."""

from itertools import product

from core.game.board.storage import mixes, stock
from core.game.moves import Move, PowerAll, PowerPlants, Run
from core.game.narrate import wording
from core.game.observe import PlayerView
from core.game.offers import PowerChoice, PowerOffer
from core.game.types import Fuel
from core.questions.command import Command, command, viewer
from core.text import _


def power_lines(view: PlayerView, offer: PowerOffer) -> tuple[Command, ...]:
    """Every choice that no other beats in cities and fuel; the best also with other mixes."""
    best = offer.choices[0]
    lines = [command(view, PowerAll(), _note(best))]
    lines += [command(view, move, _note(choice)) for move, choice in _other_mixes(view, best)]
    for choice in offer.choices[1:]:
        allowed = view.ruleset.may_underpower or choice.powered == best.powered
        if allowed and not any(_beats(other, choice) for other in offer.choices):
            move = PowerPlants(tuple(Run(plant) for plant in choice.plants))
            lines.append(command(view, move, _note(choice)))
    return tuple(lines)


def _beats(a: PowerChoice, b: PowerChoice) -> bool:
    """Does `a` power as many cities with no more of any fuel, and better somewhere?"""
    if a.powered < b.powered or not b.burned.covers(a.burned):
        return False
    same = (a.powered, a.burned) == (b.powered, b.burned)
    return not same or (len(a.plants), a.plants) < (len(b.plants), b.plants)


def _other_mixes(view: PlayerView, best: PowerChoice) -> list[tuple[Move, PowerChoice]]:
    """The same plants with every other mix that the hybrids among them can burn."""
    plants = [view.ruleset.plant[number] for number in best.plants]
    hybrids = [plant for plant in plants if plant.hybrid]
    if not hybrids:
        return []
    me = viewer(view)
    fuel = stock(view.ruleset, view.plants_of(me.seat), me.fuel)
    pure = sum((Fuel.of(p.fuels[0], p.burns) for p in plants if len(p.fuels) == 1), Fuel())
    found: dict[Fuel, Move] = {}
    for burns in product(*(mixes(plant, me.fuel) for plant in hybrids)):
        mixed = sum(burns, Fuel())
        burned = pure + mixed
        chosen = dict(zip((plant.number for plant in hybrids), burns, strict=True))
        if fuel.allows(pure, mixed) and burned != best.burned and burned not in found:
            found[burned] = PowerPlants(tuple(Run(n, chosen.get(n)) for n in best.plants))
    return [
        (move, PowerChoice(best.plants, burned, best.powered, best.income))
        for burned, move in found.items()
    ]


def _note(choice: PowerChoice) -> str:
    return _("{cities}: {income} Elektro; burns {fuel}").format(
        cities=wording.cities(choice.powered),
        income=choice.income,
        fuel=wording.fuel(choice.burned),
    )
