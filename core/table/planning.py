"""The planning call: as a round begins all are asked at once for their orders for it.

Until everybody has answered, or the time is over, nobody is asked for a move and no bot moves.
Then the table plays as far as the orders carry it. A call that nobody answers is no missed turn.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from sqlmodel import Session

from core.game.events import Event, PhaseBegan
from core.game.state import GameState
from core.game.types import Phase, Seat
from core.store.tables import Game, Turn
from core.table import turns
from core.table.outgoing import post
from core.terms import Terms

if TYPE_CHECKING:
    from core.table.play import Play


def begins(event: Event) -> bool:
    """Does this event bring the moment at which a table that plans is asked?"""
    return isinstance(event, PhaseBegan) and event.phase is Phase.AUCTION


def agreed(game: Game) -> bool:
    """Do the terms of this table have planning calls?"""
    return Terms.of(game.terms).planning == "round"


def call(play: "Play") -> dict[Seat, Turn]:
    """Ask everybody for the round whose auction phase begins, but those who have ordered it all."""
    if not _untouched(play.state):
        return {}
    asked = [
        seat
        for seat in play.state.order
        if not play.machine(seat) and not play.orders.covers(seat, play.state.round)
    ]
    calls = {seat: turns.ask(play.session, play.game, seat, play.now, plan=True) for seat in asked}
    for seat, turn in calls.items():
        post.turn(play.session, play.owners[seat], turn, play.now)
    return calls


def ready(session: Session, game: Game, seat: Seat, now: datetime) -> bool:
    """The seat has no more plans; False if it is not asked for any. The game must be locked.

    It may have been the last: the sweep takes the game up, also if nobody rings for it.
    """
    turn = turns.current_plan(session, game.id, seat)
    if turn is not None:
        turns.close(session, turn, "ready", game.seq, now)
        game.restless = True
        session.add(game)
    return turn is not None


def _untouched(state: GameState) -> bool:
    """Has nobody done anything in this round? Where no plant is left, it begins with fuel."""
    everybody = len(state.waiting) == len(state.players)
    idle = state.auction is None and state.discarding is None and not state.sold
    return state.phase in (Phase.AUCTION, Phase.RESOURCES) and everybody and idle
