"""What is written on a submission once it is judged, and who is told."""

from datetime import datetime

from sqlmodel import Session, col, select

from core.game.errors import GameError, IllegalMove, InvalidMove, StaleMove
from core.game.types import Seat
from core.store.tables import Game, Submission, User
from core.table import places
from core.table.outgoing import post
from core.text import SOURCE, _, speaking


def pending(session: Session, game_id: int) -> list[Submission]:
    """The moves of a game that nobody has judged yet, oldest first."""
    query = select(Submission).where(Submission.game_id == game_id, Submission.status == "pending")
    return list(session.exec(query.order_by(col(Submission.id))))


def refuse(
    session: Session, user: User | None, submission: Submission, error: GameError, now: datetime
) -> None:
    """Refuse a move with the reason; `user` is its seat's, who is told."""
    submission.status = "stale" if isinstance(error, StaleMove) else "rejected"
    submission.reason = str(error)
    match error:
        case IllegalMove(code=code):
            submission.code = code
        case InvalidMove():
            submission.code = "invalid"
        case _:
            submission.code = "stale"
    answer(session, user, submission, now)


def answer(session: Session, user: User | None, submission: Submission, now: datetime) -> None:
    """The submission is judged: keep when, and owe the answer to a move that came by mail."""
    submission.decided_at = now
    session.add(submission)
    post.answer(session, user, submission, now)


def refuse_all(session: Session, game: Game, now: datetime) -> int:
    """Refuse whatever waits at a game that does not go on; the number of moves refused."""
    waiting = pending(session, game.id)
    for submission in waiting:
        user = places.owner(session, game.id, Seat(submission.seat))
        with speaking(user.locale if user else SOURCE):
            refuse(session, user, submission, standstill(game), now)
    return len(waiting)


def standstill(game: Game) -> GameError:
    """Why a game takes no move, to somebody who sent one."""
    if game.flag:
        return IllegalMove("game-stopped", _(
            "This game has been stopped because something went wrong. Nothing was changed; "
            "send your move again once the game goes on."
        ))  # fmt: skip
    return StaleMove(_("The game is over."))
