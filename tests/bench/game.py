"""The rules alone: folding a log, playing games, thinking about a move."""

import time
from collections.abc import Callable, Iterator
from statistics import median

from core.bots import Bot, bot
from core.bots.random_bot import RandomBot
from core.game.events import GameEnded
from core.game.evolve import replay
from core.game.log.codec import decode, encode
from core.game.moves import Move
from core.game.observe import PlayerView
from core.game.rules.knobs import Ruleset
from core.game.rules.load import load
from webapp.instruments.selfplay import play_game

GAMES = 12


def lines() -> Iterator[str]:
    """What one core does."""
    ruleset = load("germany")
    log = play_game(ruleset, [bot("engineer")] * 4, "be" * 32)
    bodies = [encode(event) for event in log]
    fold = _median(lambda: replay(log), 20)
    read = _median(lambda: [decode(body) for body in bodies], 20)
    yield f"fold of a finished game of 4: {fold * 1000:.1f} ms for {len(log)} events"
    yield f"  reading them from JSON objects: {read * 1000:.1f} ms"
    for auction in ("open", "sealed"):
        yield from _self_play(load("germany", options={"auction": auction}))
    won, rounds = _against_random()
    yield (
        f"an engineer against 3 random players: won {won} of {GAMES} games, "
        f"median {median(rounds):.0f} rounds"
    )


def _self_play(rules: Ruleset) -> Iterator[str]:
    clocks = [_Clock(bot("engineer")) for _ in range(4)]
    seeds = iter(range(GAMES))
    took = [_time(lambda: play_game(rules, clocks, f"bench {next(seeds)}")) for _ in range(GAMES)]
    thought = [t for clock in clocks for t in clock.thought]
    yield (
        f"self-play of 4 engineers, {rules.auction} auction: {1 / median(took):.1f} games/s, "
        f"{len(thought) / sum(took):.0f} moves/s"
    )
    yield (
        f"  an engineer thinks {median(thought) * 1000:.2f} ms a move, "
        f"at most {max(thought) * 1000:.1f} ms"
    )


class _Clock:
    """A bot with a watch beside it."""

    def __init__(self, inner: Bot) -> None:
        self._inner = inner
        self.thought: list[float] = []

    def move(self, view: PlayerView) -> Move:
        began = time.perf_counter()
        move = self._inner.move(view)
        self.thought.append(time.perf_counter() - began)
        return move


def _against_random() -> tuple[int, list[int]]:
    won, rounds = 0, []
    for n in range(GAMES):
        bots = [bot("engineer") if i == n % 4 else RandomBot(str(i)) for i in range(4)]
        log = play_game(load("usa"), bots, f"bench {n}")
        end = log[-1]
        won += isinstance(end, GameEnded) and end.standings[0].seat == n % 4
        rounds.append(replay(log).round)
    return won, rounds


def _time(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _median(work: Callable[[], object], times: int) -> float:
    return median(_time(work) for _ in range(times))
