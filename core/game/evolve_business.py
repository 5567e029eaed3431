"""The fold of buying fuel, building and bureaucracy."""

from core.game import events as ev
from core.game.changed import changed
from core.game.state import GameState
from core.game.types import Elektro

BusinessEvent = ev.FuelBought | ev.CityConnected | ev.BuildingEnded | ev.PlantsRun | ev.FuelRefilled


def fold_business(state: GameState, event: BusinessEvent) -> GameState:
    """Apply an event of phases 3 to 5 (R8 to R10)."""
    match event:
        case ev.FuelBought():
            return _fuel_bought(state, event)
        case ev.CityConnected(seat=seat, city=city):
            owner = state.players[seat]
            left = Elektro(owner.elektro - event.house_cost - event.connection_cost)
            owner = changed(owner, elektro=left, cities=(*owner.cities, city))
            return state.with_player(seat, owner)
        case ev.BuildingEnded(seat=seat):
            return state.without_waiting(seat)
        case ev.PlantsRun():
            return _run(state, event)
        case ev.FuelRefilled(amounts=amounts):
            return changed(
                state,
                fuel_market=state.fuel_market + amounts,
                supply=state.supply - amounts,
            )


def _fuel_bought(state: GameState, event: ev.FuelBought) -> GameState:
    buyer = state.players[event.seat]
    left = Elektro(buyer.elektro - event.cost)
    buyer = changed(buyer, elektro=left, fuel=buyer.fuel + event.amounts)
    return changed(
        state.with_player(event.seat, buyer).without_waiting(event.seat),
        fuel_market=state.fuel_market - (event.amounts - event.from_supply),
        supply=state.supply - event.from_supply,
    )


def _run(state: GameState, event: ev.PlantsRun) -> GameState:
    owner = state.players[event.seat]
    owner = changed(
        owner,
        elektro=Elektro(owner.elektro + event.income),
        fuel=owner.fuel - event.burned,
        powered=event.powered,
    )
    state = state.with_player(event.seat, owner).without_waiting(event.seat)
    return changed(state, supply=state.supply + event.burned)
