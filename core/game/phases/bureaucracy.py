"""Phase 5: running plants, income, new fuel, the plant market (R10)."""

from itertools import combinations

from core.game.board.fuel_market import cheaper_of_coal_and_oil, refill
from core.game.board.plant_market import (
    box_lowest,
    draw_replacement,
    highest_to_come,
    remove_outgrown,
    without,
)
from core.game.board.storage import burned_by, mixes
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import FuelRefilled, PlantPutUnder, PlantsRun
from core.game.moves import Move, PowerAll, PowerPlants, Run
from core.game.offers import PowerChoice, PowerOffer
from core.game.phases.player_order import begin_round
from core.game.phases.steps import step_of_next_round
from core.game.rules.knobs import Plant
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Resource, Seat
from core.text import _


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Everybody at once: nothing depends on the order (R10.1)."""
    return state.waiting


def options(state: GameState, seat: Seat) -> PowerOffer:
    """Every set of plants that can run together, the best first (B36: only the best)."""
    choices = power_choices(state, seat)
    return PowerOffer(tuple(c for c in choices if _enough(state, c.powered, choices)))


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Run the plants, burn the fuel, pay the income."""
    state = course.state
    choices = power_choices(state, seat)
    match move:
        case PowerAll():
            choice = choices[0]
        case PowerPlants(runs):
            choice = _choice(state, seat, runs)
        case _:
            raise IllegalMove("wrong-moment", _("Now plants are run, e.g. power all"))
    demand(
        _enough(state, choice.powered, choices),
        "must-power",
        _("You must power as many cities as you can: {count}.").format(count=choices[0].powered),
    )
    course.add(PlantsRun(seat, choice.plants, choice.burned, choice.powered, choice.income))


def advance(course: Course) -> None:
    """Everybody is paid: fuel and plants are renewed, the next round begins (R10.4, R10.5)."""
    if course.state.ruleset.phase5_order == "pay_fuel_plants":
        _refill(course)
        _renew_plants(course)
    else:
        _renew_plants(course)
        _refill(course)
    begin_round(course)


def default_move(state: GameState, seat: Seat) -> Move:
    """Most cities with least fuel."""
    return PowerAll()


def power_choices(state: GameState, seat: Seat) -> tuple[PowerChoice, ...]:
    """Every set of plants that can run together: most cities first, then least fuel (R14.2)."""
    plants = state.plants_of(seat)
    sets = (c for size in range(len(plants) + 1) for c in combinations(plants, size))
    held, cheaper = state.players[seat].fuel, cheaper_of_coal_and_oil(state)
    burning = ((some, burned_by(some, held, cheaper)) for some in sets)
    choices = [_paid(state, seat, some, burned) for some, burned in burning if burned is not None]
    return tuple(sorted(choices, key=lambda c: (-c.powered, c.burned.total, len(c.plants))))


def _enough(state: GameState, powered: int, choices: tuple[PowerChoice, ...]) -> bool:
    """May a seat that has these choices power so few cities (B36)?"""
    return state.ruleset.may_underpower or powered == choices[0].powered


def _paid(state: GameState, seat: Seat, plants: tuple[Plant, ...], burned: Fuel) -> PowerChoice:
    """R10.2: paid for cities powered, at most one's own."""
    powered = min(len(state.players[seat].cities), sum(p.cities for p in plants))
    payment = state.ruleset.payment
    income = Elektro(payment[min(powered, len(payment) - 1)])
    return PowerChoice(tuple(p.number for p in plants), burned, powered, income)


def _choice(state: GameState, seat: Seat, runs: tuple[Run, ...]) -> PowerChoice:
    """The plants as named, with the mixes as named; the rest burns the cheaper fuel."""
    plants = _named_plants(state, seat, runs)
    held, burned = state.players[seat].fuel, Fuel()
    for run, plant in zip(runs, plants, strict=True):
        if run.burn is not None:
            _check_mix(plant, run.burn)
            burned += run.burn
    demand(held.covers(burned), "not-enough-fuel", _not_enough(held))
    rest = tuple(p for r, p in zip(runs, plants, strict=True) if r.burn is None)
    cheaper: Resource = cheaper_of_coal_and_oil(state)
    others = burned_by(rest, held - burned, cheaper)
    if others is None:
        raise IllegalMove("not-enough-fuel", _not_enough(held))
    return _paid(state, seat, plants, burned + others)


def _named_plants(state: GameState, seat: Seat, runs: tuple[Run, ...]) -> tuple[Plant, ...]:
    numbers = [run.plant for run in runs]
    owned = state.players[seat].plants
    for number in numbers:
        demand(
            number in owned,
            "not-your-plant",
            _("Plant {plant} is not yours; you have {plants}.").format(
                plant=number, plants=", ".join(map(str, owned)) or _("none")
            ),
        )
    demand(len(set(numbers)) == len(numbers), "plant-twice", _("A plant runs only once a round."))
    return tuple(state.ruleset.plant[n] for n in numbers)


def _check_mix(plant: Plant, burn: Fuel) -> None:
    demand(
        burn in mixes(plant, burn),
        "wrong-fuel",
        _("Plant {plant} does not burn that: it takes {count} tokens of {fuels}.").format(
            plant=plant.number,
            count=plant.burns,
            fuels=_(" or ").join(_(f.value) for f in plant.fuels) or _("nothing"),
        ),
    )


def _not_enough(held: Fuel) -> str:
    have = ", ".join(f"{n} {_(fuel.value)}" for fuel, n in held.items()) or _("none")
    return _("That takes more fuel than you have ({have}).").format(have=have)


def _refill(course: Course) -> None:
    """R10.4; with `upcoming` the row of the Step that the next round will have (B24)."""
    state = course.state
    upcoming = state.ruleset.refill_row == "upcoming"
    step = step_of_next_round(state) if upcoming else state.step
    course.add(FuelRefilled(refill(state, step)))


def _renew_plants(course: Course) -> None:
    """R10.5 and B25, B32."""
    rules = course.state.ruleset
    if course.state.step == 3:
        if rules.step3_rotation == "box_lowest" and course.state.market.cards:
            box_lowest(course, "rotation")
            draw_replacement(course)
        return
    before = len(course.events)
    if rules.obsolete_timing == "phase5_once":
        remove_outgrown(course)
    outgrown = len(course.events) > before
    if rules.rotation == "largest_under_stack" or not outgrown:
        _put_highest_under(course)


def _put_highest_under(course: Course) -> None:
    plant = highest_to_come(course.state)
    if plant is not None:
        course.add(PlantPutUnder(plant, without(course.state, plant)))
        draw_replacement(course)
