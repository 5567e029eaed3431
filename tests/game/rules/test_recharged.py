"""Recharged: the discount token and the other changes (R17)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.events import TokenPlaced, TokenRemoved
from tests.game.rules.kit import (
    BUREAUCRACY,
    PASS,
    POWER_ALL,
    RESOURCES,
    A,
    B,
    C,
    Table,
    bid,
    lay,
    opens,
    rules,
)
from tests.game.rules.test_setup import table_of

ON_4 = {"market": "4 6 7 9 / 10 11 12 15", "token": 4}


def recharged(**more: object) -> Table:
    return lay(ruleset=rules("recharged"), **more)


@pytest.mark.proves("R17.3")
@pytest.mark.parametrize("winner", [A, B])
def test_C42_from_one_elektro(winner: int) -> None:
    table = recharged(stack="33 34 S3", **ON_4)
    assert {p.plant: p.minimum for p in table.offer(A).plants} == {4: 1, 6: 6, 7: 7, 9: 9}
    assert table.refusal(A, opens(4, 0)) == "bid-too-low"
    assert table.refusal(A, opens(6, 5)) == "bid-too-low"
    table.plays(A, opens(4, 1))
    assert table.state.token is None
    table.plays(B, PASS if winner == A else bid(2)).plays(C, PASS)
    if winner == B:
        table.plays(A, PASS)
    assert table.spent(winner) == (1 if winner == A else 2)
    table.goes_on_to(RESOURCES)
    assert not table.count(TokenRemoved)
    assert table.boxed == ""


@pytest.mark.proves("R17.3")
def test_C43_a_lower_plant_ends_the_token() -> None:
    table = recharged(stack="3 33 34 S3", **ON_4)
    table.plays(A, opens(7)).plays(B, PASS).plays(C, PASS)
    assert (table.market, table.boxed) == ("4 6 9 10 / 11 12 15 33", "3")
    assert table.state.token is None
    assert table.refusal(B, opens(4, 3)) == "bid-too-low"
    table.plays(B, PASS).plays(C, PASS)
    assert table.boxed == "3"  # the old token plant stays


@pytest.mark.proves("R17.3")
@pytest.mark.parametrize("buys", [False, True])
def test_C44_the_unsold_token_plant_goes(buys: bool) -> None:
    table = recharged(stack="33 34 S3", **ON_4)
    if buys:
        table.plays(A, opens(9)).plays(B, PASS).plays(C, PASS)
    table.goes_on_to(RESOURCES)
    assert table.boxed == "4"
    assert table.market == ("6 7 10 11 / 12 15 33 34" if buys else "6 7 9 10 / 11 12 15 33")


@pytest.mark.proves("R17.3")
def test_C56_then_the_card_and_the_lowest() -> None:
    table = recharged(market="20 21 24 25 / 26 30 31 S3", stack="36 38", token=20, step=2).all_play(
        PASS
    )
    assert (table.market, table.boxed) == ("24 25 26 30 31 36", "20 S3 21")


@pytest.mark.proves("R17.3")
def test_C57_the_card_comes_for_the_token_plant() -> None:
    table = recharged(stack="S3 36 38", token=20, step=2).all_play(PASS)
    assert (table.market, table.boxed) == ("22 24 25 26 30 31", "20 S3 21")
    assert table.state.step == 3


# --- rules that no case shows ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "size", "low", "high"), [(2, 29, 1, 5), (3, 27, 2, 6), (4, 31, 1, 3), (6, 35, 0, 0)]
)
def test_R17_1_the_deck(seats: int, size: int, low: int, high: int) -> None:
    for seed in map(str, range(8)):
        state = table_of(seats, "recharged", seed=seed).state
        assert max(state.market.cards) <= 15
        assert list(state.market.cards) == sorted(state.market.cards)
        assert (len(state.stack), state.stack[-1]) == (size, 99)
        assert state.stack[0] <= 15
        assert sum(n <= 15 for n in state.boxed) == low
        assert sum(n > 15 for n in state.boxed) == high


def test_R17_1_every_low_plant_may_lie_open() -> None:
    seen = {n for s in range(40) for n in table_of(3, "recharged", seed=str(s)).state.market.cards}
    assert seen == set(range(3, 16))


def test_R17_2_garbage_from_6() -> None:
    assert table_of(3, "recharged").state.fuel_market.garbage == 9


def test_R17_3_the_token_comes_back_every_round_on_the_lowest() -> None:
    table = recharged(phase=BUREAUCRACY, stack="12 32 S3").all_play(POWER_ALL)
    assert table.market.startswith("12 ")
    assert table.event(TokenPlaced).plant == table.state.token == 12
    in_step_3 = recharged(phase=BUREAUCRACY, step=3, market="20 21 22", stack="")
    assert in_step_3.all_play(POWER_ALL).state.token == 21


def test_R17_3_with_an_empty_stack_nothing_is_drawn() -> None:
    table = recharged(step=3, market="20 21 22", stack="", token=20).all_play(PASS)
    assert (table.market, table.boxed) == ("21 22", "20")


def test_R17_3_only_while_the_token_lies_there() -> None:
    table = recharged(phase=BUREAUCRACY, stack="12 3 S3").all_play(POWER_ALL)
    assert table.boxed == ""
    two = recharged(stack="3 2 33 S3", market="4 6 7 9 / 10 11 12 15", token=4)
    two.plays(A, opens(4, 1)).plays(B, PASS).plays(C, PASS)
    assert two.market.startswith("2 3 6") or two.market.startswith("3 6 7")
    assert two.boxed == ""


def test_R17_5_the_numbers_of_the_printed_rules() -> None:
    six = table_of(6, "recharged").state.numbers
    assert (six.regions, table_of(2, "recharged").state.numbers.end_cities) == (5, 21)


@pytest.mark.parametrize("map", ["germany", "usa"])
def test_R17_the_boards_of_2019(map: str) -> None:
    old, new = rules(map=map).map, rules("recharged", map).map

    def lines(board: object) -> dict[frozenset[str], int]:
        return {frozenset((c.a, c.b)): c.cost for c in board.connections}

    renamed = {"torgelow": "stralsund", "wiesbaden": "mainz"} if map == "germany" else {}
    before = {frozenset(renamed.get(c, c) for c in k): v for k, v in lines(old).items()}
    changed = {tuple(sorted(k)): (before.get(k), lines(new).get(k))
               for k in {*before, *lines(new)} if before.get(k) != lines(new).get(k)}  # fmt: skip
    assert (
        changed
        == {
            "germany": {("dortmund", "essen"): (4, 5), ("mannheim", "saarbrucken"): (11, 16)},
            "usa": {
                ("boise", "cheyenne"): (24, None),
                ("chicago", "omaha"): (13, 12),
                ("cincinnati", "raleigh"): (15, None),
                ("houston", "santa-fe"): (21, 20),
                ("knoxville", "raleigh"): (None, 11),
            },
        }[map]
    )
