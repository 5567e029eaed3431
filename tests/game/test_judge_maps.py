"""Games on maps that shuffle and draw more than once are judged, over or still running."""

import pytest

from core.bots.engineer import Engineer
from core.game.events import CitiesBlocked, Event, StackUsedUp, Step3CardBack
from core.game.judge import judge
from core.game.log.redact import as_running
from core.game.rules.load import load
from webapp.instruments.selfplay import play_game

MOVES = ("BidPassed", "FuelBought", "PlantsRun")


def game(board: str, variant: str, players: int) -> list[Event]:
    bots = [Engineer() for _ in range(players)]
    rules = load(board, variant, {"auction": "open"})
    return list(play_game(rules, bots, f"{players:064x}"))


@pytest.mark.parametrize(
    ("board", "variant", "players", "kind"),
    [
        ("manhattan", "recharged", 6, StackUsedUp),
        ("manhattan", "standard", 3, CitiesBlocked),
        ("middle-east", "standard", 4, Step3CardBack),
        ("china", "standard", 4, None),
        ("india", "standard", 3, None),
        ("korea", "recharged", 2, None),
    ],
)
def test_m49_a_game_is_judged_while_it_runs_and_when_it_is_over(
    board: str, variant: str, players: int, kind: type[Event] | None
) -> None:
    events = game(board, variant, players)
    assert kind is None or any(isinstance(event, kind) for event in events)
    assert judge(events).sound
    moves = [n for n, event in enumerate(events) if event.type in MOVES]
    for upto in (moves[len(moves) // 4], moves[len(moves) // 2], moves[-1]):
        running = as_running(events[:upto])
        assert judge(running).difference is None, upto
        secret = [e.stack for e in running if isinstance(e, StackUsedUp | Step3CardBack)]
        assert not any(n for stack in secret for n in stack), "face down"
