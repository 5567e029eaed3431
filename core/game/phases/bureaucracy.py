"""Phase 5: running plants, income, new fuel, the plant market (R10)."""

from itertools import combinations

from core.game.board.fuel_market import cheap_slots, cheaper_of_coal_and_oil, refills
from core.game.board.lifecycle import renew_plants
from core.game.board.storage import Stock, burned_by, mixes, stock
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import FuelRefilled, PlantsRun
from core.game.moves import Move, PowerAll, PowerPlants, Run
from core.game.narrate import wording
from core.game.offers import PowerChoice, PowerOffer
from core.game.phases import mines
from core.game.phases.player_order import begin_round
from core.game.phases.steps import enter_step2_if_due, step_of_next_round
from core.game.rules.knobs import Plant
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Resource, Seat
from core.lists import either, series
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
    mines.sell(course)
    mines.remove(course)
    if course.state.ruleset.phase5_order == "pay_fuel_plants":
        _refill(course)
        renew_plants(course)
    else:
        renew_plants(course)
        _refill(course)
    enter_step2_if_due(course)
    begin_round(course)


def power_choices(state: GameState, seat: Seat) -> tuple[PowerChoice, ...]:
    """Every set of plants that can run together: most cities first, then the least of it (R14.2).

    The least is the least fuel or the fewest plants, as the rules say.
    """
    plants = state.plants_of(seat)
    sets = (c for size in range(len(plants) + 1) for c in combinations(plants, size))
    fuel, cheaper = _stock(state, seat), cheaper_of_coal_and_oil(state)
    burning = ((some, burned_by(some, fuel, cheaper)) for some in sets)
    choices = [_paid(state, seat, some, burned) for some, burned in burning if burned is not None]
    fewest = state.ruleset.power_default == "fewest_plants"

    def rank(choice: PowerChoice) -> tuple[int, ...]:
        plants, fuel = len(choice.plants), choice.burned.total
        return (-choice.powered, plants, fuel) if fewest else (-choice.powered, fuel, plants)

    return tuple(sorted(choices, key=rank))


def _stock(state: GameState, seat: Seat) -> Stock:
    return stock(state.ruleset, state.plants_of(seat), state.players[seat].fuel)


def _enough(state: GameState, powered: int, choices: tuple[PowerChoice, ...]) -> bool:
    """May a seat that has these choices power so few cities (B36)?"""
    return state.ruleset.may_underpower or powered == choices[0].powered


def _paid(state: GameState, seat: Seat, plants: tuple[Plant, ...], burned: Fuel) -> PowerChoice:
    """R10.2: paid for cities powered, at most one's own."""
    powered = min(len(state.players[seat].cities), sum(p.cities for p in plants))
    rules, payment = state.ruleset, state.ruleset.payment
    income = Elektro(payment[min(powered, len(payment) - 1)])
    if state.outage and rules.outage:
        income = Elektro(max(0, income - rules.outage.tax * len(state.players[seat].cities)))
    return PowerChoice(tuple(p.number for p in plants), burned, powered, income)


def _choice(state: GameState, seat: Seat, runs: tuple[Run, ...]) -> PowerChoice:
    """Return the plants as named, with the mixes as named; the rest burns the cheaper fuel."""
    plants = _named_plants(state, seat, runs)
    held, mixed = state.players[seat].fuel, Fuel()
    for run, plant in zip(runs, plants, strict=True):
        if run.burn is not None:
            _check_mix(plant, run.burn)
            mixed += run.burn if plant.hybrid else Fuel()
    rest = tuple(p for r, p in zip(runs, plants, strict=True) if r.burn is None or not p.hybrid)
    cheaper: Resource = cheaper_of_coal_and_oil(state)
    others = burned_by(rest, _stock(state, seat), cheaper, mixed)
    if others is None:
        demand(burned_by(rest, Stock(held), cheaper, mixed) is None, "not-on-plant", _(
            "A plant burns only what lies on it: your fuel cannot lie so that each of these has "
            "its own."
        ))  # fmt: skip
        raise IllegalMove("not-enough-fuel", _not_enough(held))
    return _paid(state, seat, plants, mixed + others)


def _named_plants(state: GameState, seat: Seat, runs: tuple[Run, ...]) -> tuple[Plant, ...]:
    numbers = [run.plant for run in runs]
    owned = state.players[seat].plants
    for number in numbers:
        demand(
            number in owned,
            "not-your-plant",
            _("Plant {plant} is not yours; you have {plants}.").format(
                plant=number, plants=series(owned) or _("none")
            ),
        )
    demand(len(set(numbers)) == len(numbers), "plant-twice", _("A plant runs only once a round."))
    named = tuple(state.ruleset.plant[n] for n in numbers)
    for plant in named:
        demand(
            not plant.mine,
            "mine",
            _("Plant {plant} is a mine: it sells by itself, and never runs.").format(
                plant=plant.number
            ),
        )
    return named


def _check_mix(plant: Plant, burn: Fuel) -> None:
    demand(
        burn in mixes(plant, burn),
        "wrong-fuel",
        _("Plant {plant} does not burn that: it takes {count} tokens of {fuels}.").format(
            plant=plant.number,
            count=plant.burns,
            fuels=either(_(f.value) for f in plant.fuels) or _("nothing"),
        ),
    )


def _not_enough(held: Fuel) -> str:
    have = wording.fuel(held) if held else _("none")
    return _("That takes more fuel than you have ({have}).").format(have=have)


def _refill(course: Course) -> None:
    """R10.4; with `upcoming` the row of the Step that the next round will have (B24)."""
    state = course.state
    upcoming = state.ruleset.refill_row == "upcoming"
    step = step_of_next_round(state) if upcoming else state.step
    main, *others = refills(state, step)
    course.add(FuelRefilled(main, tuple(others), cheap_slots(state, step)))
