"""A move comes in: stored first, judged afterwards by `core.table.drive.adjudicate`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from core.game import engine
from core.game.errors import GameError, IllegalMove, InvalidMove, StaleMove
from core.game.events import Event
from core.game.evolve import replay
from core.game.moves import Move
from core.game.notation import text
from core.game.observe import PlayerView, observe
from core.game.types import Seat
from core.questions.question import Fields
from core.questions.reading import read
from core.statuses import GameStatus, SubmissionStatus
from core.store.session import put
from core.store.tables import Draft, Game, Submission, User
from core.table.notify import mails
from core.table.record import gamelog, prepared, seats, turns
from core.text import SOURCE, _, speaking


def pending(session: Session, game_id: int) -> list[Submission]:
    """Return the moves of a game that nobody has judged yet, oldest first."""
    return list(session.scalars(prepared.PENDING, {"game_id": game_id}))


def refuse(
    session: Session, user: User | None, submission: Submission, error: GameError, now: datetime
) -> None:
    """Refuse a move with the reason; `user` is its seat's, who is told."""
    stale = isinstance(error, StaleMove)
    submission.status = SubmissionStatus.STALE if stale else SubmissionStatus.REJECTED
    other = "invalid" if isinstance(error, InvalidMove) else "stale"
    submission.code = error.code if isinstance(error, IllegalMove) else other
    submission.reason = str(error)
    answer(session, user, submission, now)


def answer(session: Session, user: User | None, submission: Submission, now: datetime) -> None:
    """Keep when a move was judged, and owe the answer to one that came by mail."""
    submission.decided_at = now
    session.add(submission)
    mails.owe_answer(session, user, submission, now)


def refuse_all(session: Session, game: Game, now: datetime) -> None:
    """Refuse all moves that wait at a game that does not go on."""
    for submission in pending(session, game.id):
        user = seats.owner(session, game.id, Seat(submission.seat))
        with speaking(user.locale if user else SOURCE):
            refuse(session, user, submission, standstill(game), now)


def standstill(game: Game) -> GameError:
    """Return why a game takes no move, to somebody who sent one."""
    if game.stopped_reason:
        return IllegalMove("game-stopped", _(
            "This game has been stopped because something went wrong. Nothing was changed; "
            "send your move again once the game goes on."
        ))  # fmt: skip
    return StaleMove(_("The game is over."))


Channel = Literal["web", "mail", "api", "sitter"]
LONGEST: Final = 500
"""Characters that a move may have; the longest sensible building turn has under 400."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do: its own seat's results, and the position with them."""

    move: Move
    events: tuple[Event, ...]
    view: PlayerView

    @property
    def line(self) -> str:
        """The move in full, as one line."""
        return text(self.move, self.view.ruleset)


def submit(  # noqa: PLR0913 - a move is what it is: who, where, when, what and how
    session: Session,
    game_id: int,
    seat: int,
    turn: int,
    line: str,
    channel: Channel,
    key: str,
    now: datetime,
) -> Submission:
    """Store a move as received; enqueue its adjudication after the commit.

    `turn` is the log position at which the seat was asked. `key` makes it one: the same key twice
    is the same submission, whatever else differs, and the first one counts (M64). What nobody can
    judge, an endless line or a move in a game that was stopped, is refused here.
    """
    row = Submission(
        game_id=game_id,
        seat=seat,
        turn=turn,
        text=line[:LONGEST],
        channel=channel,
        key=key[:400],
        created_at=now,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        known = with_key(session, game_id, seat, row.key)
        if known is None:
            raise
        return known
    try:
        _demand_fit(session, game_id, line)
    except GameError as error:
        owner = seats.owner(session, game_id, Seat(seat))
        refuse(session, owner, row, error, now)
    return row


def save_draft(
    session: Session, game_id: int, seat: int, turn: int, fields: Fields, now: datetime
) -> None:
    """Keep what a seat has filled in for a turn; the draft of its next turn takes its place."""
    put(session, Draft(game_id=game_id, seat=seat, turn=turn, fields=dict(fields), saved_at=now))


def with_key(session: Session, game_id: int, seat: int, key: str) -> Submission | None:
    """Return the move that this seat sent with this key already, if it did."""
    query = select(Submission).where(
        Submission.game_id == game_id, Submission.seat == seat, Submission.key == key
    )
    return session.exec(query).first()


def accepted(session: Session, game_id: int, seat: int, turn: int) -> Submission | None:
    """Return the move by which a seat has answered a turn, if it has."""
    query = select(Submission).where(
        Submission.game_id == game_id,
        Submission.seat == seat,
        Submission.turn == turn,
        Submission.status == SubmissionStatus.ACCEPTED,
    )
    return session.exec(query).first()


def check(session: Session, game_id: int, seat: int, turn: int, line: str) -> Preview:
    """Return what the move would do, drawing nothing and changing nothing.

    Raises:
        InvalidMove: not understood. IllegalMove: forbidden. StaleMove: the game has moved on.
    """
    place = Seat(seat)
    _demand_fit(session, game_id, line)
    turns.expect(turns.current_turn(session, game_id, place), turn)
    state = gamelog.load(session, game_id)
    move = read(line, state, place)
    events = engine.preview(state, place, move)
    return Preview(move, events, observe(replay(events, state), place))


def _demand_fit(session: Session, game_id: int, line: str) -> None:
    if len(line) > LONGEST:  # a part of a move must not be played for the whole
        text = _("A move has at most {most} characters; this one has {count}.")
        raise InvalidMove(text.format(most=LONGEST, count=len(line)))
    game = gamelog.find(session, game_id)
    if game.stopped_reason or game.status != GameStatus.RUNNING:
        raise standstill(game)
