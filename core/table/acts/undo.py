"""A player takes a move back: freely while nobody has acted since, else if all affected agree.

Never beyond a reveal: what was seen cannot be made unseen, whoever agrees (M58). Taking back can
itself be taken back until somebody moves (M59), and no clock gains anything by it (M60).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final, Literal

from sqlmodel import Session, col, delete, select

from core.game import engine
from core.game import events as ev
from core.game.events import Event, PhaseBegan, Rewound, SealedBidsOpened, SeatMoved
from core.game.rewind import counting, is_reveal
from core.game.types import Elektro, Seat
from core.lists import series
from core.statuses import ClosedBy, GameStatus
from core.store.session import count
from core.store.tables import Game, Proposal, SealedBidRow, Turn
from core.table.notify import mails
from core.table.play.play import Play
from core.table.record import deadlines, gamelog, seats
from core.table.record.errors import TableError
from core.tableview import Logged
from core.text import _, ngettext

_ANSWERED: Final = (ClosedBy.MOVE, ClosedBy.DRAFT)


def rewind(play: Play, event: Rewound) -> None:
    """Let the game go back; then `play.settle` asks whoever is to act at that position."""
    envelopes = _envelopes_at(play, event.to)
    last = play.game.seq
    answered = _taken_back(play, event.to, last)
    unasked = _close_questions(play, event)
    gamelog.append(play.session, play.game, [event], play.now)
    play.state = gamelog.load(play.session, play.game.id)
    _seal(play, envelopes)
    if event.again:
        _restore(play, event.to, unasked)
        return
    for turn in answered:
        turn.closed_by = ClosedBy.UNDONE
        play.session.add(turn)
    _carry(play, event, [*answered, *unasked])
    _ask_again(play, {Seat(turn.seat) for turn in answered})


def _close_questions(play: Play, event: Rewound) -> list[Turn]:
    """Close what was asked behind the position; a question from before it stands, as it did."""
    found = [turn for turn in play.turns.values() if turn.turn > event.to]
    for turn in found:
        play.close(Seat(turn.seat), ClosedBy.REDONE if event.again else ClosedBy.UNDONE)
    for seat in [seat for seat, plan in play.plans.items() if plan.turn > event.to]:
        play.close_plan(seat, ClosedBy.UNDONE)
    return found


def _taken_back(play: Play, to: int, last: int) -> list[Turn]:
    """Return the turns whose answers lie between the position and the end of what counts."""
    log = gamelog.events(play.session, play.game.id, last)
    path = {entry.seq for entry in counting(log)}
    return [
        turn
        for turn in _turns(play, _ANSWERED)
        if turn.closed_seq is not None and turn.closed_seq >= to and turn.closed_seq + 1 in path
    ]


def _restore(play: Play, to: int, unasked: list[Turn]) -> None:
    """Let the answers that an earlier going back had taken away count again.

    What was kept for their questions goes; what is left of those that are closed now is kept.
    """
    first = next(
        entry.event
        for entry in gamelog.events(play.session, play.game.id, to + 1, after=to)
        if isinstance(entry.event, Rewound)
    )
    path = {entry.seq for entry in counting(gamelog.events(play.session, play.game.id, to))}
    bygone: Counter[Seat] = Counter()
    for turn in _turns(play, (ClosedBy.UNDONE,)):
        seq = turn.closed_seq
        if seq is not None and first.to <= seq < to and seq + 1 in path:
            turn.closed_by = ClosedBy.MOVE
            play.session.add(turn)
            bygone[Seat(turn.seat)] += 1
    for seat in {*bygone, *(Seat(turn.seat) for turn in unasked)}:
        row = play.rows[seat]
        open_ = [_left(play, turn) for turn in unasked if turn.seat == seat]
        deadlines.keep(row, [*open_, *deadlines.kept(row)][bygone[seat] :])
        play.session.add(row)


def _turns(play: Play, closed_by: Iterable[ClosedBy]) -> list[Turn]:
    query = select(Turn).where(
        Turn.game_id == play.game.id,
        col(Turn.closed_by).in_(tuple(closed_by)),
        col(Turn.plan).is_(False),
    )
    return list(play.session.exec(query.order_by(col(Turn.id))))


def _carry(play: Play, event: Rewound, gone: list[Turn]) -> None:
    """Keep for each seat what was left of every question that it loses, in their order."""
    terms = deadlines.terms_of(play.game)
    log = gamelog.events(play.session, play.game.id)
    phases = [entry.seq for entry in log if isinstance(entry.event, PhaseBegan)]
    for seat in {Seat(turn.seat) for turn in gone}:
        mine = sorted((t for t in gone if t.seat == seat), key=lambda turn: turn.turn)
        row = play.rows[seat]
        if terms.clock == "turn":
            lefts = [_left(play, turn) for turn in mine]
        else:  # the bank has it already, and what later phases had brought on top
            grown = sum(
                any(a.turn < began <= b.turn for began in phases) for a, b in pairwise(mine)
            )
            more = grown * terms.increment_hours * deadlines.HOUR
            lefts = [max(deadlines.bank(terms, row) - more, 0)]
        if event.by in ("host", "vote"):
            fair = deadlines.fair(play.game, row)
            lefts = [max(left, fair) for left in lefts]
        later = deadlines.kept(row) if terms.clock == "turn" else []
        deadlines.keep(row, [*lefts, *later])
        play.session.add(row)


def _left(play: Play, turn: Turn) -> int:
    """Seconds left of a closed question; a bank has them already."""
    terms = deadlines.terms_of(play.game)
    if terms.clock == "bank":
        return deadlines.bank(terms, play.rows[Seat(turn.seat)])
    return deadlines.left(play.session, play.game, turn, turn.closed_at or play.now)


def _ask_again(play: Play, seats: set[Seat]) -> None:
    """Those who had answered are asked at once: no standing order may answer in their place."""
    again = (s for s in engine.to_act(play.state) if s in seats and s not in play.turns)
    play.ask(*(seat for seat in again if not play.machine(seat)))


def _envelopes_at(play: Play, to: int) -> dict[Seat, Elektro | None]:
    """Return the sealed bids that lay on the table at a position.

    They are kept until their auction is over, and told by it; what was taken back from an open
    auction is in no log, and is given anew.
    """
    then = gamelog.load(play.session, play.game.id, to)
    if then.auction is None or not then.auction.sealed:
        return {}
    known = dict(play.sealed)
    for entry in gamelog.events(play.session, play.game.id, after=to):
        if isinstance(entry.event, SealedBidsOpened):
            known = {bid.seat: bid.maximum for bid in entry.event.bids}
            break
    return {seat: known[seat] for seat in then.auction.given}


def _seal(play: Play, envelopes: dict[Seat, Elektro | None]) -> None:
    play.session.exec(delete(SealedBidRow).where(col(SealedBidRow.game_id) == play.game.id))
    play.session.flush()
    play.sealed = envelopes
    for seat, maximum in envelopes.items():
        play.session.add(SealedBidRow(game_id=play.game.id, seat=seat, maximum=maximum))


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
        """Return True if nobody has to agree."""
        return not self.must_agree


def look(session: Session, game_id: int, seat: int) -> Undo:
    """Return what taking back the seat's last move would do; change nothing.

    Raises:
        TableError: `nothing-to-undo`; `revealed` (M58), `undo-final` or `undo-often`, each with
            the reason and the way out; `not-running`.
    """
    game = gamelog.find(session, game_id)
    gamelog.demand_running(game)
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


def carry_out(
    session: Session, game: Game, undo: Undo, by: Literal["player", "consent"], now: datetime
) -> None:
    """Go back; the seat is asked again, and who is affected is told. The game must be locked."""
    play = Play.resume(session, game, now)
    rewind(play, Rewound(undo.to, undo.seat, by))
    play.settle()
    if by != "player":
        mails.notify_all(session, game, Rewound, None, now)


def redo_of(session: Session, game_id: int, seat: int) -> Rewound | None:
    """Return the taking back that this seat can still take back: nobody has moved since."""
    game = gamelog.find(session, game_id)
    if game.status != GameStatus.RUNNING or game.stopped_reason:
        return None
    for entry in reversed(gamelog.events(session, game_id, after=game.seq - _LATELY)):
        match entry.event:
            case Rewound(seat=who, again=False, by="player" | "consent" as by) if who == seat:
                if _was_sealed(session, game_id, entry.seq - 1):
                    return None
                return Rewound(entry.seq - 1, who, by, again=True)
            case Rewound():
                return None
            case event if isinstance(event, SeatMoved):
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
    """Return how many moves of each seat are among events, in the order of the first."""
    return dict(Counter(event.seat for event in events if isinstance(event, SeatMoved)))


def moves(whose: Iterable[Sequence[int]], names: Sequence[str]) -> str:
    """Return ``1 move of Ben, 2 moves of Clara``: `whose` are pairs of a seat and its moves."""
    return series(
        ngettext("{count} move of {name}", "{count} moves of {name}", count).format(
            name=names[seat], count=count
        )
        for seat, count in whose
    )


def moved_on() -> TableError:
    """Return the error that more has happened than the player has seen."""
    text = _("The game has moved on since you looked. Look again what it would do.")
    return TableError("moved-on", text)


def _was_sealed(session: Session, game_id: int, seq: int) -> bool:
    """Would a bid count again whose envelope nobody has any more?"""
    state = gamelog.load(session, game_id, seq)
    return state.auction is not None and state.auction.sealed and bool(state.auction.given)


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
    """Return the question that the seat itself answered last."""
    query = select(Turn).where(
        Turn.game_id == game_id,
        Turn.seat == seat,
        Turn.closed_by == ClosedBy.MOVE,
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
    return tuple(sorted((concerned & seats.present(session, game_id)) - {seat}))


def _in_a_row(session: Session, game_id: int, seat: Seat) -> int:
    """How often the seat has taken back the answer to its present question."""
    query = select(Turn.closed_by).where(Turn.game_id == game_id, Turn.seat == seat)
    rows = session.exec(query.order_by(col(Turn.id).desc())).all()
    count = 0
    for closed_by in rows[1:]:
        if closed_by not in (ClosedBy.UNDONE, ClosedBy.REDONE):
            break
        count += 1
    return count


def asked_before(session: Session, game_id: int, undo: Undo) -> bool:
    """Return True if the seat has asked the others already to take this move back (M57)."""
    mine = Proposal.game_id == game_id, Proposal.seat == undo.seat, Proposal.turn == undo.turn
    return count(session, Proposal.kind == "undo", *mine) > 0
