"""Whatever is changed in a recorded game is noticed, and the tolerances tolerate nothing else.

The recordings come from an independent public engine (see `core.conform`).
"""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.game.errors import LogError
from webapp.instruments.conform import compare
from webapp.instruments.conform.command import conform as conform_command
from webapp.instruments.conform.compare import Findings
from webapp.instruments.conform.replay import conform
from webapp.instruments.conform.trace import Trace, read_trace

FOLDER = Path(__file__).with_name("recorded")
STANDARD, RECHARGED = "USA-original-2p-s110", "Germany-recharged-3p-s60"
SOLD_OUT, LATE = "USA-original-3p-s6", "USA-original-5p-s43"
Data = dict[str, Any]
Change = Callable[[Data], None]


@cache
def text_of(game: str) -> str:
    return (FOLDER / f"{game}.json").read_text("utf-8")


def changed(game: str, change: Change) -> Findings:
    data = json.loads(text_of(game))
    change(data)
    return conform(Trace(game, data))


@pytest.mark.parametrize(
    ("game", "habits"),
    [
        (STANDARD, {"draw-after-discard": 8}),
        (RECHARGED, {"draw-after-discard": 8, "discount-price": 1}),
        (SOLD_OUT, {"draw-after-discard": 12, "explicit-pass": 1}),
        (LATE, {"draw-after-discard": 19, "late-first-city": 1}),
    ],
)
def test_the_recordings_agree(game: str, habits: dict[str, int]) -> None:
    found = changed(game, lambda data: None)
    assert found.differences == []
    assert dict(found.habits) == habits
    assert found.moves == len(json.loads(text_of(game))["moves"])


# --- positions ---------------------------------------------------------------------------------


def settled(data: Data, key: str) -> list[int]:
    """Moves after which `key` is compared: they complete one of ours, and nothing is tolerated."""
    moves = data["moves"]
    return [
        i
        for i, move in enumerate(moves[:-1])
        if key in move["d"]
        and move["m"] in ("Pass", "Bid")
        and not moves[i + 1]["m"].startswith("Discard")
    ]


def other(value: Any) -> Any:
    match value:
        case int():
            return value + 1
        case str():
            return "Bureaucracy" if value != "Bureaucracy" else "Building"
        case []:
            return [1]
        case [*rest]:
            return rest[::-1] if rest != rest[::-1] else [*rest, 1]
        case None:
            return [3, 3, 0, 3]


@pytest.mark.parametrize("key", [k for k in compare.KEYS if k not in ("pl", "dsc", "b39")])
def test_a_changed_position_is_noticed(key: str) -> None:
    places = settled(json.loads(text_of(STANDARD)), key)
    assert places
    for at in (places[0], places[len(places) // 2]):

        def change(data: Data, at: int = at) -> None:
            changes = data["moves"][at]["d"]
            changes[key] = other(changes[key])

        found = changed(STANDARD, change)
        assert found.differences, (key, at)
        assert f"{key}: recorded" in found.differences[0] or "options" in found.differences[0]


def test_k10_a_changed_b39_is_noticed() -> None:
    def change(data: Data) -> None:
        data["initial"]["state"]["b39"] = 1

    assert "at the start: b39: recorded 1" in changed(STANDARD, change).differences[0]


@pytest.mark.parametrize("kind", ["BuyResource", "Build", "UsePowerPlant", "ChoosePowerPlant"])
def test_positions_in_the_midst_of_our_moves_are_compared(kind: str) -> None:
    def change(data: Data) -> None:
        move = next(m for m in data["moves"] if m["m"] == kind)
        if kind == "ChoosePowerPlant":
            move["d"]["auc"] = [*move["d"]["auc"][:3], 2]
        else:
            move["d"]["pl"][str(move["p"])][0] += 1

    assert f"({kind}): " in changed(STANDARD, change).differences[0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("connections", [[0, 1, 99]]), ("citiesToStep2", 3), ("citiesToEnd", 30),
        ("payment", [10, 22]), ("resupply", [[1, 1, 1]] * 4), ("prices", {"coal": [1]}),
        ("regions", ["green"]),
    ],
)  # fmt: skip
def test_k10_a_changed_table_is_noticed(key: str, value: Any) -> None:
    found = changed(STANDARD, lambda data: data["initial"].update({key: value}))
    assert any(f"on the table: {key}: recorded" in said for said in found.differences)


def test_k10_a_changed_ranking_and_number_of_moves_are_noticed() -> None:
    for key, change in (("ranking", lambda row: row[::-1]), ("moves", lambda n: n + 1)):

        def alter(data: Data, key: str = key, change: Any = change) -> None:
            data["final"][key] = change(data["final"][key])

        assert f"at the end: {key}: recorded" in changed(STANDARD, alter).differences[0]


def test_all_positions_are_compared_and_the_rest_is_named() -> None:
    found = changed(STANDARD, lambda data: None)
    assert found.compared["positions"] == found.moves + 1
    assert found.compared["lists of options"] == found.moves
    assert set(found.left_out) <= {f"{key} (habit)" for key in compare.MARKET_KEYS}
    more = changed(STANDARD, lambda data: data["initial"].update({"blocked": [1]}))
    assert more.left_out["initial.blocked"] == 1


def command(folder: Path, *words: str) -> Any:
    return CliRunner().invoke(conform_command, [str(folder), *words])


@pytest.mark.parametrize(
    ("change", "says", "code"),
    [
        (lambda data: data.update(map="Atlantis"), "left out: the map 'Atlantis' is not here", 0),
        (lambda data: data.update(variant="orignal"), "refused: there is no variant 'orignal'", 1),
        (lambda data: data.pop("moves"), "is malformed: moves: Field required", 1),
        (lambda data: data["moves"][3].update(p="x"), "is malformed: moves.3.p:", 1),
        (lambda data: data["initial"].update(cities=[["Essen"]]), "malformed: initial.cities", 1),
        (lambda data: data["final"].pop("places"), "malformed: final.places", 1),
    ],
)
def test_k10_files_that_cannot_be_compared_are_told_apart(
    tmp_path: Path, change: Change, says: str, code: int
) -> None:
    data = json.loads(text_of(STANDARD))
    change(data)
    (tmp_path / "a.json").write_text(json.dumps(data))
    (tmp_path / "b.json").write_text(text_of(RECHARGED))
    answer = command(tmp_path)
    assert says in answer.output
    assert "b.json: 322 moves, the same" in answer.output
    assert answer.exit_code == code
    assert "0 differences" in answer.output
    assert answer.exception is None or isinstance(answer.exception, SystemExit)


def test_a_changed_token_is_noticed() -> None:
    def change(data: Data) -> None:
        at = next(i for i, m in enumerate(data["moves"]) if "dsc" in m["d"])
        data["moves"][at]["d"]["dsc"] ^= 1

    assert "dsc: recorded" in changed(RECHARGED, change).differences[0]


@pytest.mark.parametrize(("what", "value"), [(0, 1), (1, 50), (2, None), (3, 0)])
def test_a_changed_player_is_noticed(what: int, value: Any) -> None:
    """Money, plants, fuel, cities."""

    def change(data: Data) -> None:
        places = settled(data, "pl")
        row = data["moves"][places[len(places) // 2]]["d"]["pl"]
        seat = next(iter(row))
        kept = row[seat][what]
        row[seat][what] = kept + 1 if what == 0 else [n + 1 for n in kept] or [value]

    assert "pl: recorded" in changed(STANDARD, change).differences[0]


@pytest.mark.parametrize("key", ["mkt", "sup", "deck", "ord"])
def test_a_changed_start_is_noticed(key: str) -> None:
    def change(data: Data) -> None:
        state = data["initial"]["state"]
        state[key] = [*state[key][:-2], state[key][-1], state[key][-2]]

    differences = changed(STANDARD, change).differences
    assert differences
    if key != "deck":  # the deck is taken as it is, and fails where a card is drawn
        assert f"at the start: {key}" in differences[0]


@pytest.mark.parametrize("key", ["rounds", "step", "places", "powered", "money", "cities"])
def test_a_changed_result_is_noticed(key: str) -> None:
    def change(data: Data) -> None:
        data["final"][key] = other(data["final"][key])

    found = changed(STANDARD, change)
    assert len(found.differences) == 1
    assert found.differences[0].startswith(f"at the end: {key}")


# --- options -----------------------------------------------------------------------------------

OPTIONS = {
    "Bid": lambda row: [row[0] + 1, row[1]],
    "Build": lambda row: [row[0], row[1] + 1],
    "ChoosePowerPlant": lambda row: row[1:],
    "DiscardPowerPlant": lambda row: row[:-1],
    "DiscardResources": lambda row: row[:-1],
    "BuyResource": lambda row: row[:-1],
    "UsePowerPlant": lambda row: row[:-1],
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_changed_options_are_noticed(kind: str) -> None:
    places = [i for i, m in enumerate(json.loads(text_of(STANDARD))["moves"]) if kind in m["o"]]
    for at in {places[0], places[len(places) // 2], places[-1]}:

        def change(data: Data, at: int = at) -> None:
            options = data["moves"][at]["o"]
            options[kind] = OPTIONS[kind](options[kind])

        found = changed(STANDARD, change)
        assert len(found.differences) == 1
        assert found.differences[0].startswith(f"at move {at}: options")


@pytest.mark.parametrize("part", [0, 1])
def test_both_ends_of_a_bid_and_both_numbers_of_a_building_count(part: int) -> None:
    for kind in ("Bid", "Build"):

        def change(data: Data, kind: str = kind) -> None:
            first = next(m for m in data["moves"] if kind in m["o"])
            first["o"][kind][part] += 1

        assert "options" in changed(STANDARD, change).differences[0]


def test_a_pass_too_many_or_too_few_is_noticed() -> None:
    def forbid(data: Data) -> None:
        next(m for m in data["moves"] if m["m"] == "Pass")["o"].pop("Pass")

    def allow(data: Data) -> None:
        data["moves"][0]["o"]["Pass"] = 1  # round 1: must buy

    for change in (forbid, allow):
        assert "options" in changed(STANDARD, change).differences[0]


def test_a_changed_price_of_a_city_is_noticed() -> None:
    def change(data: Data) -> None:
        next(m for m in data["moves"] if m["m"] == "Build")["a"][1] += 1

    assert "price of" in changed(STANDARD, change).differences[0]


def test_a_move_that_our_rules_refuse_ends_the_comparison() -> None:
    def change(data: Data) -> None:
        next(m for m in data["moves"] if m["m"] == "Bid")["a"] = 1000

    found = changed(STANDARD, change)
    assert "refused" in found.differences[-1]
    assert found.moves < len(json.loads(text_of(STANDARD))["moves"])


# --- tolerances --------------------------------------------------------------------------------


def discards(data: Data) -> list[int]:
    return [i for i, m in enumerate(data["moves"]) if m["m"] == "DiscardPowerPlant"]


@pytest.mark.parametrize("key", compare.MARKET_KEYS[:4])
def test_after_the_discard_the_market_is_compared_again(key: str) -> None:
    def change(data: Data) -> None:
        at = next(
            i for i in discards(data)
            if key in data["moves"][i]["d"] and data["moves"][i + 1]["m"] != "DiscardResources"
        )  # fmt: skip
        data["moves"][at]["d"][key] = other(data["moves"][at]["d"][key])

    assert f"{key}: recorded" in changed(LATE, change).differences[0]


def test_before_a_discard_money_is_compared() -> None:
    def change(data: Data) -> None:
        bought = data["moves"][discards(data)[0] - 1]["d"]["pl"]
        seat = max(bought, key=lambda s: len(bought[s][1]))
        bought[seat][0] += 1

    found = changed(STANDARD, change)
    assert "pl: recorded" in found.differences[0]


def explicit_pass(data: Data) -> int:
    """The Pass of somebody left over when the market is sold out."""
    moves = data["moves"]
    state = copy.deepcopy(data["initial"]["state"])
    for i, move in enumerate(moves):
        if move["m"] == "Pass" and state["ph"] == "Auction":
            cards = state["act"] + state["fut"]
            if not cards and not state["auc"]:
                return i
        state.update({k: v for k, v in move["d"].items() if k != "pl"})
    raise AssertionError("no such moment")


def test_only_a_pass_is_left_out_when_the_market_is_sold_out() -> None:
    def bid(data: Data) -> None:
        move = data["moves"][explicit_pass(data)]
        move["m"], move["a"] = "Bid", 30

    assert changed(SOLD_OUT, bid).differences

    def twice(data: Data) -> None:
        at = explicit_pass(data)
        data["moves"].insert(at, copy.deepcopy(data["moves"][at]))

    assert changed(SOLD_OUT, twice).differences


def test_a_phase_that_ends_with_plants_on_the_market_is_no_habit() -> None:
    """There all have bought or passed, and the recorder says that it is still the auction."""

    def change(data: Data) -> None:
        at = next(i for i, m in enumerate(data["moves"]) if m["d"].get("ph") == "Resources")
        del data["moves"][at]["d"]["ph"]

    assert "ph: recorded Auction" in changed(STANDARD, change).differences[0]


def discount(data: Data) -> tuple[dict[str, Any], int]:
    """Options from which the token plant is missing (so all are: it is the lowest), and it."""
    state = copy.deepcopy(data["initial"]["state"])
    for move in data["moves"]:
        nobody_bids = state["ph"] == "Auction" and not state["auc"]
        if nobody_bids and state["dsc"] and move["o"] == {"Pass": 1}:
            return move["o"], state["act"][0]
        state.update({k: v for k, v in move["d"].items() if k != "pl"})
    raise AssertionError("no such moment")


def test_only_the_token_plant_may_be_missing_and_only_from_the_poor() -> None:
    def another_is_there(data: Data) -> None:
        options, token = discount(data)
        options["ChoosePowerPlant"] = [token + 1]

    def no_pass(data: Data) -> None:
        options, token = discount(data)
        options["ChoosePowerPlant"] = [token]
        del options["Pass"]

    def from_the_rich(data: Data) -> None:
        options = data["moves"][0]["o"]
        options["ChoosePowerPlant"] = options["ChoosePowerPlant"][1:]

    for change in (another_is_there, no_pass, from_the_rich):
        assert "options" in changed(RECHARGED, change).differences[0]

    def there(data: Data) -> None:
        options, token = discount(data)
        options["ChoosePowerPlant"] = [token]

    found = changed(RECHARGED, there)
    assert found.differences == []
    assert "discount-price" not in found.habits


def test_a_late_first_city_may_be_offered_in_one_way_only() -> None:
    found = changed(LATE, lambda data: None)
    assert found.habits["late-first-city"] == 1
    at = late_first_city()
    for part in (0, 1):

        def change(data: Data, part: int = part) -> None:
            data["moves"][at]["o"]["Build"][part] += 1

        assert f"at move {at}: options" in changed(LATE, change).differences[0]


def late_first_city() -> int:
    """The move at which a player without a city may build in Step 2 or 3."""
    data = json.loads(text_of(LATE))
    step, cities = 1, {str(seat): 0 for seat in range(data["players"])}
    for i, move in enumerate(data["moves"]):
        if step > 1 and "Build" in move["o"] and not cities[str(move["p"])]:
            return i
        step = move["d"].get("st", step)
        cities |= {seat: len(row[3]) for seat, row in move["d"].get("pl", {}).items()}
    raise AssertionError("no such moment")


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    for text in ("{}", "[]", "no json", '{"format": "pg-trace/2"}'):
        path = tmp_path / "game.json"
        path.write_text(text, "utf-8")
        with pytest.raises(LogError, match=r"game\.json"):
            read_trace(path)
