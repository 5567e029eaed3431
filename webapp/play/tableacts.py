"""What the game page shows of taking back, proposals and the host's tools."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from core.game.narrate.lines import Narrator
from core.table.acts import host_acts, proposed, undo
from core.table.acts.undo import Undo
from core.table.play import pauses
from core.table.record.errors import TableError
from core.table.views.table_view import table_view
from core.tableview import Logged
from webapp import web
from webapp.access import Access


@dataclass(frozen=True, slots=True)
class Acts:
    """What the reader may do about the table besides his move.

    `undo`: his last move can be taken back; `redo`: what was taken back can count again.
    `votes`: the host is gone, so that the players decide. `paused`: its clocks stand still.
    """

    undo: Undo | None = None
    redo: bool = False
    proposals: tuple[proposed.Proposed, ...] = ()
    votes: bool = False
    paused: bool = False


def acts(session: Session, access: Access) -> Acts:
    """For a reader of a running game; nothing for spectators."""
    game, seat = access.game, access.seat
    if game.status != "running" or not access.belongs:
        return Acts()
    paused = pauses.paused_since(session, game.id) is not None
    if seat is None:
        return Acts(paused=paused)
    return Acts(
        undo=_undo(session, game.id, seat),
        redo=undo.redo_of(session, game.id, seat) is not None,
        proposals=proposed.open_ones(session, game, seat, web.now()),
        votes=host_acts.host_is_gone(session, game, web.now()),
        paused=paused,
    )


def told(session: Session, access: Access, vanish: tuple[Logged, ...]) -> dict[str, Any]:
    """The events that would not count any more, in words, and the table they are about."""
    table = table_view(session, access.game.id, access.seat, now=web.now())
    tell = Narrator(table.view.ruleset, table.names)
    lines = [line for entry in vanish if (line := tell.line(entry.event))]
    return {"table": table, "lines": lines, "access": access}


def _undo(session: Session, game_id: int, seat: int) -> Undo | None:
    try:
        found = undo.look(session, game_id, seat)
    except TableError:
        return None
    return None if undo.asked_before(session, game_id, found) and not found.free else found
