"""Rules in layers, and everything that is refused with file, key and reason (B, C)."""

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from core.bots import BOTS, bot
from core.game.errors import RulesError
from core.game.evolve import replay
from core.game.rules import catalog
from core.game.rules.knobs import Ruleset
from core.game.rules.load import KNOBS, load, load_map
from core.game.types import Phase
from webapp.instruments.selfplay import play_game

ROOT = Path(__file__).parents[2]
VARIANTS = {info.key for info in catalog.variants()}
EXAMPLE = re.search(r"```toml\n(.*?)```", (ROOT / "docs/maps.md").read_text(), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with the map that docs/maps.md shows."""
    assert EXAMPLE
    (tmp_path / "switzerland.toml").write_text(EXAMPLE.group(1))
    return tmp_path


DELTAS: dict[str, dict[str, object]] = {
    "standard": {},
    "recharged": {
        "deck_setup": "shuffled_3_15",
        "boxed_plants": (5, 6, 3, 0, 0),
        "boxed_low_plants": (1, 2, 1, 0, 0),
        "garbage": 6,
        "discount_token": True,
        "obsolete_timing": "off",
        "no_sale_boxes": 0,
        "first_city_must_be_empty": False,
        "coal_overflow_price": 8,
    },
    "thai_000": {
        "region_choice": "draft",
        "opener_must_open": "never",
        "no_sale_boxes": 0,
        "phase5_order": "pay_plants_fuel",
        "bid_direction": "turn_order",
        "discard_choice": "any",
        "reorder_after_first_auction": False,
        "first_city_must_be_empty": False,
        "obsolete_timing": "phase4",
        "step2_boxes": 0,
        "step3_start": "phase5",
        "tie_breaks": ("powered", "money", "shared"),
    },
    "swahili_001": {
        "region_choice": "draft",
        "regions_in_play": (3, 3, 4, 5, 6),
        "plant_limit": (3, 3, 3, 3, 3),
        "step2_cities": (7, 7, 7, 7, 7),
        "end_cities": (17, 17, 17, 17, 17),
        "opener_must_open": "always",
        "no_sale_boxes": 0,
        "step3_rotation": "none",
        "order_tiebreak": "plant_count",
        "discard_fuel_move": "must",
        "reorder_after_first_auction": False,
        "obsolete_timing": "phase4",
        "obsolete_compare": "lt",
        "obsolete_scope": "every_player",
        "step2_start": "immediate",
        "end_timing": "immediate",
    },
    "ptt_v1_3": {
        "garbage": 5,
        "opener_must_open": "never",
        "no_sale_row": "actual",
        "step3_rotation": "obsolete_else_lowest",
        "power_default": "fewest_plants",
        "market_insert": "future_first",
        "rotation": "obsolete_else_largest",
        "pass_through_empty": False,
        "obsolete_timing": "phase5_once",
        "obsolete_rows": "all",
        "step2_start": "next_round",
        "step2_boxes": 0,
        "refill_row": "upcoming",
        "step3_start": "next_round",
        "end_timing": "immediate",
    },
    "simplified_004": {
        "region_choice": "draft",
        "regions_in_play": (3, 3, 4, 5, 6),
        "plant_limit": (3, 3, 3, 3, 3),
        "step2_cities": (7, 7, 7, 7, 7),
        "end_cities": (17, 17, 17, 17, 17),
        "discard_choice": "any",
        "reorder_after_first_auction": False,
        "step3_cleanup_p4": "end_of_phase",
        "step3_reshuffle": "on_step3_start",
        "tie_breaks": ("powered", "shared"),
    },
}


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_a_preset_differs_from_standard_in_just_its_deltas(variant: str) -> None:
    """C, on the board of the USA (which adds the price of coal to one of them)."""
    new, old = load("usa", variant), load("usa")
    found = {k: getattr(new, k) for k in KNOBS if getattr(new, k) != getattr(old, k)}
    if "garbage" in found:
        found["garbage"] = new.garbage.start_from
    assert found == DELTAS[variant]


def test_no_preset_is_untested() -> None:
    assert set(DELTAS) == VARIANTS


def test_the_numbers_of_players() -> None:
    """R2."""
    rules = load("usa")
    table = [rules.numbers(n) for n in range(2, 7)]
    assert [n.regions for n in table] == [3, 3, 4, 5, 5]
    assert [n.boxed for n in table] == [8, 8, 4, 0, 0]
    assert [n.plant_limit for n in table] == [4, 3, 3, 3, 3]
    assert [n.step2_cities for n in table] == [10, 7, 7, 7, 6]
    assert [n.end_cities for n in table] == [21, 17, 17, 15, 14]


def test_the_deck() -> None:
    """R5."""
    plants = load("usa").plant
    assert sorted(plants) == [*range(3, 41), 42, 44, 46, 50]
    assert sum(p.cities for p in plants.values()) == 156
    assert plants[5].hybrid
    assert plants[5].storage == 4
    assert plants[50].fuels == ()


def test_later_layers_win() -> None:
    """Standard, variant, map, edition, options."""
    assert load("italy", "ptt_v1_3").garbage.start_from == 5
    assert load("france", "recharged").garbage.start_from == 7
    assert load("france", "recharged", {"garbage": {"start_from": 4}}).garbage.start_from == 4


def test_a_part_of_a_track_keeps_the_rest() -> None:
    assert load("usa", options={"oil": {"start_from": 2}}).oil.refill == load("usa").oil.refill


@pytest.mark.parametrize(
    ("option", "value", "read"),
    [
        ("hidden_money", "false", False),
        ("starting_elektro", "60", 60),
        ("first_plant", "", None),
        ("first_plant", False, None),
        ("end_cities", ["20", 16, 16, 14, 13], (20, 16, 16, 14, 13)),
    ],
)
def test_options_may_come_from_a_form(option: str, value: object, read: object) -> None:
    assert getattr(load("usa", options={option: value}), option) == read


def test_the_same_rules_are_loaded_once() -> None:
    assert load("usa", "thai_000") is load("usa", "thai_000")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hiden_money": True}, ("hiden_money", "no such rule", "hidden_money")),
        ({"map": "usa"}, ("map", "no such rule")),
        ({"obsolete_timing": "never"}, ("obsolete_timing", "phase5_once", "never")),
        ({"end_cities": [1, 2, 3]}, ("end_cities",)),
        ({"end_cities": [22, 17, 17, 15, 14]}, ("end_cities", "2 players")),
        ({"step2_cities": [10, 7, 7, 7, 15]}, ("step2_cities", "6 players")),
        ({"regions_in_play": [3, 3, 4, 5, 7]}, ("regions_in_play", "7")),
        ({"payment": [10, 22]}, ("payment", "21")),
        ({"payment": [10, 9, *[150] * 20]}, ("payment", "fall")),
        ({"plant_limit": [0, 3, 3, 3, 3]}, ("plant_limit",)),
        ({"starting_elektro": -1}, ("starting_elektro",)),
        ({"starting_elektro": 12}, ("starting_elektro", "plant 3")),
        ({"house_costs": [48, 48, 48]}, ("starting_elektro", "first house")),
        ({"starting_elektro": "9" * 4000}, ("starting_elektro", "100000")),
        ({"payment": [0, *[150] * 21]}, ("payment", "never end")),
        ({"payment": [10, *[150] * 20, 1001]}, ("payment", "1000")),
        ({"payment": [150] * 102}, ("payment", "101 numbers")),
        ({"house_costs": [10, 15, 1001]}, ("house_costs", "1000")),
        ({"houses_per_player": 500, "payment": [150] * 101}, ("houses_per_player", "100")),
        ({"plant_limit": [4, 3, 3, 3, 7]}, ("plant_limit", "6")),
        ({"plant_limit": [10**20, 3, 3, 3, 3]}, ("plant_limit", "6")),
        ({"regions_in_play": [3, 3, 4, 5, 10**20]}, ("regions_in_play", "20")),
        ({"regions_in_play": [-1, 3, 4, 5, 5]}, ("regions_in_play", "-1")),
        ({"coal_overflow_price": 1001}, ("coal_overflow_price", "1000")),
        ({"oil.tokens": 10**20}, ("oil", "1000")),
        ({"oil": {"prices": [1] * 102}}, ("oil", "101 numbers")),
        ({"oil": {"start_from": 1001}}, ("oil", "1000")),
        ({"oil": {"refill": [[1, 1, 1001]] * 5}}, ("oil", "1000")),
        ({"coal_overflow_price": 0}, ("coal_overflow_price",)),
        ({"market_insert": "future_first"}, ("market_insert", "rotation", "B14")),
        ({"rotation": "obsolete_else_largest"}, ("market_insert", "rotation")),
        ({"discount_token": True}, ("discount_token", "obsolete_timing")),
        (
            {"discount_token": True, "obsolete_timing": "off"},
            ("discount_token", "no_sale_boxes"),
        ),
        ({"first_plant": 10}, ("first_plant", "10")),
        ({"first_plant": 41}, ("first_plant", "41")),
        ({"removed_plants": [13]}, ("first_plant", "13")),
        ({"removed_plants": [*range(51)]}, ("removed_plants",)),
        ({"removed_plants": [41]}, ("removed_plants", "41")),
        ({"uranium_stop_after": 41}, ("uranium_stop_after", "41")),
        ({"boxed_plants": [34, 8, 4, 0, 0]}, ("boxed_plants", "34")),
        ({"boxed_low_plants": [1, 0, 0, 0, 0]}, ("boxed_low_plants", "shuffled_3_15")),
        ({"always_in_market": [11]}, ("always_in_market", "shuffled_3_15")),
        ({"deck_setup": "shuffled_3_15", "always_in_market": [20]}, ("always_in_market", "15")),
        (
            {"deck_setup": "shuffled_3_15", "boxed_low_plants": [5, 0, 0, 0, 0]},
            ("boxed_low_plants", "5 of 4"),
        ),
        ({"tie_breaks": []}, ("tie_breaks",)),
        ({"tie_breaks": ["money", "shared"]}, ("tie_breaks", "powered")),
        ({"tie_breaks": ["powered", "money"]}, ("tie_breaks", "shared")),
        ({"tie_breaks": ["powered", "money", "money", "shared"]}, ("tie_breaks", "once")),
        ({"oil": {"start_from": 0, "tokens": 20}}, ("oil", "start_from")),
        ({"oil": {"prices": [2, 1]}}, ("oil", "rise")),
        ({"oil": {"refill": [[1, 1, 1]]}}, ("oil", "refill")),
        ({"oil": {"price": [1]}}, ("oil", "price")),
    ],
)
def test_what_does_not_fit_is_refused_with_its_reason(
    options: dict[str, object], said: tuple[str, ...]
) -> None:
    with pytest.raises(RulesError) as refusal:
        load("usa", options=options)
    message = str(refusal.value)
    assert message.startswith("options: ")
    assert all(word in message for word in said), message


def test_the_largest_numbers_are_taken() -> None:
    most: dict[str, object] = {
        "starting_elektro": 100_000,
        "houses_per_player": 100,
        "house_costs": [1000] * 3,
        "payment": [1, *[1000] * 100],
        "coal_overflow_price": 1000,
        "plant_limit": [6] * 5,
    }
    rules = load("usa", options=most)
    assert (rules.starting_elektro, rules.plant_limit) == (100_000, (6,) * 5)
    assert load("usa", options={"starting_elektro": 13}).starting_elektro == 13


@pytest.mark.parametrize("name", ["atlantis", "../maps/usa", "usa.toml", ""])
def test_only_listed_files_are_opened(name: str) -> None:
    with pytest.raises(RulesError, match="usa"):
        load(name)
    with pytest.raises(RulesError, match="thai_000"):
        load("usa", name)


def test_an_invented_map_is_played_from_its_file_alone(folder: Path) -> None:
    """A map is data: the example of docs/maps.md, loaded and played by every bot."""
    rules = load("switzerland", extra_dir=folder)
    assert len(rules.map.cities) == 12
    for name in BOTS:
        events = play_game(rules, [bot(name) for _ in range(3)], "switzerland")
        assert replay(events).phase is Phase.FINISHED


def test_an_invented_map_is_listed(folder: Path) -> None:
    assert {info.key for info in catalog.maps(folder)} - {info.key for info in catalog.maps()} == {
        "switzerland"
    }


def test_an_edition_is_the_first_board_with_its_changes(folder: Path) -> None:
    """The second example of docs/maps.md."""
    edition = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/maps.md").read_text(), re.DOTALL)[1]
    path = folder / "switzerland.toml"
    path.write_text(path.read_text() + edition)
    first, second = load_map(path), load_map(path, "second")
    assert load_map(path, "third") == first
    lines = {frozenset((c.a, c.b)): c.cost for c in second.connections}
    assert lines[frozenset(("solothurn", "basel"))] == 8
    assert lines[frozenset(("geneve", "lausanne"))] == 7
    assert frozenset(("sion", "lugano")) not in lines
    assert [c.id for c in second.cities].index("solothurn") == [c.id for c in first.cities].index(
        "biel"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "Switzerland"', "name = ", "switzerland.toml"),
        ('name = "Switzerland"', "", "name: missing"),
        ("[cities]", "[citys]", "citys: unknown"),
        ('"west", lat = 46.2022', '"wets", lat = 46.2022', "cities.geneve.region: no region"),
        ("lat = 46.2022, ", "", "cities.geneve"),
        ("lat = 46.2022", "lat = 462.022", "outside the world"),
        ("lat = 46.2022", "lat = 6.2022", "cities.geneve: lies far away"),
        ("lat = 46.516, lon = 6.6328", "lat = 46.2022, lon = 6.1457", "same lat and lon"),
        ("{ lausanne = 6 }", "{ lausane = 6 }", "connections.geneve.lausane: no city"),
        ("{ lausanne = 6 }", "{ lausanne = 6.5 }", "geneve.lausanne: the cost must be a whole"),
        ("{ lausanne = 6 }", "{ lausanne = true }", "geneve.lausanne: the cost must be a whole"),
        ("{ lausanne = 6 }", "{ lausanne = -6 }", "cost of 0 or more"),
        ("{ lausanne = 6 }", "{ geneve = 6 }", "needs two cities"),
        ("{ lausanne = 6 }", "6", "connections"),
        ("lausanne = { neu", "lausanne = { geneve = 6, neu", "lausanne.geneve: listed twice"),
        ("geneve = { lausanne = 6 }", "", "not connected as a whole"),
        (
            "geneve = { lausanne = 6 }\nlausanne = { neuchatel = 7, sion = 10, bern = 10 }",
            "geneve = { lugano = 6 }\nlausanne = { sion = 10 }",
            "regions.west: is in no connected choice of 2",
        ),
        ("geneve = {", "Geneve = {", "small letters|no city"),
        ('"Genève"', '"Bern"', "two are called Bern"),
        ("[2, 2, 3, 3, 3]", "[2, 2, 3, 3, 4]", "no 4 regions"),
        ("[8, 7, 7, 6, 5]", "[9, 7, 7, 6, 5]", "end_cities: 2 players"),
        ("regions_in_play", "region_in_play", "no such rule"),
        ("[connections]", "[rooms]\n[connections]", "rooms: unknown"),
        ('"Genève", region', '"Genève", label = "up", region', "cities.geneve.label"),
        ('"Genève", region', '"Genève", size = 3, region', "cities.geneve.size"),
    ],
)
def test_mistakes_in_a_map_file_are_named(folder: Path, old: str, new: str, said: str) -> None:
    path = folder / "switzerland.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(RulesError, match=said) as refusal:
        load("switzerland", extra_dir=folder)
    assert "switzerland.toml" in str(refusal.value)


def test_every_knob_is_in_the_docs_and_no_other() -> None:
    words = (ROOT / "docs/variants.md").read_text()
    rows = [line.split("|")[1] for line in words.splitlines() if line.startswith("| `")]
    named = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert named == set(KNOBS) | VARIANTS
    assert set(KNOBS) == {f.name for f in fields(Ruleset)} - {
        "variant", "variant_name", "variant_edition", "map", "plants",
    }  # fmt: skip


def test_no_map_and_no_variant_is_named_in_code() -> None:
    names = {info.key for info in (*catalog.maps(), *catalog.variants())} - {catalog.STANDARD}
    for folder in ("core", "tasks", "webapp"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant):
                    assert node.value not in names, f"{path}:{node.lineno}"
