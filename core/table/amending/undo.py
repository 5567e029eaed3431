"""A player takes a move back: freely while nobody has acted since, else if all affected agree.

Never beyond a reveal: what was seen cannot be made unseen, whoever agrees (M58). Taking back can
itself be taken back until somebody moves (M59), and no clock gains anything by it (M60).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from sqlmodel import Session, col, select

from core.game import events as ev
from core.game.events import Event, Rewound
from core.game.evolve import SEAT_MOVED
from core.game.rewind import counting, is_reveal
from core.game.types import Seat
from core.store.tables import Game, Proposal, Turn
from core.table import gamelog
from core.table.amending import acts, proposed
from core.table.amending.rewinding import UNDONE, rewind
from core.table.errors import TableError
from core.table.play import Play
from core.tableview import Logged
from core.text import _

IN_A_ROW: Final = 3
"""How often one question may be answered and taken back freely: each time somebody gets a mail."""
_LATELY: Final = 50
"""Events among which the taking back is, if nobody has moved since."""
_FINAL: Final = (ev.TurnMissed, ev.DraftPlayed, ev.TurnSkipped, ev.MoveCorrected, ev.SeatTaken)
"""What the clock or the host has done, or a new player has come upon."""


@dataclass(frozen=True, slots=True)
class Undo:
    """What it means to take the last move of a seat back to position `to`.

    `vanish`: the events that would not count any more. `whose`: seats whose moves are among them,
    with how many. `must_agree`: people who are asked first; nobody where it is free.
    """

    seat: Seat
    turn: int
    to: int
    last: int
    vanish: tuple[Logged, ...]
    whose: dict[Seat, int]
    must_agree: tuple[Seat, ...]

    @property
    def free(self) -> bool:
        """Does nobody have to agree?"""
        return not self.must_agree


def look(session: Session, game_id: int, seat: int) -> Undo:
    """What taking back the seat's last move would do; changes nothing.

    Raises:
        TableError: `nothing-to-undo`; `revealed` (M58), `undo-final` or `undo-often`, each with
            the reason and the way out; `not-running`.
    """
    game = gamelog.find(session, game_id)
    _demand_running(game)
    place = Seat(seat)
    turn = _last_move(session, game_id, place)
    if turn is None or turn.closed_seq is None:
        raise TableError("nothing-to-undo", _("You have made no move that could be taken back."))
    vanish = tuple(counting(gamelog.events(session, game_id, after=turn.closed_seq)))
    happened = [entry.event for entry in vanish]
    _demand_reversible(happened)
    found = Undo(
        seat=place,
        turn=turn.turn,
        to=turn.closed_seq,
        last=game.seq,
        vanish=vanish,
        whose=movers(happened),
        must_agree=_affected(session, game_id, place, turn.closed_seq, happened),
    )
    if found.free and _in_a_row(session, game_id, place) >= IN_A_ROW:
        raise TableError("undo-often", _(
            "You have taken back this move {n} times; it stands now. If it is a mistake, ask the "
            "host to correct it."
        ).format(n=IN_A_ROW))  # fmt: skip
    return found


def take_back(session: Session, game_id: int, seat: int, last: int | None, now: datetime) -> Undo:
    """Take the seat's last move back, where that is free.

    `last`: the end of the log that the player has seen, None where he has seen none.

    Raises:
        TableError: as `look`; `must-agree` where others must agree first
            (core.table.amending.proposals); `moved-on` if more has happened than the player has
            seen (M63).
    """
    game = gamelog.lock(session, game_id)
    found = look(session, game_id, seat)
    if last is not None and last != game.seq:
        raise moved_on()
    if not found.free:
        raise TableError("must-agree", _("Others must agree first; ask them."))
    carry_out(session, game, found, "player", now)
    return found


def carry_out(
    session: Session, game: Game, undo: Undo, by: Literal["player", "consent"], now: datetime
) -> None:
    """Go back; the seat is asked again, and who is affected is told. The game must be locked."""
    play = Play.resume(session, game, now)
    rewind(play, Rewound(undo.to, undo.seat, by))
    play.settle()
    if by != "player":
        acts.tell(session, game, Rewound, None, now)


def redo_of(session: Session, game_id: int, seat: int) -> Rewound | None:
    """The taking back that this seat can still take back: its own, and nobody has moved since."""
    game = gamelog.find(session, game_id)
    if game.status != "running" or game.flag:
        return None
    for entry in reversed(gamelog.events(session, game_id, after=game.seq - _LATELY)):
        match entry.event:
            case Rewound(seat=who, again=False, by="player" | "consent" as by) if who == seat:
                if _was_sealed(session, game_id, entry.seq - 1):
                    return None
                return Rewound(entry.seq - 1, who, by, again=True)
            case Rewound():
                return None
            case event if isinstance(event, SEAT_MOVED):
                return None
    return None


def redo(session: Session, game_id: int, seat: int, now: datetime) -> None:
    """Let a move that was taken back count again (M59); TableError `nothing-to-redo`."""
    game = gamelog.lock(session, game_id)
    event = redo_of(session, game_id, seat)
    if event is None:
        raise TableError("nothing-to-redo", _(
            "There is nothing to bring back: somebody has moved since, or it was a sealed bid, "
            "which is given anew."
        ))  # fmt: skip
    play = Play.resume(session, game, now)
    rewind(play, event)
    play.settle()


def movers(events: Iterable[Event]) -> dict[Seat, int]:
    """How many moves of each seat are among events, in the order of the first."""
    return dict(Counter(event.seat for event in events if isinstance(event, SEAT_MOVED)))


def moved_on() -> TableError:
    """More has happened than the player has seen."""
    text = _("The game has moved on since you looked. Look again what it would do.")
    return TableError("moved-on", text)


def _was_sealed(session: Session, game_id: int, seq: int) -> bool:
    """Would a bid count again whose envelope nobody has any more?"""
    state = gamelog.load(session, game_id, seq)
    return state.auction is not None and state.auction.sealed and bool(state.auction.given)


def _demand_running(game: Game) -> None:
    if game.status != "running" or game.flag:
        raise TableError("not-running", _("This game is not running."))


def _demand_reversible(happened: list[Event]) -> None:
    if any(map(is_reveal, happened)):
        raise TableError("revealed", _(
            "Something came to light since: a card was drawn, or sealed bids were opened. A move "
            "from before that stands, whoever agrees; only the host can correct a mistake."
        ))  # fmt: skip
    if any(isinstance(event, _FINAL) for event in happened):
        raise TableError("undo-final", _(
            "Since then a turn was missed, the host has acted, or a seat has a new player. A move "
            "from before that stands; only the host can correct a mistake."
        ))  # fmt: skip


def _last_move(session: Session, game_id: int, seat: Seat) -> Turn | None:
    """The question that the seat itself answered last."""
    query = select(Turn).where(
        Turn.game_id == game_id,
        Turn.seat == seat,
        Turn.closed_by == "move",
        col(Turn.plan).is_(False),
    )
    return session.exec(query.order_by(col(Turn.closed_seq).desc())).first()


def _affected(
    session: Session, game_id: int, seat: Seat, to: int, happened: list[Event]
) -> tuple[Seat, ...]:
    """People who lose a move or a question; nobody while no other seat has moved. Bots agree."""
    moved = movers(happened).keys() - {seat}
    if not moved:
        return ()
    asked = session.exec(select(Turn.seat).where(Turn.game_id == game_id, Turn.turn > to))
    concerned = moved | {Seat(other) for other in asked}
    return tuple(sorted((concerned & proposed.present(session, game_id)) - {seat}))


def _in_a_row(session: Session, game_id: int, seat: Seat) -> int:
    """How often the seat has taken back the answer to its present question."""
    query = select(Turn.closed_by).where(Turn.game_id == game_id, Turn.seat == seat)
    rows = session.exec(query.order_by(col(Turn.id).desc())).all()
    count = 0
    for closed_by in rows[1:]:
        if closed_by not in (UNDONE, "redone"):
            break
        count += 1
    return count


def asked_before(session: Session, game_id: int, undo: Undo) -> bool:
    """Has the seat asked the others once already to take this move back (M57)?"""
    query = select(Proposal.id).where(
        Proposal.game_id == game_id,
        Proposal.kind == "undo",
        Proposal.seat == undo.seat,
        Proposal.turn == undo.turn,
    )
    return session.exec(query).first() is not None
