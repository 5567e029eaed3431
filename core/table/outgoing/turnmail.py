"""Mails of one open question: that it is asked, and that it still waits."""

from datetime import datetime

from sqlmodel import Session

from core.game import engine
from core.game.types import Seat
from core.mail import letter as letters
from core.mail.letter import Topic
from core.mail.outbox import NotWanted
from core.store.tables import Game, OutboxMail, Turn, User
from core.table import gamelog, places
from core.table.away.absence import MISSES
from core.table.outgoing import reminders, sending
from core.table.view import table_view
from core.when import NEVER


def topic(session: Session, row: OutboxMail, user: User | None, now: datetime) -> Topic:
    """The question of a turn mail or a reminder as it stands now.

    Raises:
        NotWanted: it is answered, is another's, or its clock stands still (M11, M12, M13, M35).
    """
    asked = sending.question(session, row)
    if asked is None or user is None:
        raise NotWanted("answered meanwhile")
    mine = places.seat_of(session, asked.game_id, user.id)
    if mine is None or mine.seat != asked.seat:
        raise NotWanted("somebody else holds the seat")
    if row.kind == "reminder":
        game = session.get_one(Game, asked.game_id)
        if game.status != "running" or reminders.stands(session, game, asked, now):
            raise NotWanted("the clock stands still")
    return question(session, asked, now, again=row.kind == "reminder")


def question(session: Session, asked: Turn, now: datetime, *, again: bool = False) -> Topic:
    """An open question in full, with all that can be answered; `again`: it still waits."""
    table = table_view(session, asked.game_id, asked.seat, now=now)
    if asked.plan:
        return letters.Plan(table)
    state, seat = gamelog.load(session, asked.game_id), Seat(asked.seat)
    kind = letters.Reminder if again else letters.Turn
    return kind(
        table=table,
        default=engine.default_move(state, seat),
        last=state.players[seat].missed + 1 >= MISSES,
        moved=moved(asked),
    )


def moved(asked: Turn) -> datetime | None:
    """The deadline that was told first, where it is another now (M11)."""
    first = asked.first_deadline
    known = first is not None and first < NEVER and asked.deadline < NEVER
    return first if known and first != asked.deadline else None
