"""What a host may do to a running game; a majority of the players may where the host is gone.

Each act is an event with its reason, in the log for all to see, and everybody at the table gets a
notice (M77). Ending a game is always open to a majority, also where it cannot go on (M48).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, func, select

from core.game import engine
from core.game.errors import GameError
from core.game.events import (
    Authority,
    DeadlineExtended,
    DeadlineMoved,
    Event,
    GameAbandoned,
    GamePaused,
    GameResumed,
    MoveCorrected,
    Rewound,
    SeatOpened,
    SeatTaken,
    TurnSkipped,
)
from core.game.notation import parse, text
from core.game.rewind import counting, is_reveal
from core.game.types import Seat
from core.statuses import ClosedBy, GameStatus
from core.store.tables import ChatLine, Game, Presence, Submission, Turn, User, WebSession
from core.table.acts import absence, announcements, replace
from core.table.acts.undo import movers, rewind
from core.table.notify import moved_deadlines
from core.table.play import pauses, stuck
from core.table.play.play import Play
from core.table.record import gamelog, seats, turns
from core.table.record.errors import TableError
from core.tableview import Logged
from core.text import _
from core.when import NEVER

_NO_ANSWER: Final = (
    ClosedBy.UNDONE, ClosedBy.REDONE, ClosedBy.ENDED, ClosedBy.REPLACED, ClosedBy.CARETAKER,
    ClosedBy.NOTHING,
)  # fmt: skip


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
        play.move(found.seat, parse(found.line, play.state.ruleset), ClosedBy.CORRECTED)
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


HOURS: Final = range(1, 14 * 24 + 1)
"""Hours by which the open turns may be extended at once."""
SKIP_AFTER: Final = timedelta(hours=24)
"""So long a seat has to be waited for before its turn may be skipped."""
SILENCE: Final = timedelta(days=7)
"""A host who has not been here for so long is gone."""
_REASON_LENGTH: Final = 200
_LINE_LENGTH: Final = 500

Body = Mapping[str, Any]
Act = Callable[[Session, Game, Body, Authority, datetime], None]


def act(session: Session, game_id: int, host: User, kind: str, body: Body, now: datetime) -> None:
    """The host does something of `ACTS`.

    `body`: its `reason`, and what belongs to the kind: `hours`, `seat`, `line`, `bot`.

    Raises:
        TableError: `not-the-host`, `not-running`, `reason-missing`, and what the act itself
            refuses.
    """
    game = gamelog.lock(session, game_id)
    if game.host_id != host.id:
        raise TableError("not-the-host", _("Only the host of this table can do that."))
    perform(session, game, kind, checked(session, game, kind, body, now), "host", now)


def checked(session: Session, game: Game, kind: str, body: Body, now: datetime) -> dict[str, Any]:
    """What is to be done, cleaned; TableError where it cannot be done as things stand."""
    if game.status != GameStatus.RUNNING or (game.stopped_reason and kind != "end"):
        raise TableError("not-running", _("This game is not running."))
    clean: dict[str, Any] = {"reason": _clean(str(body.get("reason", "")))}
    if kind == "extend":
        clean["hours"] = _hours(body)
    if kind in ("replace", "offer", "skip", "correct"):
        clean["seat"] = _seat(session, game, body)
    if kind == "correct":
        clean["line"] = " ".join(str(body.get("line", "")).split())[:_LINE_LENGTH]
        look(session, game, clean["seat"], clean["line"])
    if kind == "skip":
        _demand_slow(session, game, clean["seat"], now)
    return clean


def perform(
    session: Session, game: Game, kind: str, body: Body, by: Authority, now: datetime
) -> None:
    """Do it, and tell everybody at the table. The game must be locked."""
    ACTS[kind](session, game, body, by, now)
    told = _TOLD.get(kind)
    if told is not None:
        announcements.tell(
            session, game, told, _actor(session, game) if by == "host" else None, now
        )


def extend(
    session: Session, game_id: int, host: User, hours: int, reason: str, now: datetime
) -> None:
    """Give all seats that are asked so many hours more."""
    act(session, game_id, host, "extend", {"hours": hours, "reason": reason}, now)


def end(session: Session, game_id: int, host: User, reason: str, now: datetime) -> None:
    """End the game before its end; it has no winner, and no result counts (M48)."""
    act(session, game_id, host, "end", {"reason": reason}, now)


def host_is_gone(session: Session, game: Game, now: datetime) -> bool:
    """Is there no host, a bot in his seat, or has he not been here for `SILENCE`?"""
    host = session.get(User, game.host_id) if game.host_id is not None else None
    if host is None:
        return True
    row = seats.seat_of(session, game.id, host.id)
    seat = row.seat if row else None
    if seat is not None and gamelog.load(session, game.id).players[seat].caretaker:
        return True
    begun = game.started_at or game.created_at
    return max([begun, *_signs(session, game, host, seat)]) <= now - SILENCE


def _signs(session: Session, game: Game, host: User, seat: int | None) -> list[datetime]:
    """When the host was last heard of: signed in, chatted, filled in a form, moved, or hosted."""
    moved = select(func.max(col(Submission.created_at))).where(
        Submission.game_id == game.id, Submission.seat == seat
    )
    questions = (
        select(func.max(col(WebSession.seen_at))).where(WebSession.user_id == host.id),
        select(func.max(col(ChatLine.at))).where(ChatLine.user_id == host.id),
        select(func.max(col(Presence.at))).where(Presence.user_id == host.id),
        moved,
    )
    found = [session.exec(question).one() for question in questions]
    log = gamelog.events(session, game.id)
    found += [e.at for e in log if getattr(e.event, "by", "") == "host"]
    return [at for at in found if at is not None]


def _extend(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    play = Play.resume(session, game, now)
    moved = []
    for turn in (*play.turns.values(), *play.plans.values()):
        before = turn.deadline
        moved_deadlines.give(session, game, turn, body["hours"])
        if before < NEVER:
            moved.append(DeadlineMoved(Seat(turn.seat), _iso(before), _iso(turn.deadline)))
    play.record(DeadlineExtended(body["hours"], body["reason"], by, tuple(moved)))
    play.settle()


def _pause(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    pauses.pause(session, game.id, by, body["reason"], now)


def _resume(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    pauses.resume(session, game.id, by, body["reason"], now)


def _replace(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    replace.replace(session, game.id, body["seat"], by, body["reason"], now)


def _offer(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    play = Play.resume(session, game, now)
    absence.offer(play, Seat(body["seat"]), by, body["reason"])
    play.settle()


def _skip(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    """The default move is made for a seat; it is no missed turn."""
    play, seat = Play.resume(session, game, now), Seat(body["seat"])
    play.record(TurnSkipped(seat, by, body["reason"]))
    play.move(seat, engine.default_move(play.state, seat), ClosedBy.SKIPPED)
    play.settle()


def _correct(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    correct(session, game, body["seat"], body["line"], body["reason"], by, now)


def _end(session: Session, game: Game, body: Body, by: Authority, now: datetime) -> None:
    last = GameAbandoned(body["reason"], game.seed, because=by)
    if game.stopped_reason:
        stuck.end(session, game, last, now)
        return
    play = Play.resume(session, game, now)
    play.record(last)
    play.settle()


ACTS: Final[dict[str, Act]] = {
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "replace": _replace,
    "offer": _offer,
    "skip": _skip,
    "correct": _correct,
    "end": _end,
}
"""What a host may do, by name."""
_TOLD: Final[dict[str, type[Event]]] = {
    "pause": GamePaused,
    "resume": GameResumed,
    "extend": DeadlineExtended,
    "replace": SeatTaken,
    "offer": SeatOpened,
    "skip": TurnSkipped,
    "correct": Rewound,
}
"""The event of which everybody gets a notice; of the end there is a mail of its own."""


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def _actor(session: Session, game: Game) -> Seat | None:
    row = seats.seat_of(session, game.id, game.host_id)
    return None if row is None or row.seat is None else Seat(row.seat)


def _hours(body: Body) -> int:
    hours = int(body.get("hours", 0))
    if hours not in HOURS:
        text = _("Give {least} to {most} hours more.")
        raise TableError("hours-out-of-range", text.format(least=HOURS[0], most=HOURS[-1]))
    return hours


def _seat(session: Session, game: Game, body: Body) -> int:
    seat = int(body.get("seat", -1))
    if seat not in seats.players(session, game.id):
        raise TableError("no-such-seat", _("Choose one of the players."))
    return seat


def _demand_slow(session: Session, game: Game, seat: int, now: datetime) -> None:
    """A turn may be skipped once it has been waited for long enough."""
    turn = turns.current_turn(session, game.id, Seat(seat))
    if turn is None:
        raise TableError("not-asked", _("This seat is not asked for a move now."))
    if now - turn.asked_at < SKIP_AFTER:
        text = _("A turn can be skipped after {hours} hours; until then its player may still move.")
        hours = SKIP_AFTER // timedelta(hours=1)
        raise TableError("skip-early", text.format(hours=hours))


def _clean(reason: str) -> str:
    """A reason on one line; the log needs one."""
    line = " ".join(reason.split())[:_REASON_LENGTH]
    if not line:
        raise TableError("reason-missing", _("Please say why; everybody at the table can read it."))
    return line
