"""The fold: state + event -> state. It assigns, never decides, and never fails on a sound log."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, get_args, get_type_hints

from core.game import events as ev
from core.game.errors import LogError
from core.game.events import Event
from core.game.rules.knobs import opening_stock
from core.game.state import PLAIN, Auction, GameState, Local, Player, fast_replace
from core.game.types import STEP_3_CARD, Elektro, Fuel, Phase, PlantNumber, Seat

CASES: Final[dict[type[Event], Callable[[GameState, Any], GameState]]] = {}
"""The case of every kind of event that needs no other position than the last one."""
C = TypeVar("C", bound=Callable[[GameState, Any], GameState])


def _case(function: C) -> C:
    """Register the case of the kinds of event that the parameter `event` may be."""
    hint = get_type_hints(function)["event"]
    CASES.update(dict.fromkeys(get_args(hint) or (hint,), function))
    return function


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
    if isinstance(event, ev.Rewound):
        raise LogError("Moves can be taken back only where the positions before are known.")
    state = fast_replace(CASES[type(event)](state, event), seq=state.seq + 1)
    if isinstance(event, ev.AuctionOpened) and event.sealed:
        return state  # the opener's own SealedBidGiven follows: both are one move
    return _moved(state, event.seat) if isinstance(event, ev.SeatMoved) else state


def _rewound(now: GameState, then: GameState) -> GameState:
    """Return the position of then, in which those who are away now are away (M56)."""
    players = tuple(
        fast_replace(old, missed=new.missed, caretaker=new.caretaker)
        for old, new in zip(then.players, now.players, strict=True)
    )
    return fast_replace(then, players=players, seq=now.seq + 1, unasked=None)


def _started(event: ev.GameStarted) -> GameState:
    rules = event.ruleset.with_plants_of(event.regions)
    market, *others = opening_stock(rules)
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
        supply=everything - sum(others, market),
        local=_local(event, tuple(others)),
    )


def _local(event: ev.GameStarted, markets: tuple[Fuel, ...]) -> Local:
    one_row, mines = not event.market.future, event.ruleset.mines
    if not (markets or one_row or mines):
        return PLAIN
    return Local(markets=markets, one_row=one_row, mine_tokens=len(mines.prices) if mines else 0)


def _moved(state: GameState, seat: Seat) -> GameState:
    """End a seat's row of missed turns by its own move; a default or a forced one does not."""
    if state.unasked == seat:
        return fast_replace(state, unasked=None)
    player = state.players[seat]
    if not player.missed:
        return state
    return state.with_player(seat, fast_replace(player, missed=0))


@_case
def _told(
    state: GameState,
    event: ev.DeadlineExtended | ev.GraceGiven | ev.VacationBegan | ev.MadeBySitter | ev.SeatOpened
    | ev.DraftPlayed | ev.GamePaused | ev.GameResumed | ev.OrdersRevealed | ev.SealedBidsOpened,
) -> GameState:  # fmt: skip
    return state  # told to the players; the position on the board is the same


@_case
def _region_chosen(state: GameState, event: ev.RegionChosen) -> GameState:
    regions = (*state.regions, event.region)
    rules = state.ruleset
    if len(regions) == state.numbers.regions:
        rules = rules.with_plants_of(regions)
    return fast_replace(state, regions=regions, waiting=state.waiting[1:], ruleset=rules)


@_case
def _blocked(state: GameState, event: ev.CitiesBlocked) -> GameState:
    return state.with_local(blocked=event.cities)


@_case
def _round_began(state: GameState, event: ev.RoundBegan) -> GameState:
    local = state.local.next_round()
    return fast_replace(state, round=event.round, order=event.order, local=local)


@_case
def _order_changed(state: GameState, event: ev.OrderChanged) -> GameState:
    return fast_replace(state, order=event.order)


@_case
def _phase_began(state: GameState, event: ev.PhaseBegan) -> GameState:
    return fast_replace(state, phase=event.phase, waiting=event.seats, sold=False)


@_case
def _step_reached(state: GameState, event: ev.StepReached) -> GameState:
    return fast_replace(state, step=event.step)


@_case
def _mines_sold(state: GameState, event: ev.MinesSold) -> GameState:
    owner = state.players[event.seat]
    owner = fast_replace(owner, elektro=Elektro(owner.elektro + event.income))
    return state.with_player(event.seat, owner).with_local(mine_tokens=event.tokens)


@_case
def _mine_tokens_removed(state: GameState, event: ev.MineTokensRemoved) -> GameState:
    return state.with_local(mine_tokens=state.local.mine_tokens - event.tokens)


@_case
def _last_income(state: GameState, event: ev.LastIncome) -> GameState:
    players = tuple(
        fast_replace(player, elektro=Elektro(player.elektro + income))
        for player, income in zip(state.players, event.incomes, strict=True)
    )
    return fast_replace(state, players=players)


@_case
def _ended(state: GameState, event: ev.GameEnded) -> GameState:
    powered = {s.seat: s.powered for s in event.standings}
    players = tuple(
        fast_replace(p, powered=powered[s]) for s, p in zip(state.seats, state.players, strict=True)
    )
    return fast_replace(_finished(state), standings=event.standings, players=players)


@_case
def _abandoned(state: GameState, event: ev.GameAbandoned) -> GameState:
    return fast_replace(_finished(state), abandoned=True)


def _finished(state: GameState) -> GameState:
    return fast_replace(state, phase=Phase.FINISHED, waiting=(), auction=None, discarding=None)


# An auction (R7).


@_case
def _token_placed(state: GameState, event: ev.TokenPlaced) -> GameState:
    return fast_replace(state, token=event.plant)


@_case
def _token_removed(state: GameState, event: ev.TokenRemoved) -> GameState:
    return fast_replace(state, token=None)


@_case
def _opened(state: GameState, event: ev.AuctionOpened) -> GameState:
    auction = Auction(event.plant, event.seat, event.bid, event.seat, event.bidders, event.sealed)
    token = None if event.plant == state.token else state.token
    if state.ruleset.token_buys_again and event.plant == state.token:
        state = state.with_local(token_up=True)
    return fast_replace(state, auction=auction, token=token)


@_case
def _no_more(state: GameState, event: ev.AuctionDeclined | ev.BuildingEnded) -> GameState:
    return state.without_waiting(event.seat)


@_case
def _bid_placed(state: GameState, event: ev.BidPlaced) -> GameState:
    auction = _open_auction(state)
    bidders = (*auction.bidders[1:], auction.bidders[0])
    auction = fast_replace(auction, bid=event.amount, leader=event.seat, bidders=bidders)
    return fast_replace(state, auction=auction)


@_case
def _bid_passed(state: GameState, event: ev.BidPassed) -> GameState:
    auction = _open_auction(state)
    return fast_replace(state, auction=fast_replace(auction, bidders=auction.bidders[1:]))


@_case
def _sealed_bid_given(state: GameState, event: ev.SealedBidGiven) -> GameState:
    auction = _open_auction(state)
    return fast_replace(state, auction=fast_replace(auction, given=(*auction.given, event.seat)))


def _open_auction(state: GameState) -> Auction:
    if state.auction is None:
        raise LogError("A bid stands in the log where no auction is open.")
    return state.auction


@_case
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
    over = len(state.plants_of(seat)) > state.numbers.plant_limit
    if state.local.token_up:
        state = state.with_local(token_up=False)
    return fast_replace(
        state if event.again else state.without_waiting(seat),
        auction=None,
        sold=True,
        market=event.market,
        discarding=seat if over else None,
        uranium_stopped=state.uranium_stopped or plant == state.ruleset.uranium_stop_after,
    )


@_case
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


# The plant market and the stack (R6, R13).


@_case
def _drawn(state: GameState, event: ev.PlantDrawn) -> GameState:
    drawn = state.step3_drawn or event.plant == STEP_3_CARD
    return fast_replace(state, market=event.market, stack=state.stack[1:], step3_drawn=drawn)


@_case
def _plant_boxed(state: GameState, event: ev.PlantBoxed) -> GameState:
    state = _boxed(state, event.plant, event.market, event.from_stack)
    if event.because == "first-decline":
        return state.with_local(declined=True)
    if event.because == "unsold-token" and state.ruleset.rotation_boxes_lowest:
        return state.with_local(token_boxed=True)
    return state


@_case
def _set_aside(state: GameState, event: ev.PlantSetAside) -> GameState:
    state = fast_replace(state, market=event.market)
    return state.with_local(side_pile=(*state.local.side_pile, event.plant))


@_case
def _used_up(state: GameState, event: ev.StackUsedUp) -> GameState:
    used = state.local.decks_used + 1
    state = fast_replace(state, stack=event.stack, market=event.market)
    return state.with_local(side_pile=(), decks_used=used, one_row=not event.stack)


@_case
def _on_top(state: GameState, event: ev.PlantsOnTop) -> GameState:
    return fast_replace(state, stack=(*event.plants, *state.stack))


@_case
def _put_under(state: GameState, event: ev.PlantPutUnder) -> GameState:
    return fast_replace(state, market=event.market, stack=(*state.stack, event.plant))


@_case
def _step3_card_boxed(state: GameState, event: ev.Step3CardBoxed) -> GameState:
    state = _boxed(state, STEP_3_CARD, event.market, event.from_stack)
    return fast_replace(state, step3_drawn=True)


@_case
def _card_back(state: GameState, event: ev.Step3CardBack) -> GameState:
    return fast_replace(state, stack=event.stack, market=event.market, step3_drawn=False)


@_case
def _shuffled(state: GameState, event: ev.StackShuffled) -> GameState:
    return fast_replace(state, stack=event.stack)


def _boxed(
    state: GameState, plant: PlantNumber, market: ev.PlantMarket, from_stack: bool
) -> GameState:
    stack = state.stack[1:] if from_stack else state.stack
    return fast_replace(state, market=market, stack=stack, boxed=(*state.boxed, plant))


# Phases 3 to 5 (R8 to R10).


@_case
def _fuel_bought(state: GameState, event: ev.FuelBought) -> GameState:
    buyer = state.players[event.seat]
    left = Elektro(buyer.elektro - event.cost)
    buyer = fast_replace(buyer, elektro=left, fuel=buyer.fuel + event.amounts)
    state = state.with_player(event.seat, buyer).without_waiting(event.seat)
    if not event.done:
        state = fast_replace(state, waiting=(*state.waiting, event.seat))
    state = fast_replace(state, supply=state.supply - event.from_supply)
    taken = event.amounts - event.from_supply
    if event.from_storage:
        taken -= Fuel(coal=event.from_storage)
        state = state.with_local(storage=state.local.storage - event.from_storage)
    if not event.market:
        return fast_replace(state, fuel_market=state.fuel_market - taken)
    at = state.ruleset.market_names.index(event.market) - 1
    markets = state.local.markets
    return state.with_local(markets=(*markets[:at], markets[at] - taken, *markets[at + 1 :]))


@_case
def _connected(state: GameState, event: ev.CityConnected) -> GameState:
    owner = state.players[event.seat]
    left = Elektro(owner.elektro - event.house_cost - event.connection_cost)
    owner = fast_replace(owner, elektro=left, cities=(*owner.cities, event.city))
    if state.ruleset.outage:
        state = state.with_local(houses_built=state.local.houses_built + 1)
    if event.jump:
        state = state.with_local(jumped=(*state.local.jumped, event.seat))
    return state.with_player(event.seat, owner)


@_case
def _run(state: GameState, event: ev.PlantsRun) -> GameState:
    owner = state.players[event.seat]
    owner = fast_replace(
        owner,
        elektro=Elektro(owner.elektro + event.income),
        fuel=owner.fuel - event.burned,
        powered=event.powered,
    )
    state = state.with_player(event.seat, owner).without_waiting(event.seat)
    return state.with_burnt(event.burned)


@_case
def _refilled(state: GameState, event: ev.FuelRefilled) -> GameState:
    stored = min(state.local.storage, event.amounts.coal)
    if stored:
        state = state.with_local(storage=state.local.storage - stored)
    fuel_market = state.fuel_market + event.amounts
    supply = state.supply - event.amounts + Fuel(coal=stored)
    state = fast_replace(state, fuel_market=fuel_market, supply=supply)
    if event.cheap_slots != state.local.cheap_slots:
        state = state.with_local(cheap_slots=event.cheap_slots)
    if not event.others:
        return state
    pairs = zip(state.local.markets, event.others, strict=True)
    supply -= sum(event.others, Fuel())
    return fast_replace(state, supply=supply).with_local(markets=tuple(a + b for a, b in pairs))


# Who is there, and who is not.


@_case
def _missed(state: GameState, event: ev.TurnMissed) -> GameState:
    player = state.players[event.seat]
    player = fast_replace(player, missed=player.missed + 1)
    return fast_replace(state.with_player(event.seat, player), unasked=event.seat)


@_case
def _not_asked(
    state: GameState, event: ev.MoveForced | ev.MoveOrdered | ev.TurnSkipped | ev.MoveCorrected
) -> GameState:
    if isinstance(event, ev.MoveOrdered) and event.made:
        return state
    return fast_replace(state, unasked=event.seat)


@_case
def _caretaker_appointed(state: GameState, event: ev.CaretakerAppointed) -> GameState:
    owner = fast_replace(state.players[event.seat], caretaker=True)
    return state.with_player(event.seat, owner)


@_case
def _there_again(state: GameState, event: ev.OwnerReturned | ev.SeatTaken) -> GameState:
    owner = fast_replace(state.players[event.seat], caretaker=False, missed=0)
    unasked = None if state.unasked == event.seat else state.unasked
    return fast_replace(state.with_player(event.seat, owner), unasked=unasked)
