"""The presets play what their texts say (C2): B37 to B42, C63 to C73."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from typing import Any

import pytest

from core.game.engine import default_move
from core.game.events import FuelRefilled, StepReached
from core.game.moves import Move, PowerPlants, Run
from core.game.rules import catalog
from core.game.rules.load import KNOBS, load
from core.game.types import Fuel
from tests.game.rules.kit import (
    BUREAUCRACY,
    PASS,
    POWER_ALL,
    A,
    B,
    C,
    Table,
    discard,
    lay,
    opens,
    owner,
    rules,
    run,
)

NOT_THERE = "not-on-plant"


def runs(*plants: tuple[int, dict[str, int] | None]) -> Move:
    """Run plants, each with the mix named, or with what is cheaper."""
    return PowerPlants(tuple(Run(n, None if mix is None else Fuel(**mix)) for n, mix in plants))


def stocked(plants: str, own_storage: bool = True, **fuel: int) -> Table:
    ruleset = rules(burn_own_storage=own_storage)
    return lay(owner(6, plants, **fuel), phase=BUREAUCRACY, ruleset=ruleset)


OIL, COAL = {"oil": 1}, {"coal": 1}


def test_C63_the_oil_lies_on_the_other_plant() -> None:
    table = stocked("29 35", coal=2, oil=1)
    assert table.refusal(A, runs((29, OIL))) == NOT_THERE


@pytest.mark.parametrize(
    "move", [runs((35, None)), runs((29, COAL)), runs((29, COAL), (35, None)), run(29, 35)]
)
def test_C64_each_with_what_lies_on_it(move: Move) -> None:
    table = stocked("29 35", coal=2, oil=1)
    assert table.allows(A, move)
    both = table.plays(A, POWER_ALL).player(A)
    assert both.fuel == Fuel(coal=1)


def test_C65_one_oil_fits_beside_the_coal() -> None:
    table = stocked("29 35", coal=1, oil=2).plays(A, runs((29, OIL), (35, None)))
    assert table.player(A).fuel == Fuel(coal=1)


def test_C66_no_room_for_the_oil() -> None:
    move = runs((29, OIL), (35, None))
    assert stocked("29 35", coal=2, oil=2).refusal(A, move) == NOT_THERE
    assert stocked("29 35", own_storage=False, coal=2, oil=2).allows(A, move)


def test_C67_the_smallest_current_plant_leaves() -> None:
    table = lay(market="20 22 25 26 / 18 30 33 36", stack="31 32 S3", ruleset=rules("ptt_v1_3"))
    assert table.all_play(PASS).market == "18 22 25 26 / 30 31 33 36"
    assert table.boxed == "20"


def test_C68_who_can_pay_must_open() -> None:
    owners = (owner(elektro=30),) * 3
    table = lay(*owners, market="13 15 18 20 / 21 22 23 24", ruleset=rules("swahili_001"))
    assert table.refusal(A, PASS) == "must-buy"
    assert default_move(table.state, A) == opens(13)


def test_C69_nothing_within_reach() -> None:
    owners = (owner(elektro=12),) * 3
    table = lay(*owners, market="13 15 18 20 / 21 22 23 24", ruleset=rules("swahili_001"))
    assert table.allows(A, PASS)


def test_C70_passing_in_round_1() -> None:
    assert lay(round=1, ruleset=rules("thai_000")).allows(A, PASS)


def test_C71_two_players_own_three_plants() -> None:
    table = lay(owner(plants="8 13 15"), seats=2, ruleset=rules("simplified_004"))
    table.plays(A, opens(20)).plays(B, PASS)
    assert table.state.discarding == A
    assert table.plays(A, discard(20)).player(A).plants == (8, 13, 15)


def test_C72_nothing_is_moved_between_plants_of_a_move() -> None:
    table = stocked("12 29 35", coal=6, oil=2)
    assert table.refusal(A, runs((12, {"coal": 2}), (29, OIL))) == NOT_THERE
    assert table.allows(A, runs((12, {"coal": 2}), (29, COAL), (35, None)))


def test_C73_the_card_of_the_rotation_refills_by_the_step_before() -> None:
    table = lay(
        owner(2), step=2, phase=BUREAUCRACY, ruleset=rules("thai_000"),
        market="20 21 22 24 / 25 26 30 31", stack="S3 36 38", fuel=(0, 0, 0, 0),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.refilled == rules("thai_000").refill(3, 2).counts()
    assert table.state.step3_drawn
    kinds = [type(event) for event in table.events]
    assert kinds.index(FuelRefilled) < kinds.index(StepReached)


@pytest.mark.parametrize(("value", "code"), [(True, NOT_THERE), (False, "")])
def test_B37_k8_a_plant_burns_what_lies_on_it(value: bool, code: str) -> None:
    table = stocked("29 35", own_storage=value, coal=2, oil=1)
    assert table.refusal(A, runs((29, OIL))) == code


@pytest.mark.parametrize(
    ("value", "first", "later"),
    [("never", "", ""), ("round_1", "must-buy", ""), ("always", "must-buy", "must-buy")],
)
def test_B38_who_must_open(value: str, first: str, later: str) -> None:
    ruleset = rules(opener_must_open=value)
    assert lay(round=1, ruleset=ruleset).refusal(A, PASS) == first
    assert lay(round=3, ruleset=ruleset).refusal(A, PASS) == later


def test_B39_the_winners_maximum_is_told_at_the_end() -> None:
    assert rules().reveal_sealed_bids == "at_end"
    assert {rules(v).reveal_sealed_bids for v in ("recharged", "thai_000")} == {"at_end"}


@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
def test_B40_who_chooses_the_regions(variant: str) -> None:
    drafted = variant in ("thai_000", "swahili_001", "simplified_004")
    assert rules(variant).region_choice == ("draft" if drafted else "random")
    assert rules(variant, region_choice="random").region_choice == "random"


@pytest.mark.parametrize(("value", "boxed"), [("market", "18"), ("actual", "20")])
def test_B41_which_row_loses_the_smallest(value: str, boxed: str) -> None:
    ruleset = rules("ptt_v1_3", no_sale_row=value)
    table = lay(market="20 22 25 26 / 18 30 33 36", stack="31 32 S3", ruleset=ruleset)
    assert table.all_play(PASS).boxed == boxed


@pytest.mark.parametrize(
    ("value", "cities", "boxed"),
    [
        ("obsolete_else_lowest", 21, "20 21"), ("obsolete_else_lowest", 19, "20"),
        ("box_lowest", 21, "20"), ("none", 21, ""),
    ],
)  # fmt: skip
def test_B42_outgrown_plants_in_step_3(value: str, cities: int, boxed: str) -> None:
    table = lay(
        owner(cities), step=3, phase=BUREAUCRACY, market="20 21 30 31 33 34", stack="35 36 37",
        ruleset=rules("ptt_v1_3", step3_rotation=value),
    ).all_play(POWER_ALL)  # fmt: skip
    assert table.boxed == boxed


def test_k6_nobody_buys_and_the_lowest_current_plant_goes() -> None:
    table = lay(market="10 13 15 18 / 9 20 25 26", stack="27 S3", ruleset=rules("ptt_v1_3"))
    table.all_play(PASS)
    assert (table.boxed, table.market) == ("10", "9 13 15 18 / 20 25 26 27")


def test_the_fewest_plants_that_power_as_many() -> None:
    """Two plants of less fuel, or one: 4 and 10 burn as much as 20 does not."""
    owners = (owner(3, "13 18 15", coal=2),)
    for value, ran in (("least_fuel", (13, 18)), ("fewest_plants", (15,))):
        table = lay(*owners, phase=BUREAUCRACY, ruleset=rules(power_default=value))
        assert table.offer(A).choices[0].plants == ran


DRAWN = {"obsolete_timing": "draws_only"}


def test_draws_only_boxes_what_is_drawn_and_nothing_else() -> None:
    table = lay(
        owner(20), ruleset=rules(**DRAWN), market="20 21 22 24 / 25 26 30 31", stack="14 33 S3"
    )
    table.plays(A, opens(21)).plays(B, PASS).plays(C, PASS)
    assert (table.boxed, table.market) == ("14", "20 22 24 25 / 26 30 31 33")


@pytest.mark.parametrize(
    ("market", "under"),
    [
        ("3 4 7 8 / 9 10 13 18", 10), ("20 22 25 26 / 27 33 37 50", 50),
        ("13 20 22 25 / 27 33 37 44", 25), ("13 18 22 27 / 33 37 44 S3", None),
    ],
)  # fmt: skip
def test_wind_plants_that_never_go_under(market: str, under: int | None) -> None:
    ruleset = rules(rotation="largest_but_wind", obsolete_timing="off")
    table = lay(market=market, stack="32 36", phase=BUREAUCRACY, ruleset=ruleset)
    table.all_play(POWER_ALL)
    assert table.stack.split()[1:] == ([] if under is None else ["36", str(under)][-1:]) or (
        under is None and table.stack == "32 36"
    )


def test_plants_that_are_out_by_number_of_players() -> None:
    ruleset = load("germany", options={"removed_plants": "3,4/5///50", "boxed_plants": "0,0,0,0,0"})
    assert ruleset.removed_plants == ((3, 4), (5,), (), (), (50,))
    assert [ruleset.removed(n) for n in (2, 3, 4)] == [(3, 4), (5,), ()]


def test_five_lists_are_kept_by_the_log() -> None:
    from core.game.chance import Chance
    from core.game.engine import start
    from core.game.log.codec import decode, encode

    ruleset = load("germany", options={"removed_plants": "3,4/5///50", "boxed_plants": "0,0,0,0,0"})
    first = start(ruleset, 2, Chance("ab" * 32))[0]
    assert first.market.cards == (5, 6, 7, 8, 9, 10, 11, 12)  # type: ignore[union-attr]
    assert decode(encode(first)) == first


@pytest.mark.parametrize("variant", [v.key for v in catalog.variants()])
def test_k7_each_rule_of_a_preset_is_a_sentence_of_its_text(variant: str) -> None:
    told = {key for sentence in catalog.sentences(variant) for key in sentence.knobs}
    assert told <= set(KNOBS)
    if variant not in ("standard", "recharged"):
        chosen: dict[str, Any] = catalog.read(catalog.find("variants", variant))["rules"]
        assert set(chosen) <= told


@pytest.mark.parametrize("map", ["germany", "usa", "france", "italy"])
def test_a_map_with_fewer_regions_plays_with_all_it_has(map: str) -> None:
    assert load(map, "swahili_001").regions_in_play == (3, 3, 4, 5, 6)
