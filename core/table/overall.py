"""Statistics of the whole site: public games that were played to their end, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from core.store.tables import Rating, Result, ResultSeat, User
from core.story.tally import A_CITY
from core.table.ratings import PROVISIONAL, Strength
from core.table.statistics import Line, average, counting, in_order, lines

STRONGEST = 50
"""So many players stand in the list."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Games of one kind: how many, their average rounds and days, how many were close.

    Close: first and second powered as many cities.
    """

    key: Any
    games: int
    rounds: float
    days: float
    close: int


@dataclass(frozen=True, slots=True)
class Overall:
    """Everything on the page. `seats`: by number of players, a line for each place in the order."""

    by: dict[str, tuple[Kind, ...]]
    seats: dict[int, tuple[Line, ...]]
    strongest: tuple[tuple[User, Strength], ...]


def overall(session: Session, board: str = "", variant: str = "") -> Overall:
    """Count; the order of seats only on one map or by one variant, where they are given."""
    kinds: dict[str, Mapped[Any]] = {
        "map": col(Result.map),
        "variant": col(Result.variant),
        "players": col(Result.players),
    }
    return Overall(
        by={kind: _kinds(session, column) for kind, column in kinds.items()},
        seats=_seats(session, board, variant),
        strongest=strongest(session),
    )


def strongest(session: Session) -> tuple[tuple[User, Strength], ...]:
    """The best by what they have shown at least; without those whose rating is provisional."""
    last = (
        select(Rating.user_id, func.max(Rating.games).label("games"))
        .group_by(col(Rating.user_id))
        .having(func.max(Rating.games) >= PROVISIONAL)
        .subquery()
    )
    query = (
        select(User, Rating)
        .join(last, last.c.user_id == col(User.id))
        .join(
            Rating,
            and_(col(Rating.user_id) == last.c.user_id, col(Rating.games) == last.c.games),
        )
        .order_by((col(Rating.mu) - 3 * col(Rating.sigma)).desc(), col(User.id))
        .limit(STRONGEST)
    )
    return tuple((user, Strength.of(rating)) for user, rating in session.exec(query))


def _kinds(session: Session, kind: Mapped[Any]) -> tuple[Kind, ...]:
    seconds = average(col(Result.seconds))
    close = func.sum(case((col(Result.closeness) < A_CITY, 1), else_=0))
    query = (
        select(kind, func.count(), average(col(Result.rounds)), seconds / 86400, close)  # type: ignore[call-overload]
        .where(counting((), None))
        .group_by(kind)
        .order_by(*in_order(kind))
    )
    return tuple(Kind(*row) for row in session.exec(query))


def _seats(session: Session, board: str, variant: str) -> dict[int, tuple[Line, ...]]:
    which: Sequence[ColumnElement[bool]] = [
        column == wanted
        for column, wanted in ((col(Result.map), board), (col(Result.variant), variant))
        if wanted
    ]
    found: dict[int, tuple[Line, ...]] = {}
    for players in (2, 3, 4, 5, 6):
        here = and_(counting((), None), col(Result.players) == players, *which)
        rows = lines(session, col(ResultSeat.first), here)
        if rows:
            found[players] = rows
    return found
