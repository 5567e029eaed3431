"""Games as files: a stored game written as JSON Lines, whole or, while it runs, without secrets."""

from collections.abc import Iterator

from sqlmodel import Session

from core.game.log.jsonl import dump, log_of
from core.game.log.redact import redact
from core.store.tables import Game
from core.table import gamelog, places
from core.table.errors import TableError
from core.text import _


def export(session: Session, game: Game) -> Iterator[str]:
    """The lines of a game's file; while it runs, unseen cards and the seed are blanked.

    TableError `not-begun` for a table whose game has no log yet.
    """
    log = gamelog.events(session, game.id)
    if not log:
        raise TableError("not-begun", _("This game has not begun; there is nothing to export."))
    names = [row.name for row in places.seats(session, game.id)]
    events = redact(entry.event for entry in log)
    return dump(log_of(events, names, [entry.at for entry in log]))
