"""The fold of auctions and of the plant market."""

from core.game import events as ev
from core.game.changed import changed
from core.game.errors import LogError
from core.game.state import Auction, GameState
from core.game.types import STEP_3_CARD, Elektro, PlantNumber

AuctionEvent = (
    ev.TokenPlaced | ev.TokenRemoved | ev.AuctionOpened | ev.AuctionDeclined | ev.BidPlaced
    | ev.BidPassed | ev.SealedBidGiven | ev.SealedBidsOpened | ev.PlantBought | ev.PlantDiscarded
)  # fmt: skip


def fold_auction(state: GameState, event: AuctionEvent) -> GameState:
    """Apply an event of an auction (R7)."""
    match event:
        case ev.TokenPlaced(plant=plant):
            return changed(state, token=plant)
        case ev.TokenRemoved():
            return changed(state, token=None)
        case ev.AuctionOpened():
            return _opened(state, event)
        case ev.AuctionDeclined(seat=seat):
            return state.without_waiting(seat)
        case ev.SealedBidsOpened():
            return state
        case ev.PlantBought():
            return _bought(state, event)
        case ev.PlantDiscarded():
            return _discarded(state, event)
        case ev.BidPlaced() | ev.BidPassed() | ev.SealedBidGiven():
            return changed(state, auction=_bid(_open_auction(state), event))


def _opened(state: GameState, event: ev.AuctionOpened) -> GameState:
    auction = Auction(event.plant, event.seat, event.bid, event.seat, event.bidders, event.sealed)
    token = None if event.plant == state.token else state.token
    return changed(state, auction=auction, token=token)


def _open_auction(state: GameState) -> Auction:
    if state.auction is None:
        raise LogError("A bid stands in the log where no auction is open.")
    return state.auction


def _bid(auction: Auction, event: ev.BidPlaced | ev.BidPassed | ev.SealedBidGiven) -> Auction:
    first, rest = auction.bidders[0], auction.bidders[1:]
    match event:
        case ev.BidPlaced(seat=seat, amount=amount):
            return changed(auction, bid=amount, leader=seat, bidders=(*rest, first))
        case ev.BidPassed():
            return changed(auction, bidders=rest)
        case ev.SealedBidGiven(seat=seat):
            return changed(auction, given=(*auction.given, seat))


def _bought(state: GameState, event: ev.PlantBought) -> GameState:
    seat, plant = event.seat, event.plant
    buyer = state.players[seat]
    state = state.with_player(
        seat,
        changed(
            buyer,
            elektro=Elektro(buyer.elektro - event.price),
            plants=(*buyer.plants, plant),
        ),
    )
    over = len(state.players[seat].plants) > state.numbers.plant_limit
    return changed(
        state.without_waiting(seat),
        auction=None,
        sold=True,
        market=event.market,
        discarding=seat if over else None,
        uranium_stopped=state.uranium_stopped or plant == state.ruleset.uranium_stop_after,
    )


def _discarded(state: GameState, event: ev.PlantDiscarded) -> GameState:
    owner = state.players[event.seat]
    kept = tuple(n for n in owner.plants if n != event.plant)
    owner = changed(owner, plants=kept, fuel=owner.fuel - event.lost)
    state = state.with_player(event.seat, owner)
    return changed(
        state,
        discarding=None,
        boxed=(*state.boxed, event.plant),
        supply=state.supply + event.lost,
    )


DeckEvent = ev.PlantDrawn | ev.PlantBoxed | ev.PlantPutUnder | ev.Step3CardBoxed | ev.StackShuffled


def fold_deck(state: GameState, event: DeckEvent) -> GameState:
    """Apply an event of the plant market or the stack (R6, R13)."""
    match event:
        case ev.PlantDrawn(plant=plant, market=market):
            drawn = state.step3_drawn or plant == STEP_3_CARD
            return changed(state, market=market, stack=state.stack[1:], step3_drawn=drawn)
        case ev.PlantBoxed(plant=plant, market=market, from_stack=from_stack):
            return _boxed(state, plant, market, from_stack)
        case ev.PlantPutUnder(plant=plant, market=market):
            return changed(state, market=market, stack=(*state.stack, plant))
        case ev.Step3CardBoxed(market=market, from_stack=from_stack):
            state = _boxed(state, STEP_3_CARD, market, from_stack)
            return changed(state, step3_drawn=True)
        case ev.StackShuffled(stack=stack):
            return changed(state, stack=stack)


def _boxed(
    state: GameState, plant: PlantNumber, market: ev.PlantMarket, from_stack: bool
) -> GameState:
    stack = state.stack[1:] if from_stack else state.stack
    return changed(state, market=market, stack=stack, boxed=(*state.boxed, plant))
