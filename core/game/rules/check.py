"""Cross-checks: does a map hang together, do the numbers fit, do the options go together?"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import Final, Literal

from core.game.rules import network
from core.game.rules.choices import region_choices
from core.game.rules.knobs import FuelTrack, Ruleset, Track, opening_stock
from core.game.types import PlantNumber, Resource
from core.text import _, clean

LONGEST_ROW: Final = 101
"""Numbers in a row: an income for 0 to 100 cities."""
MOST: Final = {
    "starting_elektro": 100_000,
    "houses_per_player": 100,
    "house_costs": 1000,
    "payment": 1000,
    "coal_overflow_price": 1000,
    "burnt_coal_price": 1000,
    "regions_in_play": 20,
    "plant_limit": 6,  # every set of a player's plants is looked at
}
MOST_THINGS: Final = {"regions": 12, "cities": 200, "connections": 1000}
"""Of a map: every choice of regions is looked at, and every way between two cities."""
MOST_PLANTS: Final = 200
MOST_ON_A_TRACK: Final = 1000
"""Of a fuel track's prices and tokens."""


MOST_OF_EACH: Final = {
    "burns": 12, "stores": 48, "regions_needed": 12, "number": 999, "starting_elektro": 100_000,
    "variant_edition": 100_000,
}  # fmt: skip
"""Wherever it stands in a ruleset; all other numbers lie up to a thousand."""
LONGEST_TEXT: Final = 4000


def _walk(value: object, key: str) -> Iterator[tuple[str, str]]:
    """Look at every number and text of a ruleset, however deep, so that none is forgotten (S1)."""
    most = MOST_OF_EACH.get(key, 1000)
    match value:
        case bool() | None:
            return
        case int() | float():
            if abs(value) > most:
                yield key, _("must not lie above {most}").format(most=most)
        case str():
            if len(value) > LONGEST_TEXT or clean(value) != value:
                yield (
                    key,
                    _("has more than {most} characters, or odd ones").format(most=LONGEST_TEXT),
                )
        case tuple() | list() | frozenset():
            for part in value:
                yield from _walk(part, key)
        case Mapping():
            for name, part in value.items():
                yield from _walk(part, str(name))
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _walk(getattr(value, field.name), field.name)


def beyond(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Keys whose numbers are too large or too many, each with the reason."""
    for key, most in MOST.items():
        yield from ((key, reason) for reason in _beyond(_numbers(getattr(rules, key)), most))
    for key, most in MOST_THINGS.items():
        yield from ((key, reason) for reason in _too_many(getattr(rules.map, key), most))
    yield from (("plants", reason) for reason in _too_many(rules.plants, MOST_PLANTS))
    for tracks in rules.markets:
        for fuel, track in tracks.items():
            tokens = track.tokens if isinstance(track, FuelTrack) else 0
            for part in (track.prices, tokens, track.start_from, track.refill):
                yield from ((fuel.value, why) for why in _beyond(_numbers(part), MOST_ON_A_TRACK))
    yield from _walk(rules, "rules")  # last: what has a bound of its own is told with it


def _beyond(numbers: tuple[int, ...], most: int) -> Iterator[str]:
    if len(numbers) > LONGEST_ROW:
        yield _("has more than {most} numbers").format(most=LONGEST_ROW)
    if max(numbers, default=0) > most:
        yield _("must not lie above {most}").format(most=most)


def _too_many(things: Sized, most: int) -> Iterator[str]:
    if len(things) > most:
        yield _("there are more than {most}").format(most=most)


def _numbers(value: object) -> tuple[int, ...]:
    """Return the numbers in a value: one, none, or those of a row or a table."""
    if isinstance(value, tuple):
        return tuple(number for part in value for number in _numbers(part))
    return (value,) if isinstance(value, int) else ()


PLAYERS: Final = range(2, 7)
LAST_LOW_PLANT: Final = PlantNumber(15)
"""Plants up to this one are shuffled into the opening market in `shuffled_3_15` (R17.1)."""
LEANS_ON: Final = {
    "market_insert": ("rotation",),
    "discount_token": ("obsolete_timing", "no_sale_boxes"),
    "first_plant": ("removed_plants", "deck_setup"),
    "always_in_market": ("removed_plants", "deck_setup"),
    "boxed_plants": ("removed_plants", "deck_setup", "first_plant", "stack", "market_rows"),
    "boxed_low_plants": ("removed_plants", "deck_setup"),
    "step2_cities": ("end_cities",),
    "end_cities": ("regions_in_play", "houses_per_player"),
    "payment": ("houses_per_player",),
    "starting_elektro": ("house_costs", "removed_plants"),
}
"""A key that does not fit may be right by itself: the one to blame may be one of these."""
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_HYBRID: Final = {Resource.COAL, Resource.OIL}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit: the `key` it hangs on and the `reason`."""

    key: str
    reason: str


def problems(rules: Ruleset) -> tuple[Problem, ...]:
    """Everything that does not fit; empty when a game can be played."""
    for step in _CHECKS:
        found = tuple(dict.fromkeys(step(rules)))
        if found:  # later checks build on what earlier ones have found sound
            return found
    return ()


def _names(rules: Ruleset) -> Iterator[Problem]:
    board = rules.map
    if not board.name:
        yield Problem("name", "missing")
    for key in (board.key, *rules.region, *rules.city):
        if not _ID.fullmatch(key):
            yield Problem(key, "an id has only small letters a to z, digits and hyphens")
    for name, count in Counter(c.name for c in board.cities).items():
        if count > 1:
            yield Problem("cities", f"two are called {name}")


def _places(rules: Ruleset) -> Iterator[Problem]:
    for city in rules.map.cities:
        if city.region not in rules.region:
            yield Problem(f"cities.{city.id}.region", f"no region {city.region!r}")
        if not (-85 <= city.lat <= 85 and -180 <= city.lon <= 180):
            yield Problem(f"cities.{city.id}", "lat or lon is outside the world")
        costs, steps = rules.house_costs_in(city.id), city.places or (1,)
        if min(costs) < 0 or len(costs) > 3 or any(a > b for a, b in pairwise(costs)):
            yield Problem(f"cities.{city.id}.house_costs", "needs one to three that do not fall")
        if len(steps) not in (1, 3) or any(a > b for a, b in pairwise(steps)) or min(steps) < 0:
            yield Problem(f"cities.{city.id}.places", "needs three numbers that do not fall")
        if city.entry_cost < 0:
            yield Problem(f"cities.{city.id}.entry_cost", "must be 0 or more")


def _lines(rules: Ruleset) -> Iterator[Problem]:
    for line in rules.map.connections:
        key = f"connections.{line.a}.{line.b}"
        for end in (line.a, line.b):
            if end not in rules.city:
                yield Problem(key, f"no city {end!r}")
        if line.a == line.b or line.cost < 0:
            yield Problem(key, "needs two cities and a cost of 0 or more")


def _whole(rules: Ruleset) -> Iterator[Problem]:
    board = rules.map
    for region, count in Counter(c.region for c in board.cities).items():
        if count < 2:
            yield Problem(f"regions.{region}", "has fewer than two cities")
    empty = {r.id for r in board.regions} - {c.region for c in board.cities}
    for region in sorted(empty):
        yield Problem(f"regions.{region}", "has no city")
    if not board.cities or (len(network.islands(board)) > 1 and rules.far_connection is None):
        yield Problem("connections", "the map is not connected as a whole")


def _spread(rules: Ruleset) -> Iterator[Problem]:
    """Find what a slip of a digit does: a city far away from all its neighbours."""
    for city in rules.map.cities:
        near = [
            rules.city[b if a == city.id else a]
            for a, b in ((c.a, c.b) for c in rules.map.connections)
            if city.id in (a, b)
        ]
        if near and all(abs(city.lat - n.lat) + abs(city.lon - n.lon) > 30 for n in near):
            yield Problem(f"cities.{city.id}", "lies far away from every city it is connected to")
    places = Counter((c.lat, c.lon) for c in rules.map.cities)
    for city in rules.map.cities:
        if places[city.lat, city.lon] > 1:
            yield Problem(f"cities.{city.id}", "another city has the same lat and lon")


def _bounds(rules: Ruleset) -> Iterator[Problem]:
    yield from (Problem(key, reason) for key, reason in beyond(rules))


def _regions(rules: Ruleset) -> Iterator[Problem]:
    for size in sorted(set(rules.regions_in_play)):
        choices = region_choices(rules, size) if size > 0 else ()
        if not choices:
            yield Problem("regions_in_play", f"no {size} regions of this map hang together")
        for region in rules.map.regions:
            if choices and not any(region.id in choice for choice in choices):
                yield Problem(f"regions.{region.id}", f"is in no connected choice of {size}")


def _players(rules: Ruleset) -> Iterator[Problem]:
    sizes = Counter(c.region for c in rules.map.cities)
    for players in PLAYERS:
        n = rules.numbers(players)
        least = min(sum(sizes[r] for r in choice) for choice in region_choices(rules, n.regions))
        if not 1 <= n.step2_cities <= n.end_cities:
            yield Problem(
                "step2_cities",
                _("{players} players: must lie between 1 and the end").format(players=players),
            )
        fewest = least if rules.regions_touch == "yes" else rules.houses_per_player
        if n.end_cities > min(fewest, rules.houses_per_player):
            yield Problem(
                "end_cities",
                _("{players} players: more than cities or houses are there").format(
                    players=players
                ),
            )
        if n.plant_limit < 1:
            yield Problem(
                "plant_limit", _("{players} players: must be at least 1").format(players=players)
            )


def _money(rules: Ruleset) -> Iterator[Problem]:
    for key, row in (("payment", rules.payment), ("house_costs", rules.house_costs)):
        if any(a > b for a, b in pairwise(row)) or any(x < 0 for x in row):
            yield Problem(key, _("must not fall, nor lie below 0"))
    if len(rules.payment) <= rules.houses_per_player:
        yield Problem(
            "payment",
            _("needs a number for 0 to {most} cities").format(most=rules.houses_per_player),
        )
    if min(rules.payment[:1], default=1) < 1:
        yield Problem("payment", _("must begin with 1 or more, or a game might never end"))
    removed = rules.removed(PLAYERS[0])
    start = min((p.number for p in rules.plants if p.number not in removed), default=0)
    if rules.starting_elektro < start + rules.house_costs[0]:
        yield Problem(
            "starting_elektro",
            _("must pay for plant {plant} and a first house").format(plant=start),
        )
    if rules.coal_overflow_price is not None and rules.coal_overflow_price < 1:
        yield Problem("coal_overflow_price", _("must be at least 1"))
    if rules.burnt_coal_price is not None:
        if rules.burnt_coal_price < rules.coal.prices[-1]:
            yield Problem("burnt_coal_price", _("must be no lower than any price of the market"))
        if rules.coal_overflow_price is not None:
            yield Problem("burnt_coal_price", _("does not go with coal_overflow_price"))


def _fuel(rules: Ruleset) -> Iterator[Problem]:
    for fuel, track in rules.tracks.items():
        yield from (Problem(fuel.value, reason) for reason in _track(track))


def _fuel_markets(rules: Ruleset) -> Iterator[Problem]:
    """Return the supply of all markets is that of the main one; a move names them."""
    for fuel, track in rules.tracks.items():
        lying = sum(start[fuel] for start in opening_stock(rules))
        if lying > track.tokens:
            yield Problem(fuel.value, _("start_from asks for more tokens than there are"))
    for market in rules.other_markets:
        for fuel in Resource:
            if side := market.track(fuel):
                reasons = _rows(side)
                yield from (Problem("other_markets", f"{fuel.value}: {why}") for why in reasons)
    if rules.other_markets and not all(rules.market_names):
        yield Problem("main_market", _("each of several markets needs a name"))
    if len({name.casefold() for name in rules.market_names}) < len(rules.market_names):
        yield Problem("other_markets", _("two have the same name"))


def _track(track: FuelTrack) -> Iterator[str]:
    yield from _rows(track)
    if sum(price >= track.start_from for price in track.prices) > track.tokens:
        yield _("start_from asks for more tokens than there are")


def _rows(track: Track) -> Iterator[str]:
    if any(a > b for a, b in pairwise(track.prices)) or min(track.prices, default=0) < 1:
        yield _("prices must rise from 1 up")
    if isinstance(track, FuelTrack) and track.step3_prices:
        dearer = zip(track.prices, track.step3_prices, strict=False)
        if len(track.step3_prices) != len(track.prices) or any(b < a for a, b in dearer):
            yield _("step3_prices needs a price for each slot, no lower than before")
    if len(track.refill) != len(PLAYERS) or min((min(r) for r in track.refill), default=0) < 0:
        yield _("refill needs {rows} rows of numbers from 0 up").format(rows=len(PLAYERS))


def _plants(rules: Ruleset) -> Iterator[Problem]:
    for plant in rules.plants:
        key = f"plants.{plant.number}"
        if plant.number < 1 or plant.cities < 1 or plant.burns < 0:
            yield Problem(key, "number and cities start at 1, burns at 0")
        if bool(plant.fuels) != bool(plant.burns):
            yield Problem(key, "needs both fuels and burns, or neither")
        if plant.hybrid and set(plant.fuels) != _HYBRID:
            yield Problem(key, "two fuels must be coal and oil (R8.2)")


def _deck(rules: Ruleset) -> Iterator[Problem]:
    numbers = Counter(plant.number for plant in rules.plants)
    for number, count in numbers.items():
        if count > 1:
            yield Problem("plants", _("plant {plant} is there twice").format(plant=number))
    removed = dict.fromkeys(n for players in PLAYERS for n in rules.removed(players))
    named = {
        "removed_plants": tuple(removed),
        "always_in_market": rules.always_in_market,
        "never_boxed": rules.never_boxed,
        "step2_top_plants": rules.step2_top_plants,
        "stack": tuple(n for layer in rules.stack for n in layer.plants),
        "plant_changes": tuple(change.number for change in rules.plant_changes),
        "mines": rules.mines.plants if rules.mines else (),
    }
    for key, plants in named.items():
        for number in plants:
            if number not in numbers:
                yield Problem(key, _("no plant {plant} in the deck").format(plant=number))
    if rules.uranium_stop_after is not None and rules.uranium_stop_after not in numbers:
        yield Problem(
            "uranium_stop_after",
            _("no plant {plant} in the deck").format(plant=rules.uranium_stop_after),
        )
    check_deck = _fixed_deck if rules.deck_setup == "fixed_3_10" else _shuffled_deck
    for players in PLAYERS:
        in_game = sorted(set(numbers) - set(rules.removed(players)) - set(rules.step2_top_plants))
        yield from check_deck(rules, in_game, players)


def _fixed_deck(rules: Ruleset, in_game: list[PlantNumber], players: int) -> Iterator[Problem]:
    opening = sum(rules.market_rows)
    top = None if rules.stack else rules.first_plant
    if top is not None and top not in in_game[opening:]:
        yield Problem(
            "first_plant",
            _("plant {plant} is not among those to draw from").format(plant=top),
        )
    if any(rules.boxed_low_plants):
        yield Problem("boxed_low_plants", _('needs deck_setup = "shuffled_3_15"'))
    if rules.always_in_market:
        yield Problem("always_in_market", _('needs deck_setup = "shuffled_3_15"'))
    left = len(in_game) - opening - (top is not None)
    yield from _boxed("boxed_plants", rules.boxed_plants, players, left)


def _shuffled_deck(rules: Ruleset, in_game: list[PlantNumber], players: int) -> Iterator[Problem]:
    low = [number for number in in_game if number <= LAST_LOW_PLANT]
    if not set(rules.always_in_market) <= set(low):
        yield Problem(
            "always_in_market",
            _("only plants up to {plant} open the market").format(plant=LAST_LOW_PLANT),
        )
    spare = len(low) - sum(rules.market_rows) - _asked_for(rules, "low")
    yield from _boxed("boxed_low_plants", rules.boxed_low_plants, players, spare)
    spare = len(in_game) - len(low) - _asked_for(rules, "high")
    yield from _boxed("boxed_plants", rules.boxed_plants, players, spare)


def _asked_for(rules: Ruleset, kind: Literal["low", "high"]) -> int:
    return sum(getattr(layer, kind) for layer in rules.layers)


def _layers(rules: Ruleset) -> Iterator[Problem]:
    """Check that the stack names a rest, and the Step 3 card at most once."""
    by_number = any(layer.numbers for layer in rules.stack)
    for kind, least in (("rest", 0 if by_number else 1), ("step3", 0)):
        if rules.stack and not least <= sum(getattr(layer, kind) for layer in rules.stack) <= 1:
            yield Problem("stack", f"needs one layer with {kind}")
    if rules.deck_setup == "fixed_3_10" and any(x.low or x.high for x in rules.stack):
        yield Problem("stack", _('low and high ones need deck_setup = "shuffled_3_15"'))
    if min(rules.market_rows) < 1:
        yield Problem("market_rows", _("must be at least 1"))


def _special(rules: Ruleset) -> Iterator[Problem]:
    """Regions and cities that the rules of a map name are on it."""
    for region in rules.uranium_plants_need:
        if region not in rules.region:
            yield Problem("uranium_plants_need", f"no region {region!r}")
    for change in rules.plant_changes:
        if change.region is not None and change.region not in rules.region:
            yield Problem("plant_changes", f"no region {change.region!r}")
    for discount in rules.fuel_discounts:
        if discount.city not in rules.city:
            yield Problem("fuel_discounts", f"no city {discount.city!r}")


def _mines(rules: Ruleset) -> Iterator[Problem]:
    mines = rules.mines
    if mines is None:
        return
    if not mines.prices or any(a > b for a, b in pairwise(mines.prices)):
        yield Problem("mines", _("prices must not fall"))
    if len(mines.removal) != len(PLAYERS) or min(map(min, mines.removal)) < 0:
        yield Problem("mines", _("removal needs a row of numbers from 0 up for 2 to 6 players"))


def _boxed(key: str, row: tuple[int, ...], players: int, most: int) -> Iterator[Problem]:
    count = row[players - PLAYERS[0]]
    if not 0 <= count <= most:
        yield Problem(
            key,
            _("{players} players: {count} of {most} plants cannot be boxed").format(
                players=players, count=count, most=most
            ),
        )


def _together(rules: Ruleset) -> Iterator[Problem]:
    """Options that only work with one another (remarks on B14, B15, B25; R17.3)."""
    queued, by_size = "future_first", "obsolete_else_largest"
    if rules.rotation != "largest_but_wind" and (
        (rules.market_insert == queued) != (rules.rotation == by_size)
    ):
        yield Problem(
            "market_insert",
            _('only works together with rotation = "obsolete_else_largest" (B14, B25)'),
        )
    if rules.discount_token and rules.obsolete_timing != "off":
        yield Problem(
            "discount_token", _('takes the place of R11: needs obsolete_timing = "off" (R17.3)')
        )
    if rules.discount_token and rules.no_sale_boxes:
        yield Problem(
            "discount_token", _("takes the place of R7.10: needs no_sale_boxes = 0 (R17.3)")
        )
    ties = rules.tie_breaks
    if ties[:1] != ("powered",) or ties[-1:] != ("shared",) or len(set(ties)) != len(ties):
        yield Problem(
            "tie_breaks", _('must begin with "powered", end with "shared" and name each once (B28)')
        )


_CHECKS: Final[tuple[Callable[[Ruleset], Iterator[Problem]], ...]] = (
    _names, _places, _lines, _whole, _spread, _bounds, _regions,
    _players, _money, _fuel, _fuel_markets, _plants, _layers, _deck, _special, _mines, _together,
)  # fmt: skip
