"""What mails and pages say of the fuel that the end of a round brings."""

import pytest

from core.bots import bot
from core.game import engine
from core.game.events import FuelRefilled
from core.game.moves import PowerAll
from core.game.observe import observe
from core.game.rules import catalog
from core.game.rules.load import load
from core.game.types import Fuel, Phase, Seat
from core.mail.position import coming
from webapp.instruments.selfplay import Match

LATE = {"step3_start": "next_round", "refill_row": "current"}


@pytest.mark.parametrize(
    ("variant", "options"),
    [*((info.key, {}) for info in catalog.variants()), ("standard", LATE)],
)
def test_the_refill_that_is_foretold_comes(variant: str, options: dict[str, str]) -> None:
    """Also where the supply is empty until the plants have burned what is in them (R4.4)."""
    rules = load("germany", variant, {"auction": "open", **options})
    match = Match(rules, 4, "00" * 32)
    foretold: list[Fuel] = []
    scarce = 0
    while acting := engine.to_act(match.state):
        seat, state = acting[0], match.state
        view = observe(state, Seat(0))
        if state.phase is Phase.BUREAUCRACY:
            if len(acting) == len(state.players):
                foretold.append(coming(view)[0])
                row = state.ruleset.refill(4, state.step)
                scarce += not state.supply.covers(row)
            assert coming(view) == (foretold[-1],), "whoever has powered changes nothing"
        match.play(seat, PowerAll() if state.phase is Phase.BUREAUCRACY else _wise(state, seat))
    came = [event.amounts for event in match.events if isinstance(event, FuelRefilled)]
    assert foretold[: len(came)] == came
    assert len(came) > 5
    assert scarce > 0
    assert coming(observe(match.state, Seat(0))) == (Fuel(),), "nothing comes after the end"


def _wise(state, seat):
    return bot("engineer").move(observe(state, seat))
