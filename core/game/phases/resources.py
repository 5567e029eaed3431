"""Phase 3: buying fuel, in reverse turn order (R8)."""

from dataclasses import replace

from core.game.board.buy_order import bought_now
from core.game.board.fuel_market import cost, costs, from_storage, from_supply
from core.game.board.storage import fits, room_for
from core.game.course import Course, demand
from core.game.errors import IllegalMove
from core.game.events import FuelBought, PhaseBegan
from core.game.moves import BuyResources, Move
from core.game.offers import FuelOffer, PurchaseOffer
from core.game.phases.steps import enter_step3_if_due
from core.game.state import GameState
from core.game.types import Fuel, Phase, Resource, Seat
from core.text import _


def to_act(state: GameState) -> tuple[Seat, ...]:
    """Return the seat whose turn it is to buy."""
    return state.waiting[:1]


def options(state: GameState, seat: Seat) -> PurchaseOffer:
    """Each fuel as far as market, storage and money go; of every market where there are several."""
    main, *others = (_sale(state, seat, market) for market in range(len(state.ruleset.markets)))
    one_token = state.ruleset.buy_order == "one_token_in_turn"
    stored = state.local.storage if any(f.resource is Resource.COAL for f in main.fuels) else 0
    return replace(main, others=tuple(others), one_token=one_token, stored=stored)


def _sale(state: GameState, seat: Seat, market: int) -> PurchaseOffer:
    player = state.players[seat]
    room, coal_or_oil = room_for(state.plants_of(seat), player.fuel)
    fuels = []
    for fuel in Resource:
        prices = costs(state, seat, fuel, market)[: room[fuel]]
        fuels.append(FuelOffer(fuel, tuple(c for c in prices if c <= player.elektro)))
    on_sale = tuple(f for f in fuels if f.costs)
    name = state.ruleset.market_names[market] if market else ""
    return PurchaseOffer(on_sale, player.elektro, player.fuel, coal_or_oil, name)


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Buy everything or, where a part is not possible, nothing."""
    if not isinstance(move, BuyResources):
        raise IllegalMove("wrong-moment", _("Now fuel is bought, e.g. buy 2 coal 1 oil"))
    state, amounts = course.state, move.amounts
    market = _market(state, move.market)
    demand(min(amounts.counts()) >= 0, "negative", _("You cannot sell fuel."))
    _check_storage(state, seat, amounts)
    _check_on_sale(state, seat, amounts, market)
    player = state.players[seat]
    _check_stored(state, move)
    price = cost(state, seat, amounts, market, from_storage(state, amounts, move.stored))
    demand(
        price <= player.elektro,
        "fuel-too-expensive",
        _("That costs {price} Elektro and you have {purse}.").format(
            price=price, purse=player.elektro
        ),
    )
    now, done = bought_now(state.ruleset, amounts)
    _check_price(state, seat, replace(move, amounts=now), market)
    supplied = from_supply(state, now, market)
    stored = from_storage(state, now, move.stored)
    price = cost(state, seat, now, market, stored)
    course.add(FuelBought(seat, now, price, supplied, move.market, done, stored))


def advance(course: Course) -> None:
    """Everybody has bought: building begins."""
    enter_step3_if_due(course, "phase")
    course.add(PhaseBegan(Phase.BUILDING, course.state.order[::-1]))


def _check_price(state: GameState, seat: Seat, move: BuyResources, market: int) -> None:
    """Is the last token of each fuel as cheap as the buyer wants it?"""
    for fuel, count in move.amounts.items():
        totals = (0, *costs(state, seat, fuel, market))
        price = totals[count] - totals[count - 1]
        demand(
            move.each is None or price <= move.each,
            "token-too-dear",
            _("A token of {fuel} costs {price} now, more than the {most} that you allowed.").format(
                fuel=_(fuel.value), price=price, most=move.each
            ),
        )


def _market(state: GameState, name: str) -> int:
    """Return the market that is meant; the main one has no name in a move."""
    names = ("", *state.ruleset.market_names[1:])
    demand(name in names, "no-market", _("There is no such market here."))
    return names.index(name)


def _check_on_sale(state: GameState, seat: Seat, amounts: Fuel, market: int) -> None:
    for fuel, count in amounts.items():
        left = len(costs(state, seat, fuel, market))
        demand(
            count <= left,
            "sold-out",
            _("Only {left} {fuel} can be bought now, not {count}.").format(
                left=left, fuel=_(fuel.value), count=count
            ),
        )


def _check_stored(state: GameState, move: BuyResources) -> None:
    stored, coal = state.local.storage, move.amounts.coal
    demand(
        0 <= move.stored <= min(stored, coal),
        "not-stored",
        _("Of {coal} coal {count} cannot come from the storage; it has {stored}.").format(
            coal=coal, count=move.stored, stored=stored
        ),
    )


def _check_storage(state: GameState, seat: Seat, amounts: Fuel) -> None:
    """Do the plants burn and hold each fuel, and coal and oil together?"""
    plants, held = state.plants_of(seat), state.players[seat].fuel
    burnt = {fuel for plant in plants for fuel in plant.fuels}
    room, coal_or_oil = room_for(plants, held)
    for fuel, count in amounts.items():
        text = _("None of your plants burns {fuel}.")
        demand(fuel in burnt, "no-storage", text.format(fuel=_(fuel.value)))
        text = _("Your plants can store {room} more {fuel}, not {count}.")
        text = text.format(room=room[fuel], fuel=_(fuel.value), count=count)
        demand(count <= room[fuel], "no-storage", text)
    text = _("Your plants can store {room} more tokens of coal and oil together, not {count}.")
    text = text.format(room=coal_or_oil, count=amounts.coal + amounts.oil)
    demand(fits(plants, held + amounts), "no-storage", text)
