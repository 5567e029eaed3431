"""Fields of a form become one line; and every row that a form shows is a move that is taken."""

from dataclasses import replace

import pytest

from core import bots, questions
from core.game import engine, notation
from core.game.chance import Chance
from core.game.evolve import replay
from core.game.observe import observe
from core.game.offers import (
    BidOffer,
    BuildOffer,
    BuildTarget,
    OpeningOffer,
    PlantOffer,
    PowerOffer,
    PurchaseOffer,
    RegionOffer,
)
from core.game.rules.load import load
from core.game.types import Fuel
from core.questions.question import Unfilled

RULES = load("germany")
VIEW = observe(replay(engine.start(RULES, 3, Chance("cd" * 32))), 0)
OPENING = OpeningOffer((PlantOffer(4, 4), PlantOffer(7, 7)), 30, may_pass=True, sealed=False)
BID = BidOffer(7, 8, 30, sealed=False)
BUY = PurchaseOffer((), 30, Fuel(), 4)
BUILD = BuildOffer(
    tuple(BuildTarget(c, 10, n, (c,)) for n, c in enumerate(("kiel", "bremen", "hamburg"))), 50
)


@pytest.mark.parametrize(
    ("offer", "fields", "expected"),
    [
        (OPENING, {"plant": ["7"], "amount": ["9"]}, "auction 7 for 9"),
        (OPENING, {"plant": ["7"], "amount": [" "]}, "auction 7 for 7"),
        (OPENING, {"plant": ["pass"], "amount": ["9"]}, "pass"),
        (BID, {"act": ["bid"], "amount": ["12"]}, "bid 12"),
        (BID, {"act": ["pass"], "amount": ["12"]}, "pass"),
        (BID, {"amount": ["8"], "quick": ["bid 30"]}, "bid 30"),
        (BidOffer(7, 31, 30, sealed=False), {"amount": ["8"]}, "pass"),
        (BUY, {"coal": ["2"], "uranium": ["1"], "oil": ["0"]}, "buy 2 coal 1 uranium"),
        (BUY, {}, "buy nothing"),
        (BUILD, {}, "build nothing"),
        (BUILD, {"city": ["hamburg", "kiel"]}, "build Kiel, Hamburg"),
        (BUILD, {"city": ["hamburg", "kiel"], "order": ["hamburg,kiel"]}, "build Hamburg, Kiel"),
        (BUILD, {"city": ["hamburg"], "order": ["kiel,hamburg"]}, "build Hamburg"),
        (BUILD, {"city": ["kiel", "essen"]}, "build Kiel, Essen"),
        (PowerOffer(()), {"choice": ["power all"]}, "power all"),
        (RegionOffer(()), {"choice": ["region South"]}, "region South"),
        (BID, {"line": ["  pass "], "amount": ["9"]}, "pass"),
        (BID, {"line": ["x" * 900]}, "x" * 900),  # to be refused whole, not played in part
    ],
)
def test_a_form_is_one_line(offer, fields, expected):
    assert questions.of(replace(VIEW, offer=offer)).line(fields) == expected


@pytest.mark.parametrize(
    ("offer", "fields"),
    [
        (OPENING, {}),
        (OPENING, {"plant": ["5"], "amount": ["9"]}),
        (OPENING, {"plant": ["7"], "amount": ["-3"]}),
        (BID, {"act": ["bid"], "amount": [""]}),
        (BID, {"act": ["bid"], "amount": ["٣"]}),
        (BUY, {"coal": ["many"]}),
        (BUILD, {"city": ["<script>"]}),
        (PowerOffer(()), {}),
    ],
)
def test_a_form_that_is_not_filled_in_says_so(offer, fields):
    with pytest.raises(Unfilled):
        questions.of(replace(VIEW, offer=offer)).line(fields)


@pytest.mark.parametrize(
    ("board", "auction", "seats"), [("germany", "open", 3), ("usa", "sealed", 4)]
)
def test_what_a_form_shows_is_taken(board, auction, seats):
    """Of each form of a whole game: every row with its price, filled in as a browser would."""
    rules = load(board, options={"auction": auction})
    chance = Chance("ab" * 32)
    state = replay(engine.start(rules, seats, chance))
    sealed, shown = {}, set()
    while acting := engine.to_act(state):
        view = observe(state, acting[0])
        question = questions.of(view)
        shown.add(question.template)
        for fields in _fillings(question):
            assert set(fields) <= set(question.fields)
            text = question.line(fields)
            engine.preview(state, acting[0], notation.parse(text, rules))  # IllegalMove if not
        move = bots.bot(bots.CARETAKER).move(view)
        amount = getattr(move, "bid", getattr(move, "amount", None))
        events = engine.play(state, acting[0], move, chance, sealed)
        state = replay(events, state)
        given = state.auction.given if state.auction else ()
        sealed = {**sealed, acting[0]: amount} if acting[0] in given else {}
    assert shown >= {one.template for one in questions.QUESTIONS.values()} - {"regions"}


def _fillings(question):
    match question.template:
        case "opening":
            return [{"plant": [str(row["plant"].number)]} for row in question.rows]
        case "bid":
            return [{"act": ["bid"], "amount": [str(n)]} for n in question.chips]
        case "fuel":
            return [
                {row["fuel"]: [str(n)]}
                for row in question.rows
                for n, _cost, _last in row["options"]
            ]
        case "building":
            return [{"city": [row["id"]]} for row in question.rows]
    return [{"choice": [row["line"]]} for row in question.rows]
