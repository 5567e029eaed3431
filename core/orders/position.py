"""The whole position as one seat knows it, so that the engine itself can judge a move ahead."""

from core.game.observe import PlayerSeen, PlayerView
from core.game.state import GameState, Player
from core.game.types import Elektro


def position(view: PlayerView) -> GameState:
    """Return the position behind a view; the stack is empty and hidden money is nothing.

    Good for what viewers can do in their own turn, where neither matters, and for nothing that
    is drawn.
    """
    return GameState(
        ruleset=view.ruleset,
        seq=view.seq,
        players=tuple(_player(seen) for seen in view.players),
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


def _player(seen: PlayerSeen) -> Player:
    return Player(
        elektro=Elektro(seen.elektro or 0),
        plants=seen.plants,
        fuel=seen.fuel,
        cities=seen.cities,
        powered=seen.powered,
        caretaker=seen.caretaker,
    )
