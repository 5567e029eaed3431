"""A game is paused: its clocks stand still and nobody is missed; moves are still accepted."""

from datetime import datetime

from sqlmodel import Session, col, select

from core.game.events import Authority, GamePaused, GameResumed, GraceGiven
from core.game.types import Seat
from core.store.tables import Game, Pause, Turn
from core.table.notify import mails, moved_deadlines
from core.table.play.play import Play
from core.table.record import deadlines, gamelog, turns
from core.table.record.errors import TableError
from core.text import _


def pause(session: Session, game_id: int, by: Authority, reason: str, now: datetime) -> None:
    """Stop all clocks of a running game until `resume`.

    TableError: it does not run, is paused already, or its table allows no pauses (M28); the
    service itself may pause any game.
    """
    play = _running(session, game_id, now)
    if by != "service" and not deadlines.terms_of(play.game).vacation:
        text = _("This table was opened without pauses: its clocks run on. Give more time instead.")
        raise TableError("no-pauses", text)
    if paused_since(session, game_id) is not None:
        raise TableError("paused", _("This game is paused already; let it go on."))
    play.record(GamePaused(by, reason))
    session.add(Pause(game_id=game_id, starts_at=now))
    session.flush()
    moved_deadlines.renew(session, play.game)
    play.settle()


def resume(session: Session, game_id: int, by: Authority, reason: str, now: datetime) -> None:
    """Let the clocks run again, each with what was left on it; TableError if none stands."""
    play = _running(session, game_id, now)
    row = _open(session, game_id)
    if row is None:
        raise TableError("not-paused", _("This game is not paused."))
    play.record(GameResumed(by, reason))
    row.ends_at = now
    session.add(row)
    session.flush()
    moved_deadlines.renew(session, play.game)
    play.settle()


def paused_since(session: Session, game_id: int) -> datetime | None:
    """Since when the game is paused; None while its clocks run."""
    row = _open(session, game_id)
    return row.starts_at if row else None


def stand_still(session: Session, game: Game, now: datetime) -> None:
    """The service stops a game (M78): its clocks stand, whoever has paused it besides."""
    session.add(Pause(game_id=game.id, starts_at=now))
    session.flush()
    moved_deadlines.renew(session, game)


def run_again(session: Session, game: Game, now: datetime) -> None:
    """A game that was stopped goes on, with what was left on each clock and a fair time at least.

    A pause of the host, which is the older one, lasts.
    """
    row = _open(session, game.id, newest=True)
    if row is not None:
        row.ends_at = now
        session.add(row)
        session.flush()
    for turn in turns.asked(session, game.id):
        left = deadlines.left(session, game, turn, now)
        fair = deadlines.fair(game, deadlines.seat_row(session, game.id, Seat(turn.seat)))
        turn.allowed_seconds += max(fair - left, 0)
        moved_deadlines.renew_one(session, game, turn)


def _open(session: Session, game_id: int, *, newest: bool = False) -> Pause | None:
    query = select(Pause).where(Pause.game_id == game_id, col(Pause.ends_at).is_(None))
    number = col(Pause.id)
    return session.exec(query.order_by(number.desc() if newest else number)).first()


def _running(session: Session, game_id: int, now: datetime) -> Play:
    game = gamelog.lock(session, game_id)
    gamelog.demand_running(game, even_stopped=True)
    return Play.resume(session, game, now)


def give_grace(play: Play, turn: Turn) -> bool:
    """Give a late turn the graces of its seat, until it is late no more; False if none is left.

    Its owner is told, and the log says so (M27, M37).
    """
    seat = Seat(turn.seat)
    while turn.deadline <= play.now:
        hours = moved_deadlines.grace(play.session, play.game, turn)
        if not hours:
            return False
        play.record(GraceGiven(seat, hours))
        mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.GRACE, play.now)
    return True
