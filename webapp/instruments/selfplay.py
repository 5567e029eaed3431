"""Bots among themselves: whole games without a table, a database or a clock."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from core.bots import Bot
from core.game import engine
from core.game.chance import Chance
from core.game.events import Event, SealedBidGiven
from core.game.evolve import evolve, replay
from core.game.moves import Move, amount_bid
from core.game.observe import observe
from core.game.rules.knobs import Ruleset
from core.game.state import GameState
from core.game.types import Elektro, RegionId, Seat

MOST_MOVES: Final = 20_000
"""A game of more moves than this does not end."""


Watch = Callable[[GameState | None, Event, GameState], None]
"""Is told of every event: the position before it, the event, the position after it."""


class EndlessGame(Exception):
    """Bots went on and on; says at which move they were stopped."""


def play_game(
    ruleset: Ruleset,
    bots: Sequence[Bot],
    seed: str,
    regions: tuple[RegionId, ...] | None = None,
) -> list[Event]:
    """Play one game to its end, one bot a seat; the same `seed` gives the same game.

    `regions` where the ruleset lets a host choose them.

    Raises:
        EndlessGame: it has not ended after `MOST_MOVES` moves.
    """
    game = Match(ruleset, len(bots), seed, regions)
    play_out(game, bots)
    return game.events


def play_out(game: "Match", bots: Sequence[Bot]) -> None:
    """Go on with a game until it is over; EndlessGame after `MOST_MOVES` moves."""
    while acting := engine.to_act(game.state):
        if game.moves >= MOST_MOVES:
            raise EndlessGame(f"not over after {MOST_MOVES} moves, in round {game.state.round}")
        seat = acting[0]
        game.play(seat, bots[seat].move(observe(game.state, seat)))


class Match:
    """A game on the run: its position, its events, and the envelopes of a sealed auction."""

    def __init__(
        self,
        ruleset: Ruleset,
        seats: int,
        seed: str,
        regions: tuple[RegionId, ...] | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Set up the table and go to the first decision."""
        self._chance = Chance(seed)
        self._sealed: dict[Seat, Elektro | None] = {}
        self._watch = watch
        self.events = list(engine.start(ruleset, seats, self._chance, regions))
        self.state = self._fold(self.events)
        self.moves = 0

    def play(self, seat: Seat, move: Move) -> tuple[Event, ...]:
        """Play a move and all that follows from it; IllegalMove if the rules forbid it."""
        new = engine.play(self.state, seat, move, self._chance, self._sealed)
        if any(isinstance(event, SealedBidGiven) for event in new):
            self._sealed[seat] = amount_bid(move)
        self.state = self._fold(new, self.state)
        if self.state.auction is None:
            self._sealed = {}
        self.events += new
        self.moves += 1
        return new

    def _fold(self, events: Iterable[Event], state: GameState | None = None) -> GameState:
        if self._watch is None:
            return replay(events, state)
        for event in events:
            before, state = state, evolve(state, event)
            self._watch(before, event, state)
        return replay((), state)
