"""What a host may do to a running game; a majority of the players may where the host is gone.

An act is one class: what its form asks for, its words, its check and what it does. Each leaves an
event with its reason in the log for all to see, and everybody at the table gets a notice (M77).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any, ClassVar, Final, Self

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
    SeatMoved,
    SeatOpened,
    SeatTaken,
    TurnSkipped,
)
from core.game.narrate.lines import Narrator
from core.game.notation import parse, text
from core.game.rewind import counting, is_reveal
from core.game.types import Seat
from core.lists import sentences
from core.statuses import ClosedBy, GameStatus
from core.store.tables import ChatLine, Game, Presence, Submission, Turn, User, WebSession
from core.store.tables import Pause as PauseRow
from core.table.acts import absence, replace
from core.table.acts.consent import (
    FREE,
    LONGEST_PAUSE,
    Consent,
    majority,
    of_all,
    paused_by_host,
)
from core.table.acts.undo import movers, moves, rewind
from core.table.notify import mails, moved_deadlines
from core.table.play import pauses, stuck
from core.table.play.play import Play
from core.table.record import deadlines, gamelog, seats, turns
from core.table.record.calendar import charged
from core.table.record.errors import TableError
from core.tableview import Logged
from core.text import N_, _, ngettext
from core.when import NEVER

HOURS: Final = range(1, 14 * 24 + 1)
"""Hours by which the open turns may be extended at once."""
_MOMENT: Final = timedelta(minutes=1)
SILENCE: Final = timedelta(days=7)
"""A host who has not been here for so long is gone."""
_REASON_LENGTH: Final = 200
_LINE_LENGTH: Final = 500
_NO_ANSWER: Final = (
    ClosedBy.UNDONE, ClosedBy.REDONE, ClosedBy.ENDED, ClosedBy.REPLACED, ClosedBy.CARETAKER,
    ClosedBy.NOTHING,
)  # fmt: skip

Body = Mapping[str, Any]


def _paused(play: Play) -> bool:
    return pauses.paused_since(play.session, play.game.id) is not None


def _asked(play: Play) -> list[Seat]:
    """Return the people who are waited for, next first."""
    return list(play.plans) or [s for s in engine.to_act(play.state) if s in play.turns]


@dataclass(frozen=True)
class HostAct:
    """Something that may be done to a running game. Its fields are what its form asks for."""

    kind: ClassVar[str]
    event: ClassVar[type[Event] | None] = None
    """Its event, of which everybody gets a notice; of the end there is a mail of its own."""
    at_once: ClassVar[bool] = False
    """It can be taken back, so that it is done without another question."""
    always: ClassVar[bool] = False
    """A majority may do it while the host is here."""
    even_stopped: ClassVar[bool] = False
    """It may be done to a game that the service has stopped (M48)."""

    title: ClassVar[str]
    hint: ClassVar[str] = ""
    button: ClassVar[str] = N_("Look what it would do")
    """The words of its form."""
    question: ClassVar[str]
    result: ClassVar[str] = ""
    """What is asked, and what it would do, before it is done; `{name}`: the player of its seat."""
    proposal: ClassVar[str]
    """What is proposed to the players by `{asker}`."""
    told: ClassVar[str] = ""
    """The subject of the notice that it was done."""

    reason: str

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        """Return the seats that it can be done to as things stand; nobody can do it if empty."""
        return list(play.rows)

    def sentence(self, asker: str, name: str) -> str:
        """Return what is proposed; `name`: the player of the seat, if it is about one."""
        return _(self.proposal).format(asker=asker, name=name)

    def check(self, session: Session, game: Game, now: datetime) -> None:
        """Raise TableError if it cannot be done as things stand."""

    def consent(self, session: Session, game: Game, by: Seat | None, now: datetime) -> Consent:
        """Return who must agree if the host asks, who holds the seat `by`; nobody by default."""
        return FREE

    def asked_of(self, session: Session, game: Game, by: Seat) -> Consent:
        """Return who decides where it is proposed to the players: more than half of them."""
        people = seats.present(session, game.id)
        return Consent(people, len(people) // 2 + 1)

    def refuse_for(self, session: Session, game: Game, by: Seat | None) -> None:
        """Raise TableError if who asks would gain by what they have seen."""

    def do(self, play: Play, by: Authority) -> None:
        """Do it; `play.settle` follows."""
        raise NotImplementedError

    @classmethod
    def read(cls, session: Session, game: Game, body: Body) -> Self:
        """Return the act that a form asks for, cleaned; TableError where a field is no good."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: _FIELDS[name](session, game, body) for name in names})


class Pause(HostAct):
    """Let all clocks stand still."""

    kind = "pause"
    event = GamePaused
    at_once = True

    title = N_("Pause the game")
    hint = N_(
        "All clocks stand still and nobody misses a turn. Moves are still accepted. After 14 days "
        "the game goes on by itself, and more than half of the players can end the pause before. "
        "Once you have paused a game for 14 days in all, the others must agree."
    )
    button = N_("Pause")
    question = N_("Pause the game?")
    proposal = N_("{asker} proposes to pause the game.")
    told = N_("The game is paused")

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        return [] if _paused(play) else list(play.rows)

    def consent(self, session: Session, game: Game, by: Seat | None, now: datetime) -> Consent:
        spent = paused_by_host(session, game, now)
        return majority(session, game) if spent >= LONGEST_PAUSE else FREE

    def do(self, play: Play, by: Authority) -> None:
        pauses.pause(play, by, self.reason)


class Resume(HostAct):
    """Let the clocks of a paused game run again."""

    kind = "resume"
    event = GameResumed
    at_once = True
    always = True

    title = N_("Let the game go on")
    hint = N_("Each clock runs on with what was left on it.")
    button = N_("Go on")
    question = N_("Let the game go on?")
    proposal = N_("{asker} proposes to let the game go on.")
    told = N_("The game goes on")

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        return list(play.rows) if _paused(play) else []

    def do(self, play: Play, by: Authority) -> None:
        pauses.resume(play, by, self.reason)


@dataclass(frozen=True)
class Extend(HostAct):
    """Give all seats that are asked so many hours more."""

    kind = "extend"
    event = DeadlineExtended
    at_once = True
    hours: int

    title = N_("More time")
    hint = N_("Where you are asked yourself and others are not, more than half must agree.")
    button = N_("Give more time")
    question = N_("Give more time?")
    told = N_("There is more time")

    seats = staticmethod(_asked)

    def sentence(self, asker: str, name: str) -> str:
        return ngettext(
            "{asker} proposes to give all who are asked {hours} hour more.",
            "{asker} proposes to give all who are asked {hours} hours more.",
            self.hours,
        ).format(asker=asker, hours=self.hours)

    def consent(self, session: Session, game: Game, by: Seat | None, now: datetime) -> Consent:
        asked = {Seat(turn.seat) for turn in turns.asked(session, game.id)}
        own = by in asked and not seats.present(session, game.id) <= asked
        return majority(session, game) if own else FREE

    def do(self, play: Play, by: Authority) -> None:
        moved = []
        for turn in (*play.turns.values(), *play.plans.values()):
            before = turn.deadline
            moved_deadlines.give(play.session, play.game, turn, self.hours)
            if before < NEVER:
                moved.append(DeadlineMoved(Seat(turn.seat), _iso(before), _iso(turn.deadline)))
        play.record(DeadlineExtended(self.hours, self.reason, by, tuple(moved)))


@dataclass(frozen=True)
class Skip(HostAct):
    """Make the default move for a seat; it is no missed turn."""

    kind = "skip"
    event = TurnSkipped
    seat: int

    title = N_("Skip a turn")
    hint = N_(
        "The default move is made, and it is no missed turn. Only for a turn whose time is over, "
        "and not while its clock stands still."
    )
    question = N_("Skip the turn of {name}?")
    result = N_("The default move is made for {name}; it is no missed turn.")
    proposal = N_("{asker} proposes to skip the turn of {name}.")
    told = N_("A turn was skipped")

    seats = staticmethod(_asked)

    def check(self, session: Session, game: Game, now: datetime) -> None:
        turn = turns.current_turn(session, game.id, Seat(self.seat))
        if turn is None:
            raise TableError("not-asked", _("This seat is not asked for a move now."))
        hours = deadlines.calendar(session, game, turn.user_id, turn.asked_at)
        used = charged(turn.asked_at, now, hours)
        if used < timedelta(seconds=turn.allowed_seconds):
            raise TableError("skip-early", _(
                "The time for this turn is not over: its player may still move. Nothing can be "
                "skipped before the deadline."
            ))  # fmt: skip
        if charged(turn.asked_at, now + _MOMENT, hours) == used:
            raise TableError("skip-stands", _(
                "The clock of this player stands still: they are away, or it is not their time."
            ))  # fmt: skip

    def do(self, play: Play, by: Authority) -> None:
        seat = Seat(self.seat)
        play.record(TurnSkipped(seat, by, self.reason))
        play.move(seat, engine.default_move(play.state, seat), ClosedBy.SKIPPED)


@dataclass(frozen=True)
class Correct(HostAct):
    """Go back before the last move of a seat and make another one, or ask the seat again."""

    kind = "correct"
    event = Rewound
    seat: int
    line: str

    title = N_("Correct a move")
    hint = N_(
        "The game goes back before the last move of a player. You give the right move "
        "for the seat, or leave the line empty so that the player is asked again. "
        "You see what would vanish; then all whose moves it touches must agree."
    )
    question = N_("Correct the last move of {name}?")
    proposal = N_("{asker} proposes to take back the last move of {name}.")
    told = N_("A move was taken back")

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        return [seat for seat in play.rows if seat not in play.bots]

    def sentence(self, asker: str, name: str) -> str:
        said = _(self.proposal).format(asker=asker, name=name)
        instead = _("Instead: {line}.").format(line=self.line) if self.line else ""
        return sentences([said, instead])

    def check(self, session: Session, game: Game, now: datetime) -> None:
        look(session, game, self.seat, self.line)

    def consent(self, session: Session, game: Game, by: Seat | None, now: datetime) -> Consent:
        return of_all(session, game, look(session, game, self.seat, self.line).touched, by)

    def asked_of(self, session: Session, game: Game, by: Seat) -> Consent:
        asked = self.consent(session, game, by, game.created_at)
        return asked if asked.needed else super().asked_of(session, game, by)

    def refuse_for(self, session: Session, game: Game, by: Seat | None) -> None:
        found = look(session, game, self.seat, self.line)
        if found.revealed and by in {found.seat, *found.whose}:
            raise TableError("revealed", _(
                "Something has come to light since: a card was drawn, or sealed bids were opened. "
                "You would move again knowing it; your own move stands."
            ))  # fmt: skip

    def do(self, play: Play, by: Authority) -> None:
        found = look(play.session, play.game, self.seat, self.line)
        rewind(play, Rewound(found.to, found.seat, "vote" if by == "vote" else "host", self.reason))
        if found.line:
            play.record(MoveCorrected(found.seat, by, self.reason))
            play.move(found.seat, parse(found.line, play.state.ruleset), ClosedBy.CORRECTED)


@dataclass(frozen=True)
class Offer(HostAct):
    """Offer the seat of a player who has missed a turn to others (M41)."""

    kind = "offer"
    event = SeatOpened
    seat: int

    title = N_("Offer a seat to others")
    hint = N_(
        "Somebody else may take the seat of a player who has missed a turn and not "
        "moved since. A bot plays meanwhile, and the player may come back until it is "
        "taken. Once it is free you can invite somebody to it."
    )
    question = N_("Offer the seat of {name} to others?")
    result = N_("A bot plays for {name} until somebody takes the seat, or {name} comes back.")
    proposal = N_("{asker} proposes to offer the seat of {name} to others.")
    told = N_("A seat can be taken")

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        return [seat for seat in Replace.seats(play) if not play.rows[seat].open]

    def do(self, play: Play, by: Authority) -> None:
        absence.offer(play, Seat(self.seat), by, self.reason)


@dataclass(frozen=True)
class Replace(HostAct):
    """Give the seat of a player who has missed a turn to a bot (M41)."""

    kind = "replace"
    event = SeatTaken
    seat: int

    title = N_("Replace a player")
    hint = N_("A bot takes the seat of somebody who has missed a turn and not moved since.")
    question = N_("Give the seat of {name} to a bot?")
    result = N_("{name} loses the seat for good, and is told. A bot plays on.")
    proposal = N_("{asker} proposes to give the seat of {name} to a bot.")
    told = N_("A seat has changed hands")

    @staticmethod
    def seats(play: Play) -> list[Seat]:
        return [seat for seat in play.rows if replace.may_be_replaced(play, seat)]

    def do(self, play: Play, by: Authority) -> None:
        replace.demand_missed(play, Seat(self.seat))
        replace.hand_over(play, Seat(self.seat), None, (by, self.reason))


class End(HostAct):
    """End the game before its end; it has no winner, and no result counts (M48)."""

    kind = "end"
    always = True
    even_stopped = True

    title = N_("End the game")
    hint = result = N_(
        "There is no winner, and nothing counts for anybody. Where two people or more play, more "
        "than half must agree. This cannot be taken back."
    )
    question = N_("End the game?")
    proposal = N_("{asker} proposes to end the game without a winner.")

    def consent(self, session: Session, game: Game, by: Seat | None, now: datetime) -> Consent:
        return FREE if game.stopped_reason else majority(session, game)

    def do(self, play: Play, by: Authority) -> None:
        play.record(GameAbandoned(self.reason, play.game.seed, because=by))


HOST_ACTS: Final = {act.kind: act for act in HostAct.__subclasses__()}
"""What a host may do, by name, in the order of the page."""


def act(session: Session, game_id: int, host: User, kind: str, body: Body, now: datetime) -> None:
    """Do something of `HOST_ACTS` as the host; `body`: the fields of its form.

    Raises:
        TableError: `not-the-host`, `not-running`, `reason-missing`, `others-decide` where people
            must agree who have not been asked (proposals.act_as_host asks them), and what the act
            itself refuses.
    """
    game = gamelog.lock(session, game_id)
    if game.host_id != host.id:
        raise TableError("not-the-host", _("Only the host of this table can do that."))
    what, by = checked(session, game, kind, body, now), _seat_of(session, game, host)
    what.refuse_for(session, game, by)
    if what.consent(session, game, by, now).needed:
        text = _("The others at the table must agree to this; propose it to them.")
        raise TableError("others-decide", text)
    perform(session, game, what, "host", now)


def _seat_of(session: Session, game: Game, user: User) -> Seat | None:
    row = seats.seat_of(session, game.id, user.id)
    return None if row is None or row.seat is None else Seat(row.seat)


def checked(session: Session, game: Game, kind: str, body: Body, now: datetime) -> HostAct:
    """Return what is to be done, cleaned; TableError where it cannot be done as things stand."""
    found = HOST_ACTS[kind]
    gamelog.demand_running(game, even_stopped=found.even_stopped)
    asked = found.read(session, game, body)
    asked.check(session, game, now)
    return asked


def perform(session: Session, game: Game, what: HostAct, by: Authority, now: datetime) -> None:
    """Do it, and tell everybody at the table. The game must be locked."""
    if game.stopped_reason:  # all that can be done then is to end it
        stuck.end(session, game, GameAbandoned(what.reason, game.seed, because=by), now)
        return
    play = Play.resume(session, game, now)
    what.do(play, by)
    play.settle()
    if what.event is not None:
        host = seats.seat_of(session, game.id, game.host_id) if by == "host" else None
        mails.notify_all(session, game, what.event, host.seat if host else None, now)


def heading(event: Event) -> str:
    """Return what has been done to a table, for the subject of its notice."""
    return _(next(a.told for a in HOST_ACTS.values() if a.event is type(event)))


def host_is_gone(session: Session, game: Game, now: datetime) -> bool:
    """Return True if there is no host, a bot has their seat, or they are silent for `SILENCE`."""
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
    seen = (WebSession, WebSession.seen_at), (ChatLine, ChatLine.at), (Presence, Presence.at)
    asked = [select(func.max(col(at))).where(table.user_id == host.id) for table, at in seen]
    found = [session.exec(question).one() for question in (*asked, moved)]
    log = gamelog.events(session, game.id)
    found += [e.at for e in log if getattr(e.event, "by", "") == "host"]
    return [at for at in found if at is not None]


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
    touched: frozenset[Seat]
    """Seats that would lose a move or a question, and the one whose move is corrected."""


def look(session: Session, game: Game, seat: int, line: str) -> Correction:
    """Return what correcting the last move of a seat would do; nothing is done.

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
        touched=frozenset({place, *movers(happened), *_asked_since(session, game, to)}),
    )


def _asked_since(session: Session, game: Game, to: int) -> list[Seat]:
    """Return the seats that were asked behind a position."""
    asked = select(Turn.seat).where(Turn.game_id == game.id, Turn.turn > to)
    return [Seat(seat) for seat in session.exec(asked)]


def long_pauses(session: Session, now: datetime) -> set[int]:
    """Return games that have been paused for so long that they go on by themselves."""
    query = (
        select(PauseRow.game_id)
        .join(Game, col(Game.id) == col(PauseRow.game_id))
        .where(
            col(PauseRow.ends_at).is_(None),
            col(PauseRow.starts_at) <= now - LONGEST_PAUSE,
            Game.status == GameStatus.RUNNING,
            Game.stopped_reason == "",
        )
    )
    return set(session.exec(query))


def end_pause(session: Session, game: Game, now: datetime) -> None:
    """Let a game go on whose pause has lasted long enough. The game must be locked."""
    play = Play.resume(session, game, now)
    pauses.resume(play, "service", _("A pause ends after {n} days.").format(n=LONGEST_PAUSE.days))
    play.settle()
    mails.notify_all(session, game, GameResumed, None, now)


def effect(
    narrator: Narrator, names: Sequence[str], log: Sequence[Logged], event: Rewound, seq: int
) -> str:
    """Return what a taking back has changed: the move before, the one instead, and what went.

    `seq`: the event's place in the log; `names`: of the players, by seat.
    """
    path = counting([entry for entry in log if entry.seq < seq])
    gone = [entry.event for entry in path if entry.seq > event.to]
    after = [entry.event for entry in log if entry.seq > seq]
    before = [e for e in gone if isinstance(e, SeatMoved) and e.seat == event.seat]
    own = takewhile(lambda e: getattr(e, "seat", event.seat) == event.seat, after[1:])
    corrected = bool(after) and isinstance(after[0], MoveCorrected)
    instead = _said(narrator, (e for e in own if corrected and isinstance(e, SeatMoved)))
    now = instead or _("the player is asked again.")
    lost = moves(movers(gone).items(), names)
    told = (
        (_("Before: {what}"), _said(narrator, before)),
        (_("Now: {what}"), now),
        (_("Does not count any more: {what}."), lost),
    )
    return sentences(text.format(what=what) for text, what in told if what)


def _said(narrator: Narrator, events: Iterable[Event]) -> str:
    return sentences(narrator.line(event) or "" for event in events)


def _before_last_move(session: Session, game: Game, seat: Seat, path: set[int]) -> int:
    """Return the position at which the seat was asked for the last answer that still counts."""
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


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def _reason(_session: Session, _game: Game, body: Body) -> str:
    """Return a reason on one line; the log needs one."""
    line = " ".join(str(body.get("reason", "")).split())[:_REASON_LENGTH]
    if not line:
        raise TableError("reason-missing", _("Please say why; everybody at the table can read it."))
    return line


def _hours(_session: Session, _game: Game, body: Body) -> int:
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


def _line(_session: Session, _game: Game, body: Body) -> str:
    return " ".join(str(body.get("line", "")).split())[:_LINE_LENGTH]


_FIELDS: Final[dict[str, Callable[[Session, Game, Body], Any]]] = {
    "reason": _reason,
    "hours": _hours,
    "seat": _seat,
    "line": _line,
}
"""How each field of a form is read."""
