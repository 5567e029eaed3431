"""A game is paused: its clocks stand still and nobody is missed; moves are still accepted."""

from datetime import datetime

from sqlmodel import Session, col, select

from core.game.events import Authority, GamePaused, GameResumed, GraceGiven
from core.game.types import Seat
from core.store.tables import Game, Pause, Turn
from core.table.notify import mails, moved_deadlines
from core.table.play.play import Play
from core.table.record import deadlines, turns
from core.table.record.errors import TableError
from core.text import _


def pause(play: Play, by: Authority, reason: str) -> None:
    """Stop all clocks of a game until `resume`.

    Raise TableError where it is paused already, or its table allows no pauses (M28); the service
    itself may pause any game.
    """
    if by != "service" and not deadlines.terms_of(play.game).vacation:
        text = _("This table was opened without pauses: its clocks run on. Give more time instead.")
        raise TableError("no-pauses", text)
    if paused_since(play.session, play.game.id) is not None:
        raise TableError("paused", _("This game is paused already; let it go on."))
    play.record(GamePaused(by, reason))
    stand_still(play.session, play.game, play.now)


def resume(play: Play, by: Authority, reason: str) -> None:
    """Let the clocks run again, each with what was left on it; TableError if none stands."""
    row = _open(play.session, play.game.id)
    if row is None:
        raise TableError("not-paused", _("This game is not paused."))
    play.record(GameResumed(by, reason))
    row.ends_at = play.now
    play.session.add(row)
    play.session.flush()
    moved_deadlines.renew(play.session, play.game)


def paused_since(session: Session, game_id: int) -> datetime | None:
    """Return since when the game is paused; None while its clocks run."""
    row = _open(session, game_id)
    return row.starts_at if row else None


def stand_still(session: Session, game: Game, now: datetime) -> None:
    """Let all clocks stand, whoever has paused the game besides (M78)."""
    session.add(Pause(game_id=game.id, starts_at=now))
    session.flush()
    moved_deadlines.renew(session, game)


def run_again(session: Session, game: Game, now: datetime) -> None:
    """Let a stopped game go on with what was left on each clock, and a fair time at least.

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


def give_grace(play: Play, turn: Turn) -> bool:
    """Give a late turn the graces of its seat, until it is late no more; False if none is left.

    Its owner is told, and the log says so (M27, M37).
    """
    seat = Seat(turn.seat)
    row, hours = play.rows[seat], moved_deadlines.grace_hours(play.game)
    while turn.deadline <= play.now:
        if turn.plan or row.graces >= deadlines.terms_of(play.game).graces or not hours:
            return False
        row.graces += 1  # of the seat, whoever holds it: taking it anew renews nothing (M37)
        play.session.add(row)
        moved_deadlines.give(play.session, play.game, turn, hours)
        play.record(GraceGiven(seat, hours))
        mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.GRACE, play.now)
    return True
