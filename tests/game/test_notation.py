"""Moves as lines of text: docs/notation.md."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.game.errors import InvalidMove
from core.game.moves import (
    Bid,
    BuildCities,
    BuyResources,
    ChooseRegion,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerAll,
    PowerPlants,
    Run,
)
from core.game.notation import EXAMPLES, Names, parse, text
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import Fuel

GERMANY, USA, FRANCE = load("germany"), load("usa"), load("france")
RULESETS = [load(m.key) for m in catalog.maps()]
FUEL = Fuel(coal=3, oil=1)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("auction 13 for 15", OpenAuction(13, 15)),
        ("  AUCTION   13 FOR 15 . ", OpenAuction(13, 15)),
        ("auction 13, 15", OpenAuction(13, 15)),
        # words of the rules (L30)
        ("auction 5 for 5 Elektro", OpenAuction(5, 5)),
        ("auction plant 5 for 5", OpenAuction(5, 5)),
        ("auction #13 at 15", OpenAuction(13, 15)),
        ("auction plant number 13, 15 Elektro.", OpenAuction(13, 15)),
        ("bid 18 Elektro", Bid(18)),
        ("discard plant 4 keep 3 coal and 1 oil", DiscardPlant(4, FUEL)),
        ("buy 3 units of coal and 1 barrel of oil", BuyResources(FUEL)),
        ("buy none", BuyResources(Fuel())),
        ("buy no fuel", BuyResources(Fuel())),
        ("build none", BuildCities(())),
        ("build no houses", BuildCities(())),
        ("build in Erfurt and Halle", BuildCities(("erfurt", "halle"))),
        ("build a house in Erfurt", BuildCities(("erfurt",))),
        ("power all plants", PowerAll()),
        ("power all my cities", PowerAll()),
        ("power everything", PowerAll()),
        ("power none", PowerPlants(())),
        ("power no plants", PowerPlants(())),
        ("power plants 13 and 20", PowerPlants((Run(13), Run(20)))),
        ("bid 18", Bid(18)),
        ("bid ๑๘", Bid(18)),
        ("Bid 18  # 34 left", Bid(18)),
        ("pass", Pass()),
        ("discard 4", DiscardPlant(4)),
        ("discard 4 keep 3 coal 1 oil", DiscardPlant(4, FUEL)),
        ("discard 4 keep nothing", DiscardPlant(4, Fuel())),
        ("buy 3 coal 1 oil", BuyResources(FUEL)),
        ("buy 3 coal, 1 oil", BuyResources(FUEL)),
        ("buy 1 oil 1 coal, 2 coal", BuyResources(FUEL)),
        ("buy 3 coal and 1 oil", BuyResources(FUEL)),
        ("buy 3coal 1o", BuyResources(FUEL)),
        ("buy 2 gar 1 uran", BuyResources(Fuel(garbage=2, uranium=1))),
        ("buy nothing", BuyResources(Fuel())),
        ("buy 0 coal", BuyResources(Fuel())),
        ("build nothing", BuildCities(())),
        ("build Erfurt, Halle", BuildCities(("erfurt", "halle"))),
        ("build erfurt halle", BuildCities(("erfurt", "halle"))),
        ("build erf,hal,", BuildCities(("erfurt", "halle"))),
        ("build Erfurt and Halle", BuildCities(("erfurt", "halle"))),
        ("build München", BuildCities(("munchen",))),
        ("build MÜNCHEN", BuildCities(("munchen",))),
        ("build Mu\u0308nchen", BuildCities(("munchen",))),
        ("build Muenchen munchen", BuildCities(("munchen", "munchen"))),
        ("build Frankfurt (Oder)", BuildCities(("frankfurt-oder",))),
        ("build frankfurt o frankfurt(m) Essen", BuildCities(
            ("frankfurt-oder", "frankfurt-main", "essen"))),
        ("power all", PowerAll()),
        ("power nothing", PowerPlants(())),
        ("power 13 20", PowerPlants((Run(13), Run(20)))),
        ("power 13 and 20", PowerPlants((Run(13), Run(20)))),
        ("power 13, 20", PowerPlants((Run(13), Run(20)))),
        ("power 5 with 1 coal 1 oil, 13", PowerPlants(
            (Run(5, Fuel(coal=1, oil=1)), Run(13)))),
        ("power 5 with 2 coal 12 with 2 oil 13", PowerPlants(
            (Run(5, Fuel(coal=2)), Run(12, Fuel(oil=2)), Run(13)))),
        ("region south", ChooseRegion("purple")),
        ("region north-w", ChooseRegion("green")),
    ],
)  # fmt: skip
def test_lines_that_are_moves(line: str, move: Move) -> None:
    assert parse(line, GERMANY) == move


@pytest.mark.parametrize(
    ("line", "cities"),
    [
        ("build Salt Lake City, St. Louis", ("salt-lake-city", "st-louis")),
        ("build new york new orleans santa fe", ("new-york", "new-orleans", "santa-fe")),
        ("build saltlake san-d", ("salt-lake-city", "san-diego")),
    ],
)
def test_names_of_several_words(line: str, cities: tuple[str, ...]) -> None:
    assert parse(line, USA) == BuildCities(cities)


def test_names_with_numbers_and_hyphens() -> None:
    line = "build Paris 3 Paris 1, aix en provence saint-étienne"
    move = BuildCities(("paris-3", "paris-1", "aix-en-provence", "saint-etienne"))
    assert parse(line, FRANCE) == move


def test_a_whole_name_wins_over_a_beginning() -> None:
    names = Names({"a": "Hallein", "b": "Halle", "c": "Bad Hall"})
    assert names.find(("halle",)) == ("b",)
    assert names.find(("hall",)) == ("a", "b")
    assert names.find(("bad",)) == ("c",)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "There is no move; try: bid 16"),
        ("  # nothing", "There is no move; try: bid 16"),
        ("bid lots", "'bid lots' is not a move; try: bid 16"),
        ("bid 16 please", "'bid 16 please' is not a move; try: bid 16"),
        ("bid 1.5", "'bid 1.5' is not a move; try: bid 16"),
        ("bid -5", "'bid -5' is not a move; try: bid 16"),
        ("buy −3 coal", "'buy −3 coal' is not a move; try: buy 3 coal 1 oil"),
        ("bid 1000000000000", "'1000000000000' is too large; try: bid 16"),
        ("pass now", "'pass now' is not a move; try: pass"),
        ("auction 13", "There is no bid; try: auction 13 for 15"),
        ("bild Essen", "'bild Essen' is not a move; try: build Erfurt, Halle"),
        ("buy coal", "'buy coal' is not a move; try: buy 3 coal 1 oil"),
        (
            "buy 3 peat",
            "'peat' is no fuel; there are coal, oil, garbage, uranium; try: buy 3 coal 1 oil",
        ),
        ("buy 1.5 coal", "'1.5' is no whole number; try: buy 3 coal 1 oil"),
        ("buy 1,5 coal", "'1,5' is no whole number; try: buy 3 coal 1 oil"),
        ("power 5.5", "'5.5' is no whole number; try: power 13 20"),
        ("buy", "'buy' is not a move; try: buy 3 coal 1 oil"),
        ("build", "'build' is not a move; try: build Flensburg, Kiel"),
        ("build Frankfurt", "'frankfurt' could be Frankfurt (Oder) or Frankfurt (Main)."),
        ("build Erfurt, Lepzig", "'lepzig' is not on this map; did you mean Leipzig?"),
        ("build Xyz", "'xyz' is not on this map."),
        ("region north", "'north' could be North-west or North-east."),
        ("power", "'power' is not a move; try: power 13 20"),
        ("power 5 with", "'power 5 with' is not a move; try: power 13 20"),
        ("discard", "'discard' is not a move; try: discard 4 keep 3 coal 1 oil"),
        (
            "hello",
            "'hello' is not a move; try: auction, bid, pass, discard, buy, build, power, region",
        ),
        ("bid " + "9 " * 900, "That line is too long for a move."),
    ],
)
def test_lines_that_are_none_say_the_way_out(line: str, reason: str) -> None:
    with pytest.raises(InvalidMove) as refused:
        parse(line, GERMANY)
    assert str(refused.value) == reason


@pytest.mark.parametrize("verb", [v for v in EXAMPLES if v != "region"])
def test_every_example_is_a_move(verb: str) -> None:
    assert parse(EXAMPLES[verb], GERMANY)


numbers = st.integers(0, 999_999)
fuels = st.builds(Fuel, numbers, numbers, numbers, numbers)
runs = st.builds(Run, numbers, st.none() | fuels)


@st.composite
def moves(draw: st.DrawFn) -> tuple[Move, int]:
    index = draw(st.integers(0, len(RULESETS) - 1))
    board = RULESETS[index].map
    cities = st.sampled_from([c.id for c in board.cities])
    regions = st.sampled_from([r.id for r in board.regions])
    kinds = st.one_of(
        st.builds(ChooseRegion, regions),
        st.builds(OpenAuction, numbers, numbers),
        st.builds(Bid, numbers),
        st.just(Pass()),
        st.builds(DiscardPlant, numbers, st.none() | fuels),
        st.builds(BuyResources, fuels),
        st.builds(BuildCities, st.lists(cities, max_size=21).map(tuple)),
        st.builds(PowerPlants, st.lists(runs, max_size=4).map(tuple)),
        st.just(PowerAll()),
    )
    return draw(kinds), index


@given(moves())
def test_every_move_is_read_back_from_its_text(drawn: tuple[Move, int]) -> None:
    move, index = drawn
    line = text(move, RULESETS[index])
    assert parse(line, RULESETS[index]) == move
    assert parse(line.upper().replace(",", " , "), RULESETS[index]) == move


@given(st.text(max_size=80), st.sampled_from(["", *EXAMPLES]))
def test_no_text_does_harm(line: str, verb: str) -> None:
    try:
        move = parse(f"{verb} {line}", GERMANY)
    except InvalidMove as refused:
        assert str(refused).isprintable()
    else:
        assert parse(text(move, GERMANY), GERMANY) == move


def _rows() -> list[list[str]]:
    page = Path(__file__).parents[2] / "docs" / "notation.md"
    rows = [row.split("|")[1:-1] for row in page.read_text("utf-8").splitlines() if "| `" in row]
    return [[cell.strip().strip("`") for cell in row] for row in rows]


@pytest.mark.parametrize(("line", "meaning"), _rows())
def test_the_page_on_notation_tells_the_truth(line: str, meaning: str) -> None:
    move = parse(line, GERMANY)
    if meaning.partition(" ")[0] in EXAMPLES:
        assert text(move, GERMANY) == meaning
    else:
        assert text(move, GERMANY) == line
