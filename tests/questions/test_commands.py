"""Lines that a player may answer with: each is complete, legal and truly priced."""

from dataclasses import replace

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from core import questions
from core.bots.engineer import Engineer
from core.bots.random_bot import RandomBot
from core.game import engine
from core.game.errors import RulesError
from core.game.evolve import replay
from core.game.notation import parse, text
from core.game.observe import PlayerView, observe
from core.game.offers import (
    BidOffer,
    BuildOffer,
    DiscardOffer,
    OpeningOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.prices import Shop, next_targets
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.state import GameState
from core.game.types import Fuel, Phase
from core.questions.question import Command
from webapp.instruments.selfplay import Match

OPTIONS = st.fixed_dictionaries(
    {
        "auction": st.sampled_from(["open", "sealed"]),
        "region_choice": st.sampled_from(["random", "draft"]),
        "discard_choice": st.sampled_from(["old_only", "any"]),
        "end_timing": st.sampled_from(["after_phase4", "immediate"]),
        "may_underpower": st.booleans(),
        "coal_overflow_price": st.sampled_from([False, 8]),
    }
)
MAPS = st.sampled_from([m.key for m in catalog.maps()])
VARIANTS = st.sampled_from([v.key for v in catalog.variants()])


@settings(max_examples=12, deadline=None)
@given(MAPS, VARIANTS, OPTIONS, st.integers(2, 6), st.integers(0, 2**256 - 1))
def test_every_line_is_accepted_by_the_engine(
    board: str, variant: str, options: dict[str, object], players: int, seed: int
) -> None:
    try:
        ruleset = load(board, variant, options)
    except RulesError:  # some options do not go with a map
        reject()
    game = Match(ruleset, players, f"{seed:064x}")
    bots = [Engineer() if i % 2 else RandomBot(str(i)) for i in range(players)]
    for _ in range(1500):
        if not engine.to_act(game.state):
            break
        for seat in engine.to_act(game.state):
            _check_lines(game.state, observe(game.state, seat))
        seat = engine.to_act(game.state)[0]
        game.play(seat, bots[seat].move(observe(game.state, seat)))


def _check_lines(state: GameState, view: PlayerView) -> None:
    lines = questions.of(view).commands()
    assert lines
    assert len({line.text for line in lines}) == len(lines)
    for line in lines:
        move = parse(line.text, view.ruleset)
        assert text(move, view.ruleset) == line.text
        engine.preview(state, view.seat, move)
        assert line.note.isprintable()
        assert "{" not in line.note


class Table:
    """A table in its first building phase, to be changed by hand."""

    def __init__(self, **options: object) -> None:
        self.ruleset = load("germany", options=options)
        game = Match(self.ruleset, 3, "07" * 32)
        bot = Engineer()
        while game.state.phase is not Phase.BUILDING:
            seat = engine.to_act(game.state)[0]
            game.play(seat, bot.move(observe(game.state, seat)))
        self.state = replace(
            game.state, regions=("green", "brown", "yellow", "red"), waiting=(0, 1, 2)
        )

    def lines(self, offer: type) -> tuple[Command, ...]:
        view = observe(self.state, 0)
        assert isinstance(view.offer, offer)
        return questions.of(view).commands()

    def own(self, **what: object) -> None:
        self.state = self.state.with_player(0, replace(self.state.players[0], **what))


def test_building_lines_price_a_chain_city_by_city() -> None:
    table = Table()
    table.own(elektro=45, cities=("essen",))
    notes = {line.text: line.note for line in table.lines(BuildOffer)}
    assert notes["build nothing"] == "45 left"
    assert notes["build Duisburg"] == "10 Elektro (0 for connections), 35 left; 2 cities"
    assert (
        notes["build Duisburg, Düsseldorf, Dortmund"]
        == "36 Elektro (6 for connections), 9 left; 4 cities"
    )


def test_a_chain_starts_from_the_cities_built_before() -> None:
    table = Table()
    table.own(elektro=100, cities=("flensburg",))
    view = observe(table.state, 0)
    first = next(t for t in next_targets(view, []) if t.city == "kiel")
    second = next(t for t in next_targets(view, [first]) if t.city == "hamburg")
    assert (first.total, second.total) == (14, 18)


def test_fuel_lines_tell_what_then_runs_and_come_by_price() -> None:
    table = Table()
    table.own(elektro=30, plants=(4, 5), fuel=Fuel(coal=1))
    table.state = replace(table.state, phase=Phase.RESOURCES, fuel_market=Fuel(24, 18, 6, 2))
    lines = table.lines(PurchaseOffer)
    notes = {line.text: line.note for line in lines}
    assert lines[0] == Command("buy nothing", "0 Elektro, 30 left; runs none")
    assert notes["buy 1 coal"] == "1 Elektro, 29 left; runs 4: 1 city (you have 0)"
    assert notes["buy 3 coal"] == "3 Elektro, 27 left; runs 4 and 5: 2 cities (you have 0)"
    assert notes["buy 7 coal"] == "12 Elektro, 18 left; runs 4 and 5: 2 cities (you have 0)"


def test_a_form_offers_the_cheapest_fuel_for_most_cities_and_next_to_most() -> None:
    table = Table()
    table.own(elektro=30, plants=(4, 5, 6), fuel=Fuel(coal=1), cities=("essen",))
    table.state = replace(table.state, phase=Phase.RESOURCES, fuel_market=Fuel(24, 18, 6, 2))
    view = observe(table.state, 0)
    assert isinstance(view.offer, PurchaseOffer)
    found = questions.of(view).fills
    assert [line.note.rpartition("; ")[2] for line in found] == [
        "runs 4 and 5: 2 cities (you have 1)", "runs 4, 5 and 6: 3 cities (you have 1)",
    ]  # fmt: skip
    assert set(found) <= set(questions.of(view).commands())


@pytest.mark.parametrize(
    ("amounts", "price"),
    [
        (Fuel(coal=4), 5),
        (Fuel(coal=2, oil=2), 8),
        (Fuel(coal=3, oil=2), None),  # a hybrid holds 4 together
        (Fuel(coal=4, oil=1), None),
        (Fuel(garbage=1), None),  # no plant burns it
    ],
)
def test_a_purchase_has_a_price_only_if_it_is_possible(amounts: Fuel, price: int | None) -> None:
    table = Table()
    table.own(elektro=20, plants=(5,), fuel=Fuel())
    table.state = replace(table.state, phase=Phase.RESOURCES, fuel_market=Fuel(24, 18, 6, 2))
    view = observe(table.state, 0)
    assert isinstance(view.offer, PurchaseOffer)
    assert Shop(view.plants_of(0), view.offer).price(amounts) == price


def test_power_lines_begin_with_all_and_leave_out_what_is_beaten() -> None:
    table = Table()
    cities = ("essen", "duisburg", "dortmund")
    table.own(plants=(5, 13, 20), fuel=Fuel(coal=4, oil=1), cities=cities)
    table.state = replace(table.state, phase=Phase.BUREAUCRACY, fuel_market=Fuel(20, 10, 6, 2))
    assert [(line.text, line.note) for line in table.lines(PowerOffer)] == [
        ("power all", "3 cities: 44 Elektro; burns 3 coal"),
        ("power 5 13", "2 cities: 33 Elektro; burns 2 coal"),
        ("power 13", "1 city: 22 Elektro; burns nothing"),
    ]


def test_a_hybrid_shows_its_other_mixes() -> None:
    table = Table()
    table.own(plants=(5,), fuel=Fuel(coal=2, oil=2), cities=("essen",))
    table.state = replace(table.state, phase=Phase.BUREAUCRACY)
    texts = [line.text for line in table.lines(PowerOffer)]
    assert texts == [
        "power all",
        "power 5 with 1 coal 1 oil",
        "power 5 with 2 oil",
        "power nothing",
    ]


def test_where_all_must_be_powered_nothing_less_is_shown() -> None:
    table = Table(may_underpower=False)
    table.own(plants=(4,), fuel=Fuel(coal=2), cities=("essen",))
    table.state = replace(table.state, phase=Phase.BUREAUCRACY)
    assert [line.text for line in table.lines(PowerOffer)] == ["power all"]


@pytest.mark.parametrize(
    ("options", "offer", "expected"),
    [
        (
            {},
            OpeningOffer,
            ["auction 3 for 3", "auction 4 for 4", "auction 5 for 5", "auction 6 for 6"],
        ),
        ({"region_choice": "draft"}, RegionOffer, ["region North-west", "region North-east"]),
    ],
)
def test_the_first_lines_of_a_game(
    options: dict[str, object], offer: type, expected: list[str]
) -> None:
    state = replay(engine.start(load("germany", options=options), 3, _chance()))
    view = observe(state, engine.to_act(state)[0])
    assert isinstance(view.offer, offer)
    assert [line.text for line in questions.of(view).commands()][: len(expected)] == expected


def _chance() -> engine.Chance:
    return engine.Chance("01" * 32)


def test_a_sealed_bid_is_told_to_be_secret() -> None:
    game = Match(load("germany", options={"auction": "sealed"}), 2, "03" * 32)
    opener = engine.to_act(game.state)[0]
    game.play(opener, parse("auction 4 for 9", game.state.ruleset))
    view = observe(game.state, engine.to_act(game.state)[0])
    assert isinstance(view.offer, BidOffer)
    lowest, *_others, passing = questions.of(view).commands()
    assert lowest == Command("bid 5", "your secret maximum; at least 45 left")
    assert passing == Command("pass", "leave plant 4 to the others")


def test_discard_lines_name_the_fuel_that_is_lost() -> None:
    table = Table()
    table.own(plants=(5, 4, 13, 20), fuel=Fuel(coal=6, oil=2))
    table.state = replace(table.state, phase=Phase.AUCTION, discarding=0, auction=None)
    notes = {line.text: line.note for line in table.lines(DiscardOffer)}
    assert notes["discard 5"] == "2 coal or oil → 1 city; lost: 2 oil"
    assert notes["discard 13"] == "no fuel → 1 city; all fuel stays"


def test_who_is_not_asked_is_offered_nothing() -> None:
    table = Table()
    assert questions.of(observe(table.state, 1)) is None
    assert questions.of(observe(table.state, None)) is None
