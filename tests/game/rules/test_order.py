"""Phase 1 and who goes first (R7.2, R7.9)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

import pytest

from core.game.events import PhaseBegan
from tests.game.rules.kit import (
    AUCTION,
    BUILDING,
    BUREAUCRACY,
    NOTHING,
    PASS,
    POWER_ALL,
    PRESETS,
    RESOURCES,
    A,
    B,
    C,
    D,
    Owner,
    Seat,
    buy,
    lay,
    opens,
    owner,
    rules,
)

IN_PHASE_5 = {"phase": BUREAUCRACY, "step": 2}


def next_order(
    *owners: Owner, variant: str = "standard", order: tuple[Seat, ...] | None = None
) -> tuple[Seat, ...]:
    """The order that phase 1 of the next round gives."""
    table = lay(*owners, ruleset=rules(variant), order=order, **IN_PHASE_5)
    return table.all_play(POWER_ALL).goes_on_to(AUCTION).state.order


@pytest.mark.proves("R8.1")
@pytest.mark.parametrize("variant", PRESETS)
def test_T21_reverse_order_in_phases_3_and_4(variant: str) -> None:
    table = lay(*(owner(elektro=10),) * 6, ruleset=rules(variant)).all_play(PASS)
    asked = []
    while table.state.phase is not BUREAUCRACY:
        asked.append(table.asked[0])
        table.plays(asked[-1], buy() if table.state.phase is RESOURCES else NOTHING)
    assert asked == [5, 4, 3, 2, 1, 0] * 2


@pytest.mark.proves("R7.2")
def test_T30_more_plants_or_the_higher_plant() -> None:
    x_and_y = (owner("essen", 20), owner("fulda", "4 5"))
    assert next_order(*x_and_y, variant="swahili_001")[:2] == (B, A)
    assert next_order(*x_and_y)[:2] == (A, B)


@pytest.mark.proves("R7.2")
def test_T31_cities_then_the_highest_plant() -> None:
    valerie, angelika, dale, anna = A, B, C, D
    owners = (owner(4, 30), owner(5, "15 3"), owner(5, "4 17"), owner(6, 5))
    assert next_order(*owners) == (anna, dale, angelika, valerie)


@pytest.mark.proves("R7.9")
@pytest.mark.parametrize(
    ("variant", "order"),
    [
        ("standard", (B, C, A)),
        ("ptt_v1_3", (B, C, A)),
        ("thai_000", (A, B, C)),
        ("swahili_001", (A, B, C)),
        ("simplified_004", (A, B, C)),
    ],
)
def test_T39_the_order_after_the_first_auctions(variant: str, order: tuple[Seat, ...]) -> None:
    table = lay(round=1, market="4 6 7 13 / 15 16 17 18", ruleset=rules(variant))
    table.plays(A, opens(4)).plays(B, PASS).plays(C, PASS)
    table.plays(B, opens(13)).plays(C, PASS).plays(C, opens(7))
    assert table.state.order == order
    assert (table.state.phase, table.asked) == (RESOURCES, order[-1:])
    assert table.event(PhaseBegan).seats == order[::-1]


@pytest.mark.proves("R7.2")
def test_C19_without_plants() -> None:
    assert next_order(owner("essen"), owner("fulda", 3), owner("halle")) == (B, A, C)
    table = lay(owner("essen"), phase=RESOURCES, order=(B, C, A))
    assert table.offer(A).fuels == ()
    assert table.refusal(A, buy(coal=1)) == "no-storage"
    assert table.allows(A, buy())
    table = lay(owner("essen"), phase=BUREAUCRACY).plays(A, POWER_ALL)
    assert (table.earned(A), table.player(A).powered) == (10, 0)


def test_R7_2_without_plants_the_order_stays() -> None:
    assert next_order(owner(), owner(), owner(), order=(C, A, B)) == (C, A, B)


def test_R7_2_round_1_keeps_the_drawn_order() -> None:
    table = lay(round=0, phase=BUREAUCRACY, order=(C, A, B)).all_play(POWER_ALL)
    assert (table.state.round, table.asked) == (1, (C,))


def test_R7_9_only_round_1_is_sorted_again() -> None:
    table = lay(owner("essen"), round=2, order=(B, C, A)).goes_on_to(BUILDING)
    assert table.state.order == (B, C, A)
