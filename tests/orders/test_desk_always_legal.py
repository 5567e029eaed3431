"""Whatever is ordered in whatever position: what the desk does is legal, and keeps its terms."""

import random
from dataclasses import replace

from core.game.chance import Chance
from core.game.engine import play
from core.game.events import CityConnected, FuelBought
from core.game.moves import Bid, BuyResources, OpenAuction, PowerAll, PowerPlants, Run
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Elektro, PlantNumber, Seat
from core.orders.decide import decide
from core.orders.model import (
    Act,
    Ask,
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    Nothing,
    PowerOrder,
    Standing,
    Wish,
)
from tests.game.properties.random_play import Setting, games, turns

MOVES_OF_A_GAME = 250


def maybe(rng: random.Random, low: int, high: int) -> Elektro | None:
    return rng.choice((None, Elektro(rng.randint(low, high))))


def some(rng: random.Random, things: tuple, most: int) -> tuple:
    return tuple(rng.sample(things, min(len(things), rng.randint(0, most))))


def sheet(state: GameState, rng: random.Random) -> AuctionSheet:
    plants = some(rng, (*state.ruleset.plant,), 3) + some(rng, state.market.actual, 2)
    known = [p for p in dict.fromkeys(plants) if p in state.ruleset.plant]
    wishes = tuple(Wish(p, Elektro(p + rng.randint(-2, 9))) for p in known)
    giving = rng.choice((None, *state.ruleset.plant, *state.players[0].plants))
    return AuctionSheet(wishes, rng.choice((0, 0, 20)), giving, maybe(rng, 1, 40))


def fuel(state: GameState, seat: Seat, rng: random.Random) -> FuelOrder:
    mine = state.players[seat].plants
    plants = rng.choice((None, some(rng, mine, 4), some(rng, (*state.ruleset.plant,), 1)))
    terms = maybe(rng, 1, 9), maybe(rng, 0, 40), rng.choice((0, 0, 10, 90))
    return FuelOrder(plants, rng.choice((1, 2)), *terms)


def houses(state: GameState, rng: random.Random) -> BuildOrder:
    cities = tuple(c.id for c in state.ruleset.map.cities)
    return BuildOrder(
        some(rng, cities, 7), maybe(rng, 10, 40), maybe(rng, 0, 90), rng.choice((0, 15)),
        maybe(rng, 1, 8), rng.random() < 0.5, rng.random() < 0.3,
    )  # fmt: skip


def power(state: GameState, seat: Seat, rng: random.Random) -> PowerOrder:
    runs = tuple(Run(p) for p in some(rng, state.players[seat].plants, 3))
    strange = (Run(PlantNumber(rng.choice((*state.ruleset.plant,)))),)
    return PowerOrder(rng.choice((PowerAll(), PowerPlants(runs), PowerPlants(strange))))


def orders(state: GameState, seat: Seat, rng: random.Random) -> tuple[Standing, ...]:
    on = state.auction.plant if state.auction else min(state.ruleset.plant)
    given = (
        sheet(state, rng), fuel(state, seat, rng), houses(state, rng), power(state, seat, rng),
        *(Limit(on, Elektro(on + rng.randint(-2, 9))) for _ in range(rng.randint(0, 1))),
    )  # fmt: skip
    return tuple(
        Standing(n, order, rng.choice((None, state.round, state.round + 1)))
        for n, order in enumerate(given, 1)
    )


@games(40)
def test_every_act_is_accepted_and_keeps_its_terms(setting: Setting) -> None:
    rng, chance = random.Random(setting.seed), Chance(f"{setting.seed:064x}")
    for turn in turns(setting, MOVES_OF_A_GAME):
        rows = orders(turn.state, turn.seat, rng)
        view = observe(turn.state, turn.seat)
        verdict = decide(view, rows)
        if isinstance(verdict, Act):
            events = play(turn.state, turn.seat, verdict.move, chance, turn.sealed)
            by_number = {row.number: row.order for row in rows}
            keeps_terms(turn.state, turn.seat, verdict, by_number[verdict.number], events, rows)
        elif isinstance(verdict, Ask):
            assert verdict.reason.endswith(".")
        other = tuple(row for row in rows if row.round == turn.state.round + 1)
        if not any(isinstance(row.order, Limit) for row in other):
            assert decide(view, other) == Nothing()


def keeps_terms(state: GameState, seat: Seat, verdict: Act, order, events, rows) -> None:
    purse = state.players[seat].elektro
    match order, verdict.move:
        case Limit(most=most), Bid(amount=amount):
            assert amount <= most
        case AuctionSheet(), OpenAuction(plant=plant, bid=amount):
            limits = [
                r.order for r in rows if isinstance(r.order, Limit) and r.order.plant == plant
            ]
            assert amount <= (limits[-1].most if limits else order_limits(order, plant))
        case FuelOrder(), BuyResources(amounts=amounts):
            (bought,) = [e for e in events if isinstance(e, FuelBought)]
            if amounts:
                assert purse - bought.cost >= order.keep
            if order.total is not None:
                assert bought.cost <= order.total
        case BuildOrder(), _:
            built = [e for e in events if isinstance(e, CityConnected) and e.seat == seat]
            prices = [e.house_cost + e.connection_cost for e in built]
            assert all(order.each is None or price <= order.each for price in prices)
            assert order.budget is None or sum(prices) <= order.budget
            assert not built or purse - sum(prices) >= order.keep
            count = len(state.players[seat].cities) + len(built)
            assert not built or order.stop_at is None or count <= order.stop_at
            if order.before_step and state.step == 1 and built:
                needed = state.numbers.step2_cities
                assert count < needed or state.leader_cities >= needed


def order_limits(order: AuctionSheet, plant: PlantNumber) -> int:
    return next((wish.most for wish in order.wishes if wish.plant == plant), 0)


@games(10)
def test_m66_what_others_hide_changes_no_verdict(setting: Setting) -> None:
    """Another order of the stack and other hidden money of the others: the same answer."""
    rng = random.Random(setting.seed)
    for turn in turns(setting, MOVES_OF_A_GAME):
        state = turn.state
        rows = orders(state, turn.seat, rng)
        players = tuple(
            p if s == turn.seat or not state.ruleset.hidden_money else replace(p, elektro=7)
            for s, p in enumerate(state.players)
        )
        other = replace(state, players=players, stack=state.stack[::-1])
        assert decide(observe(state, turn.seat), rows) == decide(observe(other, turn.seat), rows)
