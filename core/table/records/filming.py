"""What stands on the pictures of a game: the stills of its film, the card of its link.

A film is made only of a game that is over, so that it may show everything. A card shows what a
spectator may see. Names, boards and sums; never an address.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from PIL.Image import Image
from sqlmodel import Session

from core.drawing import posters
from core.drawing.from_view import marks, scene
from core.drawing.png import raster
from core.drawing.posters import Row
from core.game.events import PhaseBegan, RoundBegan
from core.game.log.closing import closing
from core.game.narrate.lines import phase_name
from core.game.narrate.outcome import victory
from core.game.narrate.wording import cities
from core.game.observe import PlayerView, observe
from core.game.rewind import taken_back
from core.game.types import Phase
from core.store.tables import Game
from core.table.records.film import Film, film
from core.table.view import table_view
from core.tableview import SeatSeen, TableView
from core.text import _, ngettext
from core.when import NEVER

MOST_STILLS: Final = 120
"""A longer game is shown in larger steps."""


def stops(shot: Film) -> tuple[int, ...]:
    """The events after which a film stops: the end of each phase that counts, and of the game."""
    gone = taken_back(shot.entries)
    ends = [
        entry.seq - 1
        for entry, before in zip(shot.entries[1:], shot.entries, strict=False)
        if isinstance(entry.event, RoundBegan)
        or (isinstance(entry.event, PhaseBegan) and not isinstance(before.event, RoundBegan))
        if entry.seq not in gone
    ]
    every = len(ends) // MOST_STILLS + 1
    return (*ends[::-1][::every][::-1], len(shot.entries))


class Reel:
    """A finished game ready to be drawn, still by still."""

    def __init__(self, session: Session, game: Game) -> None:
        self._film = film(session, game)
        self._title = game.title
        self._table = table_view(session, game.id, None, now=NEVER)
        self.stops = stops(self._film)

    def picture(self, n: int, width: int) -> Image:
        """Still `n`, from 0, in RGB, so many pixels wide; the last one tells the result."""
        view = observe(self._film.states[self.stops[n] - 1], None, revealed=True)
        shown = scene(view, self._table.seats, look="light")
        last = n == len(self.stops) - 1
        heading = (_result(self._table) if last else "") or _moment(view)
        rows = _rows(view, self._table.seats)
        made = _ground(posters.ground(shown, len(rows)), width).copy()
        made.alpha_composite(raster(posters.still(shown, self._title, heading, rows), width))
        return made.convert("RGB")


@lru_cache(maxsize=4)
def _ground(drawn: str, width: int) -> Image:
    """The board without its houses: it takes long to draw, and changes three times a game."""
    return raster(drawn, width)


def card(session: Session, game: Game, now: datetime) -> str:
    """The card of a game as SVG, with what a spectator may see of it now."""
    table = table_view(session, game.id, None, now=now)
    rules = table.view.ruleset
    lines = [
        _("{map} · {rules}").format(map=rules.map.name, rules=rules.variant_name),
        _result(table) or _moment(table.view),
    ]
    shown = scene(table.view, table.seats, look="light")
    return posters.card(shown, table.title, lines, _rows(table.view, table.seats, brief=True))


def _rows(view: PlayerView, seats: Sequence[SeatSeen], brief: bool = False) -> list[Row]:
    """The players in turn order, or in that of the result."""
    mark = marks(seats)
    order = [s.seat for s in view.standings] or view.order
    return [Row(mark[seat], _facts(view, seat, brief)) for seat in order]


def _facts(view: PlayerView, seat: int, brief: bool) -> str:
    player = view.players[seat]
    parts = [cities(len(player.cities))]
    if not brief and player.plants:
        text = ngettext("plant {numbers}", "plants {numbers}", len(player.plants))
        parts.append(text.format(numbers=" ".join(map(str, sorted(player.plants)))))
    if player.elektro is not None:
        parts.append(_("{n} Elektro").format(n=player.elektro))
    return ", ".join(parts)


def _moment(view: PlayerView) -> str:
    """``Round 5 · Building · Step 2``."""
    if view.phase is Phase.REGIONS or not view.round:
        return phase_name(view.phase)
    text = _("Round {round} · {phase} · Step {step}")
    return text.format(round=view.round, phase=phase_name(view.phase), step=view.step)


def _result(table: TableView) -> str:
    """Who has won; that nobody has where the game was given up; empty while it runs."""
    view = table.view
    if view.standings:
        return victory(view.standings, view.ruleset.tie_breaks, lambda seat: table.names[seat])
    if closing([entry.event for entry in table.log]) is not None:
        return _("Ended without a winner")
    return ""
