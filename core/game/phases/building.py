"""Phase 4: building houses, in reverse turn order (R9), and what the houses set off (R11, R12)."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from core.game.board.far import far_routes
from core.game.board.jump import jumps, may_begin, only_jumps
from core.game.board.lifecycle import supply_plants
from core.game.board.plant_market import remove_outgrown
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import BuildingEnded, CityConnected, PhaseBegan
from core.game.moves import BuildCities, Move
from core.game.offers import BuildOffer, BuildTarget
from core.game.phases.ending import end_game, end_reached
from core.game.phases.steps import (
    box_step3_card_after_phase,
    enter_step2,
    enter_step2_if_due,
    enter_step3_if_due,
    step2_earned,
)
from core.game.rules.knobs import NOTHING, Ruleset
from core.game.rules.network import Route, Routes, routes_from, routes_through
from core.game.state import GameState, Local
from core.game.types import CityId, Phase, RegionId, Seat
from core.lists import series
from core.text import _


class Network(Protocol):
    """A seat as far as building looks at it."""

    @property
    def cities(self) -> tuple[CityId, ...]:
        """Its cities."""


class Board(Protocol):
    """What the cost of building hangs on: a whole position has it, and what one seat sees."""

    @property
    def ruleset(self) -> Ruleset:
        """Map and house costs."""

    @property
    def players(self) -> Sequence[Network]:
        """Every seat's cities."""

    @property
    def regions(self) -> tuple[RegionId, ...]:
        """Regions in play."""

    @property
    def step(self) -> int:
        """Houses that a city holds."""

    @property
    def round(self) -> int:
        """The round, counted from 1."""

    @property
    def local(self) -> Local:
        """Cities in which nobody builds, and who has jumped."""


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Return the seat whose turn it is to build."""
    return state.waiting[:1]


def options(state: GameState, seat: Seat) -> BuildOffer:
    """Every city that can be built next, cheapest first."""
    purse = state.players[seat].elektro
    within = (t for t in targets(state, seat) if t.total <= purse)
    return BuildOffer(tuple(sorted(within, key=lambda t: (t.total, t.city, t.jump))), purse)


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Build the cities in this order; where one is not possible, none is built."""
    if not isinstance(move, BuildCities):
        raise IllegalMove("wrong-moment", _("Now houses are built, e.g. build nothing"))
    for city in move.cities:
        demand(
            not _over(course.state),
            "game-over",
            _("The game ends with the city before {city}; leave it out.").format(
                city=_name(course.state, city)
            ),
        )
        _build(course, seat, city, city in move.jumps)
    if not _over(course.state):
        course.add(BuildingEnded(seat))


def advance(course: Course) -> None:
    """End phase 4: the game's end, Step 2, the Step 3 card, then bureaucracy."""
    if end_reached(course.state) or nobody_builds_again(course.state):
        end_game(course)
        return
    rules = course.state.ruleset
    if rules.step2_start == "before_phase5" and step2_earned(course.state):
        enter_step2(course)
    supply_plants(course)
    box_step3_card_after_phase(course)
    enter_step3_if_due(course, "bureaucracy")
    course.add(PhaseBegan(Phase.BUREAUCRACY, course.state.order))


def nobody_builds_again(state: GameState) -> bool:
    """Return True if no way leads to a free place any more, for whatever money.

    The printed rules do not know it: on islands that open only while they are empty, networks can
    lock each other out, and no round would ever be the last.
    """
    return state.step == 3 and not any(targets(state, seat) for seat in state.seats)


def _over(state: GameState) -> bool:
    """Has the last house ended the game at once (B27 `immediate`)?"""
    return state.phase is Phase.FINISHED


def _build(course: Course, seat: Seat, city: CityId, jump: bool) -> None:
    state = course.state
    _check_place(state, seat, city)
    jump = jump or only_jumps(state, state.players[seat].cities)
    target = next((t for t in targets(state, seat) if (t.city, t.jump) == (city, jump)), None)
    if target is None:
        raise _out_of_reach(state, seat, city, jump)
    purse = state.players[seat].elektro
    demand(
        target.total <= purse,
        "city-too-expensive",
        _(
            "{city} costs {price} Elektro (house {house}, connection {way}); {purse} are left."
        ).format(
            city=_name(state, city),
            price=target.total,
            house=target.house_cost,
            way=target.connection_cost,
            purse=purse,
        ),
    )
    house, way = target.house_cost, target.connection_cost
    course.add(CityConnected(seat, city, house, way, target.path, jump))
    _after_house(course)


def _out_of_reach(state: GameState, seat: Seat, city: CityId, jump: bool) -> IllegalMove:
    """Return why a city with a free place cannot be reached so."""
    own, name = state.players[seat].cities, _name(state, city)
    if not jump:
        return IllegalMove("no-path", _("No way leads to {city}.").format(city=name))
    if seat in state.local.jumped:
        text = _("You have had your free jump; {city} can be reached by its way alone.")
        if only_jumps(state, own):
            text = _("In round 1 a network has two cities at most; {city} is for a later round.")
    elif not own:
        text = _("Your first city needs no way: leave out “by jump”.")
    else:
        text = _("The free jump does not lead to {city}, only to {cities}.")
        if only_jumps(state, own):
            text = _("In round 1 nobody builds in {city}, only in {cities}.")
    return IllegalMove("no-jump", text.format(city=name, cities=_beginnings(state)))


def _after_house(course: Course) -> None:
    """Return what a single house sets off (R9.8): outgrown plants, Step 2, the end at once."""
    rules = course.state.ruleset
    if rules.obsolete_timing in ("always", "phase4"):
        remove_outgrown(course)
    if rules.step2_start == "immediate" and step2_earned(course.state):
        enter_step2(course)
    enter_step2_if_due(course)
    if rules.end_timing == "immediate" and end_reached(course.state):
        end_game(course)


def _check_place(state: GameState, seat: Seat, city: CityId) -> None:
    """Is there a place for the house, apart from the way to it and the money (R9.2, R9.4)?"""
    place = state.ruleset.city.get(city)
    name = _name(state, city)
    demand(
        place is not None and place.region in state.regions,
        "city-not-in-play",
        _("{city} is not in play.").format(city=name),
    )
    player = state.players[seat]
    demand(city not in player.cities, "own-city", _("You are in {city} already.").format(city=name))
    demand(
        len(player.cities) < state.ruleset.houses_per_player,
        "no-houses",
        _("You have no house left."),
    )
    demand(
        city not in state.local.blocked, "blocked", _("Nobody builds in {city}.").format(city=name)
    )
    houses = len(state.houses(city))
    places = state.ruleset.city[city].holds(state.step)
    demand(houses < places, "city-full", _full_words(name, places, state.step))
    demand(
        bool(player.cities) or may_begin(state.ruleset, city),
        "no-first-city",
        _("No network may begin in {city}; it begins in {cities}.").format(
            city=name, cities=_beginnings(state)
        ),
    )
    demand(
        bool(player.cities) or not houses or not state.ruleset.first_city_must_be_empty,
        "first-city-taken",
        _("Your first city must be empty; {city} is taken.").format(city=name),
    )


def targets(state: Board, seat: Seat) -> list[BuildTarget]:
    """Cities with a free place and a way to them, whatever they cost."""
    own = state.players[seat].cities
    if len(own) >= state.ruleset.houses_per_player:
        return []
    houses = Counter(city for p in state.players for city in p.cities)
    routes = _routes(state, own, houses) if own else _first_places(state, houses)
    rules = state.ruleset
    free = _places(state, own, houses)
    found = [
        BuildTarget(city, rules.house_costs_in(city)[free[city]], route.cost, route.path)
        for city, route in routes.items()
        if city in free
    ]
    for city in jumps(state, seat, own):
        if city in free:
            price = rules.house_costs_in(city)[free[city]]
            found.append(BuildTarget(city, price, NOTHING, (city,), jump=True))
    return found


def _places(state: Board, own: tuple[CityId, ...], houses: Counter[CityId]) -> dict[CityId, int]:
    """Return the cities in play with a place for one more house, and the houses that they have."""
    holds, blocked = state.ruleset.places[state.step - 1], state.local.blocked
    return {
        city: built
        for region in state.regions
        for city in state.ruleset.cities_of[region]
        if (built := houses.get(city, 0)) < holds[city] and city not in own and city not in blocked
    }


def _routes(state: Board, own: tuple[CityId, ...], houses: Counter[CityId]) -> Routes:
    """Cheapest ways from the network (R9.3, R9.5; B16, B33), and what goes without one."""
    if only_jumps(state, own):
        return {}
    routes = _lines(state, own, houses)
    for city, far in far_routes(state.ruleset, own, houses).items():
        if city not in routes or far.cost < routes[city].cost:
            routes[city] = far
    return routes


def _lines(state: Board, own: tuple[CityId, ...], houses: Counter[CityId]) -> Routes:
    rules, board = state.ruleset, state.ruleset.map
    every = tuple(r.id for r in board.regions)
    regions = frozenset(every if rules.cross_unselected_region else state.regions)
    if rules.pass_through_empty:
        return routes_from(board, regions, own, rules.transit_cost)
    return routes_through(board, regions, own, houses.keys(), rules.transit_cost)


def _first_places(state: Board, houses: Counter[CityId]) -> Routes:
    """Return all places: a first city needs no connection (R9.2, B17)."""
    must_be_empty = state.ruleset.first_city_must_be_empty
    return {
        city.id: Route(NOTHING, (city.id,))
        for city in state.ruleset.map.cities
        if not (must_be_empty and houses[city.id]) and may_begin(state.ruleset, city.id)
    }


def _beginnings(state: GameState) -> str:
    rules = state.ruleset
    named = [rules.city[city].name for city in rules.beginnings]
    return series(named) or _("any other city")


def _full_words(city: str, places: int, step: int) -> str:
    if not places:
        return _("{city} is closed in Step {step}.").format(city=city, step=step)
    return _("{city} is full: {count} house(s) a city in Step {step}.").format(
        city=city, count=places, step=step
    )


def _name(state: GameState, city: CityId) -> str:
    place = state.ruleset.city.get(city)
    return place.name if place else city
