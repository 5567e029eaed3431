"""What a game is played by: the map, the tables and every knob of the rules.

A `Ruleset` is complete and immutable. A game carries its own from its first event on, so a
corrected map or variant file never disturbs a running game. The letters B1 to B42 are the points
in which rule texts differ; docs/rules-coverage.md lists them.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

from core.game.types import CityId, Elektro, Fuel, PlantNumber, RegionId, Resource
from core.text import _

_STRICT: dict[str, Any] = {"extra": "forbid"}
NOTHING: Final = Elektro(0)


@dataclass(frozen=True, slots=True)
class Plant:
    """A power plant (R5): burns `burns` tokens of its `fuels` and powers `cities`, or does not run.

    No fuels: ecological or fusion. Two fuels: a hybrid, which takes any mix (R5.3). `stores`:
    tokens that it holds, None for as many as it has by the rules.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    number: PlantNumber
    fuels: tuple[Resource, ...]
    burns: int
    cities: int
    stores: int | None = None
    mine: ClassVar[bool] = False

    @property
    def storage(self) -> int:
        """Tokens it holds: twice what it burns, if nothing else is said (R8.2)."""
        return 2 * self.burns if self.stores is None else self.stores

    @property
    def hybrid(self) -> bool:
        """Takes more than one kind of fuel."""
        return len(self.fuels) > 1


class Mine(Plant):
    """A card that is a mine here: it never runs, and `cities` is what its uranium counts."""

    __slots__ = ()
    mine: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Region:
    """Seven neighbouring cities; a game uses some of the regions (R3.1)."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    id: RegionId
    name: str


@dataclass(frozen=True, slots=True)
class City:
    """A city; `lat` and `lon` in degrees WGS84, `label` a compass hint where its name is drawn.

    `house_costs`: its houses cost these, and it has no more places; () as the table's. `places`:
    of them, those open in Step 1, 2, 3; () one, two, three. `entry_cost`: what a way into it costs
    beside its lines. `start`: only in such cities a network may begin, or never in this one.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    id: CityId
    name: str
    region: RegionId
    lat: float
    lon: float
    label: Literal["", "n", "ne", "e", "se", "s", "sw", "w", "nw"] = ""
    house_costs: tuple[Elektro, ...] = ()
    places: tuple[int, ...] = ()
    entry_cost: Elektro = NOTHING
    start: Literal["", "only", "never"] = ""

    @property
    def size(self) -> int:
        """Places for houses that it has in the end."""
        return len(self.house_costs) or 3

    def holds(self, step: int) -> int:
        """Return how many houses it holds in a Step (R9.4)."""
        return min(self.places[step - 1] if self.places else step, self.size)


@dataclass(frozen=True, slots=True)
class Connection:
    """A line between two cities; `cost` in Elektro, 0 between close neighbours (R9.7)."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    a: CityId
    b: CityId
    cost: Elektro


@dataclass(frozen=True)
class Map:
    """The board: regions, cities, connections. `outline` names the drawing behind it."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    key: str
    name: str
    regions: tuple[Region, ...]
    cities: tuple[City, ...]
    connections: tuple[Connection, ...]
    outline: str = ""

    @cached_property
    def _digest(self) -> int:
        return hash((self.key, self.regions, self.cities, self.connections))

    def __hash__(self) -> int:
        """Return the hash, counted once: maps are keys of the caches of routes and layouts."""
        return self._digest


@dataclass(frozen=True, slots=True)
class FuelTrack:
    """One fuel's market (R4): a price for each slot, cheapest first.

    `start_from`: at the start every slot of this price or more is full.
    `refill`: tokens in Step 1, 2, 3, one row for 2 to 6 players. `short_refill`: what happens when
    the supply has fewer: nothing, or for each missing token the dearest slot becomes one at 1.
    `step3_prices`: the prices of the slots from Step 3 on; () as before.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    prices: tuple[Elektro, ...]
    tokens: int
    start_from: Elektro
    refill: tuple[tuple[int, int, int], ...]
    short_refill: Literal["nothing", "slots_at_1"] = "nothing"
    step3_prices: tuple[Elektro, ...] = ()


@dataclass(frozen=True, slots=True)
class SideTrack:
    """One fuel on a market beside the main one: as its track there, but from the same supply."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    prices: tuple[Elektro, ...]
    start_from: Elektro
    refill: tuple[tuple[int, int, int], ...]


Track = FuelTrack | SideTrack


@dataclass(frozen=True, slots=True)
class SideMarket:
    """A fuel market of this `name` beside the main one; a fuel without a track is not sold there.

    Each purchase is from one market (R8.1), and this one is refilled before the main one (R4.4).
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    coal: SideTrack | None = None
    oil: SideTrack | None = None
    garbage: SideTrack | None = None
    uranium: SideTrack | None = None

    def track(self, resource: Resource) -> SideTrack | None:
        """Return the track of a fuel, None where it is not sold."""
        found: SideTrack | None = getattr(self, resource.value)
        return found


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the stack as it is laid out, from the top.

    `plants`: these. `low`, `high`: so many dealt from plants up to 15, from those above. `random`:
    so many of all that are left, mixed with the others of the layer. `rest`: all that are left.
    `step3`: the Step 3 card. `numbers`: all from one number to another. `ascending`: not mixed, but
    the smallest first.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    plants: tuple[PlantNumber, ...] = ()
    low: int = 0
    high: int = 0
    random: int = 0
    rest: bool = False
    step3: bool = False
    numbers: tuple[PlantNumber, PlantNumber] | None = None
    ascending: bool = False


@dataclass(frozen=True, slots=True)
class BlockedPlaces:
    """How many cities are drawn that stay empty: `sets` for 2 to 6 players.

    `places`: of each set, pairs of a house's price and how many cities of this price.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    sets: tuple[int, int, int, int, int]
    places: tuple[tuple[Elektro, int], ...]


@dataclass(frozen=True, slots=True)
class Bans:
    """Plants burning one of these `kinds` leave the actual market while it is Step 1.

    Those named in `boxed` leave the game, the others go under the stack.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    kinds: tuple[Resource, ...]
    boxed: tuple[PlantNumber, ...] = ()


@dataclass(frozen=True, slots=True)
class PlantChange:
    """A plant that is another one on this map: its number, and what it burns and powers there.

    `stores`: as of a plant. `region`: it is changed only in games in which this region is in play.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    number: PlantNumber
    fuels: tuple[Resource, ...]
    burns: int
    cities: int
    region: RegionId | None = None
    stores: int | None = None

    @property
    def plant(self) -> Plant:
        """The plant as it is here."""
        return Plant(self.number, self.fuels, self.burns, self.cities, self.stores)


@dataclass(frozen=True, slots=True)
class Outage:
    """More than `above` houses for each player in a round: incomes fall by `tax` for each city."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    above: int
    tax: Elektro


@dataclass(frozen=True, slots=True)
class Mines:
    """Which `plants` are mines, and the track on which they sell uranium.

    `prices`: of its slots, cheapest first; all are full at the start. `removal`: tokens that leave
    its cheapest slots in a round of Step 1, 2, 3, one row for 2 to 6 players.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    plants: tuple[PlantNumber, ...]
    prices: tuple[Elektro, ...]
    removal: tuple[tuple[int, int, int], ...]

    def pays(self, tokens: int) -> Elektro | None:
        """Return the price of the dearest open slot while so many tokens lie there; None if full.

        Tokens are laid on the dearest slot and taken from the cheapest, so their number will do.
        """
        return self.prices[len(self.prices) - 1 - tokens] if tokens < len(self.prices) else None


@dataclass(frozen=True, slots=True)
class FuelDiscount:
    """What who has a house in `city` pays less for each token of a fuel, though never below 1."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    city: CityId
    fuel: Resource
    elektro: Elektro


@dataclass(frozen=True, slots=True)
class FarConnection:
    """A fixed cost at which a network may go on without a way, and to which cities."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    cost: Elektro
    to: Literal["any", "empty_on_new_island"]


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """The numbers of R2 for one number of players."""

    regions: int
    boxed: int
    boxed_low: int
    plant_limit: int
    step2_cities: int
    end_cities: int


PlantsByPlayers = tuple[
    tuple[PlantNumber, ...],
    tuple[PlantNumber, ...],
    tuple[PlantNumber, ...],
    tuple[PlantNumber, ...],
    tuple[PlantNumber, ...],
]
"""A list of plants for 2, 3, 4, 5, 6 players."""


@dataclass(frozen=True)
class Ruleset:
    """Everything a game needs to know. Lists by number of players hold 2, 3, 4, 5, 6 players."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    variant: str
    variant_name: str
    variant_edition: int
    map: Map
    plants: tuple[Plant, ...]

    # fixed numbers (R1 to R4, R10.2)
    starting_elektro: Elektro
    houses_per_player: int
    house_costs: tuple[Elektro, Elektro, Elektro]
    payment: tuple[Elektro, ...]
    coal: FuelTrack
    oil: FuelTrack
    garbage: FuelTrack
    uranium: FuelTrack

    # numbers by players (R2; B3 to B6)
    regions_in_play: tuple[int, int, int, int, int]
    boxed_plants: tuple[int, int, int, int, int]
    boxed_low_plants: tuple[int, int, int, int, int]
    plant_limit: tuple[int, int, int, int, int]
    step2_cities: tuple[int, int, int, int, int]
    end_cities: tuple[int, int, int, int, int]

    # the deck (B2, B34)
    deck_setup: Literal["fixed_3_10", "shuffled_3_15"]
    removed_plants: tuple[PlantNumber, ...] | PlantsByPlayers
    first_plant: PlantNumber | None
    always_in_market: tuple[PlantNumber, ...]
    stack: tuple[Layer, ...]
    never_boxed: tuple[PlantNumber, ...]
    market_rows: tuple[int, int]
    plant_changes: tuple[PlantChange, ...]
    regions_touch: Literal["yes", "per_island", "no"]

    # how the table plays
    auction: Literal["open", "sealed"]
    region_choice: Literal["random", "host", "draft"]
    hidden_money: bool  # B35
    reveal_sealed_bids: Literal["at_end", "at_once"]  # B39

    # turn order and auction (B7 to B15, B38, B41)
    turn_order_set: Literal["before_auction", "after_auction"]
    reorder_after_first_auction: bool
    opener_must_open: Literal["never", "round_1", "always"]
    order_tiebreak: Literal["highest_plant", "plant_count"]
    bid_direction: Literal["clockwise", "turn_order"]
    no_sale_boxes: Literal[0, 1, 2]
    no_sale_row: Literal["market", "actual"]
    discard_choice: Literal["old_only", "any"]
    discard_fuel_move: Literal["may", "must"]
    market_insert: Literal["full_sort", "future_first"]
    discount_token: bool
    uranium_plants_need: tuple[RegionId, ...]
    first_decline_boxes_lowest: bool
    actual_row: Literal["lowest", "fifth_if_ecological"]
    step1_bans: Bans | None
    market_lifecycle: Literal["steps", "supply_after_building", "two_decks"]
    token_buys_again: bool
    mines: Mines | None

    # fuel and building (B16, B17, B33)
    coal_overflow_price: Elektro | None
    burnt_coal_price: Elektro | None
    uranium_stop_after: PlantNumber | None
    pass_through_empty: bool
    first_city_must_be_empty: bool
    cross_unselected_region: bool
    fuel_discounts: tuple[FuelDiscount, ...]
    price_cap: tuple[Elektro, Elektro, Elektro] | None
    buy_order: Literal["all_at_once", "one_token_in_turn"]
    transit_cost: Elektro
    blocked_places: BlockedPlaces | None
    other_markets: tuple[SideMarket, ...]
    main_market: str
    far_connection: FarConnection | None
    free_jump: bool

    # obsolete plants (B18 to B21)
    obsolete_compare: Literal["lte", "lt"]
    obsolete_timing: Literal["always", "phase4", "phase5_once", "draws_only", "off"]
    obsolete_scope: Literal["leader", "every_player"]
    obsolete_rows: Literal["actual", "all"]

    # Steps (B22 to B25, B29 to B32, B42)
    step2_trigger: Literal["cities", "deck", "never"]
    step2_start: Literal["before_phase5", "immediate", "next_round"]
    step2_boxes: Literal[0, 1, 2]
    step2_replaces: bool
    step2_top_plants: tuple[PlantNumber, ...]
    refill_row: Literal["current", "upcoming"]
    rotation: Literal["largest_under_stack", "obsolete_else_largest", "largest_but_wind"]
    step3_start: Literal["next_phase", "phase5", "next_round"]
    step3_cleanup_p4: Literal["immediate", "end_of_phase"]
    step3_reshuffle: Literal["on_draw", "on_step3_start", "none"]
    rotated_plants: tuple[int, int]
    rotation_boxes_lowest: bool
    step3_rotation: Literal["box_lowest", "obsolete_else_lowest", "none"]

    # bureaucracy and the end (B26 to B28, B36, B37)
    phase5_order: Literal["pay_fuel_plants", "pay_plants_fuel"]
    outage: Outage | None
    may_underpower: bool
    power_default: Literal["least_fuel", "fewest_plants"]
    burn_own_storage: bool
    end_timing: Literal["after_phase4", "immediate"]
    tie_breaks: tuple[Literal["powered", "money", "cities", "shared"], ...]

    def numbers(self, players: int, regions: tuple[RegionId, ...] = ()) -> PlayerNumbers:
        """Return the column of R2 for 2 to 6 players; `regions`: those in play, once all are known.

        No more cities end the game than are in play.
        """
        i = players - 2
        end = self.end_cities[i]
        if len(regions) == self.regions_in_play[i]:
            end = min(end, self.cities_in(regions))
        return PlayerNumbers(
            self.regions_in_play[i],
            self.boxed_plants[i],
            self.boxed_low_plants[i],
            self.plant_limit[i],
            self.step2_cities[i],
            end,
        )

    def cities_in(self, regions: tuple[RegionId, ...]) -> int:
        """Return how many cities these regions have."""
        return sum(self._sizes[region] for region in regions)

    @cached_property
    def _sizes(self) -> Counter[RegionId]:
        return Counter(city.region for city in self.map.cities)

    def house_costs_in(self, city: CityId) -> tuple[Elektro, ...]:
        """Return what the first, second, third house of a city cost; it has no more places."""
        return self._house_costs[city]

    @cached_property
    def _house_costs(self) -> dict[CityId, tuple[Elektro, ...]]:
        return {city.id: city.house_costs or self.house_costs for city in self.map.cities}

    @cached_property
    def cities_of(self) -> dict[RegionId, tuple[CityId, ...]]:
        """The cities of each region."""
        return {
            region.id: tuple(c.id for c in self.map.cities if c.region == region.id)
            for region in self.map.regions
        }

    @cached_property
    def places(self) -> tuple[dict[CityId, int], ...]:
        """Houses that each city holds in Step 1, 2, 3 (R9.4); asked for at every move."""
        return tuple({c.id: c.holds(step) for c in self.map.cities} for step in (1, 2, 3))

    def removed(self, players: int) -> tuple[PlantNumber, ...]:
        """Return the plants that are not in a game of so many players (B34)."""
        plants: Any = self.removed_plants
        by_players = bool(plants) and isinstance(plants[0], tuple)
        return tuple(plants[players - 2] if by_players else plants)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of the stack: those named, or those of the deck's setup (R3.6, R17.1)."""
        if self.stack:
            return self.stack
        rest = (Layer(rest=True), Layer(step3=True))
        if self.deck_setup == "shuffled_3_15":
            return (Layer(low=1), *rest)
        return rest if self.first_plant is None else (Layer(plants=(self.first_plant,)), *rest)

    def ecological(self, number: PlantNumber) -> bool:
        """Return True for a plant that runs without fuel; fusion, the last of the deck, is none."""
        plant = self.plant.get(number)
        return plant is not None and not plant.fuels and number != max(self.plant)

    def with_plants_of(self, regions: tuple[RegionId, ...]) -> "Ruleset":
        """Return the rules of a game in these regions, with the plants that they change."""
        changes = [c for c in self.plant_changes if c.region is None or c.region in regions]
        swapped = {c.number: c.plant for c in changes}
        for number in self.mines.plants if self.mines else ():
            plant = swapped.get(number, self.plant[number])
            swapped[number] = Mine(number, plant.fuels, plant.burns, plant.cities, plant.stores)
        if not swapped:
            return self
        return replace(self, plants=tuple(swapped.get(p.number, p) for p in self.plants))

    @cached_property
    def tracks(self) -> dict[Resource, FuelTrack]:
        """The four fuel tracks by fuel."""
        return {r: getattr(self, r.value) for r in Resource}

    @cached_property
    def step3_tracks(self) -> dict[Resource, FuelTrack]:
        """The four fuel tracks with their prices from Step 3 on."""
        return {
            r: replace(track, prices=track.step3_prices) if track.step3_prices else track
            for r, track in self.tracks.items()
        }

    @cached_property
    def plant(self) -> dict[PlantNumber, Plant]:
        """Plants by number."""
        return {p.number: p for p in self.plants}

    @cached_property
    def city(self) -> dict[CityId, City]:
        """Cities by id."""
        return {c.id: c for c in self.map.cities}

    @cached_property
    def region(self) -> dict[RegionId, Region]:
        """Regions by id."""
        return {r.id: r for r in self.map.regions}

    @cached_property
    def beginnings(self) -> tuple[CityId, ...]:
        """Return the only cities in which a network may begin; () where it may in any."""
        return tuple(c.id for c in self.map.cities if c.start == "only")

    @cached_property
    def markets(self) -> tuple[Mapping[Resource, Track], ...]:
        """The tracks of each fuel market, the main one first; a fuel it does not sell has none."""
        others = (
            {r: track for r in Resource if (track := market.track(r)) is not None}
            for market in self.other_markets
        )
        return (self.tracks, *others)

    @cached_property
    def market_names(self) -> tuple[str, ...]:
        """The names of the fuel markets, in the order of `markets`; the only one has none."""
        return (self.main_market, *(market.name for market in self.other_markets))

    def refill(self, players: int, step: int, market: int = 0) -> Fuel:
        """Tokens moved from supply to a market in phase 5 (R4.4); 0 is the main one."""
        return Fuel(**{
            fuel: track.refill[players - 2][step - 1]
            for fuel, track in self.markets[market].items()
        })  # fmt: skip


def opening_stock(rules: Ruleset) -> tuple[Fuel, ...]:
    """Return the tokens on each market at the start: slots of a price or more are full (R4.3)."""
    return tuple(
        Fuel(**{fuel: sum(p >= t.start_from for p in t.prices) for fuel, t in tracks.items()})
        for tracks in rules.markets
    )


START_FROM: Final = "start_from"
"""The one number of a fuel track that texts differ in (B1)."""
CHOSEN_ANYWAY: Final = ("auction", "region_choice")
"""What every table chooses for itself, outside these groups."""
_HINTS: Final = get_type_hints(Ruleset)

Sentences = tuple[str, dict[str, str]]
"""A group's title, and what each of its knobs says."""


@dataclass(frozen=True, slots=True)
class Knob:
    """A rule that a table may change: its `key`, what it says, and how a value is written.

    `values`: all there are, where they can be told; else `example` is one.
    """

    key: str
    says: str
    values: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Group:
    """Knobs that belong together."""

    title: str
    knobs: tuple[Knob, ...]


def groups(base: Ruleset) -> tuple[Group, ...]:
    """All knobs but those that every table chooses anyway; examples are the values of `base`."""
    return tuple(
        Group(title, tuple(_knob(key, says, base) for key, says in knobs.items()))
        for title, knobs in _sentences()
    )


def written(value: object) -> str:
    """Write a value as `load` reads it: ``true``, ``3,3,4,5,5``, ``false`` for none.

    Lists by number of players stand between slashes: ``3,4/3/3//``.
    """
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return "/".join(map(written, value))
        return ",".join(map(str, value))
    if isinstance(value, bool) or value is None:
        return "true" if value else "false"
    return str(value)


def _knob(key: str, says: str, base: Ruleset) -> Knob:
    name, _dot, part = key.partition(".")
    value = getattr(base, name)
    return Knob(key, says, _values(_HINTS[name]), written(getattr(value, part) if part else value))


def _values(hint: Any) -> tuple[str, ...]:
    if hint is bool:
        return ("true", "false")
    return tuple(map(str, get_args(hint))) if get_origin(hint) is Literal else ()


def _sentences() -> tuple[Sentences, ...]:
    return (
        _fixed(), _by_players(), _deck(), _table(), _auction(), _board(), _too_small(), _steps(),
        _end(),
    )  # fmt: skip


def _tracks() -> dict[str, str]:
    """B1, for each fuel."""
    text = _("{fuel} lies at this price and above at the start (B1, R4.3)")
    return {f"{r.value}.{START_FROM}": text.format(fuel=_(r.value)) for r in Resource}


def _fixed() -> Sentences:
    return _("Fixed numbers"), {
        "starting_elektro": _("money at the start (R3.2)"),
        "houses_per_player": _("most cities of one player (R9.9)"),
        "house_costs": _("first, second, third house of a city (R9.3)"),
        "payment": _("income by powered cities, from none (R10.2)"),
        **_tracks(),
    }


def _by_players() -> Sentences:
    return _("By number of players"), {
        "regions_in_play": _("regions of the map that are used (B4)"),
        "boxed_plants": _("plants put away unseen (B3)"),
        "boxed_low_plants": _("the same among plants 3 to 15, where these are shuffled (B3)"),
        "plant_limit": _("plants that one player may own (B5)"),
        "step2_cities": _("cities of one player that start Step 2 (B6)"),
        "end_cities": _("cities of one player that end the game (B6)"),
    }


def _deck() -> Sentences:
    return _("The deck"), {
        "deck_setup": _("plants 3 to 10 lie open, or eight of plants 3 to 15 (B2, R17.1)"),
        "removed_plants": _(
            "plants that are not in the game, for all or as five lists between / (B34)"
        ),
        "first_plant": _(
            "the plant on top of the stack; in a shuffled deck the top card is dealt instead "
            "(B34, R3.6)"
        ),
        "always_in_market": _("plants sure to lie open in a shuffled deck (B34)"),
        "stack": _("the stack from the top, layer by layer; none: as the deck is laid out (R3.6)"),
        "never_boxed": _("plants that are never put away unseen (R3.6)"),
        "market_rows": _("plants of the actual and the future market at the start (R6.1)"),
        "plant_changes": _("plants that are others here, some with a region in play only (R5.2)"),
        "regions_touch": _(
            "regions in play hang together, those of one island do, or they need not (R3.1)"
        ),
    }


def _table() -> Sentences:
    return _("How the table plays"), {
        "hidden_money": _(
            "others do not see your Elektro; but all that is paid is open, and the log tells the "
            "sum to whoever adds it up (B35)"
        ),
        "reveal_sealed_bids": _(
            "the most that the winner of a sealed auction would have paid is told with the end of "
            "the game, or with the sale (B39)"
        ),
    }


def _auction() -> Sentences:
    return _("Turn order and auction"), {
        "turn_order_set": _("turn order is sorted before each round's auctions, or after (R7.2)"),
        "reorder_after_first_auction": _("new turn order after the first auctions (B7, R7.9)"),
        "opener_must_open": _(
            "when a player who can pay for a plant must put one up (B8, B38, R7.8)"
        ),
        "order_tiebreak": _("who goes first with equal cities (B9, R7.2)"),
        "bid_direction": _("who answers a bid next (B10, R7.5)"),
        "no_sale_boxes": _("so many smallest plants go when nobody bought (B11, R7.10)"),
        "no_sale_row": _("the smallest of the whole market, or of its actual row (B41)"),
        "discard_choice": _("may the new plant be given up? (B12, R7.11)"),
        "discard_fuel_move": _(
            "fuel of a plant given up (B13, R7.12); as much as fits is kept either way"
        ),
        "market_insert": _("where a drawn plant goes (B14, R6.2); only with its rotation"),
        "discount_token": _(
            "the smallest plant from 1 Elektro (B15, R17.3); only with "
            'obsolete_timing = "off" and no_sale_boxes = 0'
        ),
        "uranium_plants_need": _(
            "regions in one of which a bidder for a uranium plant has a city (R7.3)"
        ),
        "first_decline_boxes_lowest": _(
            "the smallest plant goes when the first of a round declines to open (R7.10)"
        ),
        "actual_row": _("four plants can be bought, or the fifth, too, if it is ecological (R6.1)"),
        "step1_bans": _("kinds of plants that leave the actual market while it is Step 1 (R6.1)"),
        "market_lifecycle": _(
            "plants come and go by the Steps, or as planned after building, or from two stacks in "
            "turn (R6.2)"
        ),
        "token_buys_again": _("who buys the plant with the token may buy once more (R17.3)"),
        "mines": _("plants that never run but sell uranium each round (R10.2)"),
    }


def _board() -> Sentences:
    return _("Fuel and building"), {
        "coal_overflow_price": _("coal from the supply once the market has none (R17.4)"),
        "burnt_coal_price": _("burnt coal waits in a storage, from which it costs so much (R8.3)"),
        "uranium_stop_after": _("no more uranium after it is bought (R17.4)"),
        "pass_through_empty": _("lines may run through cities without houses (B16, R9.5)"),
        "first_city_must_be_empty": _("where a late starter may begin (B17, R9.2)"),
        "cross_unselected_region": _("lines may run through regions not in play (B33, R3.1)"),
        "fuel_discounts": _("fuel that costs less for who has a house in a city (R8.3)"),
        "price_cap": _("dearer tokens cannot be bought in Steps 1, 2, 3 (R8.3)"),
        "buy_order": _("each buys all fuel at once, or in turn one token each (R8.1)"),
        "transit_cost": _("what a way costs for each city it passes (R9.3)"),
        "blocked_places": _("cities drawn at the start in which nobody builds (R9.4)"),
        "other_markets": _("fuel markets beside the main one, each with its prices (R8.1)"),
        "main_market": _("what the main fuel market is called where there are others"),
        "far_connection": _(
            "a fixed cost instead of a way, to any city or to an empty one on a new island (R9.3)"
        ),
        "free_jump": _(
            "once a game no way is paid to another city where networks begin; in round 1 only "
            "there is built (R9.3)"
        ),
    }


def _too_small() -> Sentences:
    return _("Plants that have become too small"), {
        "obsolete_compare": _("a number up to the cities, or below them (B18)"),
        "obsolete_timing": _("when it is looked at (B19)"),
        "obsolete_scope": _("against the most cities, or the fewest (B20)"),
        "obsolete_rows": _("which plants (B21)"),
    }


def _steps() -> Sentences:
    return _("Steps"), {
        "step2_trigger": _("what starts Step 2: cities, the Step 3 card, nothing (R12.1)"),
        "step2_start": _("when Step 2 begins (B22, R12.1)"),
        "step2_boxes": _("it costs the market so many smallest plants (B23)"),
        "step2_replaces": _("they are replaced (R12.1)"),
        "step2_top_plants": _("plants that come on top of the stack with Step 2 (R12.1)"),
        "refill_row": _("which Step's fuel comes (B24, R10.4)"),
        "rotated_plants": _("how many plants leave one by one in Steps 1 and 2 (R10.5)"),
        "rotation_boxes_lowest": _(
            "in phase 5 of Steps 1 and 2 the smallest plant goes, too, unless one with the "
            "discount token has gone (R10.5)"
        ),
        "rotation": _(
            "which plant leaves in phase 5 (B25, R10.5); obsolete_else_largest only with "
            'market_insert = "future_first"'
        ),
        "step3_start": _("when Step 3 begins (B29, R13.1)"),
        "step3_cleanup_p4": _("the card drawn while building (B30, R13.3)"),
        "step3_reshuffle": _("when the stack is shuffled (B31, R13.2)"),
        "step3_rotation": _("phase 5 in Step 3 (B32, B42, R10.5)"),
    }


def _end() -> Sentences:
    return _("Bureaucracy and the end"), {
        "phase5_order": _("order inside phase 5 (B26)"),
        "outage": _("incomes are lower in a round in which too many houses are built (R10.2)"),
        "may_underpower": _("may plants stay off? (B36, R10.1)"),
        "power_default": _("what power all saves where several sets power as many (R10.1)"),
        "burn_own_storage": _(
            "a plant burns only what lies on it, once all fuel has been laid out (B37, R8.2)"
        ),
        "end_timing": _("the last building turns are played, or not (B27, R14.1)"),
        "tie_breaks": _(
            "what decides, in this order; begins with powered, ends with shared (B28, R14.2)"
        ),
    }
