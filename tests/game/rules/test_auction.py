"""Phase 2: auctions (R7), under the numbers of the cases."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.engine import default_move
from core.game.events import OrderChanged, PlantBought, SealedBidsOpened, StackShuffled
from core.game.rules.load import load
from tests.game.rules.kit import (
    AUCTION,
    BUILDING,
    NOTHING,
    PASS,
    PRESETS,
    RESOURCES,
    A,
    B,
    C,
    D,
    E,
    F,
    Table,
    bid,
    build,
    buy,
    discard,
    lay,
    opens,
    owner,
    rules,
)

OPENING = "3 4 5 6 / 7 8 9 10"
OTHERS_CHOOSE_ANY = ("thai_000", "simplified_004")
OLD_ONLY = ("standard", "recharged", "swahili_001", "ptt_v1_3")


def rivals() -> Table:
    """T01: A opens, B wins."""
    table = lay(market="12 13 14 15 / 16 17 18 19", stack="20 21 S3")
    table.plays(A, opens(12, 15)).plays(B, bid(17)).plays(C, PASS)
    return table.plays(A, bid(18)).plays(B, bid(19)).plays(A, PASS)


@pytest.mark.proves("R7.5", "R7.7")
def test_T01_winner_pays_his_bid_and_the_starter_starts_again() -> None:
    table = rivals()
    assert (table.spent(A), table.spent(B), table.spent(C)) == (0, 19, 0)
    assert table.player(B).plants == (12,)
    assert table.market == "13 14 15 16 / 17 18 19 20"
    assert table.stack == "21 S3"
    assert table.asked == (A,)


@pytest.mark.proves("R7.6")
def test_T02_the_last_eligible_player_pays_the_number() -> None:
    table = rivals().plays(A, PASS)
    assert table.asked == (C,)
    table.plays(C, opens(13))
    assert (table.spent(C), table.player(C).plants) == (13, (13,))
    assert table.state.phase is RESOURCES


@pytest.mark.proves("R7.8")
def test_T11_nobody_passes_in_round_1() -> None:
    table = lay(round=1, market=OPENING, ruleset=rules())
    assert table.refusal(A, PASS) == "must-buy"
    assert not table.offer(A).may_pass


@pytest.mark.proves("R7.10")
@pytest.mark.parametrize("variant", ["standard", "ptt_v1_3", "simplified_004"])
def test_T12_no_sale_boxes_the_lowest(variant: str) -> None:
    table = lay(market="5 6 7 8 / 9 10 13 14", stack="22 S3", ruleset=rules(variant)).all_play(PASS)
    assert (table.market, table.boxed) == ("6 7 8 9 / 10 13 14 22", "5")


@pytest.mark.parametrize("variant", ["thai_000", "swahili_001"])
def test_T12_where_the_text_is_silent_nothing_leaves(variant: str) -> None:
    poor = (owner(elektro=0),) * 3
    market = "5 6 7 8 / 9 10 13 14"
    table = lay(*poor, market=market, stack="22 S3", ruleset=rules(variant)).all_play(PASS)
    assert (table.market, table.boxed) == (market, "")


def test_T19_bids_go_round_in_turn_order() -> None:
    black, blue, red, green, yellow, purple = A, E, C, F, B, D
    order = (black, blue, red, green, yellow, purple)
    table = lay(seats=6, market=OPENING, order=order, ruleset=rules("thai_000"))
    table.plays(black, opens(4)).plays(blue, PASS).plays(red, PASS).plays(green, bid(5))
    table.plays(yellow, PASS).plays(purple, bid(7)).plays(black, bid(8)).plays(green, bid(9))
    table.plays(purple, bid(10)).plays(black, bid(12)).plays(green, PASS).plays(purple, PASS)
    assert (table.spent(black), table.player(black).plants) == (12, (4,))


@pytest.mark.proves("R7.7")
def test_T20_replacement_and_next_starter() -> None:
    table = lay(seats=6, round=1, market=OPENING, stack="13 33 S3")
    table.plays(A, opens(4)).plays(B, PASS).plays(C, PASS).plays(D, bid(5)).plays(E, PASS)
    table.plays(F, bid(7)).plays(A, bid(12)).plays(D, PASS).plays(F, PASS)
    assert table.market == "3 5 6 7 / 8 9 10 13"
    assert table.asked == (B,)


@pytest.mark.proves("R7.11")
@pytest.mark.parametrize("variant", OTHERS_CHOOSE_ANY)
def test_T23_any_plant_may_go(variant: str) -> None:
    table = lay(owner(plants="8 13 15"), ruleset=rules(variant)).plays(A, opens(20))
    table.plays(B, PASS).plays(C, PASS)
    assert table.plays(A, discard(20)).player(A).plants == (8, 13, 15)


@pytest.mark.proves("R7.11")
@pytest.mark.parametrize("variant", OLD_ONLY)
def test_T23_the_new_plant_stays(variant: str) -> None:
    table = lay(owner(plants="8 13 15"), ruleset=rules(variant)).plays(A, opens(20))
    table.plays(B, PASS).plays(C, PASS)
    assert table.refusal(A, discard(20)) == "plant-not-discardable"
    assert [c.plant for c in table.offer(A).choices] == [8, 13, 15]
    assert table.plays(A, discard(13)).player(A).plants == (8, 15, 20)
    assert table.boxed == "13"


@pytest.mark.proves("R7.11")
def test_T40_two_players_own_four_plants() -> None:
    table = lay(owner(plants="8 13 15"), seats=2)
    table.plays(A, opens(20)).plays(B, PASS)
    assert table.player(A).plants == (8, 13, 15, 20)
    assert table.asked == (B,)
    table = lay(owner(plants="8 13 15 20"), seats=2, market="21 22 24 25 / 26 30 31 32")
    table.plays(A, opens(21)).plays(B, PASS)
    assert table.asked == (A,)
    assert table.refusal(A, PASS) == "must-discard"
    assert table.plays(A, discard(8)).player(A).plants == (13, 15, 20, 21)


@pytest.mark.proves("R11.1")
@pytest.mark.parametrize(("stack", "boxed"), [("11 12 20 S3", "11 12"), ("14 23 S3", "14")])
def test_C08_C54_drawn_plants_that_are_too_small_are_boxed(stack: str, boxed: str) -> None:
    table = lay(owner(14), step=2, market="15 16 17 18 / 19 21 22 24", stack=stack)
    table.plays(A, opens(15)).plays(B, PASS).plays(C, PASS)
    kept = {"11 12": "16 17 18 19 / 20 21 22 24", "14": "16 17 18 19 / 21 22 23 24"}
    assert (table.market, table.boxed, table.stack) == (kept[boxed], boxed, "S3")


@pytest.mark.proves("R7.5")
def test_C32_nobody_bids_more_than_he_has() -> None:
    table = lay(owner(), owner(elektro=18), market="13 14 15 16 / 17 18 19 20")
    table.plays(A, opens(13, 18))
    assert table.refusal(B, bid(19)) == "bid-too-high"
    assert table.refusal(B, bid(18)) == "bid-too-low"
    assert table.offer(B).minimum > table.offer(B).maximum
    assert table.allows(B, PASS)


@pytest.mark.proves("R7.5")
def test_C33_who_drops_out_may_still_start() -> None:
    table = lay().plays(A, opens(20)).plays(B, PASS).plays(C, PASS)
    assert table.player(A).plants == (20,)
    assert table.asked == (B,)
    table.plays(B, opens(21)).plays(C, bid(22))
    assert table.asked == (B,)
    assert table.allows(B, bid(23))


@pytest.mark.proves("R7.3")
def test_C34_who_passes_as_starter_bids_no_more() -> None:
    table = lay(seats=4, order=(B, A, C, D)).plays(B, PASS).plays(A, PASS)
    table.plays(C, opens(20))
    assert table.state.auction
    assert table.state.auction.bidders == (D, C)
    assert table.refusal(B, bid(25)) == "not-your-turn"


@pytest.mark.proves("R7.3")
def test_C35_the_opening_bid_is_paid() -> None:
    table = lay(market="7 8 9 10 / 13 15 16 17").plays(A, opens(7, 10)).plays(B, PASS)
    assert table.plays(C, PASS).spent(A) == 10


@pytest.mark.proves("R7.5")
def test_C51_bids_go_round_clockwise() -> None:
    table = lay(seats=4, order=(A, C, B, D)).plays(A, opens(20))
    assert table.asked == (B,)
    table.plays(B, PASS)
    assert table.asked == (C,)
    table.plays(C, PASS)
    assert table.asked == (D,)


@pytest.mark.proves("R7.2")
def test_C59_the_order_of_a_later_round_stands() -> None:
    table = lay(owner(plants=8), owner(plants=13), owner(plants=15), order=(C, B, A))
    table.plays(C, PASS).plays(B, PASS).plays(A, opens(22))
    assert table.state.order == (C, B, A)
    assert not table.count(OrderChanged)
    assert (table.state.phase, table.asked) == (RESOURCES, (A,))


# --- rules that no case shows ------------------------------------------------------------------


def test_R7_1_all_finish_a_phase_before_the_next() -> None:
    table = lay()
    seen = []
    while table.state.round == 3:
        seen.append(table.state.phase)
        table.plays(table.asked[0], default_move(table.state, table.asked[0]))
    order = list(dict.fromkeys(seen))
    assert order == ["auction", "resources", "building", "bureaucracy"]
    assert [seen.count(p) for p in order] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (opens(25), "plant-not-on-market"),
        (opens(40), "plant-not-on-market"),
        (opens(20, 19), "bid-too-low"),
        (opens(20, 51), "bid-too-high"),
        (bid(30), "no-auction"),
        (discard(4), "no-discard"),
        (buy(coal=1), "wrong-moment"),
        (NOTHING, "wrong-moment"),
    ],
)
def test_R7_3_opening(move: object, code: str) -> None:
    table = lay(owner(elektro=50))
    assert table.refusal(A, move) == code
    assert table.refusal(B, PASS) == "not-your-turn"
    assert table.allows(A, opens(20, 50))


def test_R7_4_one_plant_a_phase() -> None:
    table = lay().plays(A, opens(20)).plays(B, PASS).plays(C, PASS)
    table.plays(B, opens(21))
    assert table.state.auction
    assert A not in table.state.auction.bidders
    assert table.asked == (C,)
    table.plays(C, PASS).plays(C, opens(22))
    assert table.state.phase is RESOURCES
    assert table.count(PlantBought) == 3


def test_R7_5_a_second_plant_cannot_be_put_up_meanwhile() -> None:
    table = lay(owner(), owner(elektro=77)).plays(A, opens(20))
    assert (table.offer(B).minimum, table.offer(B).maximum) == (21, 77)
    assert table.refusal(B, opens(21)) == "auction-open"
    assert table.refusal(B, bid(20)) == "bid-too-low"
    assert table.refusal(C, bid(30)) == "not-your-turn"


def test_R7_5_sealed_bids_play_the_open_auction() -> None:
    table = lay(ruleset=rules(auction="sealed")).plays(A, opens(20, 22))
    assert table.asked == (B, C)
    table.plays(C, PASS)
    assert table.refusal(C, bid(30)) == "not-your-turn"
    table.plays(B, bid(21))
    assert (table.spent(A), table.player(A).plants) == (22, (20,))
    bids = table.event(SealedBidsOpened).bids
    assert [(b.seat, b.maximum) for b in bids] == [(A, 22), (B, 21), (C, None)]
    assert table.plays(B, opens(21, 30)).plays(C, PASS).spent(B) == 21
    assert table.count(SealedBidsOpened) == 2
    assert table.plays(C, opens(22, 30)).spent(C) == 22
    assert table.count(SealedBidsOpened) == 2  # alone: nothing to open


@pytest.mark.parametrize("variant", PRESETS)
def test_R7_8_only_where_the_text_says_so_must_one_buy(variant: str) -> None:
    ruleset = rules(variant)
    table = lay(round=1, market=OPENING, ruleset=ruleset)
    assert table.allows(A, PASS) is (ruleset.opener_must_open == "never")
    later = lay(round=2, market=OPENING, ruleset=ruleset)
    assert later.allows(A, PASS) is (ruleset.opener_must_open != "always")


def test_R7_8_who_cannot_pay_may_pass() -> None:
    table = lay(owner(elektro=2), round=1, market=OPENING)
    assert table.allows(A, PASS)


def test_R7_10_in_step_3_with_an_empty_stack() -> None:
    table = lay(step=3, market="30 31 32", stack="").all_play(PASS)
    assert (table.market, table.boxed) == ("31 32", "30")
    assert not table.count(StackShuffled)


def test_R7_13_the_card_drawn_while_auctioning_ends_with_the_phase() -> None:
    table = lay(step=2, stack="S3 36 38").plays(A, opens(20)).plays(B, PASS).plays(C, PASS)
    assert table.market.endswith("S3")
    assert table.refusal(B, opens(99)) == "plant-not-on-market"
    table.goes_on_to(RESOURCES)
    assert table.state.step == 3


def test_R5_1_the_printed_number_is_the_lowest_bid() -> None:
    for plant in load("germany").plants:
        table = lay(market=f"{plant.number}", stack="S3")
        least = {p.plant: p.minimum for p in table.offer(A).plants}
        assert least == {plant.number: plant.number}
        assert table.refusal(A, opens(plant.number, plant.number - 1)) == "bid-too-low"


def test_R7_2_order_counts_from_the_last_building() -> None:
    table = lay(owner("essen"), owner("fulda"), phase=BUILDING, order=(A, B, C))
    table.plays(C, NOTHING).plays(B, build("erfurt")).plays(A, NOTHING)
    assert table.goes_on_to(AUCTION).state.order == (B, A, C)
