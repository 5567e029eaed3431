"""Statistics of players, pairs and the whole site: counted by the database, from results alone.

Private games are nobody's business: they count only on pages of people, only for those who played
in them, and there only if the one whom the page is about shares them (`User.share_private`) or is
the reader himself. Games that were ended before their end, and imported ones, count nowhere. A
place is that of whoever made at least half of the seat's moves, else nobody's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, cast, func, or_
from sqlalchemy.orm import Mapped, aliased
from sqlalchemy.types import Float, Integer
from sqlmodel import Session, col, exists, select

from core.store.tables import Game, Result, ResultSeat, SeatRow, User
from core.table import lobby

RECENT: Final = 20
"""So many games, opponents or players are listed one by one."""


@dataclass(frozen=True, slots=True)
class Line:
    """Games of one kind: how many, how many of them were won, and the average place."""

    key: Any
    games: int
    wins: int
    place: float

    @property
    def percent(self) -> float:
        """Percent of the games that were won; a shared victory is one."""
        return 100 * self.wins / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Punctuality:
    """Moves of the user himself, deadlines that he missed, and how fast he answers.

    `seconds`: the middle of his games' medians, by the calendar; None where he never answered.
    """

    turns: int
    missed: int
    seconds: int | None

    @property
    def percent(self) -> int:
        """Percent of deadlines kept, rounded down."""
        asked = self.turns + self.missed
        return 100 * self.turns // asked if asked else 100


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom a user has played with, in how many games."""

    user_id: int
    name: str
    games: int


@dataclass(frozen=True, slots=True)
class Played:
    """One game: the places of those whom the page is about."""

    game: Result
    title: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All about one player."""

    total: Line
    by: dict[str, tuple[Line, ...]]
    punctuality: Punctuality
    opponents: tuple[Opponent, ...]
    games: tuple[Played, ...]


def is_known(session: Session, user: User, viewer: User | None) -> bool:
    """May the viewer see that there is this user: does he sit where the viewer may look?"""
    if viewer is not None and viewer.id == user.id:
        return True
    tables = select(Game).join(SeatRow, col(SeatRow.game_id) == col(Game.id))
    tables = tables.where(SeatRow.user_id == user.id)
    if session.exec(tables.where(col(Game.private).is_(False)).limit(1)).first() is not None:
        return True
    if viewer is None:
        return False
    return any(lobby.may_see(session, table, viewer) for table in session.exec(tables).all())


def record(session: Session, user: User, viewer: User | None) -> Record:
    """What a viewer, None for a stranger, is told of a player."""
    mine = and_(col(ResultSeat.user_id) == user.id, counting([user], viewer))
    placed = and_(mine, own(ResultSeat))
    total = lines(session, None, placed)
    kinds = {
        "players": col(Result.players),
        "map": col(Result.map),
        "variant": col(Result.variant),
        "first": col(ResultSeat.first),
    }
    return Record(
        total=total[0] if total else Line(None, 0, 0, 0.0),
        by={kind: lines(session, column, placed) for kind, column in kinds.items()},
        punctuality=_punctuality(session, mine),
        opponents=_opponents(session, user, viewer),
        games=_recent(session, user, viewer),
    )


def counting(subjects: Sequence[User], viewer: User | None) -> ColumnElement[bool]:
    """Which results count on a page about these people, for this viewer."""
    over = and_(col(Result.abandoned).is_(False), col(Result.imported).is_(False))
    public = and_(over, col(Result.private).is_(False))
    shared = all(viewer and (one.id == viewer.id or one.share_private) for one in subjects)
    if viewer is None or not shared:
        return public
    me = aliased(ResultSeat)
    there = exists().where(
        col(me.game_id) == col(Result.game_id), col(me.user_id) == viewer.id
    )  # fmt: skip
    return and_(over, or_(col(Result.private).is_(False), there))


def in_order(kind: Mapped[Any]) -> tuple[Any, ...]:
    """How lines by this kind are sorted: numbers count up, of names the most frequent is first."""
    counts_up = isinstance(getattr(kind, "type", None), Integer)
    return (kind,) if counts_up else (func.count().desc(), kind)


def own(seat: type[ResultSeat]) -> ColumnElement[bool]:
    """Did its last holder make at least half of its moves, so that the place is his?"""
    return 2 * col(seat.own_turns) >= col(seat.turns)


def lines(
    session: Session, kind: Mapped[Any] | None, which: ColumnElement[bool]
) -> tuple[Line, ...]:
    """Seats of results, counted by kind; all together where there is none."""
    sums = (func.count(), _wins(ResultSeat), average(col(ResultSeat.place)))
    query = (
        select(*([] if kind is None else [kind]), *sums)  # type: ignore[call-overload]
        .join(Result, col(Result.game_id) == col(ResultSeat.game_id))
        .where(which)
    )
    if kind is not None:
        query = query.group_by(kind).order_by(*in_order(kind))
    rows = [row if kind is not None else (None, *row) for row in session.exec(query)]
    return tuple(Line(*row) for row in rows if row[1])


def _wins(seat: type[ResultSeat]) -> ColumnElement[int]:
    return func.sum(case((col(seat.place) == 1, 1), else_=0))


def average(column: Mapped[Any]) -> ColumnElement[float]:
    """The average as a fraction, also of whole numbers."""
    return func.avg(cast(column, Float))


def _punctuality(session: Session, mine: ColumnElement[bool]) -> Punctuality:
    query = (
        select(ResultSeat.own_turns, ResultSeat.missed, ResultSeat.median_seconds)
        .join(Result, col(Result.game_id) == col(ResultSeat.game_id))
        .where(mine)
    )
    rows = session.exec(query).all()
    seconds = [median for _turns, _missed, median in rows if median is not None]
    return Punctuality(
        turns=sum(turns for turns, _missed, _median in rows),
        missed=sum(missed for _turns, missed, _median in rows),
        seconds=median_low(seconds) if seconds else None,
    )


def _opponents(session: Session, user: User, viewer: User | None) -> tuple[Opponent, ...]:
    """Whom the player has met most often, in games that count on the page of the two."""
    other = aliased(ResultSeat)
    shared = or_(col(Result.private).is_(False), col(User.share_private))
    if viewer is not None:
        shared = or_(shared, col(User.id) == viewer.id)
    query = (
        select(User.id, User.name, func.count())
        .join(other, col(other.user_id) == col(User.id))
        .join(ResultSeat, col(ResultSeat.game_id) == col(other.game_id))
        .join(Result, col(Result.game_id) == col(other.game_id))
        .where(
            ResultSeat.user_id == user.id,
            User.id != user.id,
            own(ResultSeat),
            own(other),
            counting([user], viewer),
            shared,
        )
        .group_by(col(User.id), col(User.name))
        .order_by(func.count().desc(), col(User.name), col(User.id))
        .limit(RECENT)
    )
    return tuple(Opponent(*row) for row in session.exec(query))


def _recent(session: Session, user: User, viewer: User | None) -> tuple[Played, ...]:
    query = (
        select(Result, Game.title, ResultSeat.place)
        .join(Game, col(Game.id) == col(Result.game_id))
        .join(ResultSeat, col(ResultSeat.game_id) == col(Result.game_id))
        .where(ResultSeat.user_id == user.id, counting([user], viewer))
        .order_by(col(Result.ended_at).desc(), col(Result.game_id).desc())
        .limit(RECENT)
    )
    return tuple(Played(game, title, (place or 0,)) for game, title, place in session.exec(query))
