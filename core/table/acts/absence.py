"""A seat whose owner is away: what a missed turn does, who plays meanwhile, and their return.

A late turn is a saved move played (M36), or a missed turn and the default move. Two missed turns
in a row bring a caretaker and open the seat to others; a seat that has never moved in round 1 is
opened first, and nothing is played for it (M39). With one person left the game ends (M43); with
none it waits.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, delete, select

from core import questions
from core.game import engine
from core.game.errors import GameError, StaleMove
from core.game.events import (
    Authority,
    CaretakerAppointed,
    DraftPlayed,
    GameAbandoned,
    OwnerReturned,
    RoundBegan,
    SeatOpened,
    SeatTaken,
    TurnMissed,
)
from core.game.moves import Move
from core.game.notation import parse, text
from core.game.observe import observe
from core.game.types import Seat
from core.questions.question import Unfilled
from core.statuses import ClosedBy, GameStatus
from core.store.tables import Draft, StandingOrder, Turn
from core.table.acts import replace
from core.table.notify import mails, moved_deadlines
from core.table.people import reliability
from core.table.play.play import Play
from core.table.record import gamelog
from core.table.record.deadlines import terms_of
from core.table.record.errors import TableError
from core.text import _

MISSES: Final = 2
"""Turns missed in a row after which a caretaker plays."""
PATIENT_RETURNS: Final = 2
"""After so many returns one missed turn brings the caretaker, and the next return is the last."""
OFFER_HOURS: Final = 48
"""At most so long a seat that never came is offered to others before a bot takes it."""
PATIENCE: Final = timedelta(days=14)
"""A game that waits for all its people ends when nothing has happened for so long."""
_OPENING_ROUND: Final = 1
_COME_OR_GONE: Final = (CaretakerAppointed, OwnerReturned, SeatTaken)
_WORD: Final = 200
"""Characters that a player who leaves may say to the others."""


def return_owner(session: Session, game_id: int, seat: int, now: datetime) -> bool:
    """Let the owner play again from the next question on; False if their seat was not given up."""
    game = gamelog.lock(session, game_id)
    if game.status != GameStatus.RUNNING:
        return False
    play = Play.resume(session, game, now)
    place = Seat(seat)
    if not is_away(play, place):
        return False
    demand_return(play, place)
    welcome(play, place)
    mails.notify_seat(session, game, place, mails.SeatNotice.RETURNED, now)
    play.settle()
    return True


def is_away(play: Play, seat: Seat) -> bool:
    """Return True if a caretaker plays, or others may take the seat."""
    return play.state.players[seat].caretaker or play.rows[seat].open


def welcome(play: Play, seat: Seat) -> None:
    """Give the seat back to its owner: no caretaker, and nobody else can take it."""
    play.record(OwnerReturned(seat))
    play.rows[seat].open = False
    play.session.add(play.rows[seat])


def miss(play: Play, turn: Turn) -> bool:
    """Miss a deadline; return True if somebody has left the game by it; then `look_round`."""
    seat = Seat(turn.seat)
    if play.rows[seat].open and not play.state.players[seat].caretaker:
        replace.hand_over(play, seat, None, ("service", ""))  # nobody has come (M39)
        return True
    play.record(TurnMissed(seat))
    if _never_came(play, seat):
        _offer(play, turn)
        return False
    missed, back = play.state.players[seat].missed, returns(play, seat)
    play.move(seat, engine.default_move(play.state, seat), ClosedBy.MISSED)
    if play.over or (missed < MISSES and back < PATIENT_RETURNS):
        return False
    if back > PATIENT_RETURNS:  # they have come and gone often enough (H20)
        replace.hand_over(play, seat, None, ("service", ""))
        return True
    _drop(play, seat)
    return True


def returns(play: Play, seat: Seat) -> int:
    """Return how often the present owner of a seat has come back to it."""
    count = 0
    for entry in gamelog.events(play.session, play.game.id):
        if isinstance(entry.event, SeatTaken) and entry.event.seat == seat:
            count = 0
        count += isinstance(entry.event, OwnerReturned) and entry.event.seat == seat
    return count


def demand_return(play: Play, seat: Seat) -> None:
    """Raise TableError `returned` for who has come back twice and in this round already (H20)."""
    log = gamelog.events(play.session, play.game.id)
    began = next((e.seq for e in reversed(log) if isinstance(e.event, RoundBegan)), 0)
    lately = any(isinstance(e.event, OwnerReturned) and e.event.seat == seat for e in log[began:])
    if lately and returns(play, seat) >= PATIENT_RETURNS:
        raise TableError("returned", _(
            "You have come back in this round already. A bot plays for you until the next one "
            "begins; then you can come back."
        ))  # fmt: skip


def offer(play: Play, seat: Seat, by: Authority, reason: str) -> None:
    """Offer the seat of who has missed a turn to others, as the host or a majority (M41).

    A caretaker plays meanwhile, and the owner may come back until somebody has taken it. TableError
    `not-missed`, or `offered` where it is free already.
    """
    replace.demand_missed(play, seat)
    if play.rows[seat].open:
        text = _("This seat is free for others already; invite somebody to it.")
        raise TableError("offered", text)
    if not play.state.players[seat].caretaker:
        play.record(CaretakerAppointed(seat))
    _free(play, seat, SeatOpened(seat, by, reason))
    mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.CARETAKER, play.now)


def leave(play: Play, seat: Seat) -> None:
    """Part an owner from their seat: a caretaker plays, and others may take it (M40, M52)."""
    replace.refuse_pending(play, seat, None)
    play.owners[seat] = None
    if not play.state.players[seat].caretaker:
        play.record(CaretakerAppointed(seat))
    if not play.rows[seat].open:
        _open(play, seat)
    look_round(play)


def resign(
    session: Session,
    game_id: int,
    seat: int,
    reason: str,
    now: datetime,
    *,
    since: int | None = None,
) -> None:
    """Leave a running game: the seat is as after two missed turns, its orders are void.

    They may come back until somebody else has the seat; with one person left the game ends (M43).
    `since`: the log's length when they were told so. StaleMove if others came or went after it;
    TableError `not-running`, or `left` where a bot plays for them already.
    """
    game = gamelog.lock(session, game_id)
    news = gamelog.events(session, game_id, after=game.seq if since is None else since)
    if any(isinstance(e.event, _COME_OR_GONE) and e.event.seat != seat for e in news):
        raise StaleMove
    play, place = Play.running(session, game_id, now), Seat(seat)
    if play.state.players[place].caretaker:
        raise TableError("left", _("A bot plays your seat already, and others may take it."))
    replace.refuse_pending(play, place, play.owners[place], _("You have left the game."))
    play.orders.void(place, _("You have left the game."))
    session.exec(delete(Draft).where(col(Draft.game_id) == game_id, col(Draft.seat) == seat))
    play.record(CaretakerAppointed(place))
    _open(play, place, SeatOpened(place, "player", " ".join(reason.split())[:_WORD]))
    look_round(play)
    play.settle()
    if not play.over:
        mails.notify_all(session, game, SeatOpened, place, now)


def look_round(play: Play) -> None:
    """Somebody has left: end the game for the last one (M43), or let it wait for all."""
    people = _people(play)
    present = [seat for seat in people if not play.state.players[seat].caretaker]
    if play.over:
        return
    if not people:
        play.record(GameAbandoned("", play.game.seed, "nobody-left"))
    elif len(present) == 1:
        play.record(GameAbandoned("", play.game.seed, "last-player"))
    elif not present:
        for seat in people:
            mails.notify_seat(
                play.session, play.game, seat, mails.SeatNotice.ASLEEP, play.now, days=PATIENCE.days
            )


def _people(play: Play) -> list[Seat]:
    return [seat for seat, user in play.owners.items() if user is not None]


def _drop(play: Play, seat: Seat) -> None:
    """Let a caretaker play for the seat, and whoever may join take it (M40)."""
    play.record(CaretakerAppointed(seat))
    _open(play, seat)
    mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.CARETAKER, play.now)


def _offer(play: Play, turn: Turn) -> None:
    """Let the game wait for the seat: its owner may still come, others may take it."""
    seat = Seat(turn.seat)
    _free(play, seat, SeatOpened(seat))
    _bar(play, seat, once=False)
    moved_deadlines.give(play.session, play.game, turn, min(play.game.turn_hours, OFFER_HOURS))
    mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.OFFERED, play.now)
    user = play.owners[seat]
    if user is not None:
        mails.notify_host(play.session, play.game, mails.UserNotice.NO_SHOW, user, play.now)


def _open(play: Play, seat: Seat, event: SeatOpened | None = None) -> None:
    _free(play, seat, event or SeatOpened(seat))
    _bar(play, seat, once=True)


def _bar(play: Play, seat: Seat, *, once: bool) -> None:
    """Bar who has left from others' tables; `once`: at the first time, else only by habit (H5).

    Who plays with bots alone harms nobody.
    """
    user = play.owners[seat]
    if user is None or len(_people(play)) < MISSES:
        return
    if once or reliability.misses(play.session, user.id, play.now) > 0:
        reliability.bar(play.session, user, play.now)


def _free(play: Play, seat: Seat, event: SeatOpened) -> None:
    play.record(event)
    play.rows[seat].open = True
    play.session.add(play.rows[seat])


def _never_came(play: Play, seat: Seat) -> bool:
    """Has nothing come from the seat, in round 1 or before, while somebody else waits for it?"""
    others = [s for s in _people(play) if s != seat and not is_away(play, s)]
    if play.state.round > _OPENING_ROUND or not others:
        return False
    here = Turn.game_id == play.game.id, Turn.seat == seat
    moved = select(Turn.id).where(
        *here, col(Turn.closed_by).in_((ClosedBy.MOVE, ClosedBy.DRAFT, ClosedBy.READY))
    )
    ordered = StandingOrder.game_id == play.game.id, StandingOrder.seat == seat
    signs = (moved, select(StandingOrder.id).where(*ordered))
    return all(play.session.exec(sign).first() is None for sign in signs)


def drafted(play: Play, turn: Turn) -> bool:
    """Play the move that the seat has saved for this turn, where the table chose so (M36)."""
    seat = Seat(turn.seat)
    move = _draft(play, turn) if terms_of(play.game).on_miss == "draft" else None
    if move is None:
        return False
    play.record(DraftPlayed(seat))
    play.move(seat, move, ClosedBy.DRAFT)
    said = text(move, play.state.ruleset)
    mails.notify_seat(play.session, play.game, seat, mails.SeatNotice.DRAFT, play.now, line=said)
    return True


def _draft(play: Play, turn: Turn) -> Move | None:
    """Return the saved move, if it is complete and legal."""
    seat = Seat(turn.seat)
    row = play.session.get(Draft, (turn.game_id, turn.seat))
    question = questions.of(observe(play.state, seat))
    if row is None or row.turn != turn.turn or question is None:
        return None
    try:
        move = parse(question.line(row.fields), play.state.ruleset)
        engine.preview(play.state, seat, move)
    except (Unfilled, GameError):
        return None
    return move
