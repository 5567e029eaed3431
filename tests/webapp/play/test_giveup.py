"""Which plant and fuel go if a bid wins: asked with the bid, answered at the discard (R7.12)."""

import re
from dataclasses import replace

import pytest

from core import questions
from core.game.board.storage import ways_to_keep
from core.game.observe import PlayerView, observe
from core.game.offers import BidOffer, DiscardChoice, DiscardOffer
from core.game.rules.load import load
from core.game.types import Fuel
from core.questions.bidding import BiddingQuestion
from core.store.tables import Draft
from tests.support.site import Site
from webapp.instruments.selfplay import Match

HELD = Fuel(coal=3, oil=3)
WON = 14  # burns garbage


def seen(plants: tuple[int, ...], held: Fuel = HELD) -> PlayerView:
    """Three players; the seat that is asked has these plants and this fuel."""
    game = Match(load("germany"), 3, "x")
    view = observe(game.state, game.state.waiting[0])
    mine = replace(view.me, plants=plants, fuel=held)
    players = tuple(mine if p.seat == mine.seat else p for p in view.players)
    return replace(view, players=players, offer=BidOffer(WON, 15, 40, sealed=False))


def discarding(plants: tuple[int, ...]) -> PlayerView:
    """The same seat when it has won and is asked which plant goes."""
    view = seen((*plants, WON))
    choices = tuple(
        DiscardChoice(gone, ways_to_keep([view.ruleset.plant[n] for n in (*plants, WON)
                                          if n != gone], HELD))
        for gone in plants
    )  # fmt: skip
    return replace(view, offer=DiscardOffer(choices))


@pytest.mark.parametrize(
    ("plants", "held", "values"),
    [
        ((5, 12, 13), HELD, ["0", "1", "2"]),  # a hybrid of the two goes, the other holds 4
        ((5, 12, 13), Fuel(coal=2, oil=2), []),  # all fits
        ((5, 12, 13), Fuel(coal=6), []),  # two coal go, whatever is chosen
        ((4, 3, 13), Fuel(coal=4, oil=4), []),  # each plant's fuel goes with it
        ((5, 12), HELD, []),  # no plant has to go
    ],
)
def test_fuel_is_asked_for_only_where_there_is_a_choice(
    plants: tuple[int, ...], held: Fuel, values: list[str]
) -> None:
    view = seen(plants, held)
    assert [o["value"] for o in questions.of(view).losses] == values


def test_the_options_say_what_is_lost() -> None:
    options = questions.of(seen((5, 12, 13))).losses
    assert [o["text"] for o in options] == [
        "only oil", "1 coal, the rest oil", "2 coal, the rest oil",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("drop", "lose", "line"),
    [
        ("5", "0", "discard 5 keep 3 coal 1 oil"),
        ("5", "1", "discard 5 keep 2 coal 2 oil"),
        ("5", "2", "discard 5 keep 1 coal 3 oil"),
        ("5", "9", "discard 5 keep 1 coal 3 oil"),
        ("5", "", "discard 5 keep 3 coal 1 oil"),
        ("5", "x", "discard 5 keep 3 coal 1 oil"),
        ("13", "1", "discard 13"),  # all fuel fits
    ],
)
def test_the_discard_begins_with_what_the_bid_said(drop: str, lose: str, line: str) -> None:
    view = discarding((5, 12, 13))
    said = {"for": [str(WON)], "drop": [drop], "lose": [lose]}
    chosen = questions.of(view).carried(said)
    assert chosen == {"choice": [line]}
    assert line in [row["line"] for row in questions.of(view).rows]


def test_it_is_kept_for_the_next_bid_on_the_same_plant() -> None:
    view = seen((5, 12, 13))
    assert questions.of(view).carried({"for": ["14"], "lose": ["1"]}) == {
        "drop": [""],
        "lose": ["1"],
    }
    assert questions.of(view).carried({"for": ["15"], "lose": ["1"]}) == {}


def test_the_form_asks_and_remembers(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    option = {"value": "1", "text": "1 coal, the rest oil"}
    game = site.house.start("Ann", "Ben", "Cem", auction="open")
    asked = site.house.asked(game)[0]
    ann = site.at(game, asked.seat)
    assert 'name="lose"' not in ann.page(f"/games/{game}")
    monkeypatch.setattr(BiddingQuestion, "losses", [option])
    assert 'name="lose"' in ann.page(f"/games/{game}")
    ann.post(f"/games/{game}/turn", {"turn": asked.turn, "do": "keep", "lose": "1"})
    assert site.house.get(Draft, (game, asked.seat)).fields["lose"] == ["1"]
    page = ann.page(f"/games/{game}")
    assert re.search(r'<option value="1" selected>1 coal, the rest oil', page)
