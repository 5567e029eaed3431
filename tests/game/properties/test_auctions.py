"""Sealed bids give exactly what bidding in turn gives; drafted boards hang together."""

from itertools import product

import pytest

from core.game.chance import Chance
from core.game.engine import default_move, options, play, start, to_act
from core.game.events import PlantBought
from core.game.evolve import replay
from core.game.moves import Bid, ChooseRegion, OpenAuction, Pass
from core.game.offers import BidOffer
from core.game.phases.auction import resolve
from core.game.rules.network import connected_region_sets
from core.game.types import Phase, Seat
from tests.game.rules.kit import lay, opens, owner, rules

LEAST = 20
MAXIMA = (None, 21, 22, 23, 24)
Result = tuple[int, int]


def open_auction(maxima: tuple[int | None, ...], order: tuple[Seat, ...], way: str) -> Result:
    """Each bids 1 more as long as his maximum allows."""
    table = lay(*(owner() for _ in maxima), order=order, ruleset=rules(bid_direction=way))
    table.plays(order[0], opens(LEAST))
    while not table.count(PlantBought):
        seat = table.asked[0]
        offer: BidOffer = table.offer(seat)
        maximum = maxima[seat]
        can = maximum is not None and maximum >= offer.minimum
        table.plays(seat, Bid(offer.minimum) if can else Pass())
    bought = table.event(PlantBought)
    return bought.seat, bought.price


def sealed_auction(maxima: tuple[int | None, ...], order: tuple[Seat, ...], way: str) -> Result:
    ruleset = rules(bid_direction=way, auction="sealed")
    table = lay(*(owner() for _ in maxima), order=order, ruleset=ruleset)
    table.plays(order[0], OpenAuction(LEAST, maxima[order[0]]))
    for seat in reversed(table.asked):
        maximum = maxima[seat]
        table.plays(seat, Pass() if maximum is None else Bid(maximum))
    bought = table.event(PlantBought)
    return bought.seat, bought.price


@pytest.mark.parametrize("way", ["clockwise", "turn_order"])
@pytest.mark.parametrize("order", [(0, 1), (0, 2, 1), (2, 0, 1)])
def test_sealed_is_open_played_for_all(order: tuple[Seat, ...], way: str) -> None:
    for others in product(MAXIMA, repeat=len(order) - 1):
        for own in (20, 21, 22, 24):
            maxima = dict(zip(order, (own, *others), strict=True))
            row = tuple(maxima[s] for s in sorted(maxima))
            assert sealed_auction(row, order, way) == open_auction(row, order, way), row


def test_sealed_is_open_for_four_bidders() -> None:
    order = (Seat(1), Seat(3), Seat(0), Seat(2))
    clockwise = (Seat(1), Seat(2), Seat(3), Seat(0))
    for others in product((None, 21, 22, 23), repeat=3):
        for own in (20, 21, 22, 23):
            maxima = dict(zip(clockwise, (own, *others), strict=True))
            row = tuple(maxima[Seat(s)] for s in range(4))
            assert resolve(LEAST, clockwise, maxima) == open_auction(row, order, "clockwise"), row


@pytest.mark.parametrize("map", ["germany", "usa", "france", "italy"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_draft_hangs_together(map: str, players: int) -> None:
    """All ways through the draft: no dead end, every board connected, every board possible."""
    ruleset = rules(map=map, region_choice="draft")
    state = replay(start(ruleset, players, Chance("1")))
    boards, ahead = set(), {frozenset(state.regions): state}
    while ahead:
        reached = {}
        for position in ahead.values():
            seat = to_act(position)[0]
            choices = options(position, seat).regions
            assert choices
            assert default_move(position, seat) == ChooseRegion(choices[0])
            for region in choices:
                events = play(position, seat, ChooseRegion(region), Chance("1"))
                after = replay(events, position)
                if after.phase is Phase.REGIONS:
                    reached[frozenset(after.regions)] = after
                else:
                    boards.add(frozenset(after.regions))
        ahead = reached
    assert boards == set(connected_region_sets(ruleset.map, ruleset.numbers(players).regions))
