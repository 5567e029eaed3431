"""A seat that is late gets some time more by itself, a few times a game, for all to see."""

from core.game.events import GraceGiven
from core.game.types import Seat
from core.store.tables import Turn
from core.table.outgoing import post
from core.table.play import Play
from core.table.timing import deadlines


def forgive(play: Play, turn: Turn) -> bool:
    """Give a late turn the graces of its seat, until it is late no more; False if none is left.

    Its owner is told, and the log says so (M27, M37).
    """
    seat = Seat(turn.seat)
    while turn.deadline <= play.now:
        hours = deadlines.grace(play.session, play.game, turn)
        if not hours:
            return False
        play.record(GraceGiven(seat, hours))
        post.notice(play.session, play.game, seat, "grace", play.now)
    return True
