"""The fuel market: prices, purchases, refill (R4)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from core.game.rules.knobs import Ruleset, Track
from core.game.state import GameState, Local
from core.game.types import Elektro, Fuel, Resource, Seat

LEAST = Elektro(1)
"""No token costs less, whatever is taken off."""


def price_of_next(track: Track, on_market: int) -> Elektro | None:
    """Return price of the next token while `on_market` are left, None when sold out (R4.2)."""
    return track.prices[len(track.prices) - on_market] if on_market else None


MAIN: Final = 0
"""The main market; those beside it follow, in the order of the rules."""


def on_market(state: GameState, market: int = MAIN) -> Fuel:
    """Return the tokens on a market."""
    return state.local.markets[market - 1] if market else state.fuel_market


class Position(Protocol):
    """What prices hang on: a whole position has it, and what one seat sees."""

    @property
    def ruleset(self) -> Ruleset:
        """The tracks as printed."""

    @property
    def local(self) -> Local:
        """Slots that have another price by now."""

    @property
    def step(self) -> int:
        """Some prices are others from Step 3 on."""


def tracks_now(position: Position, market: int = MAIN) -> Mapping[Resource, Track]:
    """Return the tracks of a market with the prices that its slots have now."""
    rules, cheap = position.ruleset, position.local.cheap_slots
    if market:
        return rules.markets[market]
    tracks = rules.step3_tracks if position.step == 3 else rules.tracks
    if not cheap:
        return tracks
    return {fuel: _with_cheap_slots(track, cheap[fuel]) for fuel, track in tracks.items()}


def _with_cheap_slots(track: Track, cheap: int) -> Track:
    return replace(track, prices=((LEAST,) * cheap + track.prices)[: len(track.prices)])


def costs(
    state: GameState, seat: Seat, resource: Resource, market: int = MAIN
) -> tuple[Elektro, ...]:
    """Return what the first 1, 2, 3 … tokens of a fuel cost a seat in all, as far as there are any.

    A market sells from its cheapest slot up. Where the rules say so, who has a house in a city
    pays less, and coal goes on from the supply at a fixed price (R17.4).
    """
    rules = state.ruleset
    track = tracks_now(state, market).get(resource)
    if track is None:
        return ()
    left = on_market(state, market)[resource]
    prices = list(track.prices[len(track.prices) - left :])
    if rules.fuel_discounts:
        less = _discount(state, seat, resource)
        prices = [max(LEAST, Elektro(price - less)) for price in prices]
    if rules.price_cap:
        prices = [price for price in prices if price <= rules.price_cap[state.step - 1]]
    overflow = rules.coal_overflow_price
    if resource is Resource.COAL and overflow is not None and market == MAIN:
        prices += [overflow] * state.supply.coal
    if resource is Resource.COAL and rules.burnt_coal_price is not None and market == MAIN:
        prices += [rules.burnt_coal_price] * state.local.storage
    totals, total = [], 0
    for price in prices:
        total += price
        totals.append(Elektro(total))
    return tuple(totals)


def _discount(state: GameState, seat: Seat, resource: Resource) -> int:
    cities = state.players[seat].cities
    discounts = state.ruleset.fuel_discounts
    return sum(d.elektro for d in discounts if d.fuel is resource and d.city in cities)


def cost(
    state: GameState, seat: Seat, amounts: Fuel, market: int = MAIN, stored: int = 0
) -> Elektro:
    """Return the price of a whole purchase; every fuel must be there in that number.

    `stored`: the part of its coal that comes from the storage of burnt coal.
    """
    rest = amounts - Fuel(coal=stored)
    total = sum(costs(state, seat, fuel, market)[n - 1] for fuel, n in rest.items())
    return Elektro(total + stored * (state.ruleset.burnt_coal_price or 0))


def from_supply(state: GameState, amounts: Fuel, market: int = MAIN) -> Fuel:
    """Return the part of a purchase that the market does not have (R17.4)."""
    if state.ruleset.coal_overflow_price is None:
        return Fuel()
    return Fuel(coal=max(0, amounts.coal - on_market(state, market).coal))


def from_storage(state: GameState, amounts: Fuel, wished: int) -> int:
    """Return how much coal of a purchase comes from the storage of burnt coal.

    That is what the buyer wishes, and what the market does not have.
    """
    if state.ruleset.burnt_coal_price is None:
        return 0
    return max(wished, amounts.coal - state.fuel_market.coal)


def cheaper_of_coal_and_oil(state: GameState) -> Resource:
    """Return which of the two the market sells cheaper now; coal when equal, sold out is dear."""
    prices = {
        fuel: price_of_next(tracks_now(state)[fuel], state.fuel_market[fuel])
        for fuel in (Resource.COAL, Resource.OIL)
    }
    return min(prices, key=lambda fuel: prices[fuel] or Elektro(10**6))


def refills(state: GameState, step: int) -> tuple[Fuel, ...]:
    """Return what a Step's row brings to each market: what the supply has and finds a free slot.

    R4.4, R4.5. The markets beside the main one take theirs first.
    """
    rules, players = state.ruleset, len(state.players)
    left = state.supply + Fuel(coal=state.local.storage)  # burnt coal comes back first
    others = []
    for market in range(1, len(rules.markets)):
        comes = _refill(rules.refill(players, step, market), left, _free(state, market))
        left -= comes
        others.append(comes)
    row = rules.refill(players, step)
    if state.uranium_stopped:
        row -= Fuel(uranium=row.uranium)
    return (_refill(row, left, _free(state, MAIN)), *others)


def refill(state: GameState, step: int) -> Fuel:
    """Return what a Step's row brings to the main market."""
    return refills(state, step)[MAIN]


def cheap_slots(state: GameState, step: int) -> Fuel:
    """Return the slots at 1 once the main market is refilled by a Step's row.

    Each token that the supply lacks makes one of the dearest slot; a market that was sold out
    begins again as printed.
    """
    rules = state.ruleset
    row, found = rules.refill(len(state.players), step), {}
    for fuel, track in rules.tracks.items():
        if track.short_refill == "slots_at_1":
            before = state.local.cheap_slots[fuel] if state.fuel_market[fuel] else 0
            found[fuel] = min(len(track.prices), before + max(0, row[fuel] - state.supply[fuel]))
    return Fuel(**found)


def _refill(row: Fuel, supply: Fuel, free: Fuel) -> Fuel:
    return Fuel(*map(min, row.counts(), supply.counts(), free.counts()))


def _free(state: GameState, market: int) -> Fuel:
    tracks = state.ruleset.markets[market]
    slots = Fuel(**{fuel: len(track.prices) for fuel, track in tracks.items()})
    return slots - on_market(state, market)
