"""How much time a seat has, and until when: a table's terms and its players' calendars.

A turn's stored deadline is always `calendar.deadline(asked_at, allowed_seconds)`: pages, mails,
feeds and the sweep read that one instant (M32), and whatever changes a calendar writes it anew.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select

from core.game.types import Seat
from core.store.tables import Game, Outage, Pause, SeatRow, Turn, User, Vacation
from core.table.record.calendar import Calendar, Span, charged, deadline
from core.terms import Terms
from core.when import NEVER

HOUR = 3600
"""Seconds."""
_FAIR = 24 * HOUR


def terms_of(game: Game) -> Terms:
    """Return what the table agreed on."""
    return Terms.model_validate(game.terms)


def allowance(game: Game, row: SeatRow, *, again: bool = False) -> int:
    """Seconds that a seat has when it is asked: the time for a turn, or what its bank holds.

    A bank grows by the increment once a phase, up to its cap (M25). `again`: the seat has been
    asked in this phase before, so that bidding one more gains no time (H23); it has as much as an
    increment all the same, since an empty bank must not miss a turn by itself.
    """
    terms = terms_of(game)
    if terms.clock == "turn":
        return game.turn_hours * HOUR
    if again:
        return max(bank(terms, row), terms.increment_hours * HOUR)
    return min(bank(terms, row) + terms.increment_hours * HOUR, terms.cap_hours * HOUR)


def bank(terms: Terms, row: SeatRow) -> int:
    """Seconds in a seat's bank; a seat that is new to it has a full one."""
    return terms.bank_hours * HOUR if row.bank_seconds is None else row.bank_seconds


def fair(game: Game, row: SeatRow) -> int:
    """Seconds that a seat has at least when others make it answer again: a day or a whole turn."""
    return min(allowance(game, row), _FAIR)


def calendar(session: Session, game: Game, user_id: int | None, since: datetime) -> Calendar:
    """Return what stops the clock of a user at a table, as far as it reaches beyond `since`."""
    user = session.get(User, user_id) if user_id is not None else None
    away = _away(session, user_id, since) if terms_of(game).vacation else ()
    return calendar_of(game, user, _stops(session, game, since), away)


def calendar_of(
    game: Game, user: User | None, stops: Sequence[Span], away: Sequence[Span]
) -> Calendar:
    """Return what stops the clock of a user at a table: its terms, `stops`, and being away."""
    terms = terms_of(game)
    return Calendar(
        zone=user.zone if user else "UTC",
        window=window(user) if user and terms.windows else None,
        weekends_off=terms.weekends_off,
        stops=(*stops, *(away if terms.vacation else ())),
    )


def due(game: Game, asked_at: datetime, seconds: int, hours: Calendar) -> datetime:
    """When so many seconds have run; NEVER at a table where no turn is missed (M26)."""
    if not terms_of(game).deadlines_enforced:
        return NEVER
    return deadline(asked_at, timedelta(seconds=seconds), hours)


def left(session: Session, game: Game, turn: Turn, at: datetime) -> int:
    """Seconds that a turn has, or had, left at an instant; never negative (M35)."""
    hours = calendar(session, game, turn.user_id, turn.asked_at)
    used = charged(turn.asked_at, at, hours) // timedelta(seconds=1)
    return max(turn.allowed_seconds - used, 0)


def kept(row: SeatRow) -> list[int]:
    """Seconds that a seat's next questions have, each, after some were taken back (M60)."""
    return [] if row.left_seconds is None else [row.left_seconds, *row.later_seconds]


def keep(row: SeatRow, seconds: list[int]) -> None:
    """Keep what the seat's next questions have, each; the first comes first."""
    row.left_seconds, row.later_seconds = (seconds[0] if seconds else None), seconds[1:]


def take_left(row: SeatRow) -> int | None:
    """Seconds of the seat's next question if it was taken back; those of later ones move up."""
    seconds = kept(row)
    keep(row, seconds[1:])
    return seconds[0] if seconds else None


def stop(session: Session, turn: Turn, now: datetime) -> None:
    """Put what is left of a turn that is over back into its seat's bank, where there is one."""
    game = session.get_one(Game, turn.game_id)
    if terms_of(game).clock == "bank":
        row = seat_row(session, turn.game_id, Seat(turn.seat))
        row.bank_seconds = left(session, game, turn, now)
        session.add(row)


def seat_row(session: Session, game_id: int, seat: Seat) -> SeatRow:
    """Return the place of a seat at a table that plays."""
    query = select(SeatRow).where(SeatRow.game_id == game_id, SeatRow.seat == seat)
    return session.exec(query).one()


def window(user: User) -> tuple[int, int] | None:
    """Return a user's play window, minutes of their day; None if they have none."""
    if user.window_from is None or user.window_to is None:
        return None
    return user.window_from, user.window_to


def _stops(session: Session, game: Game, since: datetime) -> list[Span]:
    """Pauses of the game, and outages of the service."""
    pauses = session.exec(
        select(Pause).where(
            Pause.game_id == game.id,
            or_(col(Pause.ends_at).is_(None), col(Pause.ends_at) > since),
        )
    )
    outages = session.exec(select(Outage).where(col(Outage.ends_at) > since))
    return [
        *((row.starts_at, row.ends_at or NEVER) for row in pauses),
        *((row.starts_at, row.ends_at) for row in outages),
    ]


def _away(session: Session, user_id: int | None, since: datetime) -> list[Span]:
    rows = session.exec(
        select(Vacation).where(Vacation.user_id == user_id, col(Vacation.ends_at) > since)
    )
    return [(row.starts_at, row.ends_at) for row in rows]
