"""A table once more: with the same people by the same terms, or the terms alone (H2, W26)."""

from datetime import datetime

from sqlmodel import Session, col, select

from core import bots
from core.statuses import GAME_OVER, GameStatus
from core.store.tables import Game, SeatRow, User
from core.table.acts import invitations, lobby
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.terms import Terms
from core.text import _


def rematch(session: Session, game: Game, user: User, now: datetime) -> Game:
    """Open the table of a game that is over once more, and ask all its people; twice is once.

    Who asks is its host. Bots take their places again.

    Raises:
        TableError: `not-over`, `not-yours`, or what `lobby.create_table` refuses.
    """
    old = gamelog.lock(session, game.id)
    if old.status not in GAME_OVER:
        raise TableError("not-over", _("A rematch can begin once this game is over."))
    rows = seats.seats(session, old.id)
    if not any(row.user_id == user.id for row in rows):
        raise TableError("not-yours", _("Only those who played in this game can ask for that."))
    if (opened := _opened(session, old, user)) is not None:
        return opened
    new = lobby.create_table(session, user, settings_of(old), now)
    for row in rows:
        other = session.get(User, row.user_id) if row.user_id is not None else None
        if other is None:
            lobby.add_bot(session, new, row.bot or bots.CARETAKER, now)
        elif other.id != user.id:
            invitations.invite(session, new, other.email, other.name, now)
    return new


def settings_of(game: Game) -> lobby.TableSettings:
    """Return the settings of a table, so that another can be opened by them."""
    options = dict(game.options)
    auction = str(options.pop("auction", "sealed"))
    if options.get("region_choice") == "host":
        del options["region_choice"]  # the regions say so themselves
    return lobby.TableSettings(
        title=game.title,
        map=game.map,
        variant=game.variant,
        players=game.players,
        auction=auction,
        options=options,
        regions=tuple(game.regions),
        turn_hours=game.turn_hours,
        private=game.private,
        chat=game.chat,
        terms=Terms.model_validate(game.terms),
    )


def _opened(session: Session, old: Game, user: User) -> Game | None:
    """Return the rematch that somebody of the same table has opened already, if it waits."""
    played = select(SeatRow.user_id).where(SeatRow.game_id == old.id)
    query = select(Game).where(
        Game.status == GameStatus.OPEN,
        col(Game.id) > old.id,
        Game.title == old.title,
        Game.map == old.map,
        col(Game.host_id).in_(played),
    )
    found = session.exec(query).first()
    return found if found is not None and lobby.may_see(session, found, user) else None
