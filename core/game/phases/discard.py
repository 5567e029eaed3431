"""Giving up a plant over the limit, and the fuel that goes with it (R7.11, R7.12)."""

from core.game.board.storage import ways_to_keep
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import PlantDiscarded
from core.game.moves import DiscardPlant, Move
from core.game.offers import DiscardChoice, DiscardOffer
from core.game.state import GameState
from core.game.types import Fuel, PlantNumber, Seat
from core.lists import either, series
from core.text import _


def options(state: GameState, seat: Seat) -> DiscardOffer:
    """Return the plants that may go, and the fuel that may stay with each choice."""
    return DiscardOffer(
        tuple(DiscardChoice(n, _ways(state, seat, n)) for n in _may_go(state, seat))
    )


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Give up the plant; fuel beyond the storage of the others goes to the supply."""
    if not isinstance(move, DiscardPlant):
        raise IllegalMove(
            "must-discard", _("You have a plant too many: say which one goes, e.g. discard 4")
        )
    state, plant = course.state, move.plant
    plants = _may_go(state, seat)
    demand(
        plant in plants,
        "plant-not-discardable",
        _("Plant {plant} cannot go; choose from {plants}.").format(
            plant=plant, plants=series(plants)
        ),
    )
    kept = _kept(_ways(state, seat, plant), move)
    course.add(PlantDiscarded(seat, plant, state.players[seat].fuel - kept))


def _may_go(state: GameState, seat: Seat) -> tuple[PlantNumber, ...]:
    """Any plant, or only those owned before (B12); the newest is the last one bought.

    Mines do not count, so the newest is none.
    """
    plants = tuple(plant.number for plant in state.plants_of(seat))
    return plants if state.ruleset.discard_choice == "any" else plants[:-1]


def _ways(state: GameState, seat: Seat, plant: PlantNumber) -> tuple[Fuel, ...]:
    """Every way to keep as much fuel as the other plants hold."""
    others = (p for p in state.plants_of(seat) if p.number != plant)
    return ways_to_keep(others, state.players[seat].fuel)


def _kept(ways: tuple[Fuel, ...], move: DiscardPlant) -> Fuel:
    if move.keep is None:
        demand(
            len(ways) == 1,
            "fuel-choice",
            _("Not all your fuel fits; say what you keep: {ways}.").format(
                ways=either(_("{coal} coal {oil} oil").format(coal=w.coal, oil=w.oil) for w in ways)
            ),
        )
        return ways[0]
    named = Fuel(move.keep.coal, move.keep.oil)
    for way in ways:
        if move.keep == way or (Fuel(way.coal, way.oil) == named == move.keep):
            return way
    raise IllegalMove(
        "fuel-choice",
        _("You cannot keep that; you can keep {ways}.").format(
            ways=either(_("{coal} coal {oil} oil").format(coal=w.coal, oil=w.oil) for w in ways)
        ),
    )
