"""Deleting an account: nothing of a person stays, and no game breaks by it (M52).

Seats become "a former player", in the log, too; running games go on as when somebody has given up,
with a caretaker and an open seat; tables that have not begun go on with another host, or close.
The user's row stays for what refers to it, and says nothing any more. What refers to a user is
found in the tables themselves, so that no new table is forgotten.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from sqlalchemy import Column
from sqlmodel import Session, SQLModel, col, delete, or_, select, update

from core.game.events import MadeBySitter, SeatTaken, VacationBegan
from core.game.types import Seat
from core.statuses import GameStatus
from core.store.session import put
from core.store.tables import (
    ChatLine,
    Draft,
    EventRow,
    Game,
    Heartbeat,
    InboundMail,
    Invitation,
    OutboxMail,
    Picture,
    Result,
    ResultSeat,
    SeatRow,
    SignInToken,
    StandingOrder,
    Submission,
    Turn,
    User,
    Vacation,
    Webhook,
    WebhookCall,
)
from core.table.acts import absence, lobby
from core.table.people import guests, ratings
from core.table.play.play import Play
from core.table.record import gamelog, results, seats
from core.table.record.errors import TableError
from core.text import _

FORMER: Final = "a former player"
"""The name of users who have deleted their account; stored, so in the language of the source."""
_KEPT: Final = ((ChatLine.__tablename__, "user_id"),)
"""What others were told stays, said by a former player."""
_NAMING: Final = (SeatTaken.__name__, VacationBegan.__name__, MadeBySitter.__name__)
_FEWEST_RIVALS: Final = 2


def delete_account(session: Session, user_id: int, now: datetime) -> list[int]:
    """Delete an account; twice is once. Returns the games that may go on by themselves now.

    Raises:
        TableError: `busy` if the user came to another table in this very moment; then nothing has
            happened, and trying again helps.
    """
    user = session.get(User, user_id)
    if user is None or user.deleted_at is not None:
        return []
    games = [gamelog.lock(session, game_id) for game_id in _games(session, user_id)]
    for game in games:
        _leave(session, game, user, now)
    _forget_ratings(session, user_id, now)
    # Games first, the user last: whoever writes to a game locks it before it names a user.
    user = session.get_one(User, user_id, populate_existing=True, with_for_update=True)
    if user.deleted_at is not None:
        return []
    if _seated(session, user_id):
        text = _("You came to another table in this moment. Please try once more.")
        raise TableError("busy", text)
    _erase(session, user)
    user.deleted_at = now
    session.add(user)
    return [game.id for game in games if game.status == GameStatus.RUNNING]


def _games(session: Session, user_id: int) -> list[int]:
    """Every table that knows the user: by a seat, as host, by a turn, or as somebody's sitter."""
    found = set(_seated(session, user_id))
    turns = select(Turn.game_id).where(Turn.user_id == user_id).distinct()
    away = (
        select(SeatRow.game_id)
        .join(Vacation, col(Vacation.user_id) == col(SeatRow.user_id))
        .where(Vacation.sitter_id == user_id)
    )
    for query in (turns, away):
        found |= set(session.exec(query))
    return sorted(found)


def _seated(session: Session, user_id: int) -> list[int]:
    seats = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    hosted = select(Game.id).where(or_(Game.host_id == user_id, col(Game.id).in_(seats)))
    return list(session.exec(hosted))


def _leave(session: Session, game: Game, user: User, now: datetime) -> None:
    row = seats.seat_of(session, game.id, user.id)
    own = game.private and game.host_id == user.id
    if own and (game.imported or (guests.is_guest(user) and _alone(session, game))):
        _remove_game(session, game)  # nobody else could ever see it
        return
    if game.status == GameStatus.OPEN:
        _leave_open(session, game, user, row, now)
    elif row is not None:
        _log_without(session, game, user, row, _name(session, game.id))
        if game.status == GameStatus.RUNNING:
            _give_up(session, game, row, now)
        row.name, row.user_id = _name(session, game.id), None
        session.add(row)
    else:
        _log_without(session, game, user, None, FORMER)
    game.title = re.sub(rf"(?<!\w){re.escape(user.name)}(?!\w)", FORMER, game.title)[:80]
    if game.host_id == user.id:
        running = game.status == GameStatus.RUNNING
        game.host_id = seats.heir(session, game.id, user.id) if running else None
    session.add(game)
    session.flush()


def _alone(session: Session, game: Game) -> bool:
    """Tell whether one person plays with bots."""
    return sum(row.user_id is not None for row in seats.seats(session, game.id)) <= 1


def _leave_open(
    session: Session, game: Game, user: User, row: SeatRow | None, now: datetime
) -> None:
    """Somebody else at the table becomes its host; it closes where nobody is."""
    if row is not None:
        session.delete(row)
    if game.host_id != user.id:
        return
    session.flush()
    game.host_id = seats.heir(session, game.id, user.id)
    if game.host_id is None:
        lobby.cancel(session, game, now)


def _name(session: Session, game_id: int) -> str:
    """Return ``a former player``, numbered where there is one at the table already."""
    taken = {row.name for row in seats.seats(session, game_id)}
    names = (FORMER, *(f"{FORMER} {n}" for n in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def _give_up(session: Session, game: Game, row: SeatRow, now: datetime) -> None:
    """Let a caretaker play, and others take the seat; the last one's game ends (M43)."""
    seat = row.seat or 0
    for table in (StandingOrder, Draft):
        mine = col(table.game_id) == row.game_id, col(table.seat) == row.seat
        since = [] if table is Draft else [col(StandingOrder.given_at) >= row.joined_at]
        session.exec(delete(table).where(*mine, *since))
    if game.stopped_reason:  # it cannot be folded; whoever lets it go on finds the seat open
        row.open, row.user_id = True, None
        session.add(row)
        return
    play = Play.resume(session, game, now)
    row.user_id = None
    absence.leave(play, Seat(seat))
    play.settle()


def _erase(session: Session, user: User) -> None:
    """Remove all that is about a user, and make their row say nothing. It must be locked."""
    hooks = select(Webhook.id).where(Webhook.user_id == user.id)
    session.exec(delete(WebhookCall).where(col(WebhookCall.webhook_id).in_(hooks)))
    session.exec(
        delete(OutboxMail).where(
            or_(col(OutboxMail.user_id) == user.id, col(OutboxMail.address) == user.email)
        )
    )
    session.exec(delete(InboundMail).where(col(InboundMail.id).in_(_mails_from(session, user))))
    for table in (Invitation, SignInToken):
        session.exec(delete(table).where(col(table.email) == user.email))
    for column in _references("users"):
        if column.nullable:
            session.execute(column.table.update().where(column == user.id).values({column: None}))
        elif (column.table.name, column.name) not in _KEPT:
            session.execute(column.table.delete().where(column == user.id))
    nobody = User(id=user.id, email=f"deleted-{user.id}", name=FORMER)
    nobody.feed_version = user.feed_version + 1
    for name in User.model_fields:
        setattr(user, name, getattr(nobody, name))


def _mails_from(session: Session, user: User) -> list[int]:
    """Return the mails of a user, also where a forwarder has rewritten their sender (H16)."""
    own, found = user.email.encode(), []
    for number, sender, raw in session.exec(
        select(InboundMail.id, InboundMail.envelope_from, InboundMail.raw)
    ):
        head = raw.partition(b"\r\n\r\n")[0].lower()
        if sender == user.email or own in head:
            found.append(number)
    return found


def _log_without(session: Session, game: Game, user: User, row: SeatRow | None, name: str) -> None:
    """Put `name` in the place of a user's own, wherever the log says it. The game is locked.

    The one change that a log ever sees: no position depends on it.
    """
    _forget_mails(session, game, row)
    _mails_without(session, game, user, name)
    query = select(EventRow).where(
        EventRow.game_id == game.id, col(EventRow.body)["type"].as_string().in_(_NAMING)
    )
    rows = list(session.exec(query.order_by(col(EventRow.seq))))
    changed = [*_taken(session, game, user, row, rows), *_sat(session, game, user, rows)]
    session.exec(delete(Picture).where(col(Picture.game_id) == game.id))
    for event, key in changed:
        event.body = {**event.body, key: name}
        session.add(event)
    if changed:
        gamelog.rewritten(session, game)


def _forget_ratings(session: Session, user_id: int, now: datetime) -> None:
    """Make a user nobody in what they have played; the others are rated again without them."""
    mine = select(ResultSeat.game_id).where(ResultSeat.user_id == user_id)
    rated = select(Result).where(col(Result.rated), col(Result.game_id).in_(mine))
    order = col(Result.ended_at), col(Result.game_id)
    found = session.exec(rated.order_by(*order)).all()
    if not found:
        return
    put(session, Heartbeat(name="ratings", at=now))  # as whoever rates does: its row is the lock
    ratings.forget_from(session, found[0])
    session.exec(update(ResultSeat).where(col(ResultSeat.user_id) == user_id).values(user_id=None))
    for result in found:
        session.refresh(result)
        seats = session.exec(select(ResultSeat).where(ResultSeat.game_id == result.game_id))
        if sum(map(results.counts, seats)) < _FEWEST_RIVALS:
            result.rated, result.unrated, result.due = False, "alone", False
            session.add(result)


def _remove_game(session: Session, game: Game) -> None:
    """Remove a game that somebody had brought for themselves alone, with all that belongs to it."""
    session.flush()
    for table in reversed(SQLModel.metadata.sorted_tables):
        if "game_id" in table.columns:
            session.execute(table.delete().where(table.c.game_id == game.id))
    session.delete(game)
    session.flush()


def _references(table: str) -> Iterator[Column[int]]:
    """Yield every column that refers to a row of this table."""
    for other in SQLModel.metadata.sorted_tables:
        for key in other.foreign_keys:
            if key.column.table.name == table:
                yield key.parent


def _forget_mails(session: Session, game: Game, row: SeatRow | None) -> None:
    """Replace the Message-ID that names a move that came by mail: its number does as well."""
    if row is None:
        return
    mine = select(Submission).where(Submission.game_id == game.id, Submission.seat == row.seat)
    for move in session.exec(mine.where(Submission.created_at >= row.joined_at)):
        move.key = f"of-a-former-player:{move.id}"
        session.add(move)


def _mails_without(session: Session, game: Game, user: User, name: str) -> None:
    """Drop mails to others that are not sent yet and may tell of the user."""
    for mail in session.exec(select(OutboxMail).where(OutboxMail.game_id == game.id)):
        if user.name in mail.context.values():
            told = {key: name if v == user.name else v for key, v in mail.context.items()}
            mail.context = told
            session.add(mail)


def _taken(
    session: Session, game: Game, user: User, row: SeatRow | None, rows: list[EventRow]
) -> Iterator[tuple[EventRow, str]]:
    """Yield where a change of seats names the user: as who came, or as who was there before."""
    asked = select(Turn.seat, Turn.turn).where(Turn.game_id == game.id, Turn.user_id == user.id)
    held = set(session.exec(asked))
    taken: dict[int, list[EventRow]] = {}
    for event in rows:
        if event.body["type"] == SeatTaken.__name__:
            taken.setdefault(event.body["seat"], []).append(event)
    for seat, changes in taken.items():
        # who was asked at a position held the seat since the last change before it
        times = {sum(e.seq <= turn for e in changes) for where, turn in held if where == seat}
        if row is not None and row.seat == seat:
            times.add(len(changes))
        for n in times:
            if n > 0:
                yield changes[n - 1], "name"
            if n < len(changes):
                yield changes[n], "former"


def _sat(
    session: Session, game: Game, user: User, rows: list[EventRow]
) -> Iterator[tuple[EventRow, str]]:
    """Yield where the user is named as who moved for somebody on vacation."""
    query = (
        select(SeatRow.seat, Vacation)
        .join(Vacation, col(Vacation.user_id) == col(SeatRow.user_id))
        .where(SeatRow.game_id == game.id, Vacation.sitter_id == user.id)
    )
    away = list(session.exec(query))
    for event in rows:
        sitter = event.body.get("sitter")
        named = any(
            seat == event.body["seat"] and v.starts_at <= event.at <= v.ends_at for seat, v in away
        )
        if sitter and (named or sitter == user.name):
            yield event, "sitter"
