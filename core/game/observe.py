"""What one seat may see: an allow-list (R15). Pages, mails and bots get this, never a GameState."""

from dataclasses import dataclass

from core.game.engine import options, to_act
from core.game.events import PlantMarket, Standing
from core.game.offers import Offer
from core.game.rules.knobs import Plant, PlayerNumbers, Ruleset
from core.game.state import Auction, GameState, Local, Player, running
from core.game.types import CityId, Elektro, Fuel, Phase, PlantNumber, RegionId, Seat


@dataclass(frozen=True, slots=True)
class PlayerSeen:
    """A seat as others see it; `elektro` is None where money is hidden (R15.1)."""

    seat: Seat
    elektro: Elektro | None
    plants: tuple[PlantNumber, ...]
    fuel: Fuel
    cities: tuple[CityId, ...]
    powered: int
    caretaker: bool


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A position without its secrets, for `seat` or, with None, for a spectator.

    `offer`: what the seat may do now, None when it is not asked. `stack_size` counts the Step 3
    card while it lies in the stack.
    """

    ruleset: Ruleset
    seat: Seat | None
    seq: int
    players: tuple[PlayerSeen, ...]
    regions: tuple[RegionId, ...]
    order: tuple[Seat, ...]
    round: int
    phase: Phase
    step: int
    market: PlantMarket
    stack_size: int
    fuel_market: Fuel
    supply: Fuel
    waiting: tuple[Seat, ...]
    to_act: tuple[Seat, ...]
    auction: Auction | None
    discarding: Seat | None
    token: PlantNumber | None
    step3_drawn: bool
    uranium_stopped: bool
    standings: tuple[Standing, ...]
    abandoned: bool
    local: Local
    offer: Offer | None

    @property
    def numbers(self) -> PlayerNumbers:
        """The numbers of R2 for this table."""
        return self.ruleset.numbers(len(self.players), self.regions)

    @property
    def me(self) -> PlayerSeen | None:
        """The viewer's own seat."""
        return None if self.seat is None else self.players[self.seat]

    @property
    def viewer(self) -> PlayerSeen:
        """The viewer's own seat. Raises ValueError for a spectator."""
        if self.seat is None:
            raise ValueError("a spectator has no seat")
        return self.players[self.seat]

    def plants_of(self, seat: Seat) -> tuple[Plant, ...]:
        """Return the plants of a seat that run, in the order bought."""
        return running(self.ruleset, self.players[seat].plants)

    def houses(self, city: CityId) -> tuple[Seat, ...]:
        """Seats with a house in a city, in seat order."""
        return tuple(p.seat for p in self.players if city in p.cities)


def observe(state: GameState, seat: Seat | None, revealed: bool = False) -> PlayerView:
    """Return the position as `seat` may see it, None for a spectator.

    `revealed`: the game is over now, so money that was hidden then is shown (R15.1).
    """
    acting = to_act(state)
    over = revealed or state.phase is Phase.FINISHED
    return PlayerView(
        ruleset=state.ruleset,
        seat=seat,
        seq=state.seq,
        players=tuple(_seen(state, s, open_money=over or s == seat) for s in state.seats),
        regions=state.regions,
        order=state.order,
        round=state.round,
        phase=state.phase,
        step=state.step,
        market=state.market,
        stack_size=len(state.stack),
        fuel_market=state.fuel_market,
        supply=state.supply,
        waiting=state.waiting,
        to_act=acting,
        auction=state.auction,
        discarding=state.discarding,
        token=state.token,
        step3_drawn=state.step3_drawn,
        uranium_stopped=state.uranium_stopped,
        standings=state.standings,
        abandoned=state.abandoned,
        local=state.local,
        offer=options(state, seat) if seat is not None and seat in acting else None,
    )


def _seen(state: GameState, seat: Seat, open_money: bool) -> PlayerSeen:
    player = state.players[seat]
    known = open_money or not state.ruleset.hidden_money
    return PlayerSeen(
        seat=seat,
        elektro=player.elektro if known else None,
        plants=player.plants,
        fuel=player.fuel,
        cities=player.cities,
        powered=player.powered,
        caretaker=player.caretaker,
    )


def position(view: PlayerView) -> GameState:
    """Return the position as a viewer knows it, so that the engine can judge a move ahead.

    The stack is empty and hidden money is nothing: good for what viewers can do in their own turn,
    where neither matters, and for nothing that is drawn.
    """
    return GameState(
        ruleset=view.ruleset,
        seq=view.seq,
        players=tuple(
            Player(
                elektro=Elektro(seen.elektro or 0),
                plants=seen.plants,
                fuel=seen.fuel,
                cities=seen.cities,
                powered=seen.powered,
                caretaker=seen.caretaker,
            )
            for seen in view.players
        ),
        regions=view.regions,
        order=view.order,
        round=view.round,
        phase=view.phase,
        step=view.step,
        market=view.market,
        stack=(),
        boxed=(),
        fuel_market=view.fuel_market,
        supply=view.supply,
        waiting=view.waiting,
        auction=view.auction,
        discarding=view.discarding,
        token=view.token,
        step3_drawn=view.step3_drawn,
        uranium_stopped=view.uranium_stopped,
        local=view.local,
    )
