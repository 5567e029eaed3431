"""What lies around a table when a seat is asked: what stops its clock, and who else is told."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlmodel import Session

from core.store.tables import Game, Outage, Pause, SeatRow, TablePreference, User, Vacation, Webhook
from core.table.record import deadlines, prepared
from core.table.record.calendar import Calendar, Span
from core.when import NEVER

_READ: Final = (Outage, Pause, SeatRow, TablePreference, Vacation, Webhook)


@dataclass(frozen=True, slots=True)
class Around:
    """Pauses and outages that reach beyond an instant; by user, vacations and webhooks.

    `hooks`: numbers of the webhooks that are to be called; none of those who mute the table.
    """

    stops: tuple[Span, ...]
    vacations: dict[int, list[Span]]
    hooks: dict[int, list[int]]

    @classmethod
    def of(cls, session: Session, game: Game, now: datetime) -> "Around":
        """Look around once, from an instant on."""
        stops: list[Span] = []
        vacations: dict[int, list[Span]] = {}
        hooks: dict[int, list[int]] = {}
        if any(isinstance(row, _READ) for row in (*session.new, *session.dirty)):
            session.flush()
        with session.no_autoflush:  # a move's own rows are written at its end, all at once
            rows = session.execute(prepared.AROUND, {"game_id": game.id, "now": now}).all()
        for kind, user_id, number, starts_at, ends_at in rows:
            if kind == "hook":
                hooks.setdefault(user_id, []).append(number)
            elif kind == "vacation":
                vacations.setdefault(user_id, []).append((starts_at, ends_at))
            else:
                stops.append((starts_at, ends_at or NEVER))
        return cls(tuple(stops), vacations, {user: sorted(found) for user, found in hooks.items()})

    def calendar(self, game: Game, user: User | None) -> Calendar:
        """Return what stops the clock of a user at the table from the instant on."""
        away = self.vacations.get(user.id, ()) if user else ()
        return deadlines.calendar_of(game, user, self.stops, away)
