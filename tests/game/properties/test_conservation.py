"""Nothing is made from nothing: fuel, plants and money over whole random games (R1.2)."""

from collections import Counter
from itertools import pairwise

from core.game.chance import Chance
from core.game.engine import start
from core.game.events import (
    CityConnected,
    Event,
    FuelBought,
    GameEnded,
    PlantBought,
    PlantsRun,
)
from core.game.evolve import evolve
from core.game.state import GameState
from core.game.types import STEP_3_CARD, Fuel, Phase
from tests.game.properties.random_play import Setting, games, turns

LONGEST = 300
"""Rounds that no random game has needed by far."""


def log_of(setting: Setting) -> list[Event]:
    events = list(start(setting.ruleset, setting.players, Chance(f"{setting.seed:064x}")))
    for turn in turns(setting):
        events += turn.events
    return events


def cost(event: Event) -> tuple[int, int]:
    """Who paid how much, from the event alone; income is below nothing."""
    match event:
        case PlantBought(seat=seat, price=price):
            return seat, price
        case FuelBought(seat=seat, cost=price):
            return seat, price
        case CityConnected(seat=seat):
            return seat, event.house_cost + event.connection_cost
        case PlantsRun(seat=seat, income=income):
            return seat, -income
    return 0, 0


def check_tokens(state: GameState) -> None:
    heaps = [state.fuel_market, state.supply, *(p.fuel for p in state.players)]
    assert sum(heaps, Fuel()) == Fuel(24, 24, 24, 12)
    assert min(min(h.counts()) for h in heaps) >= 0


def check_plants(state: GameState) -> None:
    places = [state.market.cards, state.stack, state.boxed, *(p.plants for p in state.players)]
    cards = Counter(card for place in places for card in place)
    expected = {*state.ruleset.plant, STEP_3_CARD} - set(state.ruleset.removed_plants)
    assert cards == Counter(expected)
    if not state.step3_drawn:
        assert STEP_3_CARD in state.stack


def check_places(state: GameState) -> None:
    """R9.4, R7.11, R8.2, R6.1 for the position as a whole."""
    houses = Counter(city for p in state.players for city in p.cities)
    assert max(houses.values(), default=0) <= state.step
    assert all(state.ruleset.city[c].region in state.regions for c in houses)
    for seat, player in enumerate(state.players):
        assert len(set(player.cities)) == len(player.cities) <= 21
        over = state.discarding == seat
        assert len(player.plants) <= state.numbers.plant_limit + over
        if not over:
            check_storage(state, seat)
    if not state.one_row:
        assert len(state.market.actual) <= 4
    if state.ruleset.market_insert == "full_sort":
        assert list(state.market.cards) == sorted(state.market.cards)


def check_storage(state: GameState, seat: int) -> None:
    """R8.2 by the definition: try to lay each token on a plant, pure plants first."""
    room = Counter[str]()
    hybrid = 0
    for plant in state.plants_of(seat):
        if len(plant.fuels) == 2:
            hybrid += 2 * plant.burns
        elif plant.fuels:
            room[plant.fuels[0].value] += 2 * plant.burns
    fuel = state.players[seat].fuel
    left = {r.value: max(0, n - room[r.value]) for r, n in fuel.items()}
    assert left.get("garbage", 0) == left.get("uranium", 0) == 0
    assert left.get("coal", 0) + left.get("oil", 0) <= hybrid


@games(22)
def test_fuel_plants_and_money_add_up_until_the_end(setting: Setting) -> None:
    """After every single event, not only between moves; and every game ends."""
    state: GameState | None = None
    money = Counter(dict.fromkeys(range(setting.players), 50))
    for event in log_of(setting):
        assert state is None or state.phase is not Phase.FINISHED
        if state is not None:
            check_amounts(state, event)
        state = evolve(state, event)
        seat, price = cost(event)
        money[seat] -= price
        assert [p.elektro for p in state.players] == [money[s] for s in state.seats]
        assert money[seat] >= 0
        check_tokens(state)
        check_plants(state)
        check_places(state)
    assert isinstance(event, GameEnded)
    assert state.phase is Phase.FINISHED
    assert state.round < LONGEST
    check_standings(state)


def check_standings(state: GameState) -> None:
    """R14.2: everybody has a place, and nobody stands behind somebody whom he beats."""
    assert {s.seat for s in state.standings} == set(state.seats)
    for s in state.standings:
        player = state.players[s.seat]
        assert (s.elektro, s.cities) == (player.elektro, len(player.cities))
    for better, worse in pairwise(state.standings):
        assert better.powered >= worse.powered
        assert better.place <= worse.place
    assert state.standings[0].place == 1


def check_amounts(state: GameState, event: Event) -> None:
    """Costs and incomes recomputed from tables and map alone."""
    rules = state.ruleset
    match event:
        case FuelBought(amounts=amounts, from_supply=extra):
            ladder = zip(rules.tracks.values(), state.fuel_market.counts(),
                         (amounts - extra).counts(), strict=True)  # fmt: skip
            prices = [p for track, here, n in ladder for p in track.prices[::-1][:here][::-1][:n]]
            overflow = (rules.coal_overflow_price or 0) * extra.total
            assert event.cost == sum(prices) + overflow
        case PlantsRun(seat=seat, plants=plants):
            capacity = sum(rules.plant[n].cities for n in plants)
            assert event.powered == min(capacity, len(state.players[seat].cities))
            assert event.income == rules.payment[event.powered]
            assert set(plants) <= set(state.players[seat].plants)
            assert event.burned.total == sum(rules.plant[n].burns for n in plants)
        case CityConnected(seat=seat, city=city, path=path):
            own, lines = state.players[seat].cities, {}
            for line in rules.map.connections:
                lines[line.a, line.b] = lines[line.b, line.a] = line.cost
            assert path[-1] == city
            assert path[0] in own if own else len(path) == 1
            assert event.connection_cost == sum(lines[pair] for pair in pairwise(path))
            assert event.house_cost == (10, 15, 20)[len(state.houses(city))]
