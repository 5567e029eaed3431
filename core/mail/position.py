"""The position as tables of words: players, plants, fuel, and the race to Step 2 and the end.

The text part and the HTML part are laid out from the same rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.game.board.fuel_market import price_of_next, refills, tracks_now
from core.game.narrate import wording
from core.game.observe import PlayerSeen, PlayerView
from core.game.observe import position as known
from core.game.phases.bureaucracy import power_choices
from core.game.phases.steps import step_of_next_round
from core.game.prices import runnable
from core.game.rules.knobs import Track
from core.game.types import STEP_3_CARD, Fuel, Phase, PlantNumber, Resource
from core.lists import both
from core.tableview import SeatSeen, TableView
from core.text import _, ngettext

_PRICES_SHOWN = 8
_FUEL_PLACES = 13  # in the table of players


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player, in turn order. `elektro` is empty where money is hidden.

    `capacity`: cities that all plants could power; `ready`: those for which fuel is in hand.
    """

    seat: SeatSeen
    mine: bool
    asked: bool
    elektro: str
    cities: int
    capacity: int
    ready: int
    fuel: Fuel
    plants: tuple[PlantNumber, ...]

    @property
    def short(self) -> str:
        """The fuel in a few places: ``3 coal 1 oil``, or ``3C 1O 2G`` where there is much."""
        whole = " ".join(f"{n} {wording.fuel_name(kind)}" for kind, n in self.fuel.items())
        short = " ".join(f"{n}{wording.fuel_letter(kind)}" for kind, n in self.fuel.items())
        return (whole if len(whole) <= _FUEL_PLACES else short) or "–"

    @property
    def power(self) -> str:
        """What its power means, for the reader's own row."""
        text = _(
            "Power {capacity}/{ready}: your plants can supply {capacity} cities, with your fuel "
            "{ready}."
        )
        return text.format(capacity=self.capacity, ready=self.ready)


@dataclass(frozen=True, slots=True)
class PlantRow:
    """One card of the market; `now`: it can be bought in this round."""

    number: str
    needs: str
    cities: str
    now: bool
    minimum: str


@dataclass(frozen=True, slots=True)
class FuelRow:
    """One fuel: tokens left, the price of the next ones, of the last one, and the refill."""

    name: str
    left: int
    prices: str
    last: str
    refill: int


@dataclass(frozen=True, slots=True)
class Position:
    """All of it. `race`: sentences on Steps, houses, the end and the income."""

    players: tuple[PlayerRow, ...]
    plants: tuple[PlantRow, ...]
    stack: str
    fuels: tuple[FuelRow, ...]
    race: tuple[str, ...]


def position(table: TableView) -> Position:
    """Return the position of a table as its reader may see it."""
    view = table.view
    return Position(
        players=tuple(_player(table, view.players[seat]) for seat in view.order),
        plants=tuple(_plants(view)),
        stack=ngettext(
            "{n} card is left in the stack.", "{n} cards are left in the stack.", view.stack_size
        ).format(n=view.stack_size),
        fuels=tuple(_fuels(view)),
        race=tuple(_race(table)),
    )


def _player(table: TableView, player: PlayerSeen) -> PlayerRow:
    plants = table.view.plants_of(player.seat)
    return PlayerRow(
        seat=table.seats[player.seat],
        mine=player.seat == table.view.seat,
        asked=any(asked.seat == player.seat for asked in table.asked),
        elektro="" if player.elektro is None else str(player.elektro),
        cities=len(player.cities),
        capacity=sum(plant.cities for plant in plants),
        ready=sum(plant.cities for plant in runnable(table.view.ruleset, plants, player.fuel)),
        fuel=player.fuel,
        plants=player.plants,
    )


def _plants(view: PlayerView) -> list[PlantRow]:
    return [_plant(view, card) for card in view.market.cards]


def _plant(view: PlayerView, card: PlantNumber) -> PlantRow:
    now = card in view.market.actual
    if card == STEP_3_CARD:
        return PlantRow("–", _("Step 3 card"), "", now=False, minimum="")
    plant = view.ruleset.plant[card]
    return PlantRow(
        number=str(card),
        needs=wording.plant_needs(plant),
        cities=str(plant.cities),
        now=now,
        minimum="1" if card == view.token else str(card),
    )


def _fuels(view: PlayerView) -> list[FuelRow]:
    stocks = (view.fuel_market, *view.local.markets)
    return [
        _fuel(track, stocks[market][resource], _fuel_title(view, resource, market), comes[resource])
        for market, comes in enumerate(coming(view))
        for resource, track in tracks_now(view, market).items()
    ] + _storage(view)


def _storage(view: PlayerView) -> list[FuelRow]:
    price, left = view.ruleset.burnt_coal_price, view.local.storage
    if price is None:
        return []
    shown = str(price) if left else _("sold out")
    return [FuelRow(_("burnt coal"), left, shown, str(price) if left else "", 0)]


def _fuel_title(view: PlayerView, resource: Resource, market: int) -> str:
    name = wording.fuel_name(resource)
    if not view.local.markets:
        return name
    text = _("{fuel}, {market}")
    return text.format(fuel=name, market=view.ruleset.market_names[market])


def _fuel(track: Track, left: int, name: str, refill: int) -> FuelRow:
    prices = track.prices[len(track.prices) - left :]
    shown = " ".join(map(str, prices[:_PRICES_SHOWN]))
    return FuelRow(
        name=name,
        left=left,
        prices=(shown + (" …" if left > _PRICES_SHOWN else "")) or _("sold out"),
        last="" if price_of_next(track, left) is None else str(prices[-1]),
        refill=refill,
    )


def coming(view: PlayerView) -> tuple[Fuel, ...]:
    """Tokens that the end of this round brings to each market, the main one first.

    That is if nobody buys more and all power what they can.

    What is burned until then is in the supply again (R4.4, R10.4).
    """
    if view.phase is Phase.FINISHED:
        return (Fuel(),) * len(view.ruleset.markets)
    seats = view.waiting if view.phase is Phase.BUREAUCRACY else view.order
    state = replace(known(view), phase=Phase.BUREAUCRACY, auction=None, discarding=None)
    burned = (power_choices(state, seat)[0].burned for seat in seats)
    rules = state.ruleset
    late = rules.step3_start == "next_round" and rules.refill_row == "current"
    step = state.step if late and state.step3_drawn else step_of_next_round(state)
    return refills(replace(state, supply=sum(burned, view.supply)), step)


def _race(table: TableView) -> list[str]:
    view, numbers = table.view, table.view.numbers
    most = max(len(player.cities) for player in view.players)
    leaders = [table.names[p.seat] for p in view.players if len(p.cities) == most]
    ahead = _("most now: {names}, {n}").format(names=both(leaders), n=most)
    if not most:
        ahead = _("nobody has one yet")
    lines = []
    trigger = view.ruleset.step2_trigger
    if view.step == 1 and trigger == "deck":
        lines.append(_("Step 2 begins once the Step 3 card comes for the first time."))
    if view.step == 1 and trigger == "cities":
        lines.append(
            _("Step 2 begins once somebody has {n} cities ({ahead}).").format(
                n=numbers.step2_cities, ahead=ahead
            )
        )
    lines.append(
        _("The game ends in the round in which somebody has {n} cities ({ahead}).").format(
            n=numbers.end_cities, ahead=ahead
        )
    )
    lines.append(
        ngettext(
            "At most {n} house in a city in Step {step}.",
            "At most {n} houses in a city in Step {step}.",
            view.step,
        ).format(n=view.step, step=view.step)
    )
    paid = " ".join(map(str, view.ruleset.payment[: numbers.end_cities + 1]))
    lines.append(_("Income for 0, 1, 2 … cities: {paid}.").format(paid=paid))
    return [*lines, *_of_the_map(table)]


def _of_the_map(table: TableView) -> Iterator[str]:
    """Yield what the rules of some maps need to be known of the position."""
    view = table.view
    open_to = [table.names[p.seat] for p in view.players if p.seat not in view.local.jumped]
    mines, lying = view.ruleset.mines, view.local.mine_tokens
    if mines:
        yield ngettext(
            "{n} token of uranium lies on the mines’ track ({slots} slots).",
            "{n} tokens of uranium lie on the mines’ track ({slots} slots).",
            lying,
        ).format(n=lying, slots=len(mines.prices))
        price = mines.pays(lying)
        text = _("The next mine sells at {price} for each of its cities.")
        yield text.format(price=price) if price else _("It is full: mines sell nothing.")
    if view.ruleset.free_jump and open_to:
        yield _("The free jump is still to come for {names}.").format(names=both(open_to))
