"""What a move would do, and why one is refused: what follows from it, and the first true reason."""

import re

import pytest

from core import questions
from core.game import engine
from core.game.errors import GameError
from core.game.evolve import replay
from core.game.moves import Move
from core.game.notation import parse
from core.game.observe import observe
from core.game.state import GameState
from core.game.types import Phase, Seat
from core.questions.effects import Effects
from core.questions.reading import read
from tests.game.rules.kit import A, lay, owner

NAMES = ("Äsop", "Ben", "Cem")
PAST = re.compile(r"\b(bought|built|passed|put up a|ran|added|bid \d+ on|gave)\b")


def effects(state: GameState, seat: Seat, line: str) -> Effects:
    move: Move = parse(line, state.ruleset)
    events = engine.preview(state, seat, move)
    question = questions.of(observe(state, seat))
    return Effects.of(question, move, events, observe(replay(events, state), seat), NAMES)


def refusal(state: GameState, seat: Seat, line: str) -> str:
    with pytest.raises(GameError) as refused:
        engine.preview(state, seat, read(line, state, seat))
    return str(refused.value)


CITIES = 3


def buying(*plants: int, coal: int = 0, money: int = 50) -> tuple[GameState, Seat]:
    at = lay(
        owner(elektro=money, plants=(*plants,), cities=CITIES, **({"coal": coal} if coal else {})),
        owner(plants=7),
        phase=Phase.RESOURCES,
    )
    while A not in engine.to_act(at.state):
        at.plays(engine.to_act(at.state)[0], parse("buy nothing", at.state.ruleset))
    return at.state, A


@pytest.mark.parametrize(
    ("line", "powers"),
    [
        ("buy nothing", "powers 0 of 3 cities: income 10"),
        ("buy 1 coal", "powers 0 of 3 cities: income 10"),
        ("buy 2 coal", "powers 1 of 3 cities: income 22"),
    ],
)
def test_w10_a_purchase_tells_what_is_powered_and_what_cannot_run(line: str, powers: str):
    state, seat = buying(4)
    told = effects(state, seat, line)
    assert powers in told.sums
    assert ("not enough fuel for plant 4" in told.sums) is ("0 of 3" in powers)
    assert any("Elektro" in text for text in told.sums)


def test_w10_building_nothing_tells_money_and_income():
    at = lay(owner(elektro=40, plants=4, cities=CITIES), owner(plants=7), phase=Phase.BUILDING)
    seat = engine.to_act(at.state)[0]
    told = effects(at.state, seat, "build nothing")
    assert told.lines == ("You will build nothing in this round.",)
    assert [text for text in told.sums if "Elektro left" in text]
    assert [text for text in told.sums if re.match(r"powers \d of \d cit", text)]


def test_w12_no_preview_speaks_of_the_future_in_the_past():
    state, seat = buying(4)
    for line in ("buy nothing", "buy 2 coal"):
        for text in effects(state, seat, line).lines:
            assert text.startswith("You will "), text
            assert not PAST.search(text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("buy 1 garbage", "None of your plants burns garbage."),
        ("buy 9 uranium", "None of your plants burns uranium."),
        ("buy 1 coal 1 oil", "None of your plants burns oil."),
        ("buy 9 coal", "Your plants can store 4 more coal, not 9."),
    ],
)
def test_w11_a_refusal_gives_the_first_true_reason(line: str, reason: str):
    assert refusal(*buying(4), line) == reason


_LINES = ["3 coal", "auctoin 13 for 15", "bid many", "hello", "auction five"]


@pytest.mark.parametrize("line", _LINES)
def test_w11_only_what_can_be_done_now_is_suggested(line: str):
    state, seat = buying(4)
    hint = refusal(state, seat, line).partition("; ")[2]
    assert "buy" in hint
    for verb in ("auction 13", "bid 16", "pass", "region", "power", "discard"):
        assert verb not in hint


def test_w11_what_was_meant_is_suggested():
    assert refusal(*buying(4), "2 coal").endswith("now you can write: buy 2 coal")
