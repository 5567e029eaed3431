"""The table before the first move (R1 to R3, R17.1; E)."""
# ruff: noqa: N802 - tests carry the numbers of the cases

from collections import Counter

import pytest

from core.game.board.fuel_market import price_of_next
from core.game.chance import Chance
from core.game.engine import start
from core.game.errors import RulesError
from core.game.evolve import replay
from core.game.rules.load import load
from core.game.rules.network import adjacent_regions, all_routes, graph, is_connected
from core.game.types import Fuel, Resource
from tests.game.rules.kit import AUCTION, RESOURCES, A, buy, lay, owner, rules
from tests.game.rules.table import Table, shown

MAPS = ("germany", "usa", "france", "italy")


def table_of(
    seats: int, variant: str = "standard", map: str = "germany", seed: str = "1", **knobs: object
) -> Table:
    """A table as the game starts it."""
    return Table(replay(start(rules(variant, map, **knobs), seats, Chance(seed))))


def prices(table: Table) -> tuple[int | None, ...]:
    tracks = table.state.ruleset.tracks
    return tuple(price_of_next(tracks[f], table.state.fuel_market[f]) for f in Resource)


@pytest.mark.proves("R4.2")
def test_T06_the_fresh_market() -> None:
    table = table_of(3)
    assert prices(table) == (1, 3, 7, 14)
    assert table.state.fuel_market == Fuel(24, 18, 6, 2)


@pytest.mark.proves("R3.6")
@pytest.mark.parametrize(("seats", "size"), [(2, 27), (3, 27), (4, 31), (5, 35), (6, 35)])
def test_T25_the_stack(seats: int, size: int) -> None:
    for seed in "123":
        stack = table_of(seats, seed=seed).stack.split()
        assert (len(stack), stack[0], stack[-1]) == (size, "13", "S3")


def test_T26_numbers_of_six_and_five() -> None:
    six, five = table_of(6).state.numbers, table_of(5).state.numbers
    assert (six.regions, six.step2_cities, six.end_cities) == (5, 6, 14)
    assert five.end_cities == 15


def test_T33_france() -> None:
    table = table_of(3, map="france")
    assert table.state.fuel_market == Fuel(24, 18, 6, 8)
    assert prices(table)[3] == 5
    bought = lay(
        owner(plants=11),
        phase=RESOURCES,
        order=(1, 2, A),
        ruleset=rules(map="france"),
        fuel=table.state.fuel_market.counts(),
    ).plays(A, buy(uranium=2))
    assert bought.spent(A) == 11
    cards = [*table.state.market.cards, *table.state.stack, *table.state.boxed]
    assert 13 not in cards
    assert table.state.stack[0] == 11
    assert len(cards) == 42


def test_T34_italy() -> None:
    table = table_of(3, map="italy")
    assert prices(table) == (3, 4, 5, 14)
    assert table.state.fuel_market == Fuel(18, 15, 12, 2)


# --- rules that no case shows ------------------------------------------------------------------

DECK = """
 3 O2 1   17 U1 2   31 C3 6    4 C2 1   18 E0 2   32 O3 6    5 H2 1   19 G2 3   33 E0 4
 6 G1 1   20 C3 5   34 U1 5    7 O3 2   21 H2 4   35 O1 5    8 C3 2   22 E0 2   36 C3 7
 9 O1 1   23 U1 3   37 E0 4   10 C2 2   24 G2 4   38 G3 7   11 U1 2   25 C2 5   39 U1 6
12 H2 2   26 O2 5   40 O2 6   13 E0 1   27 E0 3   42 C2 6   14 G2 2   28 U1 4   44 E0 5
15 C2 3   29 H1 4   46 H3 7   16 O2 3   30 G3 6   50 E0 6
"""
BURNS = {"C": ("coal",), "O": ("oil",), "G": ("garbage",), "U": ("uranium",), "E": (),
         "H": ("coal", "oil")}  # fmt: skip


@pytest.mark.parametrize("row", DECK.strip().splitlines())
def test_R5_the_deck(row: str) -> None:
    cells = row.split()
    for number, fuel, cities in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
        plant = load("germany").plant[int(number)]
        assert plant.fuels == BURNS[fuel[0]]
        assert (plant.burns, plant.storage) == (int(fuel[1]), 2 * int(fuel[1]))
        assert plant.cities == int(cities)


@pytest.mark.parametrize("map", MAPS)
def test_R1_1_components(map: str) -> None:
    ruleset = load(map)
    assert [t.tokens for t in ruleset.tracks.values()] == [24, 24, 24, 12]
    numbers = [p.number for p in ruleset.plants]
    assert sorted(numbers) == [*range(3, 41), 42, 44, 46, 50]
    assert sum(p.cities for p in ruleset.plants) == 156
    for seats in (1, 7):
        with pytest.raises(RulesError):
            start(ruleset, seats, Chance("1"))


@pytest.mark.parametrize("map", MAPS)
def test_R1_2_slots_are_tokens(map: str) -> None:
    for track in load(map).tracks.values():
        assert len(track.prices) == track.tokens


@pytest.mark.parametrize("variant", ["standard", "recharged"])
@pytest.mark.parametrize("map", MAPS)
def test_R1_3_maps(map: str, variant: str) -> None:
    board = load(map, variant).map
    assert Counter(c.region for c in board.cities) == {r.id: 7 for r in board.regions}
    assert len(board.regions) == 6
    assert load(map, variant).house_costs == (10, 15, 20)
    lines = {"germany": 83, "usa": 87, "france": 93, "italy": 81}[map]
    assert len(board.connections) == lines - (map == "usa" and variant == "recharged")


ADJACENT = {
    "germany": "green-brown green-red green-yellow brown-yellow red-cyan red-yellow cyan-yellow "
    "cyan-purple yellow-purple",
    "usa": "purple-cyan purple-red purple-yellow cyan-red red-yellow red-green yellow-brown "
    "yellow-green brown-green",
    "france": "brown-purple brown-blue brown-yellow purple-blue purple-red blue-red red-green "
    "blue-yellow blue-green yellow-green",
    "italy": "brown-purple purple-red red-yellow red-green yellow-green yellow-blue green-blue",
}
FREE = {
    "germany": "duisburg/essen halle/leipzig frankfurt-main/wiesbaden",
    "usa": "cheyenne/denver new-york/philadelphia jacksonville/savannah",
    "france": "aix-en-provence/marseille",
    "italy": "rimini/san-marino mestre/venezia pisa/livorno",
}


@pytest.mark.parametrize("map", MAPS)
def test_E2_neighbours_and_free_lines(map: str) -> None:
    board = load(map).map
    expected = {frozenset(pair.split("-")) for pair in ADJACENT[map].split()}
    found = {frozenset((a, b)) for a, row in adjacent_regions(board).items() for b in row}
    assert found == expected
    free = {frozenset((c.a, c.b)) for c in board.connections if c.cost == 0}
    in_paris = {line for line in free if all(end.startswith("paris") for end in line)}
    assert free - in_paris == {frozenset(line.split("/")) for line in FREE[map].split()}
    assert len(in_paris) == (3 if map == "france" else 0)
    assert len(all_routes(board, frozenset(r.id for r in board.regions))) == 42


@pytest.mark.parametrize(
    ("seats", "regions", "boxed", "limit", "step2", "end"),
    [
        (2, 3, 8, 4, 10, 21),
        (3, 3, 8, 3, 7, 17),
        (4, 4, 4, 3, 7, 17),
        (5, 5, 0, 3, 7, 15),
        (6, 5, 0, 3, 6, 14),
    ],
)
def test_R2_1_numbers(
    seats: int, regions: int, boxed: int, limit: int, step2: int, end: int
) -> None:
    state = table_of(seats).state
    n = state.numbers
    assert (n.plant_limit, n.step2_cities, n.end_cities) == (limit, step2, end)
    assert (len(state.regions), len(state.boxed)) == (regions, boxed)


def test_R3_1_host_choice_must_hang_together() -> None:
    ruleset = rules(region_choice="host")
    state = replay(start(ruleset, 3, Chance("1"), ("red", "cyan", "purple")))
    assert set(state.regions) == {"red", "cyan", "purple"}
    for wrong in (
        ("green", "purple", "red"),
        ("red", "cyan"),
        ("red", "red", "cyan"),
        ("x",),
        None,
    ):
        with pytest.raises(RulesError):
            start(ruleset, 3, Chance("1"), wrong)


def test_R3_1_touching_regions_are_not_enough() -> None:
    """Italy: red, green and blue touch, but Livorno hangs on Pisa, which is yellow."""
    ruleset = rules(map="italy", region_choice="host")
    with pytest.raises(RulesError):
        start(ruleset, 3, Chance("1"), ("red", "green", "blue"))
    assert not any(
        set(table_of(3, map="italy", seed=str(n)).state.regions) == {"red", "green", "blue"}
        for n in range(40)
    )


def test_R3_1_without_any_region_nothing_is_connected() -> None:
    assert not is_connected(graph(load("germany").map, ()))


def test_R3_2_players_start_with_50() -> None:
    for player in table_of(4).state.players:
        assert (player.elektro, player.plants, player.cities) == (50, (), ())
        assert player.fuel == Fuel()


def test_R3_3_every_order_comes_up() -> None:
    orders = {table_of(3, seed=str(n)).state.order for n in range(60)}
    assert len(orders) == 6
    assert table_of(3).state.seats == (0, 1, 2)


@pytest.mark.proves("R4.3")
def test_R3_4_R3_7_market_and_supply() -> None:
    for map, variant, market in [
        ("germany", "standard", (24, 18, 6, 2)),
        ("usa", "standard", (24, 18, 6, 2)),
        ("germany", "recharged", (24, 18, 9, 2)),
        ("usa", "recharged", (24, 18, 9, 2)),
        ("france", "standard", (24, 18, 6, 8)),
        ("italy", "standard", (18, 15, 12, 2)),
        ("germany", "ptt_v1_3", (24, 18, 12, 2)),
        ("usa", "ptt_v1_3", (24, 18, 12, 2)),
        ("france", "ptt_v1_3", (24, 18, 12, 8)),
        ("italy", "ptt_v1_3", (18, 15, 12, 2)),
        ("france", "recharged", (24, 18, 6, 8)),
        ("italy", "recharged", (18, 15, 12, 2)),
    ]:
        state = table_of(3, variant, map).state
        assert state.fuel_market == Fuel(*market), (map, variant)
        assert state.supply == Fuel(24, 24, 24, 12) - Fuel(*market)
    assert table_of(3).state.supply == Fuel(0, 6, 18, 10)


def test_R3_5_R3_6_opening_market_and_boxed_cards() -> None:
    for seed in map(str, range(20)):
        table = table_of(3, seed=seed)
        assert shown(table.state.market) == "3 4 5 6 / 7 8 9 10"
        assert 13 not in table.state.boxed
        assert 99 not in table.state.boxed
        assert min(table.state.boxed) > 10
    assert table.state.phase is AUCTION
