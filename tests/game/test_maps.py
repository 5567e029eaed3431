"""The maps of the package against the facts of the boards (R1.3, R4.3, E2)."""

from itertools import combinations

import pytest

from core.game.rules import catalog
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from core.game.rules.network import adjacent_regions, connected_region_sets, graph, is_connected
from core.game.types import CityId, RegionId

MAPS = [info.key for info in catalog.maps()]
SIZES = {
    "australia": [7, 7, 7, 7, 7],
    "baden-wurttemberg": [7, 7, 7, 7, 7],
    "benelux": [7, 7, 7, 7, 7],
    "bremen": [5, 5, 5, 5, 5],
    "japan": [7, 7, 7, 7, 7],
    "europe": [7, 7, 7, 7, 7, 7, 7],
    "manhattan": [83],
    "north-america": [7, 7, 7, 7, 7, 7, 7],
    "south-africa": [7, 7, 7, 7, 7],
    "uk-and-ireland": [8, 7, 6, 7, 5, 7],
}
"""Cities of each region, where they are not six times seven."""


def costs(rules: Ruleset) -> dict[frozenset[str], int]:
    return {frozenset((line.a, line.b)): line.cost for line in rules.map.connections}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("variant", [info.key for info in catalog.variants()])
def test_six_regions_of_seven_cities_in_one_piece(name: str, variant: str) -> None:
    """R1.3; some boards have other regions."""
    board = load(name, variant).map
    sizes = [sum(c.region == r.id for c in board.cities) for r in board.regions]
    assert sizes == SIZES.get(name, [7] * 6)
    touching = load(name, variant).regions_touch == "yes"
    assert is_connected(graph(board, [r.id for r in board.regions])) is touching


@pytest.mark.parametrize(
    ("name", "variant", "lines", "total", "squares"),
    [
        ("germany", "standard", 83, 992, 14384),
        ("germany", "recharged", 83, 998, 14528),
        ("usa", "standard", 87, 907, 12939),
        ("usa", "recharged", 86, 877, 12193),
        ("france", "standard", 93, 1014, 13656),
        ("italy", "standard", 81, 678, 7744),
    ],
)
def test_costs_add_up_to_those_of_the_board(
    name: str, variant: str, lines: int, total: int, squares: int
) -> None:
    found = costs(load(name, variant)).values()
    assert (len(found), sum(found), sum(c * c for c in found)) == (lines, total, squares)


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("germany", ["duisburg essen", "halle leipzig", "wiesbaden frankfurt-main"]),
        ("usa", ["cheyenne denver", "new-york philadelphia", "savannah jacksonville"]),
        (
            "france",
            ["paris-1 paris-2", "paris-1 paris-3", "paris-2 paris-3", "aix-en-provence marseille"],
        ),
        ("italy", ["san-marino rimini", "mestre venezia", "pisa livorno"]),
    ],
)
def test_lines_without_cost(name: str, pairs: list[str]) -> None:
    """R9.7, E2."""
    free = {pair for pair, cost in costs(load(name)).items() if cost == 0}
    assert free == {frozenset(pair.split()) for pair in pairs}


@pytest.mark.parametrize(
    ("name", "touching"),
    [
        (
            "germany",
            "green-brown green-red green-yellow brown-yellow red-cyan red-yellow cyan-yellow "
            "cyan-purple yellow-purple",
        ),
        (
            "usa",
            "purple-cyan purple-red purple-yellow cyan-red red-yellow red-green yellow-brown "
            "yellow-green brown-green",
        ),
        (
            "france",
            "brown-purple brown-blue brown-yellow purple-blue purple-red red-blue red-green "
            "blue-yellow blue-green yellow-green",
        ),
        (
            "italy",
            "brown-purple purple-red red-yellow red-green yellow-green yellow-blue green-blue",
        ),
    ],
)
def test_regions_touch_as_on_the_board(name: str, touching: str) -> None:
    """E2."""
    found = adjacent_regions(load(name).map)
    pairs = {frozenset((a, b)) for a, others in found.items() for b in others}
    assert pairs == {frozenset(pair.split("-")) for pair in touching.split()}


@pytest.mark.parametrize(
    ("name", "variant", "tokens"),
    [
        ("germany", "standard", (24, 18, 6, 2)),
        ("usa", "standard", (24, 18, 6, 2)),
        ("germany", "recharged", (24, 18, 9, 2)),
        ("usa", "recharged", (24, 18, 9, 2)),
        ("france", "standard", (24, 18, 6, 8)),
        ("france", "recharged", (24, 18, 6, 8)),
        ("italy", "standard", (18, 15, 12, 2)),
        ("italy", "recharged", (18, 15, 12, 2)),
        ("germany", "ptt_v1_3", (24, 18, 12, 2)),
        ("france", "ptt_v1_3", (24, 18, 12, 8)),
    ],
)
def test_fuel_at_the_start(name: str, variant: str, tokens: tuple[int, ...]) -> None:
    """R4.3."""
    tracks = load(name, variant).tracks.values()
    assert tuple(sum(p >= t.start_from for p in t.prices) for t in tracks) == tokens


def test_france_has_11_in_place_of_13() -> None:
    """B34, T33."""
    rules = load("france")
    assert (rules.first_plant, rules.removed_plants) == (11, (13,))
    track = rules.uranium
    assert [p for p in track.prices if p >= track.start_from] == [5, 6, 7, 8, 10, 12, 14, 16]


def test_france_recharged_opens_with_11() -> None:
    """E2: 11 always lies open; other numbers of plants are boxed."""
    rules = load("france", "recharged")
    assert rules.always_in_market == (11,)
    assert rules.boxed_plants == (6, 6, 3, 0, 0)
    assert rules.boxed_low_plants == (0, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "coal", "uranium"),
    [("germany", None, 39), ("italy", None, 39), ("usa", 8, None), ("france", None, None)],
)
def test_what_the_maps_add_to_recharged(name: str, coal: int | None, uranium: int | None) -> None:
    """R17.4: rules of the map, so other variants do not have them."""
    new, old = load(name, "recharged"), load(name)
    assert (new.coal_overflow_price, new.uranium_stop_after) == (coal, uranium)
    assert (old.coal_overflow_price, old.uranium_stop_after) == (None, None)


def test_germany_recharged_renames_two_cities_and_keeps_their_lines() -> None:
    old, new = load("germany"), load("germany", "recharged")
    names = {"torgelow": "stralsund", "wiesbaden": "mainz"}
    renamed = {frozenset(names.get(c, c) for c in pair): cost for pair, cost in costs(old).items()}
    renamed[frozenset(("essen", "dortmund"))] = 5
    renamed[frozenset(("mannheim", "saarbrucken"))] = 16
    assert costs(new) == renamed
    assert {c for c in old.city if c not in new.city} == set(names)


def test_usa_recharged_changes_five_lines() -> None:
    old, new = costs(load("usa")), costs(load("usa", "recharged"))
    assert new.items() - old.items() == {
        (frozenset(("omaha", "chicago")), 12),
        (frozenset(("santa-fe", "houston")), 20),
        (frozenset(("knoxville", "raleigh")), 11),
    }
    assert old.keys() - new.keys() == {
        frozenset(("boise", "cheyenne")),
        frozenset(("cincinnati", "raleigh")),
    }


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_choice_of_regions_is_connected_city_by_city(name: str, size: int) -> None:
    """R3.1."""
    board = load(name).map
    offered = set(connected_region_sets(board, size))
    for choice in map(frozenset, combinations([r.id for r in board.regions], size)):
        assert (choice in offered) is _walkable(name, choice)


def _walkable(name: str, regions: frozenset[RegionId]) -> bool:
    """Walk over the lines without help from the network."""
    board = load(name).map
    inside = {c.id for c in board.cities if c.region in regions}
    reached: set[CityId] = {min(inside)}
    grown = True
    while grown:
        pairs = [(line.a, line.b) for line in board.connections]
        new = {b for x, y in pairs for a, b in ((x, y), (y, x)) if a in reached and b in inside}
        grown = not new <= reached
        reached |= new
    return reached == inside


def test_italy_cannot_be_cut_so_that_livorno_is_alone() -> None:
    board = load("italy").map
    cut = frozenset(map(RegionId, ("red", "green", "blue")))
    assert cut not in connected_region_sets(board, 3)
    assert cut | {"yellow"} in connected_region_sets(board, 4)


@pytest.mark.parametrize("name", MAPS)
def test_lists_name_and_describe_every_map(name: str) -> None:
    info = next(info for info in catalog.maps() if info.key == name)
    assert info.name == load(name).map.name
    assert len(info.description) > 20
