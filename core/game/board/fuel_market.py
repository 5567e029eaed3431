"""The fuel market: prices, purchases, refill (R4)."""

from core.game.rules.knobs import FuelTrack
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Resource, Seat

LEAST = Elektro(1)
"""No token costs less, whatever is taken off."""


def price_of_next(track: FuelTrack, on_market: int) -> Elektro | None:
    """Return price of the next token while `on_market` are left, None when sold out (R4.2)."""
    return track.prices[len(track.prices) - on_market] if on_market else None


def costs(state: GameState, seat: Seat, resource: Resource) -> tuple[Elektro, ...]:
    """Return what the first 1, 2, 3 … tokens of a fuel cost a seat in all, as far as there are any.

    The market sells from its cheapest slot up. Where the rules say so, who has a house in a city
    pays less, and coal goes on from the supply at a fixed price (R17.4).
    """
    rules = state.ruleset
    track, on_market = rules.tracks[resource], state.fuel_market[resource]
    prices = list(track.prices[len(track.prices) - on_market :])
    if rules.fuel_discounts:
        less = _discount(state, seat, resource)
        prices = [max(LEAST, Elektro(price - less)) for price in prices]
    overflow = rules.coal_overflow_price
    if resource is Resource.COAL and overflow is not None:
        prices += [overflow] * state.supply.coal
    totals, total = [], 0
    for price in prices:
        total += price
        totals.append(Elektro(total))
    return tuple(totals)


def _discount(state: GameState, seat: Seat, resource: Resource) -> int:
    cities = state.players[seat].cities
    discounts = state.ruleset.fuel_discounts
    return sum(d.elektro for d in discounts if d.fuel is resource and d.city in cities)


def cost(state: GameState, seat: Seat, amounts: Fuel) -> Elektro:
    """Return the price of a whole purchase; every fuel must be there in that number."""
    return Elektro(sum(costs(state, seat, fuel)[n - 1] for fuel, n in amounts.items()))


def from_supply(state: GameState, amounts: Fuel) -> Fuel:
    """Return the part of a purchase that the market does not have (R17.4)."""
    return Fuel(coal=max(0, amounts.coal - state.fuel_market.coal))


def cheaper_of_coal_and_oil(state: GameState) -> Resource:
    """Return which of the two the market sells cheaper now; coal when equal, sold out is dear."""
    prices = {
        fuel: price_of_next(state.ruleset.tracks[fuel], state.fuel_market[fuel])
        for fuel in (Resource.COAL, Resource.OIL)
    }
    return min(prices, key=lambda fuel: prices[fuel] or Elektro(10**6))


def refill(state: GameState, step: int) -> Fuel:
    """Return the tokens that a Step's row brings: what the supply has and finds a free slot.

    R4.4, R4.5.
    """
    row = state.ruleset.refill(len(state.players), step)
    if state.uranium_stopped:
        row -= Fuel(uranium=row.uranium)
    slots = Fuel(*(len(track.prices) for track in state.ruleset.tracks.values()))
    limits = (row, state.supply, slots - state.fuel_market)
    return Fuel(*map(min, *(limit.counts() for limit in limits)))
