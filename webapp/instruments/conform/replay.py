"""A recorded game through our engine: options before, position after each move."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from core.game.board.storage import Stock, capacity, ways_to_keep
from core.game.engine import play, preview, start_from
from core.game.errors import IllegalMove, LogError
from core.game.events import BuildingEnded
from core.game.evolve import replay
from core.game.moves import (
    Bid,
    BuildCities,
    BuyResources,
    DiscardPlant,
    Move,
    OpenAuction,
    Pass,
    PowerPlants,
    Run,
)
from core.game.phases.auction import lowest_bid
from core.game.phases.bureaucracy import power_choices
from core.game.state import GameState
from core.game.types import CityId, Elektro, Fuel, Phase, PlantNumber, Resource, Seat
from webapp.instruments.conform import compare
from webapp.instruments.conform.compare import Findings
from webapp.instruments.conform.trace import RecordedChance, Summary, Trace


def conform(trace: Trace) -> Findings:
    """Replay one recorded game and compare; stops at a move that our rules refuse."""
    return _Replay(trace).run()


class _Replay:
    """Recorded moves are smaller than ours: they are gathered until one of ours is complete."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.found = Findings(trace.name)
        self.chance = RecordedChance(trace)
        self.state: GameState = replay(start_from(trace.started(), self.chance))
        self.recorded: Summary = dict(trace.data["initial"]["state"])
        self.fuel = Fuel()
        self.chosen: str | None = None
        self.stored = 0
        self.open_orders: list[GameState] = []
        self.cities: tuple[CityId, ...] = ()
        self.jumps: tuple[CityId, ...] = ()
        self.runs: dict[Seat, tuple[Run, ...]] = {}
        self.named: PlantNumber | None = None
        self.gone: PlantNumber | None = None
        self.left = Fuel()
        self.minimum: Elektro | None = None
        self.used: dict[Seat, set[PlantNumber]] = {}
        self.seen39 = 0

    def run(self) -> Findings:
        self._compare_table()
        self._compare_position("at the start")
        for index, recorded in enumerate(self.trace.moves):
            if not self.cities:
                self.chance.at = index
            self.found.moves += 1
            try:
                self._step(index, recorded)
            except IllegalMove as refusal:
                self._differ(index, f"refused: {refusal}")
                return self.found
        self._compare_final()
        return self.found

    def _step(self, index: int, recorded: dict[str, Any]) -> None:
        seat = Seat(recorded["p"])
        if self._explicit_pass(recorded):
            self.found.habits["explicit-pass"] += 1
            self.found.left_out["positions at an explicit pass"] += 1
            self._merge(recorded["d"])
            return
        self._compare_options(index, seat, recorded)
        self._merge(recorded["d"])
        move = self._gather(index, seat, recorded["m"], recorded["a"])
        if move is not None:
            self.state = self._played(index, seat, move)
        if self.state.phase is not Phase.BUREAUCRACY:
            self.used = {}
        self._compare_position(f"after move {index} ({recorded['m']})", index, seat)

    def _played(self, index: int, seat: Seat, move: Move) -> GameState:
        """Play a move; after a shuffle try the orders of the cards drawn until one fits.

        Where a plant is to be given up, the market is recorded only afterwards: then the orders
        of the purchase stay open until that.
        """
        open_orders, self.open_orders = self.open_orders, []
        for before in open_orders or [self.state]:
            for state in self._orders(before, seat, move):
                if self._fits(index, state):
                    self.open_orders = []
                    return state
                self.open_orders.append(state)
        if not self._kind(index + 1).startswith("Discard"):
            self.open_orders = []
        return state

    def _orders(self, before: GameState, seat: Seat, move: Move) -> Iterator[GameState]:
        """Return the positions that the possible orders of a shuffle lead to."""
        self.chance.choice, self.chance.orders = 0, 1
        while self.chance.choice < self.chance.orders:
            self.chance.orders = 1
            yield replay(play(before, seat, move, self.chance), before)
            self.chance.choice += 1

    def _fits(self, index: int, state: GameState) -> bool:
        """Are market and stack as recorded, once whoever has a plant too many has given it up?"""
        now = dict(self.recorded)
        while self._kind(index + 1).startswith("Discard"):
            index += 1
            now.update(self.trace.moves[index]["d"])
        ours = compare.summary(self.trace, state)
        return all(now[key] == ours[key] for key in ("act", "fut", "deck"))

    def _allow_late_first_city(self) -> None:
        """Somebody begins in an occupied city: from now on that is the rule of this game."""
        self.found.habits["late-first-city-built"] += 1
        relaxed = replace(self.state.ruleset, first_city_must_be_empty=False)
        self.state = replace(self.state, ruleset=relaxed)

    def _explicit_pass(self, recorded: dict[str, Any]) -> bool:
        """Return those left over pass one by one there, here the phase has ended."""
        return self._sold_out() and recorded["m"] == "Pass"

    def _sold_out(self) -> bool:
        """Return True if the last plant of the market was sold: auctions are over only here."""
        over_here = self.recorded["ph"] == "Auction" and self.state.phase is not Phase.AUCTION
        return over_here and not self.state.market.cards

    def _merge(self, changes: dict[str, Any]) -> None:
        players = {**self.recorded["pl"], **changes.get("pl", {})}
        self.recorded = {**self.recorded, **changes, "pl": players}

    # --- gathering -------------------------------------------------------------------------

    def _gather(self, index: int, seat: Seat, kind: str, value: Any) -> Move | None:
        """Our move, once the recorded one completes it."""
        match kind:
            case "Pass":
                return self._pass(seat)
            case "ChoosePowerPlant":
                return self._choose(seat, PlantNumber(value))
            case "Bid":
                return self._bid(Elektro(value))
            case "DiscardPowerPlant" | "DiscardResources":
                return self._discard(index, seat, kind, value)
        self._take(index, seat, kind, value)
        return None

    def _take(self, index: int, seat: Seat, kind: str, value: Any) -> None:
        """Take a part of a purchase, a building turn or a power turn, complete with the Pass."""
        match kind:
            case "BuyResource":
                fuel, self.chosen = value if isinstance(value, list) else (value, None)
                if self.chosen == "storage":
                    self.chosen, self.stored = None, self.stored + 1
                self.fuel += Fuel.of(Resource(fuel), 1)
            case "Build":
                self._compare_price(index, seat, value)
                self.cities = (*self.cities, self.trace.cities[value[0]])
            case "UsePowerPlant":
                run = Run(PlantNumber(value[0]), Fuel(*value[1]))
                self._compare_fact(index, f"cities of plant {run.plant}", value[2],
                                   self.state.ruleset.plant[run.plant].cities)  # fmt: skip
                if self._elsewhere(seat, run):
                    self.found.habits["any-storage moves"] += 1
                self.runs[seat] = (*self.runs.get(seat, ()), run)
                self.used.setdefault(seat, set()).add(run.plant)
            case _:
                raise LogError(f"{self.trace.name}: move {index}: {kind} is not known.")

    def _bid(self, amount: Elektro) -> Move:
        if self.named is None:
            return Bid(amount)
        plant, self.named = self.named, None
        return OpenAuction(plant, amount)

    def _discard(self, index: int, seat: Seat, kind: str, value: Any) -> Move | None:
        """Gather tokens given up: one by one there, and the last by itself without a choice."""
        if kind == "DiscardPowerPlant":
            self.gone = PlantNumber(value)
            self.left = Fuel(*self.recorded["pl"][str(seat)][2])
        else:
            self.left -= Fuel.of(Resource(value), 1)
        if self.gone is None or self._kind(index + 1) == "DiscardResources":
            return None
        gone, self.gone = self.gone, None
        others = [p for p in self.state.plants_of(seat) if p.number != gone]
        ways = ways_to_keep(others, self.state.players[seat].fuel)
        possible = [way for way in ways if self.left.covers(way)]
        return DiscardPlant(gone, possible[0] if len(possible) == 1 else self.left)

    def _kind(self, index: int) -> str:
        kinds: list[str] = [move["m"] for move in self.trace.moves[index : index + 1]]
        return kinds[0] if kinds else ""

    def _choose(self, seat: Seat, plant: PlantNumber) -> Move | None:
        """Choose for the last buyer, who gets the plant there at its lowest bid without a bid."""
        self.minimum = lowest_bid(self.state, plant)
        self.seen39 |= int(plant == _PLANT_39)
        if len(self.state.waiting) > 1:
            self.named = plant
            return None
        least = compare.opening_bid_options(self.state, seat, plant)["Bid"][0]
        return OpenAuction(plant, least if least is not None else Elektro(plant))

    def _pass(self, seat: Seat) -> Move:
        match self.state.phase:
            case Phase.RESOURCES:
                move = self._purchase()
                self.fuel, self.chosen, self.stored = Fuel(), None, 0
                return move
            case Phase.BUILDING:
                built, self.cities, self.jumps = self._building(), (), ()
                return built
            case Phase.BUREAUCRACY:
                return PowerPlants(self.runs.pop(seat, ()))
            case _:
                return Pass()

    def _building(self, *more: CityId) -> BuildCities:
        """Return the houses gathered so far."""
        return BuildCities((*self.cities, *more), self.jumps)

    def _purchase(self) -> BuyResources:
        """Return the tokens gathered so far; the recorder writes the names of markets small."""
        others = (m.name for m in self.state.ruleset.other_markets)
        market = next((n for n in others if n.lower() == self.chosen), "")
        return BuyResources(self.fuel, market, stored=self.stored)

    # --- comparing -------------------------------------------------------------------------

    def _compare_options(self, index: int, seat: Seat, recorded: dict[str, Any]) -> None:
        theirs, ours = _sets(recorded["o"]), _sets(self._options(seat, recorded["m"]))
        self.found.compared["lists of options"] += 1
        if ours == theirs or self._habit(seat, theirs, ours):
            return
        self._differ(index, f"options of seat {seat}: recorded {theirs}, ours {ours}")

    def _options(self, seat: Seat, kind: str) -> compare.Options:
        if self.named is not None:
            return compare.opening_bid_options(self.state, seat, self.named)
        if self.gone is not None:
            return compare.fuel_loss_options(self.state, seat, self.gone, self.left)
        match self.state.phase:
            case Phase.RESOURCES:
                return compare.purchase_options(
                    self._midway(seat), seat, self.chosen, bool(self.fuel)
                )
            case Phase.BUILDING:
                return compare.build_options(self._midway(seat), seat, late_first_city=False)
            case Phase.BUREAUCRACY:
                return self._power_options(seat)
            case _:
                return compare.auction_options(self.state, seat, naming=True)

    def _power_options(self, seat: Seat) -> compare.Options:
        runs = self.runs.get(seat, ())
        used = {run.plant for run in runs}
        burned = sum((run.burn for run in runs if run.burn), Fuel())
        player = self.state.players[seat]
        unused = tuple(n for n in player.plants if n not in used)
        offered = compare.power_options(self.state, seat, unused, player.fuel - burned)
        ways = (Run(PlantNumber(n), Fuel(*mix)) for n, mix in offered.get("UsePowerPlant", ()))
        if not self._powers_enough(seat):
            del offered["Pass"]
        if elsewhere := sum(self._elsewhere(seat, run) for run in ways):
            self.found.habits["any-storage"] += elsewhere
        return offered

    def _powers_enough(self, seat: Seat) -> bool:
        """May the seat stop with what it runs so far (B36)?"""
        rules, own = self.state.ruleset, len(self.state.players[seat].cities)
        if rules.may_underpower:
            return True
        powered = sum(rules.plant[run.plant].cities for run in self.runs.get(seat, ()))
        return min(powered, own) == power_choices(self.state, seat)[0].powered

    def _elsewhere(self, seat: Seat, run: Run) -> bool:
        """Return True if it is this run that takes fuel which lies on another plant (B37)."""
        player, rules = self.state.players[seat], self.state.ruleset
        fuel = Stock(player.fuel, *capacity(self.state.plants_of(seat)))
        burned, fitted = {True: Fuel(), False: Fuel()}, True
        for one in (*self.runs.get(seat, ()), run):
            before = fitted
            burned[rules.plant[one.plant].hybrid] += one.burn or Fuel()
            fitted = fuel.allows(burned[False], burned[True])
        return before and not fitted

    def _midway(self, seat: Seat) -> GameState:
        """Return the position with what has been gathered so far."""
        if self.fuel:
            return replay(preview(self.state, seat, self._purchase()), self.state)
        if self.cities:
            return replay(preview(self.state, seat, self._building()), self.state)
        return self.state

    def _present(self, seat: Seat | None) -> GameState:
        """Return the position with all that has been gathered, as the recorder shows it."""
        state = self.state
        if seat is not None and self.cities:
            events = play(state, seat, self._building(), self.chance)
            built = list(takewhile(lambda e: not isinstance(e, BuildingEnded), events))
            return replay(built, state)
        if seat is not None and self.fuel:
            return replace(self._midway(seat), waiting=state.waiting)
        if seat is not None and self.gone is not None:
            owner = state.players[seat]
            plants = tuple(n for n in owner.plants if n != self.gone)
            lost = owner.fuel - self.left
            state = replace(state, supply=state.supply + lost)
            return state.with_player(seat, replace(owner, plants=plants, fuel=self.left))
        for runner, runs in self.runs.items():
            owner = state.players[runner]
            burned = sum((run.burn for run in runs if run.burn), Fuel())
            state = state.with_burnt(burned)
            state = state.with_player(runner, replace(owner, fuel=owner.fuel - burned))
        return state

    def _summary(self, seat: Seat | None) -> Summary:
        """Our position in the recorder's words, with what it notes of the move in hand."""
        state = self._present(seat)
        ours = compare.summary(self.trace, state)
        ours["b39"] = self.seen39
        if ours["auc"]:
            ours["auc"] = [*ours["auc"], self.minimum]
        if self.named is not None:
            ours["auc"] = [self.named, None, seat, self.minimum]
            ours["dsc"] = 0 if self.named == state.token else ours["dsc"]
        if state.phase is Phase.BUREAUCRACY:
            for runner in state.seats:
                row = ours["pl"][str(runner)]
                plants = state.ruleset.plant
                row[4] = sum(plants[run.plant].cities for run in self.runs.get(runner, ()))
                row[5] = [n for n in row[1] if n not in self.used.get(runner, ())]
        return ours

    def _habit(self, seat: Seat, theirs: compare.Options, ours: compare.Options) -> bool:
        """Return True if the difference is one of the recorder's named habits."""
        state = self.state
        token = state.token
        if token is not None and "ChoosePowerPlant" in ours:
            dear = state.players[seat].elektro < token
            without = [n for n in ours["ChoosePowerPlant"] if n != token]
            plants = {"ChoosePowerPlant": without} if without else {}
            rest = {k: v for k, v in ours.items() if k != "ChoosePowerPlant"}
            if dear and theirs == {**rest, **plants}:
                self.found.habits["discount-price"] += 1
                return True
        late = state.step > 1 and state.phase is Phase.BUILDING
        if late and not self._midway(seat).players[seat].cities:
            relaxed = compare.build_options(state, seat, late_first_city=True)
            if theirs == _sets(relaxed):
                self.found.habits["late-first-city"] += 1
                return True
        return False

    def _compare_price(self, index: int, seat: Seat, value: list[int]) -> None:
        city = self.trace.cities[value[0]]
        if value[2:] and value[2]:
            self.jumps = (*self.jumps, city)
        late = not self._midway(seat).players[seat].cities and self.state.step > 1
        if late and self.state.houses(city) and self.state.ruleset.first_city_must_be_empty:
            self._allow_late_first_city()
        events = preview(self.state, seat, self._building(city))
        last = replay(events, self.state).players[seat].elektro
        before = self._midway(seat).players[seat].elektro
        self._compare_fact(index, f"price of {city}", value[1], before - last)

    def _compare_fact(self, index: int | None, what: str, theirs: Any, ours: Any) -> None:
        self.found.compared["prices and other facts"] += 1
        if theirs != ours:
            when = "on the table" if index is None else f"at move {index}"
            self.found.differences.append(f"{when}: {what}: recorded {theirs}, ours {ours}")

    def _compare_table(self) -> None:
        """Return what the recorder notes of the map and the rules before the first move."""
        initial, rules = self.trace.data["initial"], self.state.ruleset
        numbers, seats = self.state.numbers, len(self.state.players)
        ids = {city: n for n, city in enumerate(self.trace.cities)}
        in_play = [c.id for c in rules.map.cities if c.region in self.state.regions]
        lines = [(ids[c.a], ids[c.b], c.cost) for c in rules.map.connections
                 if c.a in ids and c.b in ids]  # fmt: skip
        recorded = _lines(initial["connections"])
        if twice := len(recorded) - len(set(recorded)):
            self.found.habits["connection-twice"] += twice
        pairs: dict[str, tuple[Any, Any]] = {
            "cities": (sorted(ids), sorted(in_play)),
            "connections": (sorted(set(recorded)), _lines(lines)),
            "citiesToStep2": (initial["citiesToStep2"], numbers.step2_cities),
            "citiesToEnd": (initial["citiesToEnd"], numbers.end_cities),
            "resupply": (
                initial["resupply"],
                [list(track.refill[seats - 2]) for track in rules.tracks.values()],
            ),
            "payment": (initial["payment"], list(rules.payment)),
            "prices": (
                self._printed(), {r.value: list(t.prices) for r, t in rules.tracks.items()},
            ),
            "regions": (len(initial["regions"]), numbers.regions),
        }  # fmt: skip
        if rules.other_markets:
            side = list(rules.markets[1].values())
            pairs["north"] = (initial.get("north"), {
                "prices": [list(track.prices) for track in side],
                "resupply": [list(track.refill[seats - 2]) for track in side],
            })  # fmt: skip
        if rules.blocked_places:
            blocked = sorted(ids[city] for city in self.state.local.blocked)
            pairs["blocked"] = (sorted(initial.get("blocked", ())), blocked)
        for what, (theirs, ours) in pairs.items():
            self._compare_fact(None, what, theirs, ours)
        known = {"cityExtra", "state", *pairs}
        unknown = [key for key in initial if key not in known]
        self.found.left_out.update(f"initial.{key}" for key in unknown)
        if any(initial.get("cityExtra", ())):
            self.found.left_out["initial.cityExtra"] += 1

    def _printed(self) -> dict[str, list[int]]:
        """Return the tracks at the start; where they change, `initial` has those of the end."""
        initial = self.trace.data["initial"]
        now = (initial["state"].get("ext") or {}).get("prices")
        fuels = [r.value for r in Resource]
        return dict(zip(fuels, now, strict=True)) if now else dict(initial["prices"])

    def _compare_position(
        self, when: str, index: int | None = None, seat: Seat | None = None
    ) -> None:
        theirs = compare.recorded_summary(self.recorded)
        ours = self._summary(seat)
        self.found.left_out.update(key for key in self.recorded if key not in theirs)
        keys = self._comparable(index)
        self.found.compared["positions"] += 1
        self.found.compared["values of positions"] += len(keys)
        for key in keys:
            if theirs[key] != ours[key]:
                text = f"{when}: {key}: recorded {theirs[key]}, ours {ours[key]}"
                self.found.differences.append(text)
                return
        noted = (self.recorded.get("ext") or {}) if "act" in keys else {}
        for key, value in compare.local(self._present(seat)).items():
            self.found.compared["values of positions"] += 1
            if noted and noted[key] != value:
                text = f"{when}: {key}: recorded {noted[key]}, ours {value}"
                self.found.differences.append(text)
                return

    def _comparable(self, index: int | None) -> tuple[str, ...]:
        habits: set[str] = set()
        if index is not None and self._kind(index + 1).startswith("Discard"):
            self.found.habits["draw-after-discard"] += 1
            habits |= set(compare.MARKET_KEYS)
        if self._sold_out():
            habits |= {"ph", "cur"}
        self.found.left_out.update(f"{key} (habit)" for key in habits)
        return tuple(key for key in compare.KEYS if key not in habits)

    def _compare_final(self) -> None:
        final, players = self.trace.data["final"], self.state.players
        standings = sorted(self.state.standings, key=lambda s: s.seat)
        ours = {
            "rounds": self.state.round,
            "moves": len(self.trace.moves),
            "step": self.state.step,
            "places": [s.place for s in standings],
            "powered": [s.powered for s in standings],
            "money": [p.elektro for p in players],
            "cities": [len(p.cities) for p in players],
        }
        for key, value in ours.items():
            self.found.compared["prices and other facts"] += 1
            if final[key] != value:
                self.found.differences.append(
                    f"at the end: {key}: recorded {final[key]}, ours {value}"
                )
        self.found.compared["prices and other facts"] += 1
        ranked = [s.seat for s in self.state.standings]
        places = {s.seat: s.place for s in standings}
        in_order = [places.get(Seat(seat)) for seat in final["ranking"]]
        if sorted(final["ranking"]) != sorted(ranked) or in_order != sorted(places.values()):
            text = f"at the end: ranking: recorded {final['ranking']}, ours {ranked}"
            self.found.differences.append(text)
        self.found.left_out.update(f"final.{k}" for k in final if k not in {*ours, "ranking"})

    def _differ(self, index: int, what: str) -> None:
        self.found.differences.append(f"at move {index}: {what}")


_PLANT_39: Final = PlantNumber(39)


def _lines(lines: list[Any]) -> list[tuple[int, int, int]]:
    """Return connections whichever way round, in one order."""
    return sorted((min(a, b), max(a, b), cost) for a, b, cost in lines)


def _sets(options: compare.Options) -> compare.Options:
    """Make sets of lists of options, but not of a bid's and a building's pair of numbers."""
    return {
        key: value if key in ("Bid", "Build", "Pass") else sorted(value, key=repr)
        for key, value in options.items()
    }
