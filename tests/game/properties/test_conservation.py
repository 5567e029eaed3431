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
    LastIncome,
    MinesSold,
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


def payments(event: Event) -> dict[int, int]:
    """Who paid how much, from the event alone; income is below nothing."""
    match event:
        case PlantBought(seat=seat, price=price):
            return {seat: price}
        case FuelBought(seat=seat, cost=price):
            return {seat: price}
        case CityConnected(seat=seat):
            return {seat: event.house_cost + event.connection_cost}
        case PlantsRun(seat=seat, income=income) | MinesSold(seat=seat, income=income):
            return {seat: -income}
        case LastIncome(incomes=incomes):
            return {seat: -income for seat, income in enumerate(incomes)}
    return {}


def check_tokens(state: GameState) -> None:
    """All tokens of the game lie somewhere, and no market has more than slots."""
    rules, local = state.ruleset, state.local
    markets = [state.fuel_market, *local.markets]
    heaps = [*markets, state.supply, Fuel(coal=local.storage), *(p.fuel for p in state.players)]
    assert sum(heaps, Fuel()) == Fuel(*(track.tokens for track in rules.tracks.values()))
    assert min(min(h.counts()) for h in heaps) >= 0
    for tracks, market in zip(rules.markets, markets, strict=True):
        assert all(n <= len(tracks[fuel].prices) for fuel, n in market.items())
    assert 0 <= local.mine_tokens <= (len(rules.mines.prices) if rules.mines else 0)


def check_plants(state: GameState) -> None:
    rules = state.ruleset
    places = [
        state.market.cards, state.stack, state.boxed, state.local.side_pile,
        *(p.plants for p in state.players),
    ]  # fmt: skip
    cards = Counter(card for place in places for card in place)
    has_card = any(layer.step3 for layer in rules.layers)
    expected = {*rules.plant, *((STEP_3_CARD,) if has_card else ())}
    expected -= set(rules.removed(len(state.players)))
    late = set(rules.step2_top_plants)
    if not late & cards.keys():  # they come with Step 2, all at once
        expected -= late
    assert cards == Counter(expected)
    if has_card and not state.step3_drawn:
        assert STEP_3_CARD in state.stack


def check_places(state: GameState) -> None:
    """R9.4, R7.11, R8.2, R6.1 for the position as a whole."""
    rules = state.ruleset
    houses = Counter(city for p in state.players for city in p.cities)
    assert all(n <= rules.city[city].holds(state.step) for city, n in houses.items())
    assert all(rules.city[c].region in state.regions for c in houses)
    assert not houses.keys() & set(state.local.blocked)
    for seat, player in enumerate(state.players):
        assert len(set(player.cities)) == len(player.cities) <= rules.houses_per_player
        over = state.discarding == seat
        assert len(state.plants_of(seat)) <= state.numbers.plant_limit + over
        if not over:
            check_storage(state, seat)
    if not state.one_row:
        fifth = rules.actual_row == "fifth_if_ecological"
        assert len(state.market.actual) <= rules.market_rows[0] + fifth
    if rules.market_insert == "full_sort" and rules.actual_row == "lowest":
        assert list(state.market.cards) == sorted(state.market.cards)


def check_storage(state: GameState, seat: int) -> None:
    """R8.2 by the definition: try to lay each token on a plant, pure plants first."""
    room = Counter[str]()
    hybrid = 0
    for plant in state.plants_of(seat):
        if len(plant.fuels) == 2:
            hybrid += plant.storage
        elif plant.fuels:
            room[plant.fuels[0].value] += plant.storage
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
        money.subtract(payments(event))
        assert [p.elektro for p in state.players] == [money[s] for s in state.seats]
        assert min(money.values()) >= 0
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
        case FuelBought():
            check_fuel_price(state, event)
        case PlantsRun(seat=seat, plants=plants):
            capacity = sum(rules.plant[n].cities for n in plants)
            own = len(state.players[seat].cities)
            assert event.powered == min(capacity, own)
            tax = rules.outage.tax * own if state.outage and rules.outage else 0
            assert event.income == max(0, rules.payment[event.powered] - tax)
            assert set(plants) <= {plant.number for plant in state.plants_of(seat)}
            assert event.burned.total == sum(rules.plant[n].burns for n in plants)
        case CityConnected():
            check_city_price(state, event)


def check_fuel_price(state: GameState, event: FuelBought) -> None:
    """R4.2, R8.3: from the cheapest slot up, and what a table's own rules make of it."""
    rules, local = state.ruleset, state.local
    at = rules.market_names.index(event.market) if event.market else 0
    stock = local.markets[at - 1] if at else state.fuel_market
    own = state.players[event.seat].cities
    taken = event.amounts - event.from_supply - Fuel(coal=event.from_storage)
    total = 0
    for fuel, count in taken.items():
        prices = list(rules.markets[at][fuel].prices)
        if not at and state.step == 3 and rules.tracks[fuel].step3_prices:
            prices = list(rules.tracks[fuel].step3_prices)
        cheap = 0 if at else local.cheap_slots[fuel]
        prices = ([1] * cheap + prices)[: len(prices)]
        less = sum(d.elektro for d in rules.fuel_discounts if d.fuel is fuel and d.city in own)
        sold = prices[len(prices) - stock[fuel] :][:count]
        assert len(sold) == count
        if rules.price_cap:
            assert max(sold) - less <= rules.price_cap[state.step - 1]
        total += sum(price if not less else max(1, price - less) for price in sold)
    total += (rules.coal_overflow_price or 0) * event.from_supply.total
    assert event.cost == total + (rules.burnt_coal_price or 0) * event.from_storage


def check_city_price(state: GameState, event: CityConnected) -> None:
    """R9.3: the house by its place, and the way along the lines of the map, or none."""
    rules, own, path = state.ruleset, state.players[event.seat].cities, event.path
    assert path[-1] == event.city
    assert event.house_cost == rules.house_costs_in(event.city)[len(state.houses(event.city))]
    lines = {}
    for line in rules.map.connections:
        lines[line.a, line.b] = lines[line.b, line.a] = line.cost
    if event.jump:
        assert rules.free_jump
        assert (event.connection_cost, event.seat in state.local.jumped) == (0, False)
    elif own and len(path) == 1:
        assert rules.far_connection
        assert event.connection_cost == rules.far_connection.cost
    else:
        assert path[0] in own if own else len(path) == 1
        entered = sum(rules.city[city].entry_cost for city in path[1:])
        passed = rules.transit_cost * max(0, len(path) - 2)
        way = sum(lines[pair] for pair in pairwise(path))
        assert event.connection_cost == way + entered + passed
