"""What is offered is accepted, what is not offered is refused with a code; and the default move."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from typing import Any

from core.game import moves as m
from core.game.chance import Chance
from core.game.engine import default_move, options, play, preview, to_act
from core.game.errors import IllegalMove
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    Offer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.state import GameState
from core.game.types import STEP_3_CARD, CityId, Elektro, Fuel, PlantNumber, RegionId, Seat
from tests.game.properties.random_play import Setting, games, turns

Judged = Iterator[tuple[m.Move, bool]]
"""Moves, and whether the offer allows them."""


def accepted(state: GameState, seat: Seat, move: m.Move) -> bool:
    try:
        preview(state, seat, move)
    except IllegalMove as refusal:
        assert refusal.code
        assert str(refusal)
        return False
    return True


def around(least: int, most: int) -> set[int]:
    return {-1, 0, least - 1, least, least + 1, most - 1, most, most + 1}


def _openings(state: GameState, _: Seat, offer: OpeningOffer) -> Judged:
    least = {p.plant: p.minimum for p in offer.plants}
    yield m.Pass(), offer.may_pass
    yield m.Bid(Elektro(20)), False
    for plant in (*state.ruleset.plant, STEP_3_CARD, PlantNumber(2)):
        minimum = least.get(plant, Elektro(plant))
        for bid in around(minimum, offer.maximum):
            fits = plant in least and minimum <= bid <= offer.maximum
            yield m.OpenAuction(plant, Elektro(bid)), fits


def _bids(_: GameState, __: Seat, offer: BidOffer) -> Judged:
    yield m.Pass(), True
    for bid in around(offer.minimum, offer.maximum):
        yield m.Bid(Elektro(bid)), offer.minimum <= bid <= offer.maximum
    yield m.OpenAuction(offer.plant, offer.minimum), False


def _discards(state: GameState, seat: Seat, offer: DiscardOffer) -> Judged:
    ways = {c.plant: c.keeps for c in offer.choices}
    held = state.players[seat].fuel
    keeps = [Fuel(*n) for n in product(*(range(count + 2) for count in held.counts()))]
    for plant in (*state.players[seat].plants, PlantNumber(2)):
        own = ways.get(plant, ())
        yield m.DiscardPlant(plant), len(own) == 1
        named = {Fuel(w.coal, w.oil) for w in own}
        for keep in keeps:
            yield m.DiscardPlant(plant, keep), keep in own or keep in named
    yield m.Pass(), False


def _purchases(state: GameState, seat: Seat, offer: PurchaseOffer) -> Judged:
    """All of coal with oil, each fuel alone, and a sample of everything with everything.

    Of every market; only the first token of a list counts where one is bought at a time.
    """
    for market in offer.by_market:
        yield from _from_market(state, market)
    yield m.BuyResources(Fuel(coal=-1)), False


def _from_market(state: GameState, offer: PurchaseOffer) -> Judged:
    costs = {f.resource: f.costs for f in offer.fuels}

    def allowed(fuel: Fuel) -> bool:
        within = all(n <= len(costs.get(r, ())) for r, n in fuel.items())
        paid = within and sum(costs[r][n - 1] for r, n in fuel.items()) <= offer.elektro
        return paid and fuel.coal + fuel.oil <= offer.coal_or_oil

    most = [len(costs.get(r, ())) + 2 for r in ("coal", "oil", "garbage", "uranium")]
    everything = list(product(*map(range, most)))
    pairs = [row for row in everything if not row[2] and not row[3]]
    alone = [row for row in everything if sum(map(bool, row)) <= 1]
    some = random.Random(state.seq).sample(everything, min(40, len(everything)))
    for row in {*pairs, *alone, *some}:
        if any(row) or not offer.market:
            yield m.BuyResources(Fuel(*row), offer.market), allowed(Fuel(*row))


def _runs(state: GameState, _: Seat, offer: PowerOffer) -> Judged:
    plants = [*state.ruleset.plant][:3]
    owned = sorted({n for c in offer.choices for n in c.plants})
    choices = {frozenset(c.plants) for c in offer.choices}
    yield m.PowerAll(), True
    everything = sorted({*plants, *owned, *(n for p in state.players for n in p.plants)})
    for size in range(min(4, len(everything)) + 1):
        for subset in islice(combinations(everything, size), 300):
            runs = tuple(m.Run(n) for n in subset)
            yield m.PowerPlants(runs), frozenset(subset) in choices
            yield m.PowerPlants((*runs, *runs[:1])), not runs and frozenset() in choices


def _houses(state: GameState, seat: Seat, offer: BuildOffer) -> Judged:
    jumps = {t.city for t in offer.targets if t.jump}
    ways = {t.city for t in offer.targets if not t.jump}
    if state.ruleset.free_jump and state.round == 1 and state.players[seat].cities:
        ways = jumps
    yield m.BuildCities(()), True
    for city in (*state.ruleset.city, CityId("atlantis")):
        yield m.BuildCities((city,)), city in ways
        yield m.BuildCities((city,), (city,)), city in jumps


def _regions(state: GameState, _: Seat, offer: RegionOffer) -> Judged:
    for region in (*state.ruleset.region, RegionId("atlantis")):
        yield m.ChooseRegion(region), region in offer.regions


Judge = Callable[[GameState, Seat, Any], Judged]
JUDGES: dict[type[Offer], Judge] = {
    RegionOffer: _regions,
    OpeningOffer: _openings,
    BidOffer: _bids,
    DiscardOffer: _discards,
    PurchaseOffer: _purchases,
    BuildOffer: _houses,
    PowerOffer: _runs,
}
"""Every move of a small space, or a fair part of a large one."""

WRONG_MOMENT = (
    m.ChooseRegion(RegionId("red")), m.OpenAuction(PlantNumber(3), Elektro(3)), m.Bid(Elektro(9)),
    m.Pass(), m.DiscardPlant(PlantNumber(3)), m.BuyResources(Fuel()), m.BuildCities(()),
    m.PowerPlants(()), m.PowerAll(),
)  # fmt: skip
KINDS: dict[type[Offer], tuple[type[m.Move], ...]] = {
    RegionOffer: (m.ChooseRegion,),
    OpeningOffer: (m.OpenAuction, m.Pass),
    BidOffer: (m.Bid, m.Pass),
    DiscardOffer: (m.DiscardPlant,),
    PurchaseOffer: (m.BuyResources,),
    BuildOffer: (m.BuildCities,),
    PowerOffer: (m.PowerPlants, m.PowerAll),
}


@games(12)
def test_offered_is_accepted_and_nothing_else(setting: Setting) -> None:
    rng = random.Random(setting.seed)
    for turn in islice(turns(setting), rng.randrange(9), None, 17):
        state, seat = turn.state, turn.seat
        offer = options(state, seat)
        for move, allowed in JUDGES[type(offer)](state, seat, offer):
            assert accepted(state, seat, move) is allowed, (move, offer)
        for move in WRONG_MOMENT:
            if not isinstance(move, KINDS[type(offer)]):
                assert not accepted(state, seat, move)
        for other in set(state.seats) - set(to_act(state)):
            assert not accepted(state, other, default_move_of_any(state))


def default_move_of_any(state: GameState) -> m.Move:
    return default_move(state, to_act(state)[0])


@games(12)
def test_the_default_move_is_legal_and_cheap(setting: Setting) -> None:
    for turn in islice(turns(setting), 0, None, 3):
        state, seat = turn.state, turn.seat
        move = default_move(state, seat)
        events = play(state, seat, move, Chance("1"), turn.sealed)
        assert events
        if isinstance(move, m.OpenAuction):
            assert move.bid == min(p.minimum for p in options(state, seat).plants)
        else:
            assert isinstance(move, m.Pass | m.DiscardPlant | m.PowerAll | m.ChooseRegion) or not (
                getattr(move, "cities", ()) or getattr(move, "amounts", Fuel())
            )


@games(8)
def test_what_is_built_in_a_turn_costs_what_was_offered_one_by_one(setting: Setting) -> None:
    for turn in turns(setting):
        if not isinstance(turn.move, m.BuildCities):
            continue
        built = [e for e in turn.events if getattr(e, "city", None)]
        assert [e.city for e in built] == list(turn.move.cities)
        if built:
            first = next(t for t in options(turn.state, turn.seat).targets
                         if (t.city, t.jump) == (built[0].city, built[0].jump))  # fmt: skip
            assert (first.house_cost, first.connection_cost, first.path) == (
                built[0].house_cost, built[0].connection_cost, built[0].path,
            )  # fmt: skip
