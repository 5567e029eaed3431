"""Adjudicate: the one place where what was submitted or missed becomes part of a game.

One transaction under the game's row lock: judge what is pending, miss what is overdue, let bots
move, append the events, ask the next seats and owe them their mails. Doing it twice, or with
nothing to do, changes nothing.
"""

from datetime import datetime
from typing import Final

import structlog
from sqlmodel import Session

from core.game import engine
from core.game.errors import GameError, IllegalMove
from core.game.events import MadeBySitter
from core.game.types import Seat
from core.questions.reading import read
from core.statuses import ClosedBy, GameStatus, SubmissionStatus
from core.store.tables import Submission, Turn
from core.table.acts import absence
from core.table.drive import due_work
from core.table.notify import moved_deadlines, sitters
from core.table.play import pauses, stuck, submissions
from core.table.play.play import Play
from core.table.record import gamelog, turns
from core.table.record.errors import TableError
from core.text import SOURCE, speaking

MOVES_AT_ONCE: Final = 50
"""Moves of bots in one transaction; the rest follows in the next."""
ROUNDS: Final = 100
"""Every so many rounds somebody looks whether a game is to go on; most end before round 20."""

log = structlog.get_logger()


def adjudicate(session: Session, game_id: int, now: datetime) -> bool:
    """Bring a game up to date; True when bots have more to do, so that it must be rung again."""
    game = gamelog.lock(session, game_id)
    game.attempts = 0
    if game.status != GameStatus.RUNNING or game.stopped_reason:
        submissions.refuse_all(session, game, now)
        return False
    pending = submissions.pending(session, game_id)
    play = Play.resume(session, game, now)
    before, began = game.seq, play.state.round
    for submission in pending:
        _judge(play, submission)
    gone = [_miss(play, turn) for turn in _missed(play)]
    if any(gone):
        absence.look_round(play)
    play.play_automatic(MOVES_AT_ONCE)
    play.settle()
    if play.state.round // ROUNDS > began // ROUNDS and not play.over:
        stuck.stop_game(session, game_id, f"in round {play.state.round}: does it ever end?", now)
    log.info("adjudicated", game=game_id, judged=len(pending), seq=game.seq, new=game.seq - before)
    return game.has_automatic_moves and not game.stopped_reason


def _miss(play: Play, turn: Turn) -> bool:
    """Miss a deadline; return True if somebody has left the game by it."""
    if turn.plan:
        play.close_plan(Seat(turn.seat), ClosedBy.MISSED)
        return False
    if absence.drafted(play, turn) or pauses.give_grace(play, turn):
        return False
    return absence.miss(play, turn)


def _missed(play: Play) -> list[Turn]:
    """Return the turns whose time is over, and that no mail can answer any more.

    A mail that was received in time counts (M34), also when nobody has got round to reading it:
    while one is unread, its turn waits. Mails that fail are put aside, so it does not wait long.
    """
    asked = (*play.turns.values(), *play.plans.values())
    late = [turn for turn in asked if turn.deadline <= play.now]
    if not late or moved_deadlines.silent(play.session, play.now):
        return []
    unread = due_work.unread_since(play.session)
    return [turn for turn in late if unread is None or unread > turn.deadline]


def _welcome(play: Play, seat: Seat, submission: Submission) -> None:
    """Whoever writes is back, unless they have come and gone too often (H20)."""
    if submission.channel == "sitter" or not absence.is_away(play, seat):
        return
    try:
        absence.demand_return(play, seat)
    except TableError as error:
        raise IllegalMove(error.code, str(error)) from error
    absence.welcome(play, seat)


def _judge(play: Play, submission: Submission) -> None:
    """Play a submitted move, or say in its sender's language why not."""
    seat = Seat(submission.seat)
    user = play.owners[seat]
    with speaking(user.locale if user else SOURCE):
        try:
            _welcome(play, seat, submission)
            turns.expect(play.turns.get(seat), submission.turn)
            move = read(submission.text, play.state, seat)
            if submission.channel == "sitter":
                engine.preview(play.state, seat, move)  # refused before the log names anybody
                play.record(MadeBySitter(seat, sitters.last_sitter(play.session, user)))
            play.move(seat, move, ClosedBy.MOVE, submission.id)
        except GameError as error:
            submissions.refuse(play.session, user, submission, error, play.now)
        else:
            submission.status, submission.seq = SubmissionStatus.ACCEPTED, play.game.seq
            submissions.answer(play.session, user, submission, play.now)
