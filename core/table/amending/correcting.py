"""A move is corrected: the game goes back before it, and the right one is made for its seat.

The host may go back beyond a reveal, which no player can: that is what a correction is for, and
the log says who did it and why (M58, M77).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from core.game import engine
from core.game.errors import GameError
from core.game.events import Authority, Event, MoveCorrected, Rewound
from core.game.notation import parse, text
from core.game.rewind import counting, is_reveal
from core.game.types import Seat
from core.store.tables import Game, Turn
from core.table import gamelog
from core.table.amending.rewinding import UNDONE, rewind
from core.table.amending.undo import movers
from core.table.errors import TableError
from core.table.play import Play
from core.tableview import Logged
from core.text import _

_NO_ANSWER: Final = (UNDONE, "redone", "ended", "replaced", "caretaker", "")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction of the last move of a seat would do; nothing is done yet.

    `vanish`: events that would not count any more; `whose`: seats whose moves are among them, with
    how many. `revealed`: what came to light by them stays known. `line`: the move that is made
    instead, empty where the seat is asked again; `events`: its results.
    """

    seat: Seat
    to: int
    last: int
    vanish: tuple[Logged, ...]
    whose: dict[Seat, int]
    revealed: bool
    line: str
    events: tuple[Event, ...]


def look(session: Session, game: Game, seat: int, line: str) -> Correction:
    """A dry run.

    Raises:
        TableError: `nothing-to-correct` where the seat has answered no question yet;
            `move-refused` where the line is no legal move at that position, with the reason.
    """
    place, log = Seat(seat), gamelog.events(session, game.id)
    path = counting(log)
    to = _before_last_move(session, game, place, {entry.seq for entry in path})
    vanish = tuple(entry for entry in path if entry.seq > to)
    happened = [entry.event for entry in vanish]
    said, events = _tried(session, game, place, to, line) if line else ("", ())
    return Correction(
        seat=place,
        to=to,
        last=game.seq,
        vanish=vanish,
        whose=movers(happened),
        revealed=any(map(is_reveal, happened)),
        line=said,
        events=events,
    )


def correct(
    session: Session,
    game: Game,
    seat: int,
    line: str,
    reason: str,
    by: Authority,
    now: datetime,
) -> None:
    """Go back before the seat's last move; then make the move of `line`, or ask the seat again."""
    found = look(session, game, seat, line)
    play = Play.resume(session, game, now)
    rewind(play, Rewound(found.to, found.seat, "vote" if by == "vote" else "host", reason))
    if found.line:
        play.record(MoveCorrected(found.seat, by, reason))
        play.move(found.seat, parse(found.line, play.state.ruleset), "corrected")
    play.settle()


def _before_last_move(session: Session, game: Game, seat: Seat, path: set[int]) -> int:
    """The position at which the seat was asked for the last answer that still counts."""
    query = select(Turn.closed_seq).where(
        Turn.game_id == game.id,
        Turn.seat == seat,
        col(Turn.plan).is_(False),
        col(Turn.closed_at).is_not(None),
        col(Turn.closed_by).not_in(_NO_ANSWER),
    )
    known = session.exec(query.order_by(col(Turn.closed_seq).desc()))
    found = next((seq for seq in known if seq is not None and seq + 1 in path), None)
    if found is None:
        text = _("This seat has answered no question yet; there is nothing to correct.")
        raise TableError("nothing-to-correct", text)
    return found


def _tried(
    session: Session, game: Game, seat: Seat, to: int, line: str
) -> tuple[str, tuple[Event, ...]]:
    state = gamelog.load(session, game.id, to)
    try:
        move = parse(line, state.ruleset)
        return text(move, state.ruleset), engine.preview(state, seat, move)
    except GameError as error:
        raise TableError("move-refused", str(error)) from error
