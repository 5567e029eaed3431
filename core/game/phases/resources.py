"""Phase 3: buying fuel, in reverse turn order (R8)."""

from core.game.board.fuel_market import cost, costs, from_supply
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
    """The seat whose turn it is to buy."""
    return state.waiting[:1]


def options(state: GameState, seat: Seat) -> PurchaseOffer:
    """Each fuel as far as market, storage and money go."""
    player = state.players[seat]
    room, coal_or_oil = room_for(state.plants_of(seat), player.fuel)
    fuels = []
    for fuel in Resource:
        affordable = (c for c in costs(state, seat, fuel)[: room[fuel]] if c <= player.elektro)
        fuels.append(FuelOffer(fuel, tuple(affordable)))
    on_sale = tuple(f for f in fuels if f.costs)
    return PurchaseOffer(on_sale, player.elektro, player.fuel, coal_or_oil)


def decide(course: Course, seat: Seat, move: Move) -> None:
    """Buy everything or, where a part is not possible, nothing."""
    if not isinstance(move, BuyResources):
        raise IllegalMove("wrong-moment", _("Now fuel is bought, e.g. buy 2 coal 1 oil"))
    state, amounts = course.state, move.amounts
    _check_on_sale(state, seat, amounts)
    player = state.players[seat]
    demand(
        fits(state.plants_of(seat), player.fuel + amounts),
        "no-storage",
        _("Your plants cannot store that much: {room}.").format(room=_room(state, seat)),
    )
    price = cost(state, seat, amounts)
    demand(
        price <= player.elektro,
        "fuel-too-expensive",
        _("That costs {price} Elektro and you have {purse}.").format(
            price=price, purse=player.elektro
        ),
    )
    course.add(FuelBought(seat, amounts, price, from_supply(state, amounts)))


def advance(course: Course) -> None:
    """Everybody has bought: building begins."""
    enter_step3_if_due(course, "phase")
    course.add(PhaseBegan(Phase.BUILDING, course.state.order[::-1]))


def _check_on_sale(state: GameState, seat: Seat, amounts: Fuel) -> None:
    demand(min(amounts.counts()) >= 0, "negative", _("You cannot sell fuel."))
    for fuel, count in amounts.items():
        left = len(costs(state, seat, fuel))
        demand(
            count <= left,
            "sold-out",
            _("Only {left} {fuel} can be bought now, not {count}.").format(
                left=left, fuel=_(fuel.value), count=count
            ),
        )


def _room(state: GameState, seat: Seat) -> str:
    room, coal_or_oil = room_for(state.plants_of(seat), state.players[seat].fuel)
    parts = [
        _("room for {count} more {fuel}").format(count=room[fuel], fuel=_(fuel.value))
        for fuel in Resource
        if room[fuel]
    ]
    if room.coal + room.oil > coal_or_oil:
        parts.append(_("{count} of coal and oil together").format(count=coal_or_oil))
    return ", ".join(parts) or _("there is no room left")
