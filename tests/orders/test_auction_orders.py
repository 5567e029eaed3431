"""Limits and sheets at the auction: as if their owners had bid in person (M65)."""

from itertools import product

import pytest

from core.game.events import BidPlaced, PlantBought
from core.game.moves import Bid, DiscardPlant, OpenAuction, Pass
from core.game.observe import observe
from core.game.phases.auction import resolve
from core.game.types import Elektro, Seat
from core.orders.bids import fast_forward, next_bid
from core.orders.decide import decide
from core.orders.model import Act, Ask, AuctionSheet, Limit, Nothing, Standing, Wish
from tests.game.rules.kit import A, B, C, lay, opens, owner, rules
from tests.game.rules.table import Table

LEAST = 20
GONE = "Plant 25 is not in the actual market."
LIMITS = (19, 20, 21, 22, 23, 24)


def limit(most: int, plant: int = 20, number: int = 1) -> tuple[Standing, ...]:
    return (Standing(number, Limit(plant, Elektro(most))),)


def sheet(text: str, number: int = 1, round: int | None = None, **more: int) -> Standing:
    """``"20 26, 21 30"`` as an auction sheet."""
    pairs = (pair.split() for pair in text.split(",") if pair)
    wishes = tuple(Wish(int(plant), Elektro(int(most))) for plant, most in pairs)
    return Standing(number, AuctionSheet(wishes, **more), round)


def answers(table: Table, seat: Seat, *rows: Standing) -> Act | Ask | Nothing:
    return decide(observe(table.state, seat), rows)


def bids_in_person(table: Table, most: int | None, seat: Seat) -> None:
    """The oracle: raise by one as long as it is worth it."""
    offer = table.offer(seat)
    table.plays(seat, Bid(offer.minimum) if most and offer.minimum <= most else Pass())


def auction(limits: tuple[int, ...], ordered: tuple[bool, ...], jumps: bool = False) -> Table:
    """Seat 0 opens plant 20 at 20; some bid by limits, the others in person."""
    table = lay(seats=len(limits))
    table.plays(A, opens(LEAST))
    rows = {Seat(s): limit(most) for s, most in enumerate(limits) if ordered[s]}
    while not table.count(PlantBought):
        seat = table.asked[0]
        if seat not in rows:
            bids_in_person(table, limits[seat], seat)
            continue
        verdict = (fast_forward(table.state, rows) if jumps else None) or answers(
            table, seat, *rows[seat]
        )
        assert isinstance(verdict, Act)
        table.plays(seat, verdict.move)
    return table


def result(table: Table) -> tuple[int, int]:
    bought = table.event(PlantBought)
    return bought.seat, bought.price


@pytest.mark.parametrize("seats", [2, 3])
def test_m65_any_mix_of_limits_and_persons_ends_alike(seats: int) -> None:
    for limits in product(LIMITS, repeat=seats):
        in_person = auction(limits, (False,) * seats)
        for ordered in product((False, True), repeat=seats):
            mixed = auction(limits, ordered)
            assert result(mixed) == result(in_person), (limits, ordered)
            assert mixed.events == in_person.events


def test_m65_four_limits_bid_as_four_persons_and_as_four_envelopes() -> None:
    circle = (A, B, C, Seat(3))
    for limits in product(LIMITS[1:], repeat=4):
        in_person = auction(limits, (False,) * 4)
        maxima = {Seat(s): Elektro(most) for s, most in enumerate(limits)}
        assert resolve(Elektro(LEAST), circle, maxima) == result(in_person)
        ordered = auction(limits, (True,) * 4)
        assert ordered.events == in_person.events, limits


def envelopes(limits: tuple[int, ...], ordered: tuple[bool, ...]) -> Table:
    """The same in a sealed auction: some hand in by orders, the others in person."""
    table = lay(seats=len(limits), ruleset=rules(auction="sealed"))
    opened = answers(table, A, sheet(f"20 {limits[0]}"))
    assert isinstance(opened, Act)
    table.plays(A, opened.move if ordered[A] else opens(LEAST, limits[A]))
    for seat in reversed(table.asked):
        verdict = answers(table, seat, *limit(limits[seat]))
        assert isinstance(verdict, Act)
        in_person = Bid(limits[seat]) if limits[seat] > LEAST else Pass()
        table.plays(seat, verdict.move if ordered[seat] else in_person)
    return table


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_m65_sealed_any_mix_ends_as_the_open_auction(seats: int) -> None:
    mixes = [*product((False, True), repeat=seats)] if seats < 4 else [(True,) * 4]
    for limits in product(LIMITS[1:], repeat=seats):
        in_person = auction(limits, (False,) * seats)
        for ordered in mixes:
            assert result(envelopes(limits, ordered)) == result(in_person), (limits, ordered)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_m65_jumps_end_as_bid_by_bid_with_fewer_bids(seats: int) -> None:
    for limits in product(LIMITS, repeat=seats):
        slow = auction(limits, (True,) * seats)
        quick = auction(limits, (True,) * seats, jumps=True)
        assert result(quick) == result(slow), limits
        assert quick.count(BidPlaced) <= slow.count(BidPlaced)


def test_a_jump_takes_few_bids_where_there_would_be_many() -> None:
    quick = auction((60, 75), (True, True), jumps=True)
    assert result(quick) == (1, 61)
    assert quick.count(BidPlaced) <= 3
    assert auction((60, 75), (True, True)).count(BidPlaced) == 41


def test_no_jump_over_a_bidder_who_bids_in_person() -> None:
    table = lay(owner(), owner(), owner()).plays(A, opens(LEAST))
    assert fast_forward(table.state, {A: limit(40), B: limit(30)}) is None
    assert fast_forward(table.state, {A: limit(40), B: limit(30), C: limit(10)}) is not None


def test_no_jump_where_no_open_auction_is() -> None:
    everybody = {seat: limit(40) for seat in (A, B, C)}
    assert fast_forward(lay().state, everybody) is None
    closed = lay(ruleset=rules(auction="sealed")).plays(A, opens(20, 30))
    assert fast_forward(closed.state, everybody) is None


def test_a_jump_never_goes_beyond_the_ceiling_of_its_bidder() -> None:
    for limits in product(range(20, 27), repeat=3):
        table = lay(owner(), owner(), owner()).plays(A, opens(LEAST))
        auction_ = table.state.auction
        assert auction_
        move = next_bid(auction_, {Seat(s): Elektro(most) for s, most in enumerate(limits)})
        assert isinstance(move, Pass) or LEAST < move.amount <= limits[1]


# --- limits ------------------------------------------------------------------------------------


def test_a_limit_bids_no_more_than_there_is_money() -> None:
    table = lay(owner(), owner(elektro=21)).plays(A, opens(20))
    assert answers(table, B, *limit(50)) == Act(Bid(21), 1)
    table.plays(B, Bid(21)).plays(C, Pass()).plays(A, Bid(22))
    assert answers(table, B, *limit(50)) == Act(Pass(), 1)


def test_a_limit_speaks_of_its_own_plant_alone() -> None:
    table = lay().plays(A, opens(20))
    assert answers(table, B, *limit(50, plant=21)) == Nothing()


def test_a_limit_does_not_open() -> None:
    assert answers(lay(), A, *limit(50)) == Nothing()


def test_of_two_limits_on_a_plant_the_later_holds() -> None:
    table = lay().plays(A, opens(20))
    rows = (*limit(50, number=2), *limit(20, number=3))
    assert answers(table, B, *rows) == Act(Pass(), 3)


def test_a_limit_comes_before_the_sheet() -> None:
    table = lay().plays(A, opens(20))
    assert answers(table, B, sheet("21 30", number=9), *limit(50)) == Act(Bid(21), 1)


def test_a_sealed_limit_is_handed_in_whole() -> None:
    table = lay(owner(), owner(elektro=40), ruleset=rules(auction="sealed")).plays(A, opens(20, 30))
    assert answers(table, B, *limit(35)) == Act(Bid(35), 1)
    assert answers(table, B, *limit(50)) == Act(Bid(40), 1)
    assert answers(table, B, *limit(20)) == Act(Pass(), 1)
    assert answers(table, B, sheet("20 35", keep=10)) == Act(Bid(30), 1)


# --- sheets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "move", "remark"),
    [
        ("22 30, 20 30", opens(22), ""),
        ("25 40, 21 21", opens(21), GONE),
        ("22 21, 20 20", opens(20), "Plant 22 costs more than you allowed."),
        ("25 40, 20 19", Pass(), f"{GONE} Plant 20 costs more than you allowed."),
        ("", Pass(), ""),
    ],
)
def test_the_sheet_opens_the_first_wish_that_can_be_had(
    wishes: str, move: object, remark: str
) -> None:
    assert answers(lay(), A, sheet(wishes)) == Act(move, 1, remark)


def test_the_sheet_opens_a_sealed_auction_with_all_it_gives() -> None:
    table = lay(owner(elektro=31), ruleset=rules(auction="sealed"))
    assert answers(table, A, sheet("22 30")) == Act(OpenAuction(22, 30), 1)
    assert answers(table, A, sheet("22 30", keep=5)) == Act(OpenAuction(22, 26), 1)


@pytest.mark.parametrize(
    ("row", "move"),
    [
        (sheet("21 30, 20 21"), Bid(21)),
        (sheet("20 20"), Pass()),
        (sheet("21 30"), Pass()),
        (sheet("21 30", others=21), Bid(21)),
        (sheet("20 20", others=40), Pass()),
        (sheet("20 30", keep=480), Pass()),
        (sheet("20 30", keep=479), Bid(21)),
        (sheet("20 30", round=3), Bid(21)),
    ],
)
def test_the_sheet_bids_up_to_its_limit(row: Standing, move: object) -> None:
    table = lay().plays(A, opens(20))
    assert answers(table, B, row) == Act(move, 1)


def test_a_sheet_of_another_round_says_nothing() -> None:
    assert answers(lay(), A, sheet("20 30", round=2)) == Nothing()
    assert answers(lay(), A, sheet("20 30", round=4)) == Nothing()


def test_the_sheet_of_this_round_comes_before_one_for_every_round() -> None:
    rows = (sheet("20 30", 1, round=3), sheet("21 30", 2))
    assert answers(lay(), A, *rows) == Act(opens(20), 1)
    assert answers(lay(round=4), A, *rows) == Act(opens(21), 2)


def test_m67_a_sheet_that_may_not_pass_asks_and_says_why() -> None:
    verdict = answers(lay(round=1), A, sheet("25 40"))
    assert isinstance(verdict, Ask)
    assert verdict.number == 1
    assert "everybody buys a plant" in verdict.reason
    assert "25" in verdict.reason


def full_hand(
    market: tuple[int, int, int, int] = (20, 6, 6, 2), coal: int = 0, oil: int = 0
) -> Table:
    """A has bought plant 20 as the fourth of three plants."""
    mine = owner(plants=(5, 8, 13), coal=coal, oil=oil)
    table = lay(mine, fuel=market).plays(A, opens(20))
    return table.plays(B, Pass()).plays(C, Pass())


def test_the_sheet_gives_up_the_plant_it_names() -> None:
    assert answers(full_hand(), A, sheet("20 30", discard=8)) == Act(DiscardPlant(8), 1)
    assert answers(full_hand(), A, sheet("20 30")) == Nothing()


@pytest.mark.parametrize(("market", "coal", "oil"), [((20, 6, 6, 2), 6, 4), ((6, 18, 6, 2), 8, 2)])
def test_the_sheet_keeps_the_dear_fuel(
    market: tuple[int, int, int, int], coal: int, oil: int
) -> None:
    """Ten of twelve tokens fit; of coal and oil those stay that cost more on the market."""
    table = full_hand(market, coal=8, oil=4)
    verdict = answers(table, A, sheet("20 30", discard=8))
    assert isinstance(verdict, Act)
    table.plays(A, verdict.move)
    assert (table.player(A).fuel.coal, table.player(A).fuel.oil) == (coal, oil)


def test_m67_a_plant_that_cannot_go_asks() -> None:
    verdict = answers(full_hand(), A, sheet("20 30", discard=4))
    assert isinstance(verdict, Ask)
    assert "Plant 4 cannot go" in verdict.reason
