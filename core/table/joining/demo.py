"""A table to try the service at: one person and three bots, begun and waiting."""

from datetime import datetime
from typing import Final

from sqlmodel import Session, select

from core import bots
from core.game.rules import catalog
from core.store.tables import Game, User
from core.table.joining import lobby
from core.table.people.accounts import user_for
from core.text import _

BOTS: Final = 3
TURN_HOURS: Final = 7 * 24


def demo_table(session: Session, address: str, now: datetime, board: str = "") -> tuple[User, Game]:
    """The person with this address, and his demo table: the one that still runs, else a new one.

    A new one is played on the map with the key `board`, else the first by name, by the standard
    rules with a sealed auction. Seats are drawn, so others may have to move before him. TableError
    as in `lobby`.
    """
    user = user_for(session, address, now, _("Guest"))
    running = select(Game).where(Game.host_id == user.id, Game.status == "running")
    if found := session.exec(running).first():
        return user, found
    settings = lobby.TableSettings(
        title=_("Demo game"),
        map=board or catalog.maps()[0].key,
        players=1 + BOTS,
        turn_hours=TURN_HOURS,
        private=True,
    )
    game = lobby.create_table(session, user, settings, now)
    for _number in range(BOTS):
        lobby.add_bot(session, game, bots.CARETAKER, now)
    return user, lobby.start(session, game, now)
