"""The fuel market: prices, purchases, refill (R4)."""

from core.game.rules.knobs import FuelTrack
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Resource


def price_of_next(track: FuelTrack, on_market: int) -> Elektro | None:
    """Return price of the next token while `on_market` are left, None when sold out (R4.2)."""
    return track.prices[len(track.prices) - on_market] if on_market else None


def costs(state: GameState, resource: Resource) -> tuple[Elektro, ...]:
    """Total price of the first 1, 2, 3 … tokens of a fuel that can be had now.

    The market sells from its cheapest slot up; where the map says so, coal goes on from the
    supply at a fixed price (R17.4).
    """
    track = state.ruleset.tracks[resource]
    on_market = state.fuel_market[resource]
    prices = list(track.prices[len(track.prices) - on_market :])
    overflow = state.ruleset.coal_overflow_price
    if resource is Resource.COAL and overflow is not None:
        prices += [overflow] * state.supply.coal
    totals, total = [], 0
    for price in prices:
        total += price
        totals.append(Elektro(total))
    return tuple(totals)


def cost(state: GameState, amounts: Fuel) -> Elektro:
    """Return price of a whole purchase; every fuel must be there in that number."""
    return Elektro(sum(costs(state, fuel)[count - 1] for fuel, count in amounts.items()))


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
    """Return the tokens that a Step's row brings, as far as the supply has them (R4.4, R4.5)."""
    row = state.ruleset.refill(len(state.players), step)
    if state.uranium_stopped:
        row -= Fuel(uranium=row.uranium)
    return Fuel(*(min(a, b) for a, b in zip(row.counts(), state.supply.counts(), strict=True)))
