"""Orders for fuel: fill the plants in turn as far as the conditions go (R8)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.game.moves import BuyResources, Move
from core.game.observe import PlayerView
from core.game.offers import PurchaseOffer
from core.game.prices import Shop
from core.game.rules.knobs import Plant
from core.game.state import GameState
from core.game.types import Elektro, Fuel, Resource, Seat
from core.orders.model import NO_MONEY, Act, Ask, FuelOrder, Nothing, Standing, Verdict, chosen
from core.orders.words import no_rest, not_mine, partial_fill, too_dear_fuel


@dataclass(frozen=True, slots=True)
class Bought:
    """A purchase, and for each plant how many of the wanted tokens it has then."""

    amounts: Fuel
    filled: tuple[tuple[Plant, int, int], ...]
    """Plant, tokens it has, tokens wanted."""

    @property
    def complete(self) -> bool:
        """Does every plant have what was wanted?"""
        return all(has == wanted for _plant, has, wanted in self.filled)


def buying(view: PlayerView, offer: PurchaseOffer, rows: Sequence[Standing]) -> Verdict:
    """Buy what the order allows; what it does not get is said."""
    found = chosen(rows, FuelOrder, view.round)
    if found is None:
        return Nothing()
    number, order = found
    if order.until is not None:
        return _until(view, offer, order, number)
    mine = {plant.number: plant for plant in view.plants_of(view.viewer.seat)}
    missing = [plant for plant in order.plants or () if plant not in mine]
    if missing:
        return Ask(not_mine(missing[0], mine), number)
    listed = by_use(mine.values()) if order.plants is None else [mine[n] for n in order.plants]
    purse = to_spend(order, offer.elektro)
    filled = [
        (
            shop := Shop(tuple(mine.values()), replace(sale, elektro=purse)),
            fill(shop, order, listed),
        )
        for sale in offer.by_market
        if order.market in (None, sale.market)
    ]
    shop, bought = min(filled, key=_fills_most)
    if not bought.amounts and not bought.complete:
        return Ask(_refusal(order, bought, shop, offer.elektro), number)
    move = BuyResources(bought.amounts, shop.market if bought.amounts else "")
    unfinished = offer.one_token and bool(bought.amounts)  # the next token has its own turn
    return Act(move, number, "" if unfinished else partial_fill(bought.filled))


def _until(view: PlayerView, offer: PurchaseOffer, order: FuelOrder, number: int) -> Verdict:
    """Buy what is missing, fuel by fuel as far as the conditions go; nothing once all is there."""
    missing = _beyond(offer.held, order.until or Fuel())
    if not missing:
        return Act(BuyResources(Fuel()), number)
    plants, purse = view.plants_of(view.viewer.seat), to_spend(order, offer.elektro)
    for sale in offer.by_market:
        if order.market in (None, sale.market):
            got = _part(Shop(plants, replace(sale, elektro=purse)), order, missing)
            if got:
                return Act(BuyResources(got, sale.market, order.each), number)
    return Ask(no_rest(missing), number)


def _part(shop: Shop, order: FuelOrder, missing: Fuel) -> Fuel:
    got = Fuel()
    for fuel, count in missing.items():
        for _n in range(count):
            more = got + Fuel.of(fuel, 1)
            if _allowed(shop, order, more) is None:
                break
            got = more
    return got


def rest(state: GameState, seat: Seat, move: Move) -> FuelOrder | None:
    """Return the order that buys what of a list is not bought at once; None where all is."""
    if not isinstance(move, BuyResources) or move.amounts.total < 2:
        return None
    if state.ruleset.buy_order != "one_token_in_turn":
        return None
    until = state.players[seat].fuel + move.amounts
    return FuelOrder((), each=move.each, until=until, market=move.market or None)


def _beyond(held: Fuel, need: Fuel) -> Fuel:
    return Fuel(*(max(0, n - h) for n, h in zip(need.counts(), held.counts(), strict=True)))


def _fills_most(at: tuple[Shop, Bought]) -> tuple[int, Elektro]:
    """Rank a market: the one that fills most comes first, then the cheaper one."""
    shop, bought = at
    return -sum(has for _plant, has, _wanted in bought.filled), shop.price(
        bought.amounts
    ) or NO_MONEY


def to_spend(order: FuelOrder, purse: Elektro) -> Elektro:
    """Return the most that the order lets go from this purse, in Elektro."""
    spare = max(0, purse - order.keep)
    return Elektro(spare if order.total is None else min(spare, order.total))


def by_use(plants: Iterable[Plant]) -> list[Plant]:
    """Those that burn something, most cities first, then least fuel, then the lower number."""
    burning = [plant for plant in plants if plant.fuels]
    return sorted(burning, key=lambda p: (-p.cities, p.burns, p.number))


def fill(shop: Shop, order: FuelOrder, plants: Sequence[Plant]) -> Bought:
    """Return the cheapest purchase that fills the first plant as far as it goes, then the others.

    What the seat holds counts first. A hybrid takes whatever makes the whole purchase cheapest.
    """
    tokens: list[tuple[Plant, int]] = []
    best, filled = Fuel(), []
    for plant in plants:
        wanted = plant.burns * order.loads if plant.fuels else 0
        has = 0
        while has < wanted:
            amounts = cheapest(shop, order, [*tokens, (plant, has + 1)])
            if amounts is None:
                break
            best, has = amounts, has + 1
        tokens.append((plant, has))
        filled.append((plant, has, wanted))
    return Bought(best, tuple(filled))


def cheapest(shop: Shop, order: FuelOrder, tokens: Sequence[tuple[Plant, int]]) -> Fuel | None:
    """Return the cheapest purchase that gives each plant so many tokens; None: not allowed."""
    priced = [
        (price, amounts)
        for amounts in _ways(shop.held, tokens)
        if (price := _allowed(shop, order, amounts)) is not None
    ]
    return min(priced, key=lambda way: (way[0], -way[1].coal))[1] if priced else None


def _ways(held: Fuel, tokens: Sequence[tuple[Plant, int]]) -> Iterator[Fuel]:
    """Purchases without a token too many; hybrids leave the choice of coal or oil."""
    pure = sum((Fuel.of(p.fuels[0], n) for p, n in tokens if p.fuels and not p.hybrid), Fuel())
    mixed = sum(n for p, n in tokens if p.hybrid)
    for coal in range(mixed + 1):
        yield _beyond(held, pure + Fuel(coal=coal, oil=mixed - coal))


def _allowed(shop: Shop, order: FuelOrder, amounts: Fuel) -> Elektro | None:
    """Return the price of a purchase that market, storage, money and the order's terms allow."""
    price = shop.price(amounts)
    if price is None or (order.each is not None and _dearest(shop, amounts) > order.each):
        return None
    return price


def _dearest(shop: Shop, amounts: Fuel) -> Elektro:
    """Price of the dearest single token of a purchase: a market sells the dear ones last."""
    prices = (_token_price(shop, fuel, count) for fuel, count in amounts.items())
    return max(prices, default=Elektro(0))


def _token_price(shop: Shop, fuel: Resource, count: int) -> Elektro:
    """Price of the last of `count` tokens of one fuel, in Elektro."""
    costs = shop.costs[fuel]
    return Elektro(costs[count - 1] - (costs[count - 2] if count > 1 else 0))


def _refusal(order: FuelOrder, bought: Bought, shop: Shop, purse: Elektro) -> str:
    """Why not one token could be bought, told of the first plant that lacks fuel."""
    plant = next(plant for plant, has, wanted in bought.filled if has < wanted)
    prices = {f: _token_price(shop, f, 1) for f in plant.fuels if shop.costs.get(f)}
    most = to_spend(order, purse)
    return too_dear_fuel(plant, prices, most if order.each is None else min(most, order.each))
