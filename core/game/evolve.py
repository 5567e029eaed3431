"""The fold: state + event -> state. It assigns, never decides, and never fails on a sound log."""

from collections.abc import Iterable
from typing import assert_never

from core.game import events as ev
from core.game.errors import LogError
from core.game.events import Event
from core.game.state import Auction, GameState, Player, fast_replace
from core.game.types import STEP_3_CARD, Elektro, Fuel, Phase, PlantNumber, Seat

AuctionEvent = (
    ev.TokenPlaced | ev.TokenRemoved | ev.AuctionOpened | ev.AuctionDeclined | ev.BidPlaced
    | ev.BidPassed | ev.SealedBidGiven | ev.SealedBidsOpened | ev.PlantBought | ev.PlantDiscarded
)  # fmt: skip


def fold_auction(state: GameState, event: AuctionEvent) -> GameState:
    """Apply an event of an auction (R7)."""
    match event:
        case ev.TokenPlaced(plant=plant):
            return fast_replace(state, token=plant)
        case ev.TokenRemoved():
            return fast_replace(state, token=None)
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
            return fast_replace(state, auction=_bid(_open_auction(state), event))


def _opened(state: GameState, event: ev.AuctionOpened) -> GameState:
    auction = Auction(event.plant, event.seat, event.bid, event.seat, event.bidders, event.sealed)
    token = None if event.plant == state.token else state.token
    return fast_replace(state, auction=auction, token=token)


def _open_auction(state: GameState) -> Auction:
    if state.auction is None:
        raise LogError("A bid stands in the log where no auction is open.")
    return state.auction


def _bid(auction: Auction, event: ev.BidPlaced | ev.BidPassed | ev.SealedBidGiven) -> Auction:
    first, rest = auction.bidders[0], auction.bidders[1:]
    match event:
        case ev.BidPlaced(seat=seat, amount=amount):
            return fast_replace(auction, bid=amount, leader=seat, bidders=(*rest, first))
        case ev.BidPassed():
            return fast_replace(auction, bidders=rest)
        case ev.SealedBidGiven(seat=seat):
            return fast_replace(auction, given=(*auction.given, seat))


def _bought(state: GameState, event: ev.PlantBought) -> GameState:
    seat, plant = event.seat, event.plant
    buyer = state.players[seat]
    state = state.with_player(
        seat,
        fast_replace(
            buyer,
            elektro=Elektro(buyer.elektro - event.price),
            plants=(*buyer.plants, plant),
        ),
    )
    over = len(state.players[seat].plants) > state.numbers.plant_limit
    return fast_replace(
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
    owner = fast_replace(owner, plants=kept, fuel=owner.fuel - event.lost)
    state = state.with_player(event.seat, owner)
    return fast_replace(
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
            return fast_replace(state, market=market, stack=state.stack[1:], step3_drawn=drawn)
        case ev.PlantBoxed(plant=plant, market=market, from_stack=from_stack):
            return _boxed(state, plant, market, from_stack)
        case ev.PlantPutUnder(plant=plant, market=market):
            return fast_replace(state, market=market, stack=(*state.stack, plant))
        case ev.Step3CardBoxed(market=market, from_stack=from_stack):
            state = _boxed(state, STEP_3_CARD, market, from_stack)
            return fast_replace(state, step3_drawn=True)
        case ev.StackShuffled(stack=stack):
            return fast_replace(state, stack=stack)


def _boxed(
    state: GameState, plant: PlantNumber, market: ev.PlantMarket, from_stack: bool
) -> GameState:
    stack = state.stack[1:] if from_stack else state.stack
    return fast_replace(state, market=market, stack=stack, boxed=(*state.boxed, plant))


BusinessEvent = ev.FuelBought | ev.CityConnected | ev.BuildingEnded | ev.PlantsRun | ev.FuelRefilled


def fold_business(state: GameState, event: BusinessEvent) -> GameState:
    """Apply an event of phases 3 to 5 (R8 to R10)."""
    match event:
        case ev.FuelBought():
            return _fuel_bought(state, event)
        case ev.CityConnected(seat=seat, city=city):
            owner = state.players[seat]
            left = Elektro(owner.elektro - event.house_cost - event.connection_cost)
            owner = fast_replace(owner, elektro=left, cities=(*owner.cities, city))
            return state.with_player(seat, owner)
        case ev.BuildingEnded(seat=seat):
            return state.without_waiting(seat)
        case ev.PlantsRun():
            return _run(state, event)
        case ev.FuelRefilled(amounts=amounts):
            return fast_replace(
                state,
                fuel_market=state.fuel_market + amounts,
                supply=state.supply - amounts,
            )


def _fuel_bought(state: GameState, event: ev.FuelBought) -> GameState:
    buyer = state.players[event.seat]
    left = Elektro(buyer.elektro - event.cost)
    buyer = fast_replace(buyer, elektro=left, fuel=buyer.fuel + event.amounts)
    return fast_replace(
        state.with_player(event.seat, buyer).without_waiting(event.seat),
        fuel_market=state.fuel_market - (event.amounts - event.from_supply),
        supply=state.supply - event.from_supply,
    )


def _run(state: GameState, event: ev.PlantsRun) -> GameState:
    owner = state.players[event.seat]
    owner = fast_replace(
        owner,
        elektro=Elektro(owner.elektro + event.income),
        fuel=owner.fuel - event.burned,
        powered=event.powered,
    )
    state = state.with_player(event.seat, owner).without_waiting(event.seat)
    return fast_replace(state, supply=state.supply + event.burned)


class Fold:
    """A fold that remembers its positions, so that moves can be taken back (M56).

    A position is frozen and shares most of itself with the one before it: keeping them is cheap.
    """

    def __init__(self, state: GameState | None = None) -> None:
        """Begin with an empty log, or go on from a position."""
        self.state = state
        self._first = state.seq if state else 1
        self._positions = [state] if state else []

    def add(self, event: Event) -> GameState:
        """Apply one event; LogError if it takes back moves from before this fold began."""
        if isinstance(event, ev.Rewound):
            state = _rewound(self._now(), self.at(event.to))
        else:
            state = evolve(self.state, event)
        self._positions.append(state)
        self.state = state
        return state

    def at(self, seq: int) -> GameState:
        """Return the position after event `seq`; LogError where it is not in this fold."""
        if not self._first <= seq < self._first + len(self._positions):
            raise LogError(f"There is no position {seq} to go back to.")
        return self._positions[seq - self._first]

    def _now(self) -> GameState:
        if self.state is None:
            raise LogError("A log starts with GameStarted, not with Rewound.")
        return self.state


def replay(events: Iterable[Event], state: GameState | None = None) -> GameState:
    """Fold events from the start, or on top of `state`; LogError if there is nothing to fold."""
    fold = Fold(state)
    for event in events:
        fold.add(event)
    if fold.state is None:
        raise LogError("An empty log has no position.")
    return fold.state


def evolve(state: GameState | None, event: Event) -> GameState:
    """Apply one event that needs no other position than the last; Fold knows the others."""
    if isinstance(event, ev.GameStarted):
        if state is not None:
            raise LogError("A log has only one GameStarted.")
        return _started(event)
    if state is None:
        raise LogError(f"A log starts with GameStarted, not with {event.type}.")
    state = fast_replace(_apply(state, event), seq=state.seq + 1)
    if isinstance(event, ev.AuctionOpened) and event.sealed:
        return state  # the opener's own SealedBidGiven follows: both are one move
    return _moved(state, event.seat) if isinstance(event, SEAT_MOVED) else state


def _rewound(now: GameState, then: GameState) -> GameState:
    """Return the position of then, in which those who are away now are away (M56)."""
    players = tuple(
        fast_replace(old, missed=new.missed, caretaker=new.caretaker)
        for old, new in zip(then.players, now.players, strict=True)
    )
    return fast_replace(then, players=players, seq=now.seq + 1, unasked=None)


def _started(event: ev.GameStarted) -> GameState:
    rules = event.ruleset
    market = Fuel(*(_start_tokens(t.prices, t.start_from) for t in rules.tracks.values()))
    everything = Fuel(*(t.tokens for t in rules.tracks.values()))
    return GameState(
        ruleset=rules,
        seq=1,
        players=tuple(Player(rules.starting_elektro) for _ in range(event.seats)),
        regions=event.regions,
        order=event.order,
        round=0,
        phase=Phase.REGIONS,
        step=1,
        market=event.market,
        stack=event.stack,
        boxed=event.boxed,
        fuel_market=market,
        supply=everything - market,
    )


def _start_tokens(prices: tuple[Elektro, ...], start_from: Elektro) -> int:
    return sum(1 for price in prices if price >= start_from)


def _apply(state: GameState, event: Event) -> GameState:
    """Fold an event; each kind belongs to one part of the game.

    The parts stand below in that order.
    """
    match event:
        case ev.GameStarted():
            raise LogError("A log has only one GameStarted.")
        case ev.Rewound():
            raise LogError("Moves can be taken back only where the positions before are known.")
        case (
            ev.RegionChosen() | ev.RoundBegan() | ev.OrderChanged() | ev.PhaseBegan()
            | ev.StepReached() | ev.GameEnded() | ev.GameAbandoned()
        ):  # fmt: skip
            return _course(state, event)
        case (
            ev.TokenPlaced() | ev.TokenRemoved() | ev.AuctionOpened() | ev.AuctionDeclined()
            | ev.BidPlaced() | ev.BidPassed() | ev.SealedBidGiven() | ev.SealedBidsOpened()
            | ev.PlantBought() | ev.PlantDiscarded()
        ):  # fmt: skip
            return fold_auction(state, event)
        case (
            ev.PlantDrawn() | ev.PlantBoxed() | ev.PlantPutUnder() | ev.Step3CardBoxed()
            | ev.StackShuffled()
        ):  # fmt: skip
            return fold_deck(state, event)
        case (
            ev.FuelBought() | ev.CityConnected() | ev.BuildingEnded() | ev.PlantsRun()
            | ev.FuelRefilled()
        ):  # fmt: skip
            return fold_business(state, event)
        case (
            ev.TurnMissed() | ev.MoveForced() | ev.MoveOrdered() | ev.TurnSkipped()
            | ev.MoveCorrected() | ev.CaretakerAppointed() | ev.OwnerReturned() | ev.SeatTaken()
        ):  # fmt: skip
            return _absence(state, event)
        case (
            ev.DeadlineExtended() | ev.GraceGiven() | ev.VacationBegan() | ev.MadeBySitter()
            | ev.SeatOpened() | ev.DraftPlayed() | ev.GamePaused() | ev.GameResumed()
            | ev.OrdersRevealed()
        ):  # fmt: skip
            return state  # told to the players; the position on the board is the same
        case _:
            assert_never(event)


_Course = (
    ev.RegionChosen | ev.RoundBegan | ev.OrderChanged | ev.PhaseBegan
    | ev.StepReached | ev.GameEnded | ev.GameAbandoned
)  # fmt: skip


def _course(state: GameState, event: _Course) -> GameState:
    match event:
        case ev.RegionChosen(region=region):
            return fast_replace(state, regions=(*state.regions, region), waiting=state.waiting[1:])
        case ev.RoundBegan(round=number, order=order):
            return fast_replace(state, round=number, order=order)
        case ev.OrderChanged(order=order):
            return fast_replace(state, order=order)
        case ev.PhaseBegan(phase=phase, seats=seats):
            return fast_replace(state, phase=phase, waiting=seats, sold=False)
        case ev.StepReached(step=step):
            return fast_replace(state, step=step)
        case ev.GameEnded(standings=standings):
            return fast_replace(
                _finished(state),
                standings=standings,
                players=_with_powered(state, {s.seat: s.powered for s in standings}),
            )
        case ev.GameAbandoned():
            return fast_replace(_finished(state), abandoned=True)


def _finished(state: GameState) -> GameState:
    return fast_replace(state, phase=Phase.FINISHED, waiting=(), auction=None, discarding=None)


def _with_powered(state: GameState, powered: dict[Seat, int]) -> tuple[Player, ...]:
    return tuple(
        fast_replace(p, powered=powered[s]) for s, p in zip(state.seats, state.players, strict=True)
    )


_AbsenceEvent = (
    ev.TurnMissed | ev.MoveForced | ev.MoveOrdered | ev.TurnSkipped | ev.MoveCorrected
    | ev.CaretakerAppointed | ev.OwnerReturned | ev.SeatTaken
)  # fmt: skip


def _absence(state: GameState, event: _AbsenceEvent) -> GameState:
    match event:
        case ev.TurnMissed(seat=seat):
            player = state.players[seat]
            player = fast_replace(player, missed=player.missed + 1)
            return fast_replace(state.with_player(seat, player), unasked=seat)
        case (
            ev.MoveForced(seat=seat) | ev.MoveOrdered(seat=seat) | ev.TurnSkipped(seat=seat)
            | ev.MoveCorrected(seat=seat)
        ):  # fmt: skip
            return fast_replace(state, unasked=seat)
        case ev.CaretakerAppointed(seat=seat):
            return state.with_player(seat, fast_replace(state.players[seat], caretaker=True))
        case ev.OwnerReturned(seat=seat) | ev.SeatTaken(seat=seat):
            owner = fast_replace(state.players[seat], caretaker=False, missed=0)
            unasked = None if state.unasked == seat else state.unasked
            return fast_replace(state.with_player(seat, owner), unasked=unasked)


SEAT_MOVED = (
    ev.RegionChosen, ev.AuctionOpened, ev.AuctionDeclined, ev.BidPlaced, ev.BidPassed,
    ev.SealedBidGiven, ev.PlantDiscarded, ev.FuelBought, ev.BuildingEnded, ev.PlantsRun,
)  # fmt: skip
"""The event by which a seat's move is made."""


def _moved(state: GameState, seat: Seat) -> GameState:
    """Return a seat's own move ends its row of missed turns.

    A default move or a forced one does not.
    """
    if state.unasked == seat:
        return fast_replace(state, unasked=None)
    player = state.players[seat]
    if not player.missed:
        return state
    return state.with_player(seat, fast_replace(player, missed=0))
