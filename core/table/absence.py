"""A seat whose owner is away: a caretaker plays until the owner returns."""

from datetime import datetime

from sqlmodel import Session

from core.game.events import OwnerReturned
from core.game.types import Seat
from core.table import gamelog, post
from core.table.play import Play


def return_owner(session: Session, game_id: int, seat: int, now: datetime) -> bool:
    """The owner plays again, from the next question on; False if no caretaker played."""
    game = gamelog.lock(session, game_id)
    if game.status != "running":
        return False
    play = Play.resume(session, game, now)
    if not play.state.players[seat].caretaker:
        return False
    play.record(OwnerReturned(Seat(seat)))
    post.notice(session, game, Seat(seat), "returned", now)
    play.settle()
    return True
