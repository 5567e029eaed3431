"""Orders as lines: round trip, forgiveness, and refusals that show the way out."""

import re
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from core.game.errors import InvalidMove
from core.game.moves import PowerAll, PowerPlants, Run
from core.game.rules.load import load
from core.game.types import Fuel
from core.orders.model import (
    AuctionSheet,
    BuildOrder,
    FuelOrder,
    Limit,
    LimitOff,
    Order,
    PowerOrder,
    Standing,
    Wish,
    kind,
)
from core.orders.notation import EXAMPLES, Said, parse, text
from core.orders.words import in_full, sentence
from tests.game.rules.kit import rules

RULES = rules()
PAGE = Path(__file__).parents[2] / "docs" / "standing-orders.md"
LINES = {
    "limit 20 to 26": Said(Limit(20, 26)),
    "limit 20 off": Said(LimitOff(20)),
    "order auction 13 to 26, 20 to 30 keep 20 discard 4": Said(
        AuctionSheet((Wish(13, 26), Wish(20, 30)), 20, 4)
    ),
    "order auction 13 to 26, others to 15": Said(AuctionSheet((Wish(13, 26),), others=15)),
    "order auction others to 15": Said(AuctionSheet(others=15)),
    "order auction nothing": Said(AuctionSheet()),
    "order fuel 13 20 twice at most 4 each at most 20 keep 15": Said(
        FuelOrder((13, 20), 2, 4, 20, 15)
    ),
    "order fuel all": Said(FuelOrder(None)),
    "order fuel nothing": Said(FuelOrder(())),
    "order build Erfurt, Halle at most 15 each at most 60 keep 10 stop at 7 before step 2 or ask": (
        Said(BuildOrder(("erfurt", "halle"), 15, 60, 10, 7, True, True))
    ),
    "order build nothing": Said(BuildOrder(())),
    "order power all": Said(PowerOrder()),
    "order power 13 20": Said(PowerOrder(PowerPlants((Run(13), Run(20))))),
    "order power nothing": Said(PowerOrder(PowerPlants(()))),
    "order fuel all every round": Said(FuelOrder(None), every_round=True),
    "order auction nothing every round": Said(AuctionSheet(), every_round=True),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_and_written_alike(line: str) -> None:
    said = parse(line, RULES)
    assert said == LINES[line]
    assert text(said.order, RULES, said.every_round) == line


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("LIMIT  20 up to 26.", "limit 20 to 26"),
        ("limit 20 26 # not more", "limit 20 to 26"),
        ("order auction 13 up to 26 and 20 to 30, keep 20, discard 4",
         "order auction 13 to 26, 20 to 30 keep 20 discard 4"),
        ("order auction 13 to 26, others up to 15", "order auction 13 to 26, others to 15"),
        ("order fuel 13, 20 once, at most 20 in all", "order fuel 13 20 at most 20"),
        ("order fuel all keep 15 at most 4 each", "order fuel all at most 4 each keep 15"),
        ("Order Build erf halle or ask keep 10", "order build Erfurt, Halle keep 10 or ask"),
        ("order build Muenchen and frankfurt o at most 60 in all.",
         "order build München, Frankfurt (Oder) at most 60"),
        ("order power 5 with 1 coal 1 oil and 13 every round",
         "order power 5 with 1 coal 1 oil, 13 every round"),
    ],
)  # fmt: skip
def test_it_forgives(typed: str, line: str) -> None:
    said = parse(typed, RULES)
    assert text(said.order, RULES, said.every_round) == line


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("", "limit 20 to 26"),
        ("order", "order power all"),
        ("order coffee", "'order coffee' is not an order; try: limit 20 to 26, order auction"),
        ("bid 16", "is not an order"),
        ("limit", "try: limit 20 to 26"),
        ("limit 20 to -4", "try: limit 20 to 26"),
        ("limit 51 to 60", "There is no plant 51 in this game; try: limit"),
        ("limit 20 to 1234567", "'1234567' is too large"),
        ("limit 20 to 26 every round", "A limit holds until its plant is gone"),
        ("order auction", "try: order auction 13 to 26"),
        ("order auction 13", "Say up to how much for each plant"),
        ("order auction 13 to 26, 13 to 30", "Name each only once"),
        ("order auction nothing, 13 to 26", "Say up to how much for each plant"),
        ("order auction 13 to 26 discard 51", "There is no plant 51"),
        ("order fuel", "try: order fuel 13 20 twice"),
        ("order fuel 51", "There is no plant 51"),
        ("order fuel 13 13", "Name each only once"),
        ("order fuel 13 once twice", "try: order fuel"),
        ("order fuel 13 keep 3 keep 4", "'keep 4' says again what was said"),
        ("order fuel 13 keep 3 coal", "try: order fuel"),
        ("order build", "try: order build Flensburg, Kiel at most 60"),
        ("order build Erfurt, Erfurt", "Name each only once"),
        ("order build Frankfurt", "'frankfurt' could be Frankfurt (Oder) or Frankfurt (Main)."),
        ("order build Erfurd", "did you mean Erfurt?"),
        ("order power", "try: order power all"),
        ("order power 51", "There is no plant 51"),
        ("order power 13 13", "Name each only once"),
        ("order build " + "x" * 600, "too long"),
    ],
)
def test_what_is_not_understood_shows_the_way_out(typed: str, hint: str) -> None:
    with pytest.raises(InvalidMove, match=re.escape(hint)):
        parse(typed, RULES)


elektro = st.integers(0, 300)
maybe = st.none() | elektro
plants = st.sampled_from(sorted(RULES.plant))
cities = st.lists(st.sampled_from(sorted(RULES.city)), max_size=6, unique=True).map(tuple)
some_plants = st.lists(plants, max_size=4, unique=True).map(tuple)
wishes = some_plants.flatmap(
    lambda some: st.tuples(*(st.builds(Wish, st.just(p), elektro) for p in some))
)
burned = st.sampled_from((None, Fuel(coal=2)))
runs = some_plants.flatmap(
    lambda some: st.tuples(*(st.builds(Run, st.just(p), burned) for p in some))
)
orders = st.one_of(
    st.builds(Limit, plants, elektro),
    st.builds(LimitOff, plants),
    st.builds(AuctionSheet, wishes, elektro, st.none() | plants, maybe),
    st.builds(FuelOrder, st.none() | some_plants, st.sampled_from((1, 2)), maybe, maybe, elektro),
    st.builds(BuildOrder, cities, maybe, maybe, elektro, st.none() | st.integers(1, 22),
              st.booleans(), st.booleans()),
    st.builds(PowerOrder, st.just(PowerAll()) | st.builds(PowerPlants, runs)),
)  # fmt: skip


@hypothesis.given(order=orders, every=st.booleans())
@hypothesis.settings(max_examples=400, deadline=None, derandomize=True)
def test_every_order_comes_back_from_its_line(order: Order | LimitOff, every: bool) -> None:
    repeats = every and not isinstance(order, Limit | LimitOff)
    assert parse(text(order, RULES, repeats), RULES) == Said(order, repeats)


@pytest.mark.parametrize("map_", ["germany", "usa", "france", "italy"])
def test_every_city_of_every_map_can_be_ordered(map_: str) -> None:
    ruleset = load(map_)
    for city in ruleset.map.cities:
        order = BuildOrder((city.id,), 15, 60, 10, 7, True, True)
        assert parse(text(order, ruleset), ruleset) == Said(order)


def test_the_examples_are_orders() -> None:
    for word, example in EXAMPLES.items():
        said = parse(example.format(cities="Erfurt, Halle"), RULES)
        assert not isinstance(said.order, LimitOff)
        assert kind(said.order) == word


def test_the_lines_of_the_page_are_orders() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 15
    for row in rows:
        said = parse(row, RULES)
        assert parse(text(said.order, RULES, said.every_round), RULES) == said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("limit 20 to 26", "Bid up to 26 Elektro on plant 20."),
        ("order auction 13 to 26, 20 to 30 keep 20 discard 4",
         "At the auction, in this order: plant 13 up to 26 Elektro, plant 20 up to 30 Elektro. "
         "Else pass. Keep 20 Elektro. Where a plant must go, give up plant 4."),
        ("order auction others to 15", "Bid up to 15 Elektro on any other plant that is up."),
        ("order auction nothing", "Pass at the auction."),
        ("order fuel 13 20 twice at most 4 each at most 20 keep 15",
         "Buy fuel for 2 runs of plants 13, 20, in this order. At most 4 Elektro a token. "
         "At most 20 Elektro in all. Keep 15 Elektro."),
        ("order fuel all", "Buy fuel for one run of all plants."),
        ("order fuel nothing", "Buy no fuel."),
        ("order build Erfurt, Halle at most 15 each at most 60 stop at 7 before step 2 or ask",
         "Build in this order: Erfurt, Halle. At most 15 Elektro a city with its connection. "
         "At most 60 Elektro in all. Stop at 7 cities. Do not set off Step 2. "
         "All of it, or ask me."),
        ("order build nothing", "Build nothing."),
        ("order power all", "Power most cities with least fuel."),
        ("order power 5 with 1 coal 1 oil, 13", "Run plants 5 with 1 coal, 1 oil and 13."),
        ("order power nothing", "Power nothing."),
    ],
)  # fmt: skip
def test_an_order_in_words(line: str, words: str) -> None:
    assert sentence(parse(line, RULES).order, RULES) == words


def test_in_full_it_says_how_long_it_holds() -> None:
    assert in_full(Standing(1, Limit(20, 26)), RULES) == "Bid up to 26 Elektro on plant 20."
    assert in_full(Standing(1, PowerOrder()), RULES).endswith("fuel. In every round.")
    assert in_full(Standing(1, PowerOrder(), 4), RULES).endswith("fuel. In round 4.")
