"""Perft: how many sequences of legal moves lead from a position, three moves deep.

Where the space of moves is large, only a part of it is walked, always the same:
opening bids at the lowest bid and 1 above it, bids 1 and 2 above the last one; of each fuel none,
one, or as much as can be had; no house, or any one; every plant and every fuel to give up; every
set of plants to run. Where several are asked at once, the first of them answers first.

``python -m tests.game.perft.perft`` writes the counts anew.
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from core.game import moves as m
from core.game.chance import Chance
from core.game.engine import options, play, start, to_act
from core.game.evolve import replay
from core.game.notation import text
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
from core.game.types import Fuel, Resource, Seat
from tests.game.properties.random_play import envelopes
from tests.game.rules.kit import BUILDING, BUREAUCRACY, RESOURCES, lay, opens, owner, rules

DEPTH = 3
GOLDEN = Path(__file__).with_name("counts.json")
SEED = f"{7:064x}"
Sealed = dict[Seat, int | None]


def some_moves(offer: Offer) -> Iterator[m.Move]:
    """The moves that are walked, see above."""
    match offer:
        case RegionOffer(regions):
            yield from map(m.ChooseRegion, regions)
        case OpeningOffer() | BidOffer():
            yield from _bids(offer)
        case DiscardOffer(choices):
            yield from (m.DiscardPlant(c.plant, keep) for c in choices for keep in c.keeps)
        case PurchaseOffer():
            yield from _purchases(offer)
        case BuildOffer(targets):
            yield m.BuildCities(())
            yield from (m.BuildCities((t.city,)) for t in targets)
        case PowerOffer(choices):
            yield from (m.PowerPlants(tuple(map(m.Run, c.plants))) for c in choices)


def _bids(offer: OpeningOffer | BidOffer) -> Iterator[m.Move]:
    if isinstance(offer, BidOffer) or offer.may_pass:
        yield m.Pass()
    if isinstance(offer, BidOffer):
        yield from (m.Bid(b) for b in _two(offer.minimum, offer.maximum))
        return
    for plant in offer.plants:
        yield from (m.OpenAuction(plant.plant, b) for b in _two(plant.minimum, offer.maximum))


def _two(least: int, most: int) -> range:
    return range(least, min(least + 1, most) + 1)


def _purchases(offer: PurchaseOffer) -> Iterator[m.Move]:
    costs = {f.resource: f.costs for f in offer.fuels}
    counts = [sorted({0, min(1, n), n}) for n in (len(costs.get(r, ())) for r in Resource)]
    for row in product(*counts):
        fuel = Fuel(*row)
        price = sum(costs[r][n - 1] for r, n in fuel.items())
        if fuel.coal + fuel.oil <= offer.coal_or_oil and price <= offer.elektro:
            yield m.BuyResources(fuel)


def walk(state: GameState, depth: int, sealed: Sealed) -> int:
    """Sequences of `depth` moves; a game that ends before counts once."""
    acting = to_act(state)
    if not depth or not acting:
        return 1
    return sum(count for _, count in divide(state, depth, sealed))


def divide(state: GameState, depth: int, sealed: Sealed) -> Iterator[tuple[str, int]]:
    """The same for each first move."""
    seat = to_act(state)[0]
    for move in some_moves(options(state, seat)):
        after = replay(play(state, seat, move, Chance(SEED), sealed), state)
        count = walk(after, depth - 1, envelopes(sealed, seat, move))
        yield text(move, state.ruleset), count


def positions() -> dict[str, GameState]:
    """Ten positions: every phase, both auctions, each preset."""
    return {
        "opening": _opening("germany", 3),
        "opening sealed": _opening("usa", 4, auction="sealed"),
        "opening of recharged": _opening("germany", 2, "recharged"),
        "draft of regions": _opening("italy", 3, region_choice="draft"),
        "step 3 card on top": lay(
            owner(9, "13 20 25", 60, coal=6), owner(8, "18 22", 30), step=2, stack="S3 36 38 46"
        ).state,
        "discard": lay(owner(5, "5 10 12", coal=8, oil=3))
        .plays(0, opens(20)).plays(1, m.Pass()).plays(2, m.Pass()).state,
        "fuel": lay(
            owner(6, "5 14 17", 45), owner(6, "21 4", 40), owner(6, "7 25", 60),
            phase=RESOURCES, fuel=(9, 7, 5, 2),
        ).state,
        "building in step 2": lay(
            owner("essen munster", elektro=40), owner("dusseldorf koln", elektro=60),
            owner("kassel fulda", elektro=30), phase=BUILDING, step=2,
        ).state,
        "building through empty cities forbidden": lay(
            owner("fulda"), owner("erfurt halle"), owner("kassel hannover"), phase=BUILDING,
            ruleset=rules("ptt_v1_3"),
        ).state,
        "power": lay(
            owner(7, "5 12 20", coal=5, oil=2), owner(5, "22 13"), owner(4, "14 6", garbage=2),
            phase=BUREAUCRACY, ruleset=rules("thai_000"),
        ).state,
    }  # fmt: skip


def _opening(map: str, players: int, variant: str = "standard", **knobs: object) -> GameState:
    return replay(start(rules(variant, map, **knobs), players, Chance(SEED)))


def counted(state: GameState) -> dict[str, Any]:
    """What stands in the golden file for one position."""
    nodes = [walk(state, depth, {}) for depth in range(1, DEPTH + 1)]
    return {"nodes": nodes, "divide": dict(divide(state, DEPTH, {}))}


def main() -> None:
    """Write the golden file anew."""
    counts = {name: counted(state) for name, state in positions().items()}
    GOLDEN.write_text(json.dumps(counts, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
