"""A table laid out by hand: any position in one call, moves by name, and what came of them.

    table = lay(owner("fulda"), owner("erfurt halle leipzig"), phase=BUILDING)
    table.plays(A, build("berlin"))
    assert table.spent(A) == 46

Market and stack are written as on the table: ``"3 4 5 6 / 7 8 9 10"``, next card of the stack
first, ``S3`` for the Step 3 card. Seats are A to F, clockwise.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from core.game import moves
from core.game.events import PlantMarket
from core.game.rules.knobs import City, Ruleset
from core.game.rules.load import load
from core.game.state import GameState, Player
from core.game.types import STEP_3_CARD, CityId, Fuel, Phase, PlantNumber, RegionId, Seat
from tests.game.rules.table import Drawn, Table

A, B, C, D, E, F = (Seat(i) for i in range(6))
AUCTION, RESOURCES, BUILDING = Phase.AUCTION, Phase.RESOURCES, Phase.BUILDING
BUREAUCRACY, FINISHED = Phase.BUREAUCRACY, Phase.FINISHED
PRESETS = ("standard", "recharged", "thai_000", "swahili_001", "ptt_v1_3", "simplified_004")
PASS, POWER_ALL, NOTHING = moves.Pass(), moves.PowerAll(), moves.BuildCities(())

_switched: dict[str, object] = {}
_plain: list[str] = []


@contextmanager
def switched(plain: str = "", **knobs: object) -> Iterator[None]:
    """Inside, every ruleset of this kit has these knobs set otherwise.

    `plain`: fields that all cities have as most do.
    """
    _switched.update(knobs)
    _plain.extend(plain.split())
    try:
        yield
    finally:
        _switched.clear()
        _plain.clear()


def rules(variant: str = "standard", map: str = "germany", **knobs: object) -> Ruleset:
    """A ruleset; the auction is open unless said otherwise."""
    found = load(map, variant, {"auction": "open", **knobs, **_switched})
    if not _plain:
        return found
    usual = {f.name: f.default for f in fields(City) if f.name in _plain}
    cities = tuple(replace(city, **usual) for city in found.map.cities)
    return replace(found, map=replace(found.map, cities=cities))


# --- moves -------------------------------------------------------------------------------------


def opens(plant: int, bid: int | None = None) -> moves.Move:
    return moves.OpenAuction(PlantNumber(plant), plant if bid is None else bid)


def bid(amount: int) -> moves.Move:
    return moves.Bid(amount)


def discard(plant: int, keep: Fuel | None = None) -> moves.Move:
    return moves.DiscardPlant(PlantNumber(plant), keep)


def buy(**fuel: int) -> moves.Move:
    return moves.BuyResources(Fuel(**fuel))


def build(cities: str, jump: str = "") -> moves.Move:
    jumps = tuple(CityId(c) for c in jump.split())
    return moves.BuildCities(tuple(CityId(c) for c in cities.split()), jumps)


def run(*plants: int) -> moves.Move:
    return moves.PowerPlants(tuple(moves.Run(PlantNumber(p)) for p in plants))


def burn(plant: int, **fuel: int) -> moves.Move:
    return moves.PowerPlants((moves.Run(PlantNumber(plant), Fuel(**fuel)),))


# --- positions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Owner:
    """What a seat shall own; `cities` by name, or a number of cities somewhere."""

    cities: str | int = ""
    plants: tuple[int, ...] = ()
    elektro: int = 500
    fuel: Fuel = Fuel()


def owner(
    cities: str | int = "",
    plants: int | str | tuple[int, ...] = (),
    elektro: int = 500,
    **fuel: int,
) -> Owner:
    return Owner(cities, _numbers(plants), elektro, Fuel(**fuel))


def lay(
    *owners: Owner,
    ruleset: Ruleset | None = None,
    seats: int = 3,
    phase: Phase = AUCTION,
    round: int = 3,
    step: int = 1,
    order: tuple[Seat, ...] | None = None,
    market: str = "20 21 22 24 / 25 26 30 31",
    stack: str = "32 33 34 35 S3",
    fuel: tuple[int, int, int, int] = (24, 18, 6, 2),
    supply: tuple[int, int, int, int] | None = None,
    regions: str = "",
    drawn: str = "",
    **more: Any,
) -> Table:
    """Lay out a table. Seats without an owner have 500 Elektro and nothing else.

    `supply` is what is neither on the market nor on plants, unless given. `drawn`: the order into
    which the stack is shuffled.
    """
    ruleset = ruleset or rules()
    owners += tuple(owner() for _ in range(seats - len(owners)))
    everyone = tuple(Seat(i) for i in range(len(owners)))
    in_play = tuple(RegionId(r) for r in regions.split()) or tuple(ruleset.region)
    order = order or everyone
    players = _players(ruleset, owners, in_play)
    rest = Fuel(*(t.tokens for t in ruleset.tracks.values())) - Fuel(*fuel)
    for player in players:
        rest -= player.fuel
    in_turn = order[::-1] if phase in (RESOURCES, BUILDING) else order
    cards = _numbers(stack)
    state = GameState(
        ruleset=ruleset,
        seq=1,
        players=players,
        regions=in_play,
        order=order,
        round=round,
        phase=phase,
        step=step,
        market=_market(market),
        stack=cards,
        boxed=(),
        fuel_market=Fuel(*fuel),
        supply=Fuel(*supply) if supply else rest,
        waiting=in_turn,
        step3_drawn=STEP_3_CARD not in cards,
    )
    return Table(replace(state, **more), Drawn(order=_numbers(drawn)))


def _players(
    ruleset: Ruleset, owners: tuple[Owner, ...], in_play: tuple[RegionId, ...]
) -> tuple[Player, ...]:
    """Numbers of cities are dealt out one after another, so that no city is shared needlessly."""
    free = [c.id for c in ruleset.map.cities if c.region in in_play]
    players = []
    for one in owners:
        if isinstance(one.cities, int):
            cities, free = tuple(free[: one.cities]), free[one.cities :] + free[: one.cities]
        else:
            cities = tuple(CityId(c) for c in one.cities.split())
        players.append(Player(one.elektro, one.plants, one.fuel, cities))
    return tuple(players)


def _market(text: str) -> PlantMarket:
    actual, _, future = text.partition("/")
    return PlantMarket(_numbers(actual), _numbers(future))


def _numbers(text: str | int | tuple[int, ...]) -> tuple[PlantNumber, ...]:
    if isinstance(text, str):
        return tuple(STEP_3_CARD if c == "S3" else PlantNumber(int(c)) for c in text.split())
    return (PlantNumber(text),) if isinstance(text, int) else tuple(map(PlantNumber, text))
