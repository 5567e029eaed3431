"""The gallery: public games that were played to their end, newest first, by whatever one looks for.

One page is three small questions to the database: it begins behind the last game of the page before
(keyset), and nothing is counted. Whatever is asked for, one index holds it: games are found by a
walk through it, and only those that are shown are read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, tuple_
from sqlmodel import Session, col, select

from core.game.rules.check import PLAYERS
from core.store.tables import Game, Result, ResultSeat, SeatRow

PAGE: Final = 20
"""Games on a page."""
LENGTHS: Final[Mapping[str, range]] = {
    "short": range(9),
    "middle": range(9, 13),
    "long": range(13, 10_000),
}
"""Rounds of a short, a middling, a long game."""
CLOSE: Final[Mapping[str, int]] = {"photo": 6, "close": 1000}
"""Closeness below which a game was decided by a few Elektro, or by Elektro at all."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for; an empty field asks for nothing.

    `length`: a key of LENGTHS; `close`: a key of CLOSE; `rated`: yes or no.
    """

    map: str = ""
    variant: str = ""
    players: int = 0
    length: str = ""
    close: str = ""
    rated: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat there, by the name they have there; `won`: alone or with others."""

    name: str
    won: bool


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A game in the gallery."""

    result: Result
    title: str
    players: Sequence[Player]

    @property
    def ended_at(self) -> datetime:
        """When it ended, UTC."""
        return self.result.ended_at


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, and the game behind which the next page begins; 0 where this is the last."""

    games: Sequence[Exhibit]
    before: int


def page(session: Session, wanted: Wanted, before: int = 0) -> Page:
    """Return the newest games, or those that ended before game `before` did."""
    newest = col(Result.ended_at).desc(), col(Result.game_id).desc()
    query = select(Result.game_id).where(*_asked(wanted), *_behind(session, before))
    found = session.exec(query.order_by(*newest).limit(PAGE + 1)).all()
    shown = found[:PAGE]
    return Page(_exhibits(session, shown), shown[-1] if len(found) > PAGE else 0)


def _asked(wanted: Wanted) -> list[ColumnElement[bool]]:
    asked: list[ColumnElement[bool]] = [
        ~col(Result.private),  # as the index says it
        ~col(Result.abandoned),
    ]
    if wanted.map:
        asked.append(col(Result.map) == wanted.map)
    if wanted.variant:
        asked.append(col(Result.variant) == wanted.variant)
    if wanted.players in PLAYERS:
        asked.append(col(Result.players) == wanted.players)
    if rounds := LENGTHS.get(wanted.length):
        asked.append(col(Result.rounds).between(rounds[0], rounds[-1]))
    if most := CLOSE.get(wanted.close):
        asked.append(col(Result.closeness) < most)
    if wanted.rated in ("yes", "no"):
        asked.append(col(Result.rated).is_(wanted.rated == "yes"))
    return asked


def _behind(session: Session, before: int) -> list[ColumnElement[bool]]:
    last = session.get(Result, before) if before else None
    if last is None:
        return []
    return [tuple_(col(Result.ended_at), col(Result.game_id)) < (last.ended_at, last.game_id)]


def _exhibits(session: Session, ids: Sequence[int]) -> list[Exhibit]:
    games = select(Result, Game.title).join(Game, col(Game.id) == col(Result.game_id))
    found = session.exec(games.where(col(Result.game_id).in_(ids)))
    told = {result.game_id: (result, title) for result, title in found}
    seats: dict[int, list[Player]] = {}
    query = (
        select(SeatRow.game_id, SeatRow.name, ResultSeat.place)
        .join(
            ResultSeat,
            (col(ResultSeat.game_id) == col(SeatRow.game_id))
            & (col(ResultSeat.seat) == col(SeatRow.seat)),
        )
        .where(col(SeatRow.game_id).in_(ids))
        .order_by(col(SeatRow.game_id), col(ResultSeat.place), col(SeatRow.seat))
    )
    for game_id, name, place in session.exec(query):
        seats.setdefault(game_id, []).append(Player(name, place == 1))
    return [Exhibit(*told[n], seats.get(n, ())) for n in ids]
