"""What a game is played by: the map, the tables and every knob of the rules.

A `Ruleset` is complete and immutable. A game carries its own from its first event on, so a
corrected map or variant file never disturbs a running game. The letters B1 to B36 are the points
in which rule texts differ; docs/rules-coverage.md lists them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

from core.game.types import CityId, Elektro, Fuel, PlantNumber, RegionId, Resource

_STRICT: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Plant:
    """A power plant (R5): burns `burns` tokens of its `fuels` and powers `cities`, or does not run.

    No fuels: ecological or fusion. Two fuels: a hybrid, which takes any mix (R5.3).
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    number: PlantNumber
    fuels: tuple[Resource, ...]
    burns: int
    cities: int

    @property
    def storage(self) -> int:
        """Tokens it holds: twice what it burns (R8.2)."""
        return 2 * self.burns

    @property
    def hybrid(self) -> bool:
        """Takes more than one kind of fuel."""
        return len(self.fuels) > 1


@dataclass(frozen=True, slots=True)
class Region:
    """Seven neighbouring cities; a game uses some of the regions (R3.1)."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    id: RegionId
    name: str


@dataclass(frozen=True, slots=True)
class City:
    """A city; `lat` and `lon` in degrees WGS84, `label` a compass hint where its name is drawn."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    id: CityId
    name: str
    region: RegionId
    lat: float
    lon: float
    label: Literal["", "n", "ne", "e", "se", "s", "sw", "w", "nw"] = ""


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
        """Counted once: maps are keys of the caches of routes and layouts."""
        return self._digest


@dataclass(frozen=True, slots=True)
class FuelTrack:
    """One fuel's market (R4): a price for each slot, cheapest first.

    `start_from`: at the start every slot of this price or more is full.
    `refill`: tokens in Step 1, 2, 3, one row for 2 to 6 players.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    prices: tuple[Elektro, ...]
    tokens: int
    start_from: Elektro
    refill: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """The numbers of R2 for one number of players."""

    regions: int
    boxed: int
    boxed_low: int
    plant_limit: int
    step2_cities: int
    end_cities: int


@dataclass(frozen=True)
class Ruleset:
    """Everything a game needs to know. Lists by number of players hold 2, 3, 4, 5, 6 players."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    variant: str
    variant_name: str
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
    removed_plants: tuple[PlantNumber, ...]
    first_plant: PlantNumber | None
    always_in_market: tuple[PlantNumber, ...]

    # how the table plays
    auction: Literal["open", "sealed"]
    region_choice: Literal["random", "host", "draft"]
    hidden_money: bool  # B35

    # turn order and auction (B7 to B15)
    reorder_after_first_auction: bool
    first_round_must_buy: bool
    order_tiebreak: Literal["highest_plant", "plant_count"]
    bid_direction: Literal["clockwise", "turn_order"]
    no_sale_boxes_lowest: bool
    discard_choice: Literal["old_only", "any"]
    discard_fuel_move: Literal["may", "must"]
    market_insert: Literal["full_sort", "future_first"]
    discount_token: bool

    # fuel and building (B16, B17, B33)
    coal_overflow_price: Elektro | None
    uranium_stop_after: PlantNumber | None
    pass_through_empty: bool
    first_city_must_be_empty: bool
    cross_unselected_region: bool

    # obsolete plants (B18 to B21)
    obsolete_compare: Literal["lte", "lt"]
    obsolete_timing: Literal["always", "phase4", "phase5_once", "off"]
    obsolete_scope: Literal["leader", "every_player"]
    obsolete_rows: Literal["actual", "all"]

    # Steps (B22 to B25, B29 to B32)
    step2_start: Literal["before_phase5", "immediate", "next_round"]
    step2_boxes_lowest: bool
    refill_row: Literal["current", "upcoming"]
    rotation: Literal["largest_under_stack", "obsolete_else_largest"]
    step3_start: Literal["next_phase", "phase5", "next_round"]
    step3_cleanup_p4: Literal["immediate", "end_of_phase"]
    step3_reshuffle: Literal["on_draw", "on_step3_start", "none"]
    step3_rotation: Literal["box_lowest", "none"]

    # bureaucracy and the end (B26 to B28, B36)
    phase5_order: Literal["pay_fuel_plants", "pay_plants_fuel"]
    may_underpower: bool
    end_timing: Literal["after_phase4", "immediate"]
    tie_breaks: tuple[Literal["powered", "money", "cities", "shared"], ...]

    def numbers(self, players: int) -> PlayerNumbers:
        """The column of R2 for 2 to 6 players."""
        i = players - 2
        return PlayerNumbers(
            self.regions_in_play[i],
            self.boxed_plants[i],
            self.boxed_low_plants[i],
            self.plant_limit[i],
            self.step2_cities[i],
            self.end_cities[i],
        )

    @cached_property
    def tracks(self) -> dict[Resource, FuelTrack]:
        """The four fuel tracks by fuel."""
        return {r: getattr(self, r.value) for r in Resource}

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

    def refill(self, players: int, step: int) -> Fuel:
        """Tokens moved from supply to market in phase 5 (R4.4)."""
        rows = [track.refill[players - 2][step - 1] for track in self.tracks.values()]
        return Fuel(*rows)
