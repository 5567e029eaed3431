"""Games by the thousand, each looked at event by event: do they hold together, and do they end?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Final

from core.bots import bot
from core.game.events import Event, GameEnded
from core.game.judge import judge
from core.game.log import validate
from core.game.log.jsonl import dump, load, log_of
from core.game.rules import catalog
from core.game.rules.check import PLAYERS
from core.game.rules.load import load as load_rules
from core.game.state import GameState
from core.game.types import Fuel, PlantNumber
from core.game.verify import verify
from webapp.instruments.selfplay import Match, play_out

Options = tuple[tuple[str, str], ...]
"""Rules that differ from the variant's, by key."""
READ_BACK: Final = 20
"""Every so many-th game is also written, read, folded and verified."""
_EDITIONS: Final[tuple[Options, ...]] = tuple(
    (("auction", auction), ("region_choice", choice))
    for choice, auction in product(("random", "draft"), ("open", "sealed"))
)


class Unsound(Exception):
    """A game does not hold together; says where and why."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: `players` of them; the games take the `editions` in turn."""

    variant: str
    map: str
    players: int
    bots: tuple[str, ...]
    editions: tuple[Options, ...] = _EDITIONS

    @property
    def key(self) -> str:
        """Its name, for lists and seeds."""
        return f"{self.variant}/{self.map}/{self.players}"

    def options(self, n: int) -> Options:
        """Return the rules of game `n` as far as they are not the variant's."""
        return self.editions[n % len(self.editions)]


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: its moves, its rounds and the Step in which it ended."""

    moves: int
    rounds: int
    step: int


def tables(bots: Sequence[str]) -> tuple[Table, ...]:
    """Return every variant on every map with every number of players.

    `bots` take the seats in turn.
    """
    every = product(catalog.variants(), catalog.maps(), PLAYERS)
    return tuple(
        Table(variant.key, board.key, players, seated(bots, players))
        for variant, board, players in every
    )


def seated(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """Return one bot a seat, from the first on again when there are more seats."""
    return tuple(bots[seat % len(bots)] for seat in range(players))


def play(table: Table, n: int, seed: str) -> Played:
    """Play game `n` of a table and check every position.

    Raises:
        Unsound, EndlessGame, RulesError: this game is a case for the workshop.
    """
    ruleset = load_rules(table.map, table.variant, dict(table.options(n)))
    game = Match(ruleset, table.players, seed, watch=Auditor().check)
    play_out(game, [bot(name, f"{seed}.{seat}") for seat, name in enumerate(table.bots)])
    if not isinstance(game.events[-1], GameEnded):
        raise Unsound(f"the last event is {game.events[-1].type}")
    if wrong := judge(game.events).difference:
        raise Unsound(f"not by its rules: {wrong}")
    if n % READ_BACK == 0:
        _read_back(game, table.bots)
    return Played(game.moves, game.state.round, game.state.step)


class Auditor:
    """Watches a game: no position may be impossible, nothing may get lost or come from nowhere."""

    def __init__(self) -> None:
        self._tokens: tuple[int, ...] = ()
        self._cards: set[PlantNumber] = set()

    def check(self, before: GameState | None, event: Event, after: GameState) -> None:
        """Raise Unsound where the event cannot have led from one position to the other."""
        if before is None:
            self._tokens, self._cards = _tokens(after), _cards(after)
        reason = validate.problem(before, event, after) or next(self._not_kept(after), None)
        if reason is not None:
            raise Unsound(f"event {after.seq}, {event.type}: {reason}")

    def _not_kept(self, state: GameState) -> Iterator[str]:
        """Yield what was there at the start and is no more, or the other way round (R1.2)."""
        if (tokens := _tokens(state)) != self._tokens:
            yield f"there were {self._tokens} tokens, now there are {tokens}"
        if odd := _cards(state) ^ self._cards:
            yield f"cards are there that were not, or the other way round: {sorted(odd)}"


def _tokens(state: GameState) -> tuple[int, ...]:
    stores = (player.fuel for player in state.players)
    stored = Fuel(coal=state.local.storage)
    heaps = (state.fuel_market, state.supply, stored, *state.local.markets, *stores)
    return tuple(map(sum, zip(*(heap.counts() for heap in heaps), strict=True)))


def _cards(state: GameState) -> set[PlantNumber]:
    """Return all cards of the game, those among them that wait for Step 2."""
    lying = (state.market.cards, state.stack, state.local.side_pile, state.boxed)
    heaps = (*lying, *(p.plants for p in state.players))
    return set(chain.from_iterable(heaps)).union(state.ruleset.step2_top_plants)


def _read_back(game: Match, names: Sequence[str]) -> None:
    """Check that the file of the game tells the same game, and that it is a fair one."""
    read = load(dump(log_of(game.events, names))).events
    if list(read) != game.events:
        raise Unsound("its file tells another game")
    findings = verify(read)
    if findings.misfit:
        raise Unsound(f"not dealt as its seed says: {findings.misfit}")
