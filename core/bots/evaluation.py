"""What the engineer expects: how long the game lasts, what fuel costs, what plants earn."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from core.game.board.fuel_market import tracks_now
from core.game.board.storage import burned_by, stock
from core.game.observe import PlayerSeen, PlayerView
from core.game.rules.knobs import Plant
from core.game.types import Elektro, Fuel, PlantNumber, Resource


@dataclass(frozen=True, slots=True)
class Weights:
    """What an engineer believes and prefers; prices and worths in Elektro."""

    pace: int = 1
    """Cities that a player is expected to add in a round; careful, for most add nearly two."""
    horizon: int = 3
    """Rounds for which a plant is expected to earn before another takes its place."""
    final_city: float = 40
    """Worth of one more city powered in the last round; divided by the rounds that are left."""
    city_price: int = 20
    """Usual price of a city with its connection."""
    capacity_price: int = 6
    """Usual price of a plant for each city that it powers."""
    least_thrift: float = 0.15
    """Worth of an Elektro to one who has more than they can use."""
    scarce_price: int = 12
    """Price expected of fuel that the market does not have."""
    caution: float = 0.4
    """Share of a plant's gain that it may cost."""
    regret: float = 1.0
    """Share of the next best plant's profit that a bid must leave."""
    ahead: int = 2
    """Cities built beyond what the plants can power, for the next plant."""
    neighbours: int = 6
    """Cities around a first city that make it a good or a bad one."""
    crowd: int = 3
    """What a house of somebody else near a first city counts against it."""
    cheap: float = 0.8
    """Fuel for later rounds is bought at this share of its expected price."""
    fuel_kept: float = 0.5
    """Share of its expected price that unburned fuel is worth."""
    patience: int = 12
    """Rounds after which an end that may be lost is no longer put off."""


Plants = tuple[Plant, ...]


@dataclass(frozen=True)
class Evaluation:
    """A view, and what follows from it for the seat that looks. Amounts in Elektro."""

    view: PlayerView
    habits: Weights

    @cached_property
    def me(self) -> PlayerSeen:
        """The own seat."""
        return self.view.viewer

    @cached_property
    def purse(self) -> int:
        """Own money, which is never hidden from oneself."""
        return self.me.elektro or 0

    @cached_property
    def plants(self) -> Plants:
        """Own plants."""
        return self.view.plants_of(self.me.seat)

    @cached_property
    def goal(self) -> int:
        """Cities that end the game."""
        return self.view.numbers.end_cities

    @cached_property
    def capacity(self) -> int:
        """Cities that the own plants power when all run."""
        return sum(plant.cities for plant in self.plants)

    @cached_property
    def rounds_left(self) -> int:
        """Rounds until somebody has the cities that end the game, this one included."""
        leader = max(len(p.cities) for p in self.view.players)
        return max(1, -(-(self.goal - leader) // self.habits.pace))

    @cached_property
    def thrift(self) -> float:
        """What one Elektro is worth: less than 1 once there is more than the goal still costs."""
        h = self.habits
        cities = h.city_price * max(0, self.goal - len(self.me.cities))
        plants = h.capacity_price * max(0, self.goal - self.capacity)
        return min(1.0, max(h.least_thrift, (cities + plants) / max(1, self.purse)))

    @cached_property
    def prices(self) -> dict[Resource, float]:
        """What a token of each fuel costs in the rounds to come: the mean of the next few."""
        return {fuel: self._price(fuel) for fuel in Resource}

    def _price(self, fuel: Resource) -> float:
        prices = list[Elektro]()
        for market, left in enumerate((self.view.fuel_market, *self.view.local.markets)):
            track = tracks_now(self.view, market).get(fuel)
            if track is None:
                continue
            soon = left[fuel] + track.refill[len(self.view.players) - 2][self.view.step - 1]
            prices += track.prices[max(0, len(track.prices) - soon) :][:4]
        prices = sorted(prices)[:4]
        return sum(prices) / len(prices) if len(prices) == 4 else self.habits.scarce_price

    def running_cost(self, plant: Plant) -> float:
        """Fuel for one round, at expected prices."""
        return self._running_costs[plant.number]

    @cached_property
    def _running_costs(self) -> dict[PlantNumber, float]:
        return {
            plant.number: plant.burns * min((self.prices[fuel] for fuel in plant.fuels), default=0)
            for plant in self.view.ruleset.plants
        }

    def worth(self, plants: Plants) -> float:
        """Return what a set of plants earns in the rounds to come, and at the end."""
        h, now = self.habits, len(self.me.cities)
        capacity = sum(plant.cities for plant in plants)
        rounds = min(self.rounds_left, h.horizon)
        costs = self._running_costs
        cheapest_first = sorted(plants, key=lambda plant: costs[plant.number] / plant.cities)
        earned = sum(
            self._earned(cheapest_first, min(now + h.pace * n, self.goal, capacity))
            for n in range(1, rounds + 1)
        )
        return earned + self.final_city * min(capacity, self.goal)

    @cached_property
    def final_city(self) -> float:
        """Worth of one more city powered when the game ends: the more, the nearer the end."""
        return self.habits.final_city / self.rounds_left

    def _earned(self, plants: list[Plant], cities: int) -> float:
        """One round's income of so many cities less fuel, run by the first of the plants."""
        powered, fuel = 0, 0.0
        for plant in plants:
            if powered >= cities:
                break
            powered += plant.cities
            fuel += self._running_costs[plant.number]
        return self.view.ruleset.payment[cities] - fuel

    def gain(self, plant: Plant) -> float:
        """How much more the own plants are worth with this one among them."""
        if plant.mine:
            return self._mined(plant)
        plants = (*self.plants, plant)
        limit = min(self.view.numbers.plant_limit, len(plants))
        best = max(self.worth(some) for some in combinations(plants, limit))
        return best - self._own_worth

    def _mined(self, mine: Plant) -> float:
        """Return what a mine earns until the end, if prices stay as they are: it takes no place."""
        mines = self.view.ruleset.mines
        price = mines and mines.pays(min(self.view.local.mine_tokens, len(mines.prices) - 1))
        return (price or 0) * mine.cities * min(self.rounds_left + 1, self.habits.horizon)

    @cached_property
    def _own_worth(self) -> float:
        return self.worth(self.plants)

    @cached_property
    def runs_now(self) -> int:
        """Cities that the plants can power with the fuel in stock."""
        held = stock(self.view.ruleset, self.plants, self.me.fuel)
        return max(
            sum(p.cities for p in some)
            for size in range(len(self.plants) + 1)
            for some in combinations(self.plants, size)
            if burned_by(some, held, Resource.COAL) is not None
        )

    def fuel_value(self, fuel: Fuel) -> float:
        """Tokens at expected prices."""
        return sum(count * self.prices[kind] for kind, count in fuel.items())
