"""A recorded game (`pg-trace/1`): read, and translated into the game's own words."""

import json
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any, Final

from annotated_types import Interval, Len
from pydantic import BaseModel, Field, ValidationError

from core.game.board.deck import Cards
from core.game.chance import BLOCKED, STEP_2, STEP_2_CARD, Chance
from core.game.errors import LogError, RulesError
from core.game.events import GameStarted, PlantMarket
from core.game.rules.catalog import STANDARD, maps, variants
from core.game.rules.knobs import Ruleset
from core.game.rules.load import first_reason, load
from core.game.types import STEP_3_CARD, CityId, RegionId, Seat

FORMAT = "pg-trace/1"
Summary = dict[str, Any]
"""The recorder's summary of a position."""
ORIGINAL: Final = "original"
"""What the recorder calls the printed rules."""
_Four = Annotated[list[int], Len(4, 4)]


class _State(BaseModel):
    ph: str
    r: int
    st: int
    ord: list[int]
    cur: list[int]
    act: list[int]
    fut: list[int]
    dk: int
    deck: list[int]
    mkt: _Four
    sup: _Four
    auc: list[int | None] | None
    dsc: int
    b39: int
    pl: dict[str, Annotated[list[Any], Len(9, 9)]]


class _Initial(BaseModel):
    regions: list[str]
    cities: list[Annotated[list[str], Len(2, 2)]]
    connections: list[Annotated[list[int], Len(3, 3)]]
    step2: int = Field(alias="citiesToStep2")
    end: int = Field(alias="citiesToEnd")
    resupply: Annotated[list[Annotated[list[int], Len(3, 3)]], Len(4, 4)]
    payment: list[int]
    prices: dict[str, list[int]]
    state: _State


class _Move(BaseModel):
    p: int
    m: str
    a: Any
    o: dict[str, Any]
    d: dict[str, Any]


class _Final(BaseModel):
    rounds: int
    step: int
    moves: int
    ranking: list[int]
    places: list[int]
    powered: list[int]
    money: list[int]
    cities: list[int]


class _File(BaseModel):
    format: str
    map: str
    variant: str
    players: Annotated[int, Interval(ge=2, le=6)]
    initial: _Initial
    moves: list[_Move]
    final: _Final


class UnknownMap(Exception):
    """A game on a map that is not here: it can be neither played nor compared."""


@dataclass(frozen=True)
class Trace:
    """One recorded game; `data` is the file as it stands."""

    name: str
    data: dict[str, Any]

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules it was played by.

        Raises:
            UnknownMap: the map is not here. LogError: there is no such variant.
        """
        by_name = {m.name.casefold(): m.key for m in maps()}
        known = {v.key: v.key for v in variants()} | {ORIGINAL: STANDARD}
        board, variant = self.data["map"], self.data["variant"]
        if variant not in known:
            raise LogError(f"there is no variant {variant!r}; known are {', '.join(known)}")
        if board.casefold() not in by_name:
            raise UnknownMap(f"the map {board!r} is not here")
        return load(
            by_name[board.casefold()],
            known[variant],
            {"auction": "open", "burn_own_storage": False},
        )

    @cached_property
    def cities(self) -> tuple[CityId, ...]:
        """City ids by the trace's index."""
        return match_cities(self.ruleset, self.data["initial"]["cities"])

    @property
    def moves(self) -> list[dict[str, Any]]:
        """The recorded moves, in order."""
        moves: list[dict[str, Any]] = self.data["moves"]
        return moves

    def started(self) -> GameStarted:
        """Return the table as it was laid out: seat 0 first, round 1 in seat order."""
        initial = self.data["initial"]
        summary = initial["state"]
        on_table = {*summary["act"], *summary["fut"], *summary["deck"]}
        boxed = tuple(n for n in self.ruleset.plant if n not in on_table)
        seats = self.data["players"]
        return GameStarted(
            ruleset=self.ruleset,
            seats=seats,
            regions=tuple(RegionId(r) for r in initial["regions"]),
            order=tuple(Seat(i) for i in range(seats)),
            market=PlantMarket(tuple(summary["act"]), tuple(summary["fut"])),
            stack=tuple(summary["deck"]),
            boxed=boxed,
            commitment="",
        )

    def shuffled_stacks(self, index: int, cards: Cards, purpose: str) -> tuple[Cards, ...]:
        """Return the orders that the stack can have after the shuffle that move `index` sets off.

        It is the next recorded deck, down to the Step 3 card where this lies under it; cards
        missing from it were drawn in the same move, in any order, and lay on top.
        """
        twice = purpose == STEP_2
        for move in self.moves[index:]:
            deck = move["d"].get("deck")
            if deck is not None and STEP_3_CARD in deck and purpose == STEP_2_CARD:
                # it was shuffled once more in the same move, after a card or none was drawn
                seen = deck[: deck.index(STEP_3_CARD)]
                drawn = [c for c in cards if c not in seen]
                return tuple((one, *(c for c in cards if c != one)) for one in drawn)
            if deck is not None and (STEP_3_CARD in deck) == twice:
                deck = deck[: deck.index(STEP_3_CARD)] if twice else deck
                missing = [c for c in cards if c not in deck]
                rest = [c for c in deck if c in cards]
                under = [c for c in move["d"]["deck"] if c in missing]
                return tuple(
                    (*some, *rest)
                    for some in permutations(missing)
                    if [c for c in some if c in under] == under
                )
        raise LogError(f"{self.name}: no shuffled deck is recorded after move {index}.")


class RecordedChance(Chance):
    """The shuffle that the recorder saw."""

    def __init__(self, trace: Trace) -> None:
        """`at` is the index of the move being played, `choice` that of the order which is tried.

        `orders`: how many there are for the shuffles of this move together.
        """
        super().__init__("")
        self.trace, self.at, self.choice, self.orders = trace, 0, 0, 1

    def shuffled(self, cards: Any, purpose: str) -> Any:
        """Return the recorded order of these cards, or one of those that are possible."""
        if purpose.startswith(BLOCKED):
            recorded = [self.trace.cities[n] for n in self.trace.data["initial"]["blocked"]]
            return tuple(sorted(cards, key=lambda city: city not in recorded))
        if not cards:
            return cards
        orders = self.trace.shuffled_stacks(self.at, cards, purpose)
        number = self.choice // self.orders % len(orders)
        self.orders *= len(orders)
        return orders[number]


def read_trace(path: Path) -> Trace:
    """Read a file; LogError when it is not a trace of the known format."""
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise LogError(f"{path.name} cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise LogError(f"{path.name} is not a recorded game of the format {FORMAT}.")
    try:
        _File.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise LogError(f"{path.name} is malformed: {first_reason(error)}") from error
    return Trace(path.name, data)


def match_cities(ruleset: Ruleset, recorded: list[list[str]]) -> tuple[CityId, ...]:
    """Ids of recorded cities: of the same region and, as the spelling differs, the most alike."""
    free = dict(ruleset.city)
    found: dict[int, CityId] = {}
    candidates = sorted(
        (-_alike(name, city.name), index, city.id)
        for index, (name, region) in enumerate(recorded)
        for city in ruleset.map.cities
        if city.region == region
    )
    for _, index, city_id in candidates:
        if index not in found and city_id in free:
            found[index] = city_id
            del free[city_id]
    if len(found) < len(recorded):
        raise RulesError("The recorded cities are not those of the map.")
    return tuple(found[i] for i in range(len(recorded)))


def _alike(a: str, b: str) -> float:
    return SequenceMatcher(None, _plain(a), _plain(b)).ratio()


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in letters if c.isascii() and c.isalnum())
