"""Pictures that are owed, made a few seconds at a time, and kept (docs/adr/0028).

A row is the work: the tick finds it, a worker takes it for a minute at most, and what was made is
committed with how far it got. Only one picture is made at a time, so that moves never wait.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import structlog
from PIL.Image import Image
from sqlalchemy import ColumnElement, Engine
from sqlmodel import Session, and_, col, or_, select

from core.drawing import posters
from core.drawing import raster as drawing_raster
from core.drawing.posters import Row
from core.drawing.raster import png, raster
from core.drawing.scene import marks, scene
from core.game.events import PhaseBegan, RoundBegan, closing
from core.game.narrate.lines import phase_name
from core.game.narrate.wording import cities, victory
from core.game.observe import PlayerView, observe
from core.game.rewind import taken_back
from core.game.types import Phase
from core.lists import series
from core.statuses import GAME_OVER, GameStatus, PictureStatus
from core.store.fences import fenced
from core.store.leases import Queue
from core.store.session import put, read, write
from core.store.tables import Game, Picture
from core.table.record.errors import TableError
from core.table.record.timeline import Timeline, timeline
from core.table.views.table_view import table_view
from core.tableview import SeatSeen, TableView
from core.text import _, ngettext
from core.when import NEVER

MOST_STILLS: Final = 120
"""A longer game is shown in larger steps."""


def stops(shot: Timeline) -> tuple[int, ...]:
    """Return the events after which a film stops: ends of phases that count, and of the game."""
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


class FilmFrames:
    """A finished game ready to be drawn, still by still."""

    def __init__(self, session: Session, game: Game) -> None:
        self._film = timeline(session, game)
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
    """Return the board without houses: it is slow to draw, and changes three times a game."""
    return raster(drawn, width)


def card(session: Session, game: Game, now: datetime) -> str:
    """Return the card of a game as SVG, with what a spectator may see of it now."""
    table = table_view(session, game.id, None, now=now)
    rules = table.view.ruleset
    lines = [
        _("{map} · {rules}").format(map=_(rules.map.name), rules=_(rules.variant_name)),
        _result(table) or _moment(table.view),
    ]
    shown = scene(table.view, table.seats, look="light")
    return posters.card(shown, table.title, lines, _rows(table.view, table.seats, brief=True))


def _rows(view: PlayerView, seats: Sequence[SeatSeen], brief: bool = False) -> list[Row]:
    """Return the players in turn order, or in that of the result."""
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
    return series(parts)


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


FILM: Final = "film"
CARD: Final = "card"
MOST_BYTES: Final = 2_000_000
"""A film does not grow larger."""
TRIES: Final = 3
"""Times that the making may stop without having got on."""
OLD: Final = timedelta(hours=6)
"""The card of a running game is made anew when it is so old and the game has gone on."""
_WIDTH: Final = 960
_SHOWN: Final = 900
_SHOWN_LAST: Final = 6000
"""Milliseconds for which a still is shown."""
_LEAST: Final = 2
"""Stills that are made before others have their turn, however busy the machine is."""
QUEUE: Final = Queue(
    Picture,
    waits=PictureStatus.OWED,
    since="asked_at",
    lease=timedelta(minutes=1),
    round=timedelta(seconds=4),
)

log = structlog.get_logger()


class TooLarge(Exception):
    """A film has grown over its bound."""


def owe(session: Session, game: Game, kind: str, now: datetime) -> None:
    """Owe a picture of the game as it stands; a card that is there is shown until then.

    Who asks for what is owed already changes nothing. TableError `not-over` for the film of a
    game that runs: it would show what nobody may see yet.
    """
    if kind == FILM and game.status not in GAME_OVER:
        raise TableError("not-over", _("The film is made when the game is over."))
    row = session.get(Picture, (game.id, kind), with_for_update=True)
    if row is not None and row.status == PictureStatus.OWED:
        return
    old = row.body if row is not None and kind == CARD else b""
    put(session, Picture(game_id=game.id, kind=kind, seq=game.seq, body=old, asked_at=now))


def owe_cards(session: Session, now: datetime) -> None:
    """Owe the cards of public games that have none, or one that is no longer true."""
    for game in without_card(session, now, 20):
        with fenced(session, "card", now, game=game.id):
            owe(session, game, CARD, now)


def without_card(session: Session, now: datetime, most: int = 1) -> Sequence[Game]:
    """Public games whose card is to be made, or made anew, but not more than `most` of them."""
    stale = and_(
        col(Picture.seq) < col(Game.seq),
        or_(Game.status != GameStatus.RUNNING, col(Picture.asked_at) <= now - OLD),
    )
    query = (
        select(Game)
        .outerjoin(Picture, and_(col(Picture.game_id) == Game.id, col(Picture.kind) == CARD))
        .where(
            col(Game.private).is_(False),
            Game.seq > 0,
            or_(col(Picture.game_id).is_(None), stale),
        )
    )
    return session.exec(query.order_by(col(Game.id)).limit(most)).all()


def due(session: Session, now: datetime) -> bool:
    """Return True if there is a picture that a worker could make now."""
    return session.exec(select(Picture.game_id).where(_free(now)).limit(1)).first() is not None


def work(engine: Engine, clock: Callable[[], datetime]) -> bool:
    """Make pictures for some seconds; return True if there is more to do."""
    end = clock() + QUEUE.round
    for rows in QUEUE.claims(engine, clock, _claim):
        values = _made(engine, rows[0], clock, end)
        if values.get("status") == PictureStatus.READY:
            values["made_at"] = clock()
        with write(engine) as session:
            QUEUE.mark(session, rows, **values)
    with read(engine) as session:
        return due(session, clock())


def _made(
    engine: Engine, row: Picture, clock: Callable[[], datetime], end: datetime
) -> dict[str, Any]:
    """Return the columns of a picture after an attempt; none where it broke and is owed still."""
    try:
        return _film(engine, row, clock, end) if row.kind == FILM else _card(engine, row, clock())
    except TooLarge:
        return _failure("large")
    except Exception:
        log.exception("picture_failed", game=row.game_id, kind=row.kind)
        return {}


def _free(now: datetime) -> ColumnElement[bool]:
    """Match pictures that are owed, while nobody makes any picture."""
    others = select(Picture.game_id).where(col(Picture.lease_until) > now).exists()
    return and_(QUEUE.free(now), ~others)


def _claim(session: Session, now: datetime) -> list[Picture]:
    """Take the picture that has been owed longest; give up those that were tried too often."""
    while rows := QUEUE.claim(session, now, _free(now), [col(Picture.asked_at)], most=1):
        if rows[0].attempts <= TRIES:
            break
        QUEUE.mark(session, rows, **_failure("broken"))
        log.error("picture_given_up", game=rows[0].game_id, kind=rows[0].kind)
    return rows


def _card(engine: Engine, row: Picture, now: datetime) -> dict[str, Any]:
    """Return the columns of a card that is made; that of a table turned private is not."""
    with read(engine) as session:
        game = session.get_one(Game, row.game_id)
        seq, drawn = game.seq, "" if game.private else card(session, game, now)
    body = png(drawn, posters.CARD[0]) if drawn else b""
    return {"status": PictureStatus.READY, "seq": seq, "body": body, "attempts": 0}


def _film(
    engine: Engine, row: Picture, clock: Callable[[], datetime], end: datetime
) -> dict[str, Any]:
    """Return the columns of a film that has got on, until the time is over or all is made."""
    with read(engine) as session:
        reel = FilmFrames(session, session.get_one(Game, row.game_id))
    frames, done, total = row.body, row.done, len(reel.stops)
    before = reel.picture(done - 1, _WIDTH) if done else None
    size = (0, 0)
    while done < total and (done - row.done < _LEAST or clock() < end):
        picture = reel.picture(done, _WIDTH)
        done += 1
        frames += drawing_raster.frame(picture, before, _SHOWN if done < total else _SHOWN_LAST)
        before, size = picture, picture.size
        if len(frames) > MOST_BYTES:
            raise TooLarge
    made = {"body": frames, "done": done, "total": total, "attempts": 0}
    if done < total:
        return made
    return {**made, "status": PictureStatus.READY, "body": drawing_raster.animation(size, frames)}


def _failure(why: str) -> dict[str, Any]:
    return {"status": PictureStatus.FAILED, "error": why}
